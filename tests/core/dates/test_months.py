"""Months as numbers, and days that a month does not have. Decisions §7.2."""

from calendar import monthrange
from datetime import date

import pytest

from faregate.dates.months import (
    DAYS_A_CYCLE,
    MONTHS_A_CYCLE,
    MonthEnd,
    add_months,
    date_of,
    days_in_month,
    month_of,
    ordinal,
    ordinals,
)
from faregate.errors import InvalidPeriod

CLAMP, FORWARD, OMIT, REJECT = MonthEnd


def test_the_days_of_a_month_are_those_of_the_calendar() -> None:
    for year in (1, 1900, 2000, 2023, 2024, 2100, 2400, 9999):
        found = [days_in_month(year, month) for month in range(1, 13)]
        assert found == [monthrange(year, month)[1] for month in range(1, 13)]


@pytest.mark.parametrize(
    ("start", "months", "clamped", "forward"),
    [
        ("2026-01-15", 1, "2026-02-15", "2026-02-15"),
        ("2026-01-31", 0, "2026-01-31", "2026-01-31"),
        ("2026-01-28", 1, "2026-02-28", "2026-02-28"),
        ("2026-01-29", 1, "2026-02-28", "2026-03-01"),
        ("2026-01-31", 1, "2026-02-28", "2026-03-01"),
        ("2028-01-29", 1, "2028-02-29", "2028-02-29"),
        ("2028-01-30", 1, "2028-02-29", "2028-03-01"),
        ("2026-03-31", 1, "2026-04-30", "2026-05-01"),
        ("2026-12-31", 2, "2027-02-28", "2027-03-01"),
        ("2026-12-31", 12, "2027-12-31", "2027-12-31"),
        ("2026-03-31", -1, "2026-02-28", "2026-03-01"),
        ("2026-01-31", -1, "2025-12-31", "2025-12-31"),
        ("2026-01-31", -2, "2025-11-30", "2025-12-01"),
        ("2096-02-29", 48, "2100-02-28", "2100-03-01"),
        ("1996-02-29", 48, "2000-02-29", "2000-02-29"),
        ("2026-05-31", 4800, "2426-05-31", "2426-05-31"),
        ("0001-01-31", 1, "0001-02-28", "0001-03-01"),
        ("9999-10-31", 1, "9999-11-30", "9999-12-01"),
        ("0001-01-01", 119_987, "9999-12-01", "9999-12-01"),
    ],
)
def test_the_month_end_option_decides_how_months_are_added(
    start: str, months: int, clamped: str, forward: str
) -> None:
    day, exists = date.fromisoformat(start), clamped == forward

    assert add_months(day, months) == add_months(day, months, month_end=CLAMP) == date.fromisoformat(clamped)
    assert add_months(day, months, month_end=FORWARD) == date.fromisoformat(forward)
    assert add_months(day, months, month_end=OMIT) == (date.fromisoformat(clamped) if exists else None)
    if exists:
        assert add_months(day, months, month_end=REJECT) == date.fromisoformat(clamped)


@pytest.mark.parametrize(
    ("start", "months", "message"),
    [
        ("2026-01-31", 1, "the day does not exist in month 2 of year 2026"),
        ("2026-12-31", 6, "the day does not exist in month 6 of year 2027"),
        ("2028-01-30", 13, "the day does not exist in month 2 of year 2029"),
    ],
)
def test_a_rejected_month_without_the_day_is_named(start: str, months: int, message: str) -> None:
    with pytest.raises(InvalidPeriod, match=f"^{message}$"):
        add_months(date.fromisoformat(start), months, month_end=REJECT)


@pytest.mark.parametrize("month_end", MonthEnd)
@pytest.mark.parametrize(
    ("start", "months"),
    [("9999-12-15", 1), ("0001-01-15", -1), ("2026-05-15", 10**12), ("2026-05-15", -(10**12))],
)
def test_a_month_beyond_the_calendar_is_refused(start: str, months: int, month_end: MonthEnd) -> None:
    with pytest.raises(InvalidPeriod, match=r"^a date is outside the years 1 to 9999$"):
        add_months(date.fromisoformat(start), months, month_end=month_end)


def test_months_are_numbered_from_january_of_year_1() -> None:
    assert [month_of(date(year, month, 1)) for year, month in ((1, 1), (1, 12), (2, 1), (401, 1))] == [
        *(0, 11, 12),
        MONTHS_A_CYCLE,
    ]


@pytest.mark.parametrize("day", range(1, 32))
def test_the_days_of_a_cycle_match_the_calendar(day: int) -> None:
    ends = [
        date(year, month, monthrange(year, month)[1]) for year in range(2001, 2401) for month in range(1, 13)
    ]
    lacking = [end.day < day for end in ends]
    days = [
        end.toordinal() if lacks else end.toordinal() - end.day + day
        for end, lacks in zip(ends, lacking, strict=True)
    ]

    assert ordinals(day, CLAMP).tolist() == days
    assert ordinals(day, FORWARD).tolist() == [
        each + lacks for each, lacks in zip(days, lacking, strict=True)
    ]
    for month_end in (OMIT, REJECT):
        found = ordinals(day, month_end).tolist()
        assert [each < 0 for each in found] == lacking
        assert [each for each in found if each > 0] == [
            each for each, lacks in zip(days, lacking, strict=True) if not lacks
        ]


def test_a_cycle_is_four_hundred_years() -> None:
    assert date(401, 1, 1).toordinal() - date(1, 1, 1).toordinal() == DAYS_A_CYCLE
    assert month_of(date(2401, 7, 1)) - month_of(date(2001, 7, 1)) == MONTHS_A_CYCLE


@pytest.mark.parametrize("month", [0, 1, 23_999, 24_000, 119_987])
def test_an_ordinal_is_right_for_a_month_of_any_cycle(month: int) -> None:
    first = date(month // 12 + 1, month % 12 + 1, 1)

    assert ordinal(month, ordinals(1, CLAMP)) == first.toordinal()


def test_the_calendar_has_its_first_and_last_date() -> None:
    last = date.max.toordinal()

    assert (date_of(1), date_of(last)) == (date.min, date.max)
    for beyond in (0, last + 1, -(10**30), 10**30):
        with pytest.raises(InvalidPeriod, match=r"^a date is outside the years 1 to 9999$"):
            date_of(beyond)
