"""Pool capacity: the demand of units, the free units, and whether a party fits. Decisions §8.3, §8.4."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

import pytest

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Blocked, Counting, Pool, PoolSize, PoolSlot, PoolUsage, PoolUse, TimeSlot
from faregate.dates.instants import Interval, parse_interval
from faregate.errors import InvalidCatalogue, InvalidPeriod, UnknownEntry
from faregate.validity.capacity import (
    fits_capacity,
    free_units,
    max_units,
    pool_demand,
    pool_slots,
    uses_of,
)
from support.shops.booking_shop import ADULT, COMBO, FAMILY, MOUNTAIN, PARK, ZURICH, shop, ticket, variant

DAY_27, DAY_28, DAY_29 = (PoolSlot(MOUNTAIN, date(2026, 12, day)) for day in (27, 28, 29))
PARK_28 = PoolSlot(PARK, date(2026, 12, 28))

NIGHT = TimeSlot(time(22), time(2))
MORNING, NOON, AFTERNOON = (TimeSlot(time(hour), time(hour + 2)) for hour in (8, 10, 12))


def days(first: str, last: str, zone: ZoneInfo = ZURICH) -> Interval:
    return parse_interval(first, last, zone)


def slots_of(
    validity: Interval, *slots: TimeSlot, counting: Counting = Counting.EACH_DAY
) -> list[tuple[int, time | None]]:
    """Return the day of the month and the start of the slots that *validity* takes."""
    pool = Pool(identifier=MOUNTAIN, size=9, slots=slots)
    return [(slot.day.day, slot.start) for slot in pool_slots(PoolUse(MOUNTAIN, counting), pool, validity)]


def test_a_unit_takes_one_place_of_each_pool_of_its_product() -> None:
    product = ticket(pools=[PoolUse(MOUNTAIN), PoolUse(PARK)])

    assert uses_of(product.variants[0], product) == {MOUNTAIN: 1, PARK: 1}


def test_a_variant_with_its_own_uses_takes_only_those() -> None:
    family = variant(FAMILY, uses=[(MOUNTAIN, 4)])

    assert uses_of(family, ticket(family, pools=[PoolUse(MOUNTAIN), PoolUse(PARK)])) == {MOUNTAIN: 4}


@pytest.mark.parametrize(
    ("counting", "taken"),
    [
        (Counting.EACH_DAY, [(27, None), (28, None), (29, None)]),
        (Counting.FIRST_DAY, [(27, None)]),
        (Counting.NONE, []),
    ],
)
def test_a_validity_takes_places_on_the_days_that_its_product_counts(
    counting: Counting, taken: list[tuple[int, time | None]]
) -> None:
    assert slots_of(days("2026-12-27", "2026-12-29"), counting=counting) == taken


@pytest.mark.parametrize(
    ("start", "end", "taken"),
    [
        pytest.param("10:00:00", "12:00:00", [10], id="just one slot"),
        pytest.param("09:59:59", "12:00:00", [8, 10], id="a second of the one before"),
        pytest.param("06:00:00", "08:00:00", [], id="before the first"),
    ],
)
def test_a_validity_takes_every_slot_that_it_overlaps(start: str, end: str, taken: list[int]) -> None:
    validity = days(f"2026-12-28T{start}", f"2026-12-28T{end}")

    # The order in the catalogue does not matter.
    assert slots_of(validity, AFTERNOON, MORNING, NOON) == [(28, time(hour)) for hour in taken]


@pytest.mark.parametrize(
    ("start", "end", "taken"),
    [
        pytest.param("2026-12-28T00:00", "2026-12-28T01:00", [27], id="in the night of the day before"),
        pytest.param("2026-12-28", "2026-12-28", [27, 28], id="a day has parts of two nights"),
    ],
)
def test_a_slot_over_midnight_belongs_to_the_day_on_which_it_begins(
    start: str, end: str, taken: list[int]
) -> None:
    assert slots_of(days(start, end), NIGHT) == [(day, time(22)) for day in taken]


def test_a_slot_that_ends_when_it_begins_is_a_whole_day() -> None:
    from_six_to_six = TimeSlot(time(6), time(6))

    assert slots_of(days("2026-12-28T05:59", "2026-12-28T06:00"), from_six_to_six) == [(27, time(6))]
    assert slots_of(days("2026-12-28T06:00", "2026-12-29T06:00"), from_six_to_six) == [(28, time(6))]


def test_with_slots_the_first_day_means_the_first_slot() -> None:
    validity = days("2026-12-28T09:00", "2026-12-29")

    assert slots_of(validity, MORNING, NOON, counting=Counting.FIRST_DAY) == [(28, time(8))]
    assert slots_of(validity, MORNING, NOON, counting=Counting.NONE) == []


@pytest.mark.parametrize(
    ("slot", "taken"),
    [
        pytest.param(TimeSlot(time(2), time(3)), False, id="all in the gap: it has no instant"),
        pytest.param(TimeSlot(time(2, 15), time(2, 45)), True, id="in the gap: as much later"),
    ],
)
def test_a_slot_in_a_clock_gap_takes_places_only_if_part_of_it_remains(slot: TimeSlot, taken: bool) -> None:
    assert slots_of(days("2026-03-29", "2026-03-29"), slot) == ([(29, slot.start)] if taken else [])


def test_a_slot_of_the_repeated_hour_lasts_two_hours() -> None:
    early, late = TimeSlot(time(1), time(2)), TimeSlot(time(2), time(3))
    second_hour = days("2026-10-25T02:00+01:00", "2026-10-25T03:00+01:00")

    assert slots_of(second_hour, early, late) == [(25, time(2))]


def test_a_day_skipped_by_its_zone_has_no_slots() -> None:
    apia = ZoneInfo("Pacific/Apia")

    assert slots_of(days("2011-12-31", "2011-12-31", apia), MORNING) == [(31, time(8))]
    assert slots_of(days("2011-12-29", "2011-12-31", apia), MORNING) == [(29, time(8)), (31, time(8))]


def test_slots_are_local_and_need_a_zone() -> None:
    in_utc = Interval(datetime(2026, 12, 28, tzinfo=UTC), datetime(2026, 12, 29, tzinfo=UTC))

    with pytest.raises(InvalidPeriod, match="expected a validity period in a ZoneInfo time zone"):
        slots_of(in_utc, MORNING)


PARTY_TICKETS = ticket(
    variant(ADULT, uses=[(MOUNTAIN, 1)]),
    variant(FAMILY, uses=[(MOUNTAIN, 4)]),
    variant(COMBO, uses=[(MOUNTAIN, 1), (PARK, 2)]),
    pools=[PoolUse(MOUNTAIN), PoolUse(PARK, Counting.FIRST_DAY)],
)
LUNCH = 201
LUNCHES = ticket(variant(LUNCH), product_id=21)
PARTIES = shop(
    PARTY_TICKETS, LUNCHES, pools=[Pool(identifier=MOUNTAIN, size=9), Pool(identifier=PARK, size=None)]
)


def test_the_units_of_a_party_take_their_places_together() -> None:
    day, two_days = days("2026-12-28", "2026-12-28"), days("2026-12-28", "2026-12-29")
    party = [(ADULT, day), (FAMILY, two_days), (COMBO, two_days), (ADULT, day), (COMBO, day)]

    assert pool_demand(party, catalogue=PARTIES) == {DAY_28: 1 + 4 + 1 + 1 + 1, DAY_29: 4 + 1, PARK_28: 2 + 2}


def test_without_a_validity_or_without_pools_no_places_are_taken() -> None:
    day = days("2026-12-28", "2026-12-28")

    assert pool_demand([(ADULT, None), (LUNCH, day), (LUNCH, None)], catalogue=PARTIES) == {}
    assert pool_demand([(ADULT, None), (LUNCH, day), (ADULT, day)], catalogue=PARTIES) == {DAY_28: 1}
    assert pool_demand([], catalogue=PARTIES) == {}


@pytest.mark.parametrize("slots", [(), (MORNING,)], ids=["days", "time slots"])
def test_a_validity_takes_places_on_the_local_days_of_the_merchant(
    slots: tuple[TimeSlot, ...],
) -> None:
    catalogue = shop(
        ticket(pools=[PoolUse(MOUNTAIN)]), pools=[Pool(identifier=MOUNTAIN, size=9, slots=slots)]
    )
    local = days("2026-12-28", "2026-12-28")
    start, end = (instant.astimezone(UTC) for instant in local)

    wanted = pool_demand([(ADULT, Interval(start, end))], catalogue=catalogue)

    assert start.day == 27
    assert wanted == pool_demand([(ADULT, local)], catalogue=catalogue)
    assert [slot.day.day for slot in wanted] == [28]


def test_a_party_with_an_unknown_variant_is_refused() -> None:
    with pytest.raises(UnknownEntry, match=r"^unknown variant 999$"):
        pool_demand([(999, None)], catalogue=PARTIES)


def test_validities_in_the_two_repeated_hours_take_different_places() -> None:
    """By wall-clock time, both begin at 02:30 and end at 03:30; one is an hour longer."""
    early, late = (days(f"2026-10-25T02:30{offset}", "2026-10-25T03:30") for offset in ("+02:00", "+01:00"))
    quarters = (TimeSlot(time(2, 30), time(2, 45)), TimeSlot(time(2, 45), time(4)))
    catalogue = shop(
        ticket(pools=[PoolUse(MOUNTAIN)]), pools=[Pool(identifier=MOUNTAIN, size=9, slots=quarters)]
    )

    assert early == late
    assert sorted(pool_demand([(ADULT, early), (ADULT, late)], catalogue=catalogue).values()) == [1, 2]


def free_on_28(pool: Pool, taken: PoolUsage | None = None) -> int | None:
    catalogue: Catalogue = shop(pools=[pool])
    return free_units(DAY_28, catalogue=catalogue, capacity={} if taken is None else {DAY_28: taken})


@pytest.mark.parametrize(
    ("taken", "free"),
    [
        (None, 9),
        (PoolUsage(sold=4, held=4), 1),
        pytest.param(PoolUsage(sold=8, held=4), 0, id="oversold"),
    ],
)
def test_sold_and_held_places_are_not_free(taken: PoolUsage | None, free: int) -> None:
    assert free_on_28(Pool(identifier=MOUNTAIN, size=9), taken) == free


@pytest.mark.parametrize(
    ("blocked", "free"),
    [
        ([Blocked(2), Blocked(1)], 4),
        ([Blocked(20)], 0),
        pytest.param([Blocked(2, DayPattern(weekdays=frozenset({1})))], 5, id="28 December 2026 is a Monday"),
    ],
)
def test_blocked_places_are_not_free_on_the_days_they_are_blocked(blocked: list[Blocked], free: int) -> None:
    assert free_on_28(Pool(identifier=MOUNTAIN, size=9, blocked=tuple(blocked)), PoolUsage(sold=2)) == free


@pytest.mark.parametrize(
    ("size", "sizes", "free"),
    [
        pytest.param(
            9, [PoolSize(4, DayPattern(weekdays=frozenset({2}))), PoolSize(3)], 3, id="the first that fits"
        ),
        pytest.param(9, [PoolSize(None)], None, id="unlimited that day"),
        pytest.param(None, [], None, id="unlimited"),
    ],
)
def test_the_size_of_a_pool_may_depend_on_the_day(
    size: int | None, sizes: list[PoolSize], free: int | None
) -> None:
    assert free_on_28(Pool(identifier=MOUNTAIN, size=size, sizes=tuple(sizes))) == free


@pytest.mark.parametrize(
    ("kind", "values", "message"),
    [
        (Blocked, {"units": -5}, "units is -5, expected an int of at least 0"),
        (Blocked, {"units": 1, "when": "07-01"}, "when is '07-01', expected a DayPattern"),
        (PoolSize, {"size": -1}, "size is -1, expected an int of at least 0"),
        (Pool, {"identifier": "x", "size": -1}, "size is -1, expected an int of at least 0"),
        (Pool, {"identifier": "x", "size": 9, "blocked": (5,)}, "blocked contains 5, expected a Blocked"),
    ],
)
def test_invalid_places_are_refused_on_construction(
    kind: Callable[..., object], values: dict[str, object], message: str
) -> None:
    with pytest.raises(InvalidCatalogue, match=f"^{message}$"):
        kind(**values)


def test_each_slot_of_a_day_has_its_own_places() -> None:
    catalogue = shop(pools=[Pool(identifier=MOUNTAIN, size=9, slots=(MORNING, NOON))])
    morning, noon = DAY_28._replace(start=time(8)), DAY_28._replace(start=time(10))

    taken = {morning: PoolUsage(sold=4), DAY_28: PoolUsage(sold=1)}

    assert free_units(morning, catalogue=catalogue, capacity=taken) == 5
    assert free_units(noon, catalogue=catalogue, capacity=taken) == 9


def test_equal_shortages_are_ordered_by_day_slot_and_pool() -> None:
    morning, noon = DAY_28._replace(start=time(8)), DAY_28._replace(start=time(10))

    for slots, first in (
        ([DAY_28, DAY_27], DAY_27),
        ([PARK_28, DAY_28], DAY_28),
        ([noon, morning], morning),
        ([noon, PARK_28], PARK_28),
    ):
        for order in (slots, slots[::-1]):
            assert fits_capacity(dict.fromkeys(order, 2), dict.fromkeys(order, 1)).bottleneck == first


def test_the_bottleneck_of_a_party_is_its_largest_shortage() -> None:
    wanted = {DAY_27: 4, DAY_28: 5, DAY_29: 9}

    assert fits_capacity(wanted, {DAY_27: 3, DAY_28: 2, DAY_29: 9}).bottleneck == DAY_28
    assert fits_capacity(wanted, {DAY_27: 1, DAY_28: 2, DAY_29: 9}).bottleneck == DAY_27
    assert fits_capacity(wanted, {DAY_27: 4, DAY_28: 2, DAY_29: None}).bottleneck == DAY_28


def test_the_scarcest_limited_slot_decides_how_many_units_fit() -> None:
    assert max_units({DAY_27: 2, DAY_28: 1}, {DAY_27: 9, DAY_28: 5}) == 4
    assert max_units({DAY_27: 2}, {DAY_27: None}) is None
