"""Yearly days, Easter, spans that run into the next year, seasons, holidays and day patterns."""

from datetime import date

import pytest

from faregate.catalogue.calendars import (
    Calendar,
    DayPattern,
    EasterDay,
    Holiday,
    MonthDay,
    Season,
    Span,
    easter_sunday,
)
from faregate.dates.instants import DateRange
from faregate.errors import InvalidPeriod, UnknownEntry

WINTER = Season(identifier="winter", spans=(Span(MonthDay(12, 1), MonthDay(4, 30)),))
SUMMER = Season(identifier="summer", spans=(Span(MonthDay(6, 1), MonthDay(10, 31)),))
JUBILEE = Season(
    identifier="jubilee",
    spans=(
        Span(date(2026, 7, 4), date(2026, 7, 5)),
        Span(date(2027, 12, 27), date(2029, 1, 3)),
        Span(date(2031, 2, 3), date(2031, 2, 3)),
    ),
)
CALENDAR = Calendar(
    seasons=(WINTER, SUMMER, JUBILEE),
    holidays=(Holiday(MonthDay(12, 25)), Holiday(EasterDay(-2)), Holiday(date(2026, 7, 4))),
)


@pytest.mark.parametrize(("year", "day"), [(2027, 28), (2028, 29), (2100, 28), (2000, 29)])
def test_the_leap_day_is_the_last_of_february(year: int, day: int) -> None:
    assert MonthDay(2, 29).in_year(year) == date(year, 2, day)


# Published dates of Western Easter: 2003 to 2033, and the years that wrong formulas miss first, with the
# earliest and the latest possible date.
EASTERS = {
    2003: "04-20 04-11 03-27 04-16 04-08 03-23 04-12 04-04 04-24 04-08 03-31",
    2014: "04-20 04-05 03-27 04-16 04-01 04-21 04-12 04-04 04-17 04-09 03-31",
    2025: "04-20 04-05 03-28 04-16 04-01 04-21 04-13 03-28 04-17",
    1818: "03-22",
    1943: "04-25",
    1954: "04-18",
    1981: "04-19",
    2038: "04-25",
    2076: "04-19",
    2285: "03-22",
}


@pytest.mark.parametrize(
    "sunday",
    [f"{first + n}-{day}" for first, listed in EASTERS.items() for n, day in enumerate(listed.split())],
)
def test_easter_matches_the_published_tables(sunday: str) -> None:
    day = date.fromisoformat(sunday)

    assert easter_sunday(day.year) == day


@pytest.mark.parametrize(("offset", "day"), [(-2, (3, 26)), (1, (3, 29))])
def test_easter_days_are_counted_from_easter(offset: int, day: tuple[int, int]) -> None:
    assert EasterDay(offset).in_year(2027) == date(2027, *day)


def holds(span: Span, day: date) -> bool:
    return DayPattern(dates=(span,)).include(day, Calendar())


@pytest.mark.parametrize(
    ("span", "inside", "outside"),
    [
        pytest.param(
            Span(date(2026, 12, 24), date(2026, 12, 26)),
            ["2026-12-24", "2026-12-26"],
            ["2026-12-23", "2026-12-27", "2027-12-24", "2025-12-25"],
            id="dates",
        ),
        pytest.param(
            Span(MonthDay(6, 1), MonthDay(6, 30)),
            ["2026-06-01", "2040-06-30"],
            ["2026-05-31", "2026-07-01"],
            id="every year",
        ),
        pytest.param(
            Span(MonthDay(12, 20), MonthDay(1, 6)),
            ["2026-12-20", "2026-12-31", "2027-01-01", "2027-01-06"],
            ["2026-12-19", "2027-01-07", "2026-01-07"],
            id="into the next year",
        ),
        pytest.param(
            Span(MonthDay(2, 1), MonthDay(2, 29)),
            ["2027-02-28", "2028-02-28", "2028-02-29"],
            ["2027-03-01", "2028-03-01"],
            id="all February",
        ),
        pytest.param(
            Span(MonthDay(12, 1), EasterDay(7)),
            ["2026-12-01", "2027-04-04", "2028-04-23"],
            ["2027-04-05", "2028-04-24", "2026-11-30"],
            id="until after the next Easter",
        ),
    ],
)
def test_a_span_includes_both_its_ends_and_the_days_between(
    span: Span, inside: list[str], outside: list[str]
) -> None:
    assert [day for day in inside if not holds(span, date.fromisoformat(day))] == []
    assert [day for day in outside if holds(span, date.fromisoformat(day))] == []


@pytest.mark.parametrize(
    "span", [Span(date(2026, 12, 1), MonthDay(4, 30)), Span(EasterDay(0), date(2026, 12, 1))]
)
def test_a_span_from_a_date_to_a_recurring_day_is_refused(span: Span) -> None:
    with pytest.raises(InvalidPeriod, match="expected two dates with a year, or two that recur every year"):
        span.near(2026)


@pytest.mark.parametrize(
    ("season", "day", "current", "following"),
    [
        (WINTER, "2026-12-01", ("2026-12-01", "2027-05-01"), ("2027-12-01", "2028-05-01")),
        (WINTER, "2027-05-01", None, ("2027-12-01", "2028-05-01")),
        (JUBILEE, "2028-06-01", ("2027-12-27", "2029-01-04"), ("2031-02-03", "2031-02-04")),
        (JUBILEE, "2020-01-01", None, ("2026-07-04", "2026-07-06")),
    ],
)
def test_a_season_finds_its_current_and_its_next_range(
    season: Season, day: str, current: tuple[str, str] | None, following: tuple[str, str] | None
) -> None:
    def as_range(ends: tuple[str, str] | None) -> DateRange | None:
        return ends and DateRange(*map(date.fromisoformat, ends))

    assert season.range_on(date.fromisoformat(day)) == as_range(current)
    assert season.next_range(date.fromisoformat(day)) == as_range(following)


def test_a_season_is_found_by_its_identifier() -> None:
    assert CALENDAR.season("summer") is SUMMER
    assert CALENDAR.is_in_season("summer", date(2026, 6, 1))
    assert not CALENDAR.is_in_season("summer", date(2026, 5, 31))


def test_an_unknown_season_is_named() -> None:
    for ask in (CALENDAR.season, lambda name: CALENDAR.is_in_season(name, date(2026, 6, 1))):
        with pytest.raises(UnknownEntry) as raised:
            ask("spring")
        assert str(raised.value) == "unknown season 'spring'"


@pytest.mark.parametrize(
    ("day", "is_holiday"),
    [
        ("2026-12-25", True),
        ("2026-04-03", True),
        ("2027-04-03", False),
        ("2026-07-04", True),
        ("2027-07-04", False),
    ],
)
def test_holidays_recur_every_year_or_are_on_a_single_date(day: str, is_holiday: bool) -> None:
    for _ in range(2):
        assert CALENDAR.is_holiday(date.fromisoformat(day)) is is_holiday
    assert not Calendar().is_holiday(date.fromisoformat(day))


CHRISTMAS_DAY = date(2026, 12, 25)  # a Friday, in winter


@pytest.mark.parametrize(
    ("days", "is_included"),
    [
        (DayPattern(), True),
        (DayPattern(seasons=frozenset({"winter"})), True),
        (DayPattern(weekdays=frozenset({5})), True),
        (DayPattern(is_holiday=False), False),
        (DayPattern(dates=(Span(CHRISTMAS_DAY, CHRISTMAS_DAY),)), True),
        (
            DayPattern(
                dates=(Span(MonthDay(1, 1), MonthDay(1, 2)), Span(MonthDay(12, 24), MonthDay(12, 26)))
            ),
            True,
        ),
        (
            DayPattern(frozenset({"winter"}), frozenset({5}), (Span(CHRISTMAS_DAY, CHRISTMAS_DAY),), True),
            True,
        ),
        (
            DayPattern(frozenset({"summer"}), frozenset({5}), (Span(CHRISTMAS_DAY, CHRISTMAS_DAY),), True),
            False,
        ),
        (
            DayPattern(frozenset({"winter"}), frozenset({5}), (Span(CHRISTMAS_DAY, CHRISTMAS_DAY),), False),
            False,
        ),
    ],
)
def test_a_day_pattern_includes_the_days_that_meet_all_its_criteria(
    days: DayPattern, is_included: bool
) -> None:
    assert days.include(CHRISTMAS_DAY, CALENDAR) is is_included
