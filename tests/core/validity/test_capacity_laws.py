"""Laws of capacity: a party fits if every unit can be seated, in any order. Decisions §8.3, §8.4.

The oracle seats units one at a time and stops when a pool-day is full.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import TypeAlias
from zoneinfo import ZoneInfo

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, DrawFn

from faregate.catalogue.pools import Blocked, Counting, Pool, PoolSlot, PoolUse, TimeSlot
from faregate.dates.instants import Interval
from faregate.validity.capacity import fits_capacity, free_units, max_units, pool_demand, pool_slots, uses_of
from support.baskets.strategies import members, upto
from support.booking.strategies import (
    ONE_DAY,
    Situation,
    day_sets,
    fewer,
    parties,
    situations,
    validities,
)

MONDAY = date(2026, 12, 28)
SLOTS = [
    PoolSlot(pool, MONDAY + n * ONE_DAY, at)
    for pool in ("lift", "park")
    for n in (0, 1)
    for at in (None, time(8))
]
demands = st.dictionaries(st.sampled_from(SLOTS), upto(4))
free_everywhere = st.fixed_dictionaries({slot: st.one_of(st.none(), upto(12)) for slot in SLOTS})


def seat(places: Mapping[PoolSlot, int], free: dict[PoolSlot, int | None]) -> bool:
    """Take the demand of one unit from *free*; return False, with nothing taken, if it does not fit."""
    if any((left := free[slot]) is not None and left < units for slot, units in places.items()):
        return False
    for slot, units in places.items():
        left = free[slot]
        if left is not None:
            free[slot] = left - units
    return True


def seat_all(units: Iterable[Mapping[PoolSlot, int]], free: Mapping[PoolSlot, int | None]) -> bool:
    left = dict(free)
    return all(seat(places, left) for places in units)


def together(units: Iterable[Mapping[PoolSlot, int]]) -> dict[PoolSlot, int]:
    places: Counter[PoolSlot] = Counter()
    for unit in units:
        places.update(unit)
    return dict(places)


@given(demands, free_everywhere)
def test_the_remaining_number_is_how_many_can_be_seated_in_turn(
    places: dict[PoolSlot, int], free: dict[PoolSlot, int | None]
) -> None:
    left = dict(free)
    seated = 0
    while seated <= 12 and seat(places, left):
        seated += 1

    # At most twelve units with any demand fit into twelve.
    assert max_units(places, free) == (None if seated > 12 else seated)


@given(st.data(), st.lists(demands, max_size=5), free_everywhere)
def test_a_party_is_feasible_iff_everyone_can_be_seated_in_any_order(
    data: DataObject, party: list[dict[PoolSlot, int]], free: dict[PoolSlot, int | None]
) -> None:
    shuffled = data.draw(st.permutations(party))

    found = fits_capacity(together(party), free)

    assert found.ok is seat_all(party, free) is seat_all(shuffled, free)
    assert fits_capacity(together(shuffled), dict(reversed(free.items()))) == found


@given(demands, free_everywhere)
def test_the_bottleneck_has_the_largest_shortage(
    wanted: dict[PoolSlot, int], free: dict[PoolSlot, int | None]
) -> None:
    found = fits_capacity(wanted, free)

    lacking = {slot: units - left for slot, units in wanted.items() if (left := free[slot]) is not None}
    most = max(lacking.values(), default=0)
    assert found.ok is (most <= 0)
    assert (found.bottleneck is None) is found.ok
    if found.bottleneck is not None:
        assert lacking[found.bottleneck] == most


Party: TypeAlias = list[tuple[int, Interval | None]]


@st.composite
def situations_and_parties(draw: DrawFn) -> tuple[Situation, Party, Party]:
    situation = draw(situations())
    return situation, draw(parties(situation)), draw(parties(situation))


@given(situations_and_parties())
def test_a_party_takes_the_sum_of_what_its_units_take(drawn: tuple[Situation, Party, Party]) -> None:
    situation, party, _ = drawn

    def alone(variant_id: int, validity: Interval) -> dict[PoolSlot, int]:
        product, variant = situation.catalogue.variant(variant_id)
        uses = uses_of(variant, product)
        return {
            slot: places
            for use in product.pools
            if (places := uses.get(use.pool, 0))
            for slot in pool_slots(use, situation.catalogue.pool(use.pool), validity)
        }

    units = [alone(variant_id, validity) for variant_id, validity in party if validity is not None]

    assert pool_demand(party, catalogue=situation.catalogue) == together(units)


STEP = timedelta(minutes=15)
quarters = st.builds(time, st.integers(0, 23), st.sampled_from((0, 15, 30, 45)))


def instants_of(validity: Interval) -> Iterable[datetime]:
    """Yield every quarter of an hour of *validity*, in its own time zone."""
    instant = validity.start.astimezone(UTC)
    while instant < validity.end:
        yield instant.astimezone(validity.start.tzinfo)
        instant += STEP


@given(st.data(), situations())
def test_a_validity_takes_the_days_that_it_overlaps(data: DataObject, situation: Situation) -> None:
    validity = data.draw(validities(situation))
    if validity.end - validity.start > 5 * ONE_DAY:
        validity = Interval(validity.start, validity.start + 5 * ONE_DAY)
    pool = Pool(identifier="lift", size=1)

    days = [slot.day for slot in pool_slots(PoolUse("lift"), pool, validity)]

    shown = {instant.date() for instant in instants_of(validity)}
    # A day skipped by the time zone lies between days that are touched.
    assert [day for day in days if day in shown] == sorted(shown)
    assert all(first + ONE_DAY == second for first, second in pairwise(days))


@given(
    st.lists(
        st.builds(TimeSlot, quarters, quarters), min_size=1, max_size=4, unique_by=lambda slot: slot.start
    ),
    st.sampled_from((ZoneInfo("Europe/Zurich"), ZoneInfo("Asia/Tokyo"))),
    st.integers(0, 3 * 96),
    st.integers(1, 2 * 96),
)
def test_a_validity_takes_the_slots_that_it_overlaps(
    slots: list[TimeSlot], zone: ZoneInfo, first: int, length: int
) -> None:
    """This holds on days without a clock change."""
    start = datetime(2026, 12, 28, tzinfo=zone) + first * STEP
    validity = Interval(start, start + length * STEP)
    pool = Pool(identifier="lift", size=1, slots=tuple(slots))

    found = pool_slots(PoolUse("lift"), pool, validity)

    shown = {
        PoolSlot("lift", (instant - (ONE_DAY if is_of_yesterday else timedelta())).date(), slot.start)
        for instant in instants_of(validity)
        for slot in slots
        for is_of_yesterday in (False, True)
        if _is_within(instant.time(), slot, is_of_yesterday=is_of_yesterday)
    }
    assert found == sorted(shown)


def _is_within(at: time, slot: TimeSlot, *, is_of_yesterday: bool) -> bool:
    is_over_midnight = slot.end <= slot.start
    if is_of_yesterday:
        return is_over_midnight and at < slot.end
    return slot.start <= at and (is_over_midnight or at < slot.end)


@given(st.data(), situations(), members(Counting))
def test_slots_are_in_order_and_the_first_day_takes_its_first_slot(
    data: DataObject, situation: Situation, counting: Counting
) -> None:
    validity = data.draw(validities(situation))
    for pool in situation.catalogue.pools:
        all_slots = pool_slots(PoolUse(pool.identifier), pool, validity)

        found = pool_slots(PoolUse(pool.identifier, counting), pool, validity)

        begun_that_day = [slot for slot in all_slots if slot.day == validity.first_day]
        assert [(slot.day, slot.start or time.min) for slot in all_slots] == sorted(
            {(slot.day, slot.start or time.min) for slot in all_slots}
        )
        assert (
            found
            == {
                Counting.EACH_DAY: all_slots,
                Counting.FIRST_DAY: begun_that_day[:1] or all_slots[:1],
                Counting.NONE: [],
            }[counting]
        )


@given(st.data(), situations())
def test_free_places_are_those_for_sale_less_those_taken_but_never_below_0(
    data: DataObject, situation: Situation
) -> None:
    catalogue, taken = situation.catalogue, situation.taken
    given_back = data.draw(fewer(taken))

    for slot, (sold, held) in taken.items():
        size = catalogue.pool(slot.pool).for_sale(slot.day, catalogue.calendar)
        free = free_units(slot, catalogue=catalogue, capacity=taken)
        more = free_units(slot, catalogue=catalogue, capacity=given_back)

        assert free == (None if size is None else max(size - sold - held, 0))
        assert free_units(slot, catalogue=catalogue, capacity={}) == size
        assert (free is None and more is None) or (free is not None and more is not None and free <= more)


@given(st.data(), situations())
def test_blocked_places_are_taken_from_what_is_free(data: DataObject, situation: Situation) -> None:
    catalogue, taken = situation.catalogue, situation.taken
    blocked = Blocked(data.draw(upto(5)), data.draw(day_sets(situation.anchor)))
    tighter = [replace(pool, blocked=(*pool.blocked, blocked)) for pool in catalogue.pools]
    after_blocking = replace(catalogue, pools=tuple(tighter))

    for slot in taken:
        before = free_units(slot, catalogue=catalogue, capacity=taken)
        after = free_units(slot, catalogue=after_blocking, capacity=taken)

        fewer_places = blocked.units if blocked.when.include(slot.day, catalogue.calendar) else 0
        assert after == (None if before is None else max(before - fewer_places, 0))
