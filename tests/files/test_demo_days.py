"""Days, capacity and prices of the demo resort match its examples in every year."""

from datetime import date, timedelta

import pytest

from faregate.catalogue.calendars import DayPattern, Span, easter_sunday
from faregate.catalogue.checks.parts import Parts
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.list_prices.price import ListPriceQuery, list_price
from support.files.demo import DEMO

YEARS = range(2024, 2064)


def runs_on(product: Product, day: date) -> bool:
    """Return True if *product* runs on *day*."""
    rules = product.booking
    return any(DEMO.calendar.is_in_season(season, day) for season in rules.seasons) and not any(
        closed.include(day, DEMO.calendar) for closed in rules.closed
    )


def test_seasons_recur_every_year() -> None:
    for year in YEARS:
        seasons = [
            {season.identifier for season in DEMO.calendar.seasons if season.range_on(day)}
            for day in (
                *(date(year, 1, 1), date(year, 4, 30), date(year, 5, 1), date(year, 6, 1)),
                *(date(year, 7, 1), date(year, 10, 31), date(year, 11, 1), date(year, 12, 1)),
            )
        ]
        assert seasons == [
            {"winter"},
            {"winter"},
            set(),
            {"summer"},
            {"summer"},
            {"summer"},
            set(),
            {"winter"},
        ]


@pytest.mark.parametrize("slug", ["day-ticket", "multi-day-ticket", "half-day-ticket", "partner-day-ticket"])
def test_lifts_run_on_the_days_of_the_examples(slug: str) -> None:
    product = DEMO.product_at(slug)

    for year in YEARS:
        assert all(runs_on(product, date(year, *day)) for day in ((7, 1), (12, 1), (12, 27), (12, 30)))
        assert not runs_on(product, date(year, 6, 10))
        assert not runs_on(product, date(year, 11, 1))


def test_sledge_run_is_closed_on_mondays_except_holidays() -> None:
    run = DEMO.product_at("sledge-run")

    assert not runs_on(run, date(2027, 1, 11))
    assert runs_on(run, date(2027, 1, 12))
    assert runs_on(run, easter_sunday(2027) + timedelta(days=1))
    assert not runs_on(run, date(2027, 7, 1))


def test_easter_is_nearly_sold_out_every_year() -> None:
    arven, grat = DEMO.pool("mountain-arven"), DEMO.pool("mountain-grat")

    for year in YEARS:
        weekend = [easter_sunday(year) + timedelta(days=days) for days in range(-3, 3)]
        assert [arven.for_sale(day, DEMO.calendar) for day in weekend] == [6000, 12, 12, 12, 12, 6000]
        assert [grat.for_sale(day, DEMO.calendar) for day in weekend] == [4000, 4000, 4000, 4000, 0, 4000]
        assert {DEMO.calendar.is_in_season("winter", day) for day in weekend} == {True}


def test_families_take_four_places_and_others_one() -> None:
    mountains = ("mountain-arven", "mountain-grat")
    uses = {variant.id: variant.uses for variant in DEMO.product(11).variants if variant.uses}

    assert uses == {104: tuple((pool, 4) for pool in mountains)}
    assert tuple(use.pool for use in DEMO.product(11).pools) == mountains


def test_saver_ticket_is_cheaper_the_earlier_it_is_bought() -> None:
    for variant in DEMO.product_at("saver-ticket").variants:
        tables: dict[tuple[DayPattern, int], list[tuple[int, int]]] = {}
        for rule in variant.prices:
            tables.setdefault((rule.when, rule.min_sold), []).append((rule.min_lead_days, rule.amount))
        for table in tables.values():
            amounts = [amount for _, amount in sorted(table)]
            assert amounts == sorted(amounts, reverse=True)


def test_a_day_of_the_saver_ticket_never_costs_less_than_its_floor() -> None:
    adult = DEMO.variant(151)[1]

    assert adult.steps is not None
    assert min(rule.amount for rule in adult.prices) == adult.steps.floor


def test_saver_ticket_for_several_days_costs_no_more_than_separate_ones() -> None:
    product = DEMO.product_at("saver-ticket")
    ordered = date(2026, 12, 1)

    def price(first_day: date, days: int) -> int:
        occasion = ListPriceQuery(Duration(days=days), first_day, ordered)
        return list_price(product.standard_variant, occasion, product=product, calendar=DEMO.calendar).amount

    assert price(date(2026, 12, 7), 3) == 20050  # 201.00 with the lead time of the first day
    for ahead in range(45):
        first, second, third = (ordered + timedelta(days=ahead + n) for n in range(3))
        assert price(first, 2) <= price(first, 1) + price(second, 1)
        assert price(first, 3) <= min(price(first, 2) + price(third, 1), price(first, 1) + price(second, 2))


def test_no_day_of_the_calendar_goes_stale() -> None:
    spans = [span for _, span in Parts(DEMO).of(Span)]

    assert spans
    assert not any(isinstance(day, date) for span in spans for day in (span.first, span.last))
    assert not any(isinstance(holiday.on, date) for holiday in DEMO.calendar.holidays)
