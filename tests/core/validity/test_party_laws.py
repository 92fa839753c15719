"""Laws of parties: all units fit together or none can be booked. Decisions §8.4.

The oracle seats the units one at a time.
"""

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from faregate.catalogue.pools import PoolSlot
from faregate.dates.instants import Interval
from faregate.validity.bookability import Obstacle
from faregate.validity.capacity import free_units, pool_demand
from faregate.validity.offers import ValidityOption
from faregate.validity.options import ValidityQuery, next_available, suggest_validities
from support.booking.drawn_questions import desk_of, options
from support.booking.strategies import Situation, asked
from support.effort import share_of
from support.oracles.parties import Needs, can_be_seated, most_beside_the_others, price


@st.composite
def parties(draw: DrawFn) -> tuple[Situation, ValidityQuery, dict[int, int]]:
    """Draw a query for a party, whose variants are in any order."""
    situation, query = draw(asked())
    known = [variant.id for variant in situation.product.variants]
    party = draw(st.dictionaries(st.sampled_from(known), st.integers(1, 4), min_size=1))
    return situation, replace(query, variants=(), quantity=1, only_available=False, party=party), party


def needs_of(situation: Situation, party: Mapping[int, int], validity: Interval) -> Needs:
    return {each: pool_demand([(each, validity)], catalogue=situation.catalogue) for each in party}


def free_of(situation: Situation, needs: Needs) -> dict[PoolSlot, int | None]:
    slots = {slot for taken in needs.values() for slot in taken}
    return {slot: free_units(slot, catalogue=situation.catalogue, capacity=situation.taken) for slot in slots}


def alone(situation: Situation, query: ValidityQuery, variant: int, units: int) -> tuple[ValidityOption, ...]:
    return options(situation, replace(query, party=None, variants=(variant,), quantity=units))


@given(parties())
def test_a_party_can_be_booked_if_its_units_can_be_seated_one_by_one(
    drawn: tuple[Situation, ValidityQuery, dict[int, int]],
) -> None:
    situation, query, party = drawn
    desk = desk_of(situation)
    for option in options(situation, query)[:8]:
        needs = needs_of(situation, party, option.validity)
        free = free_of(situation, needs)
        sold_out = None if can_be_seated(party, needs, free) else Obstacle.SOLD_OUT

        assert option.obstacle == (desk.obstacle(option.duration, option.validity) or sold_out)
        for unit in option.units:
            assert unit.left == most_beside_the_others(unit.variant, party, needs, free)
            assert (unit.bottleneck is None) is (unit.left is None)
        if sold_out:
            limit = option.bottleneck
            assert limit is not None
            left = free[limit]
            assert left is not None
            assert left < sum(needs[each].get(limit, 0) * units for each, units in party.items())


@given(parties())
def test_a_party_pays_the_price_of_each_unit(drawn: tuple[Situation, ValidityQuery, dict[int, int]]) -> None:
    situation, query, party = drawn
    singles = {
        variant: {each.cursor: each for each in alone(situation, query, variant, 1)} for variant in party
    }
    offered = [cursor for cursor in singles[min(party)] if all(cursor in own for own in singles.values())]

    found = options(situation, query)

    assert [option.cursor for option in found] == offered
    for option in found:
        prices = {variant: own[option.cursor].price.min for variant, own in singles.items()}
        assert {unit.variant: (unit.price, unit.quantity) for unit in option.units} == {
            variant: (prices[variant], units) for variant, units in party.items()
        }
        assert option.total == price(party, prices)
        assert option.price == (min(prices.values()), max(prices.values()))


@given(parties())
def test_a_party_of_one_variant_is_a_query_for_that_variant(
    drawn: tuple[Situation, ValidityQuery, dict[int, int]],
) -> None:
    situation, query, party = drawn
    ((variant, units), *_) = party.items()

    found = options(situation, replace(query, party={variant: units}))

    single = alone(situation, query, variant, units)
    assert tuple(option._replace(is_party=False) for option in found) == single
    assert [option.bottleneck for option in found] == [option.bottleneck for option in single]
    assert [option.price for option in found] == [option.price for option in single]


@settings(max_examples=share_of(20))
@given(parties())
def test_suggestions_and_the_next_period_have_room_for_the_party(
    drawn: tuple[Situation, ValidityQuery, dict[int, int]],
) -> None:
    situation, query, party = drawn
    catalogue, taken, now = situation.catalogue, situation.taken, situation.now

    available = options(situation, replace(query, only_available=True))
    suggested = suggest_validities(query, catalogue=catalogue, capacity=taken, now=now)
    first = next_available(situation.product, catalogue=catalogue, capacity=taken, now=now, party=party)

    assert available == tuple(option for option in options(situation, query) if option.is_available)
    for entry in suggested.options:
        option = entry.option
        needs = needs_of(situation, party, option.validity)
        assert option.is_available
        assert can_be_seated(party, needs, free_of(situation, needs))
    today = now.astimezone(situation.zone).date()
    month = replace(query, first_day=today, last_day=None, durations=(), only_available=True, limit=1)
    assert options(situation, month) in ((), (first,))
