"""The arrays and ``faregate.validity`` agree about a season; each has an oracle of its own."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.validity.options import season
from faregate.catalogue.booking_rules import BookingRules, StayRule
from faregate.catalogue.calendars import DayPattern, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.entries import Category, Merchant
from faregate.catalogue.pools import NOTHING_TAKEN, Counting, Pool, PoolSize, PoolUse
from faregate.catalogue.price_rules import Degression, PriceModel, PriceRule
from faregate.catalogue.products import Product, ProductType, Variant
from faregate.dates.durations import Duration
from faregate.tax.rates import VatRate
from faregate.translations import Text
from faregate.validity.offers import ValidityOption
from faregate.validity.options import ValidityQuery, validity_options
from support.columns.arrays import seasons
from support.columns.season_arrays import capacity_of, option_in, prices_of
from support.oracles.seasons import Option, Season

FIRST = date(2026, 12, 21)
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def nth(day: int) -> date:
    return FIRST + timedelta(days=day)


def on(day: int) -> DayPattern:
    return DayPattern(dates=(Span(nth(day), nth(day)),))


def pool_of(own: Season, number: int) -> Pool:
    sizes = (PoolSize(places[number], on(day)) for day, places in enumerate(own.free))
    return Pool(identifier=f"pool {number}", size=0, sizes=tuple(sizes))


def variant_of(own: Season, number: int) -> Variant:
    prices = ((day, row[number]) for day, row in enumerate(own.prices))
    return Variant(
        id=number,
        name=f"variant {number}",
        rate=VatRate(parts_per_million=0),
        prices=tuple(PriceRule(price, when=on(day)) for day, price in prices if price is not None),
        uses=tuple((f"pool {pool}", places) for pool, places in enumerate(own.uses[number])),
    )


def catalogue_of(own: Season, lengths: list[int], start_weekdays: frozenset[int]) -> Catalogue:
    """Return a catalogue without sales outside the season: a validity past its end has no price."""
    uses = (
        PoolUse(f"pool {number}", Counting.FIRST_DAY if first_day_only else Counting.EACH_DAY)
        for number, first_day_only in enumerate(own.first_day_only)
    )
    product = Product(
        id=1,
        slug="ticket",
        identifier="TICKET",
        name="Ticket",
        type=ProductType.TICKET,
        category=1,
        merchant="lifts",
        price_model=PriceModel.CALENDAR,
        durations=tuple(Duration(days=length) for length in lengths),
        variants=tuple(variant_of(own, number) for number in range(len(own.uses))),
        pools=tuple(uses),
        booking=BookingRules(
            closed=tuple(on(day) for day, is_closed in enumerate(own.closed) if is_closed),
            stays=(StayRule(start_weekdays=start_weekdays),),
        ),
        degression=Degression(tuple(own.factors), own.increment),
    )
    return Catalogue(
        merchants=(Merchant("lifts", timezone="UTC", currency="CHF"),),
        categories=(Category(1, Text("Tickets")),),
        products=(product,),
        pools=tuple(pool_of(own, number) for number in range(len(own.first_day_only))),
    )


def _never_dearer(own: Season) -> Season:
    """Return the season without factors above 1, as in a catalogue."""
    return replace(own, factors=[min(factor, 1_000_000) for factor in own.factors])


def said(option: ValidityOption) -> Option:
    units = option.capacity
    return Option(
        capacity=(units.min, units.max) if units else (float("inf"), float("inf")),
        price=(option.price.min, option.price.max),
        is_available=option.is_available,
    )


@given(
    seasons().filter(lambda own: own.days > 0).map(_never_dearer),
    st.sets(st.integers(1, 9), min_size=1, max_size=4).map(sorted),
    st.frozensets(st.integers(1, 7)),
    st.integers(1, 10),
)
def test_calendar_of_arrays_agrees_with_the_options(
    own: Season, lengths: list[int], start_weekdays: frozenset[int], quantity: int
) -> None:
    answer = validity_options(
        ValidityQuery(1, first_day=FIRST, last_day=nth(own.days - 1), quantity=quantity),
        catalogue=catalogue_of(own, lengths, start_weekdays),
        capacity=NOTHING_TAKEN,
        now=NOW,
    )
    options = {
        (option.duration.days, option.validity.start.date()): said(option) for option in answer.options
    }
    starts = [not start_weekdays or nth(day).isoweekday() in start_weekdays for day in range(own.days)]

    calendar = season(
        capacity_of(own, lengths),
        prices_of(own, lengths),
        lengths=lengths,
        quantity=quantity,
        closed=np.array(own.closed, np.bool_),
        start_allowed=np.array([starts] * len(lengths), np.bool_),
    )

    nothing = Option(None, None, is_available=False)
    for index, length in enumerate(lengths):
        for day in range(own.days):
            assert option_in(calendar, index, day) == options.get((length, nth(day)), nothing)
