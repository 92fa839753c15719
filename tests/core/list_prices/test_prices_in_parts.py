"""Prices capped at the price of the same days bought as shorter validities. Decisions §8.5."""

from dataclasses import replace
from datetime import date

import pytest

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.list_prices.price import ListPriceQuery, list_price
from support.shops.price_lists import CALENDAR, DAY, HOURS, THREE_DAYS, TWO_DAYS, WEDNESDAY, by_day, dated


def never_above(product: Product, *durations: Duration) -> Product:
    return replace(product, durations=durations, never_above_single_days=True)


HIGH_SEASON_RUNG = by_day(
    PriceRule(8000),
    PriceRule(5500, when=DayPattern(weekdays=frozenset({1, 2, 3, 4}))),
    PriceRule(24000, THREE_DAYS, when=DayPattern(weekdays=frozenset({7}))),
)
SUNDAY = date(2027, 1, 10)


def test_by_default_a_rung_may_cost_more_than_its_days() -> None:
    assert dated(HIGH_SEASON_RUNG, THREE_DAYS, SUNDAY) == 24000


def test_with_prices_in_parts_a_rung_never_costs_more_than_its_days() -> None:
    product = never_above(HIGH_SEASON_RUNG, DAY, THREE_DAYS)

    assert dated(product, THREE_DAYS, SUNDAY) == 8000 + 2 * 5500
    assert dated(product, DAY, SUNDAY) == 8000
    assert dated(product, THREE_DAYS, WEDNESDAY) == 2 * 5500 + 8000  # no rung: its days
    assert dated(product, HOURS, SUNDAY) == 8000


def test_only_durations_that_are_sold_are_used_as_parts() -> None:
    assert dated(never_above(HIGH_SEASON_RUNG, THREE_DAYS), THREE_DAYS, SUNDAY) == 24000
    only_monday = PriceRule(5500, when=DayPattern(weekdays=frozenset({1})))
    sunday_rung = by_day(only_monday, *HIGH_SEASON_RUNG.variants[0].prices[2:])
    assert dated(never_above(sunday_rung, DAY, THREE_DAYS), THREE_DAYS, SUNDAY) == 24000  # no Tuesday
    # Three days cannot be made up of two-day validities.
    assert dated(never_above(HIGH_SEASON_RUNG, TWO_DAYS, THREE_DAYS), THREE_DAYS, SUNDAY) == 24000


@pytest.mark.parametrize("amount", [15_999, 16_000])
def test_a_rung_that_costs_no_more_than_its_days_is_kept(amount: int) -> None:
    product = never_above(by_day(PriceRule(8000), PriceRule(amount, TWO_DAYS)), DAY, TWO_DAYS)
    price = list_price(
        product.variants[0], ListPriceQuery(TWO_DAYS, SUNDAY), product=product, calendar=CALENDAR
    )

    assert (price.amount, price.parts) == (amount, ())


def test_the_trace_lists_the_parts_that_make_up_a_price() -> None:
    product = never_above(HIGH_SEASON_RUNG, DAY, THREE_DAYS)
    price = list_price(
        product.variants[0], ListPriceQuery(THREE_DAYS, SUNDAY), product=product, calendar=CALENDAR
    )

    assert [part.amount for part in price.parts] == [8000, 5500, 5500]
    assert [(step.source, step.amount) for step in price.trace()] == [
        ("2027-01-10", 8000),
        ("2027-01-11", 5500),
        ("2027-01-12", 5500),
    ]


def test_without_a_duration_there_are_no_parts() -> None:
    assert dated(never_above(HIGH_SEASON_RUNG, DAY), None, SUNDAY) == 8000
