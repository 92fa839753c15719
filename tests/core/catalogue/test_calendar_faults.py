"""Faults of seasons, public holidays and day patterns."""

from dataclasses import replace
from datetime import date

import pytest

from faregate.catalogue.booking_rules import BookingRules, StayRule
from faregate.catalogue.calendars import Calendar, DayPattern, EasterDay, Holiday, MonthDay, Season, Span
from faregate.catalogue.entries import Entries
from faregate.catalogue.pools import Blocked, Pool, PoolSize
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.errors import Issue, Loc
from support.shops.refused_catalogues import ENTRIES, faults_of
from support.shops.small_shop import DAY_TICKET, SHOP

CHRISTMAS, NEW_YEAR = MonthDay(12, 25), MonthDay(1, 1)


def with_spans(*spans: Span) -> Entries:
    season = Season(identifier="winter", spans=spans)
    return replace(ENTRIES, calendar=Calendar(seasons=(season,)))


def naming(days: DayPattern) -> dict[Loc, Entries]:
    """Return catalogues with *days*, each at a single ``loc``, which is the key."""
    pool = Pool(identifier="mountain", size=1)
    adult = replace(DAY_TICKET.variants[0], prices=(PriceRule(1), PriceRule(2, when=days)))
    calendar_ticket = replace(DAY_TICKET, price_model=PriceModel.CALENDAR, variants=(adult,))
    closed = replace(DAY_TICKET, booking=BookingRules(closed=(days,)))
    stays = replace(DAY_TICKET, booking=BookingRules(stays=(StayRule(days),)))
    others = SHOP.products[1:]
    return {
        ("pools", 0, "sizes", 0, "when"): replace(
            ENTRIES, pools=(replace(pool, sizes=(PoolSize(1, days),)),)
        ),
        ("pools", 0, "blocked", 0, "when"): replace(
            ENTRIES, pools=(replace(pool, blocked=(Blocked(1, days),)),)
        ),
        ("products", 0, "variants", 0, "prices", 1, "when"): replace(
            ENTRIES, products=(calendar_ticket, *others)
        ),
        ("products", 0, "booking", "closed", 0): replace(ENTRIES, products=(closed, *others)),
        ("products", 0, "booking", "stays", 0, "when"): replace(ENTRIES, products=(stays, *others)),
    }


@pytest.mark.parametrize(
    "span",
    [
        Span(CHRISTMAS, NEW_YEAR),
        Span(MonthDay(2, 29), MonthDay(2, 29)),
        Span(EasterDay(-80), EasterDay(250)),
        Span(MonthDay(12, 1), EasterDay(1)),
        Span(date(2026, 12, 1), date(2027, 4, 12)),
    ],
    ids=str,
)
def test_a_span_of_existing_days_has_no_issues(span: Span) -> None:
    assert faults_of(with_spans(span)) == ()
    for catalogue in naming(DayPattern(dates=(span,))).values():
        assert faults_of(catalogue) == ()


@pytest.mark.parametrize(
    ("span", "place", "message"),
    [
        (Span(MonthDay(2, 30), CHRISTMAS), ("first",), "there is no 02-30"),
        (Span(CHRISTMAS, MonthDay(4, 31)), ("last",), "there is no 04-31"),
        (Span(EasterDay(-81), CHRISTMAS), ("first",), "expected -80 to 250 days from Easter, got -81"),
        (Span(CHRISTMAS, EasterDay(251)), ("last",), "expected -80 to 250 days from Easter, got 251"),
        (Span(date(2027, 1, 2), date(2027, 1, 1)), (), "2027-01-01 is before 2027-01-02"),
        (
            Span(date(2027, 1, 2), CHRISTMAS),
            (),
            "2027-01-02 to 12-25: expected two dates with a year, or two that recur every year",
        ),
        (
            Span(EasterDay(1), date(2027, 1, 2)),
            (),
            "easter+1 to 2027-01-02: expected two dates with a year, or two that recur every year",
        ),
    ],
)
def test_an_impossible_span_is_reported_wherever_it_is_used(span: Span, place: Loc, message: str) -> None:
    inside = ("calendar", "seasons", 0, "spans", 1, *place)
    assert faults_of(with_spans(Span(CHRISTMAS, NEW_YEAR), span)) == (Issue(inside, message),)

    for where, catalogue in naming(DayPattern(dates=(span,))).items():
        assert faults_of(catalogue) == (Issue((*where, "dates", 0, *place), message),)


def test_a_season_has_days() -> None:
    place = ("calendar", "seasons", 0, "spans")

    assert faults_of(with_spans()) == (Issue(place, "expected at least one"),)


@pytest.mark.parametrize("day", [CHRISTMAS, EasterDay(39), date(2026, 8, 1)], ids=str)
def test_a_holiday_that_occurs_has_no_issues(day: date | MonthDay | EasterDay) -> None:
    assert faults_of(replace(ENTRIES, calendar=Calendar(holidays=(Holiday(day),)))) == ()


@pytest.mark.parametrize(
    ("day", "message"),
    [
        (MonthDay(11, 31), "there is no 11-31"),
        (EasterDay(-365), "expected -80 to 250 days from Easter, got -365"),
    ],
)
def test_a_holiday_that_never_occurs_is_reported(day: MonthDay | EasterDay, message: str) -> None:
    catalogue = replace(ENTRIES, calendar=Calendar(holidays=(Holiday(CHRISTMAS), Holiday(day))))

    assert faults_of(catalogue) == (Issue(("calendar", "holidays", 1, "on"), message),)


def test_allowed_offsets_from_easter_stay_in_the_same_year() -> None:
    for offset in (-80, 250):
        assert {EasterDay(offset).in_year(year).year - year for year in range(1900, 2300)} == {0}
    for offset in (-82, 251):
        assert {EasterDay(offset).in_year(year).year - year for year in range(1583, 9000)} != {0}


@pytest.mark.parametrize("weekday", [0, 8, -1])
def test_weekdays_are_1_to_7_wherever_they_are_used(weekday: int) -> None:
    days = DayPattern(weekdays=frozenset({1, 7, weekday}))

    for where, catalogue in naming(days).items():
        assert faults_of(catalogue) == (Issue((*where, "weekdays"), f"expected 1 to 7, got {weekday}"),)
