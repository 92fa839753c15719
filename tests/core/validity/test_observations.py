"""Offered prices: the validities that count, and the price judged by default. Decisions §10."""

from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import pytest

from faregate.catalogue.booking_rules import BookingRules, CutOff
from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Pool, PoolSlot, PoolUsage, PoolUse
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.errors import InvalidInput
from faregate.validity.offered_prices import (
    PricePopulation,
    current_price,
    offered_prices,
    price_from,
)
from faregate.validity.offers import Cursor
from faregate.validity.options import ValidityQuery
from support.shops.booking_shop import (
    ADULT,
    CHILD,
    DAY,
    FAMILY,
    FOUR_HOURS,
    MOUNTAIN,
    THREE_DAYS,
    TICKET,
    at,
    shop,
    ticket,
    variant,
)

NOW = at("2026-12-21T09:00")  # a Monday
TODAY, SATURDAY = date(2026, 12, 21), date(2026, 12, 26)
WEEKEND = DayPattern(weekdays=frozenset({6, 7}))
EVERYTHING = ValidityQuery(TICKET)
WEEK = replace(EVERYTHING, first_day=TODAY, last_day=date(2026, 12, 27))

SOLD_OUT = {PoolSlot(MOUNTAIN, SATURDAY): PoolUsage(sold=4)}
LIFTS = shop(
    ticket(
        variant(CHILD, PriceRule(4000)),
        variant(ADULT, PriceRule(8000), PriceRule(9000, when=WEEKEND), is_standard=True),
        variant(FAMILY, PriceRule(20000), uses=[(MOUNTAIN, 4)]),
        pools=[PoolUse(MOUNTAIN)],
        price_model=PriceModel.CALENDAR,
        durations=(THREE_DAYS, DAY),
        booking=BookingRules(cut_off=CutOff(at=at("2026-12-21T16:00").time())),
    ),
    pools=[Pool(identifier=MOUNTAIN, size=4)],
)


def prices(
    query: ValidityQuery, catalogue: Catalogue = LIFTS, *, taken: dict[PoolSlot, PoolUsage] | None = None
) -> list[int]:
    found = offered_prices(query, catalogue=catalogue, capacity=taken or {}, now=NOW)
    return [observation.price for observation in found]


def today(
    query: ValidityQuery, *, now: datetime = NOW, taken: dict[PoolSlot, PoolUsage] | None = None
) -> int | None:
    return current_price(query, catalogue=LIFTS, capacity=taken or {}, now=now)


def starting(
    start: date | datetime, query: ValidityQuery = EVERYTHING, catalogue: Catalogue = LIFTS
) -> int | None:
    return price_from(start, query, catalogue=catalogue, capacity=SOLD_OUT, now=NOW)


def test_the_standard_variant_is_observed_by_default() -> None:
    assert prices(replace(WEEK, durations=(DAY,))) == [8000] * 5 + [9000] * 2
    assert prices(replace(WEEK, durations=(DAY,), limit=2)) == [8000] * 2


def test_every_duration_is_observed_by_default() -> None:
    monday = replace(EVERYTHING, first_day=TODAY, last_day=TODAY)

    assert prices(monday) == [8000, 24000]
    assert prices(replace(monday, durations=(THREE_DAYS,))) == [24000]
    found = offered_prices(monday, catalogue=LIFTS, capacity={}, now=NOW)
    assert [observed.duration for observed in found] == [DAY, THREE_DAYS]


def test_sold_out_validities_are_part_of_the_offer_but_closed_ones_are_not() -> None:
    friday = DayPattern(weekdays=frozenset({5}))
    closed = replace(LIFTS.products[0], booking=BookingRules(closed=(friday,)))
    offered = partial(
        offered_prices,
        replace(WEEK, durations=(DAY,)),
        capacity=SOLD_OUT,
        now=NOW,
        population=PricePopulation.OFFERED,
    )

    assert [each.price for each in offered(catalogue=LIFTS)] == [8000] * 5 + [9000] * 2
    assert [each.price for each in offered(catalogue=replace(LIFTS, products=(closed,)))] == [
        *[8000] * 4,
        *[9000] * 2,
    ]


@pytest.mark.parametrize(
    ("query", "population", "message"),
    [
        (WEEK, "sold", "population is 'sold', expected 'bookable' or 'offered'"),
        (
            replace(WEEK, only_available=True),
            "offered",
            "population: OFFERED includes sold-out periods, but the query has only_available",
        ),
    ],
)
def test_a_population_that_is_unknown_or_contradicts_the_query_is_refused(
    query: ValidityQuery, population: Any, message: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        offered_prices(query, catalogue=LIFTS, capacity={}, now=NOW, population=population)

    assert str(refused.value) == message


def test_several_variants_are_named_in_the_refusal() -> None:
    with pytest.raises(InvalidInput, match="expected at most one variant, got 101, 102"):
        prices(replace(EVERYTHING, variants=(ADULT, CHILD)))


def test_a_limit_is_at_least_one() -> None:
    with pytest.raises(InvalidInput, match="expected a limit of at least 1, got 0"):
        prices(replace(EVERYTHING, limit=0))


def test_the_price_of_today_is_that_of_the_requested_duration() -> None:
    assert today(replace(EVERYTHING, durations=(DAY, THREE_DAYS))) == 8000
    assert today(replace(EVERYTHING, durations=(DAY,), variants=(CHILD,))) == 4000
    assert today(EVERYTHING) == 24000  # three days are the first duration of the product


def test_without_a_unit_left_today_the_next_day_is_not_judged() -> None:
    full = {PoolSlot(MOUNTAIN, TODAY): PoolUsage(sold=4)}

    assert today(replace(EVERYTHING, durations=(DAY,)), taken=full) is None


def test_the_window_does_not_affect_the_price_of_today() -> None:
    summer = replace(EVERYTHING, first_day=date(2027, 7, 1), last_day=date(2027, 7, 2), durations=(DAY,))

    assert today(summer) == 8000


def test_today_is_in_the_time_zone_of_the_merchant() -> None:
    friday_utc = at("2026-12-25T23:30+00:00")

    assert today(replace(EVERYTHING, durations=(DAY,)), now=friday_utc) == 9000


def test_sold_out_validities_have_a_price_even_with_only_available() -> None:
    assert starting(SATURDAY, replace(EVERYTHING, only_available=True)) == 9000


def test_the_shortest_validity_from_that_day_is_judged() -> None:
    assert starting(SATURDAY) == 9000
    assert starting(SATURDAY, replace(EVERYTHING, durations=(THREE_DAYS,))) == 26000


def test_the_window_and_the_limit_do_not_affect_the_judged_price() -> None:
    assert starting(SATURDAY, replace(EVERYTHING, first_day=TODAY, last_day=TODAY, limit=1)) == 9000


def test_pages_do_not_affect_the_judged_price() -> None:
    later = replace(EVERYTHING, durations=(DAY,), after=Cursor(at("2027-01-01T00:00"), DAY))

    assert starting(SATURDAY, later) == 9000
    assert today(later) == 8000


def test_a_validity_that_begins_at_another_time_is_not_judged() -> None:
    assert starting(at("2026-12-26T09:00")) is None
    assert starting(datetime(2026, 12, 25, 23, tzinfo=UTC)) == 9000  # Saturday in the merchant's zone


def test_hours_are_distinguished_by_their_start() -> None:
    starts = tuple(at(f"2026-12-26T{hour}").time() for hour in ("09:00", "13:00"))
    hours = ticket(durations=(FOUR_HOURS,), booking=BookingRules(start_times=starts))

    assert starting(SATURDAY, catalogue=shop(hours)) == 8000
    assert starting(at("2026-12-26T13:00"), replace(EVERYTHING, limit=1), shop(hours)) == 8000
    assert starting(at("2026-12-26T10:00"), catalogue=shop(hours)) is None


def test_without_a_standard_variant_the_first_one_is_used() -> None:
    assert ticket(variant(CHILD), variant(ADULT)).standard_variant.id == CHILD
