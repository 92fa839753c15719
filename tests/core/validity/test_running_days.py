"""The days on which a product runs, and its current or next season. Decisions §8.4."""

from datetime import date

import pytest

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.calendars import Calendar, DayPattern, EasterDay, Holiday, MonthDay, Season, Span
from faregate.dates.durations import Duration
from faregate.dates.instants import DateRange
from faregate.validity.bookability import Obstacle, running_days
from support.booking.obstacles import CLOSED, OUT_OF_SEASON, found
from support.shops.booking_shop import DAY, FOUR_HOURS, SUMMER, THREE_DAYS, WINTER, ticket


@pytest.mark.parametrize(
    ("start", "duration", "reason"),
    [
        ("2026-11-30", DAY, OUT_OF_SEASON),
        ("2026-12-01", DAY, None),
        ("2027-01-01", DAY, None),
        ("2027-04-30", DAY, None),
        ("2027-05-01", DAY, OUT_OF_SEASON),
        pytest.param("2026-12-30", THREE_DAYS, None, id="over the new year"),
        pytest.param("2027-04-28", THREE_DAYS, None, id="to its last day"),
        pytest.param("2027-04-29", THREE_DAYS, OUT_OF_SEASON, id="past its last day"),
        pytest.param("2026-11-30", THREE_DAYS, OUT_OF_SEASON, id="from the day before it"),
        pytest.param("2027-04-30T20:00", FOUR_HOURS, None, id="to the end of its last day"),
        pytest.param("2027-04-30T20:01", FOUR_HOURS, OUT_OF_SEASON, id="a minute past it"),
    ],
)
def test_every_day_of_a_validity_must_be_in_season(
    start: str, duration: Duration, reason: Obstacle | None
) -> None:
    assert found(BookingRules(seasons=("winter",)), start, duration) is reason


def test_a_product_of_two_seasons_runs_in_both() -> None:
    rules = BookingRules(seasons=("winter", "summer"))

    assert [found(rules, day) for day in ("2027-04-30", "2027-05-15", "2027-06-15", "2027-10-01")] == [
        None,
        OUT_OF_SEASON,
        None,
        OUT_OF_SEASON,
    ]


@pytest.mark.parametrize(
    ("start", "duration", "reason"),
    [
        ("2026-12-29", DAY, None),
        ("2026-12-30", DAY, CLOSED),
        ("2026-12-31", DAY, None),
        pytest.param("2026-12-28", THREE_DAYS, CLOSED, id="its last day"),
        pytest.param("2026-12-29", THREE_DAYS, CLOSED, id="a day within"),
        pytest.param("2026-12-30", THREE_DAYS, CLOSED, id="its first day"),
        pytest.param("2026-12-31", THREE_DAYS, None, id="none of them"),
        pytest.param("2026-12-29T20:00", FOUR_HOURS, None, id="up to midnight"),
        pytest.param("2026-12-29T20:01", FOUR_HOURS, CLOSED, id="a minute into it"),
    ],
)
def test_a_closed_day_closes_every_validity_it_is_in(
    start: str, duration: Duration, reason: Obstacle | None
) -> None:
    one_day = DayPattern(dates=(Span(date(2026, 12, 30), date(2026, 12, 30)),))

    assert found(BookingRules(closed=(one_day,)), start, duration) is reason


def test_a_product_may_be_closed_on_weekdays_and_holidays() -> None:
    rules = BookingRules(closed=(DayPattern(weekdays=frozenset({3})), DayPattern(is_holiday=True)))
    christmas = (Holiday(MonthDay(12, 25)), Holiday(EasterDay(1)))

    week = [found(rules, f"2026-12-{day}", holidays=christmas) for day in range(22, 29)]

    assert week == [None, CLOSED, None, CLOSED, None, None, None]
    assert found(rules, "2027-03-29", holidays=christmas) is CLOSED


def test_out_of_season_takes_precedence_over_closed_on_any_day() -> None:
    closed_at_the_end = BookingRules(
        seasons=("winter",), closed=(DayPattern(dates=(Span(MonthDay(4, 30), MonthDay(5, 2)),)),)
    )

    assert found(closed_at_the_end, "2027-04-30") is CLOSED
    assert found(closed_at_the_end, "2027-04-30", THREE_DAYS) is OUT_OF_SEASON
    assert found(closed_at_the_end, "2027-05-01") is OUT_OF_SEASON


YEARS_OFF = Season(identifier="jubilee", spans=(Span(date(2027, 7, 1), date(2027, 7, 10)),))
CALENDAR = Calendar(seasons=(WINTER, SUMMER, YEARS_OFF))


def running(today: date, *seasons: str) -> DateRange | None:
    return running_days(ticket(booking=BookingRules(seasons=seasons)), CALENDAR, today)


@pytest.mark.parametrize(
    ("today", "first", "end"),
    [
        pytest.param(date(2026, 12, 1), date(2026, 12, 1), date(2027, 5, 1), id="its first day"),
        pytest.param(date(2026, 12, 31), date(2026, 12, 31), date(2027, 5, 1), id="before the new year"),
        pytest.param(date(2027, 1, 1), date(2027, 1, 1), date(2027, 5, 1), id="after it"),
        pytest.param(date(2027, 4, 30), date(2027, 4, 30), date(2027, 5, 1), id="its last day"),
        pytest.param(date(2027, 5, 1), date(2027, 12, 1), date(2028, 5, 1), id="the next winter"),
        pytest.param(date(2026, 11, 30), date(2026, 12, 1), date(2027, 5, 1), id="tomorrow"),
    ],
)
def test_the_current_season_or_else_the_next_is_used(today: date, first: date, end: date) -> None:
    assert running(today, "winter") == DateRange(first, end)


def test_of_several_seasons_the_current_or_the_next_one_is_used() -> None:
    assert running(date(2027, 5, 1), "winter", "summer") == DateRange(date(2027, 6, 15), date(2027, 10, 1))
    assert running(date(2027, 10, 1), "summer", "winter") == DateRange(date(2027, 12, 1), date(2028, 5, 1))


@pytest.mark.parametrize("seasons", [("summer", "jubilee"), ("jubilee", "summer")])
def test_of_current_seasons_the_one_that_ends_last_is_used(seasons: tuple[str, ...]) -> None:
    assert running(date(2027, 7, 5), *seasons) == DateRange(date(2027, 7, 5), date(2027, 10, 1))


def test_a_product_without_a_season_runs_for_a_year() -> None:
    assert running(date(2026, 12, 21)) == DateRange(date(2026, 12, 21), date(2027, 12, 22))


@pytest.mark.parametrize(
    ("today", "first", "end"),
    [
        (date(2026, 12, 21), date(2026, 12, 21), date(2027, 12, 22)),
        (date(2025, 12, 21), date(2026, 1, 1), date(2027, 1, 2)),
        (date(2029, 6, 1), date(2029, 6, 1), date(2030, 1, 1)),
    ],
)
def test_a_season_of_several_years_is_limited_to_one_year(today: date, first: date, end: date) -> None:
    years = Season(identifier="years", spans=(Span(date(2026, 1, 1), date(2029, 12, 31)),))
    product = ticket(booking=BookingRules(seasons=("years",)))

    assert running_days(product, Calendar(seasons=(years,)), today) == DateRange(first, end)


def test_a_season_that_does_not_recur_has_no_running_days_afterwards() -> None:
    assert running(date(2027, 7, 10), "jubilee") == DateRange(date(2027, 7, 10), date(2027, 7, 11))
    assert running(date(2027, 7, 11), "jubilee") is None
