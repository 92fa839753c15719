"""Laws of offered prices: they are the prices displayed in a calendar of validities. Decisions §10."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from faregate.validity.offered_prices import (
    OfferedPrice,
    PricePopulation,
    current_price,
    offered_prices,
    price_from,
)
from faregate.validity.offers import ValidityOption
from faregate.validity.options import ValidityQuery, validity_options
from support.booking.strategies import Situation, asked


def observed(situation: Situation, query: ValidityQuery) -> tuple[OfferedPrice, ...]:
    return offered_prices(query, catalogue=situation.catalogue, capacity=situation.taken, now=situation.now)


def shown(situation: Situation, query: ValidityQuery) -> tuple[ValidityOption, ...]:
    """Return all options of all variants, bookable or not."""
    every = replace(query, variants=(), only_available=False)
    return validity_options(
        every, catalogue=situation.catalogue, capacity=situation.taken, now=situation.now
    ).options


def of_one(situation: Situation, query: ValidityQuery, variant: int) -> ValidityQuery:
    """Return the same query for one variant."""
    variants = situation.product.variants
    return replace(query, variants=(variants[variant % len(variants)].id,))


@given(asked(), st.integers(0, 2))
def test_a_price_is_observed_for_each_bookable_validity_of_the_variant(
    drawn: tuple[Situation, ValidityQuery], index: int
) -> None:
    situation, query = drawn
    query = of_one(situation, query, index)

    found = observed(situation, query)

    assert list(found) == [
        OfferedPrice(validity=option.validity, duration=option.duration, price=unit.price)
        for option in shown(situation, query)
        for unit in option.units
        if option.obstacle is None and unit.variant in query.variants and unit.has(query.quantity)
    ]


@given(asked(), st.integers(0, 2))
def test_the_prices_offered_are_those_bookable_if_nothing_had_been_sold(
    drawn: tuple[Situation, ValidityQuery], index: int
) -> None:
    situation, query = drawn
    query = replace(of_one(situation, query, index), only_available=False)

    found = offered_prices(
        query,
        catalogue=situation.catalogue,
        capacity=situation.taken,
        now=situation.now,
        population=PricePopulation.OFFERED,
    )

    unlimited = tuple(replace(pool, size=None, sizes=()) for pool in situation.catalogue.pools)
    endless = replace(situation.catalogue, pools=unlimited)
    assert found == offered_prices(query, catalogue=endless, capacity=situation.taken, now=situation.now)
    assert set(observed(situation, query)) <= set(found)


@given(asked(), st.integers(0, 2))
def test_the_price_from_an_instant_is_that_of_the_first_option_there(
    drawn: tuple[Situation, ValidityQuery], index: int
) -> None:
    situation, query = drawn
    query = of_one(situation, query, index)
    options = [
        (option, unit.price)
        for option in shown(situation, query)
        for unit in option.units
        if unit.variant in query.variants
    ]

    for option, _ in options[:4]:
        start = option.validity.start
        first = next(price for other, price in options if other.validity.start == start)
        of_day = next(price for other, price in options if other.validity.start.date() == start.date())
        of_start, of_date = (
            price_from(
                when, query, catalogue=situation.catalogue, capacity=situation.taken, now=situation.now
            )
            for when in (start, start.date())
        )
        assert (of_start, of_date) == (first, of_day)


@given(asked(), st.integers(0, 2))
def test_the_current_price_is_the_first_observation_of_today_and_its_duration(
    drawn: tuple[Situation, ValidityQuery], index: int
) -> None:
    situation, query = drawn
    query = of_one(situation, query, index)
    today = situation.now.astimezone(situation.zone).date()
    durations = (query.durations or situation.product.durations)[:1]
    of_today = replace(query, first_day=today, last_day=today, durations=durations)

    found = current_price(query, catalogue=situation.catalogue, capacity=situation.taken, now=situation.now)

    assert found == next((entry.price for entry in observed(situation, of_today)), None)
