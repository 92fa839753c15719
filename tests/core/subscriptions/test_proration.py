"""Proration of a price by each day count convention. Decisions §7.5."""

from datetime import date
from fractions import Fraction

import pytest

from faregate.dates.instants import DateRange
from faregate.errors import InvalidPeriod
from faregate.money.allocation import allocate
from faregate.subscriptions.proration import DayCount, prorate, proration

ACTUAL, FIXED30, THIRTY_E_360, EVERY_MONTH_30 = DayCount


def days(start: str, end: str) -> DateRange:
    return DateRange(date.fromisoformat(start), date.fromisoformat(end))


JANUARY, FEBRUARY = days("2026-01-01", "2026-02-01"), days("2026-02-01", "2026-03-01")
YEAR = days("2026-01-01", "2027-01-01")


@pytest.mark.parametrize(
    ("part", "whole", "actual", "fixed_30", "thirty_360"),
    [
        pytest.param(JANUARY, JANUARY, "1", "1", "1", id="a long month"),
        pytest.param(FEBRUARY, FEBRUARY, "1", "28/30", "1", id="a short month"),
        pytest.param(days("2026-01-31", "2026-02-01"), JANUARY, "1/31", "1/30", "0", id="a 31st"),
        pytest.param(days("2026-01-30", "2026-01-31"), JANUARY, "1/31", "1/30", "1/30", id="a 30th"),
        pytest.param(days("2026-02-28", "2026-03-01"), FEBRUARY, "1/28", "1/30", "3/30", id="a 28th"),
        pytest.param(days("2026-01-01", "2026-01-31"), JANUARY, "30/31", "1", "1", id="thirty days"),
        pytest.param(FEBRUARY, YEAR, "28/365", "28/360", "30/360", id="of a year"),
        pytest.param(YEAR, YEAR, "1", "1", "1", id="365 of 360 days"),
        pytest.param(days("2026-01-10", "2026-01-10"), JANUARY, "0", "0", "0", id="no days"),
    ],
)
def test_a_part_is_counted_by_the_convention(
    part: DateRange, whole: DateRange, actual: str, fixed_30: str, thirty_360: str
) -> None:
    shares = {
        way: proration(part=part, whole=whole, convention=way) for way in DayCount if way is not THIRTY_E_360
    }

    expected = {ACTUAL: actual, FIXED30: fixed_30, EVERY_MONTH_30: thirty_360}
    assert shares == {way: Fraction(share) for way, share in expected.items()}
    assert proration(part=part, whole=whole) == Fraction(actual)


def test_with_the_fixed_count_parts_may_add_up_to_more_or_less() -> None:
    def in_halves(month: DateRange) -> Fraction:
        middle = month.start.replace(day=15)
        parts = DateRange(month.start, middle), DateRange(middle, month.end)
        return sum(
            (proration(part=part, whole=month, convention=FIXED30) for part in parts), start=Fraction()
        )

    assert in_halves(JANUARY) == Fraction(31, 30)
    assert in_halves(FEBRUARY) == Fraction(28, 30)


@pytest.mark.parametrize(
    ("amount", "cost"),
    [(0, 0), (1, 1), (2, 1), (3, 2), (99, 50), (100, 50), (-1, -1), (-3, -2), (10**30 + 1, 5 * 10**29 + 1)],
)
def test_half_a_unit_is_rounded_away_from_zero(amount: int, cost: int) -> None:
    whole = days("2026-04-01", "2026-05-01")

    assert prorate(amount, part=days("2026-04-16", "2026-05-01"), whole=whole) == cost


def test_parts_rounded_individually_may_not_add_up_but_shares_do() -> None:
    whole = days("2026-04-01", "2026-05-01")
    halves = days("2026-04-01", "2026-04-16"), days("2026-04-16", "2026-05-01")

    assert [prorate(101, part=half, whole=whole) for half in halves] == [51, 51]
    assert allocate(101, [half.days for half in halves]) == (51, 50)


@pytest.mark.parametrize("convention", DayCount)
@pytest.mark.parametrize(
    ("start", "end"),
    [("2025-12-31", "2026-01-10"), ("2026-01-31", "2026-02-02"), ("2026-01-20", "2026-01-10")],
)
def test_a_part_outside_the_whole_is_refused(start: str, end: str, convention: DayCount) -> None:
    for question in (proration, lambda **given: prorate(100, **given)):
        with pytest.raises(InvalidPeriod) as raised:
            question(part=days(start, end), whole=JANUARY, convention=convention)
        assert str(raised.value) == f"the part {start} to {end} is not within 2026-01-01 to 2026-02-01"


@pytest.mark.parametrize(
    ("start", "end", "convention"),
    [
        ("2026-01-10", "2026-01-10", ACTUAL),
        ("2026-01-10", "2026-01-24", FIXED30),
        ("2026-01-31", "2026-02-01", EVERY_MONTH_30),
    ],
)
def test_a_whole_without_days_is_refused(start: str, end: str, convention: DayCount) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        proration(part=days(start, end), whole=days(start, end), convention=convention)

    assert str(raised.value) == f"the period {start} to {end} has no days under {convention.value}"


@pytest.mark.parametrize("convention", [DayCount.ACTUAL, EVERY_MONTH_30])
def test_a_single_day_is_a_whole(convention: DayCount) -> None:
    day = days("2026-05-04", "2026-05-05")

    assert proration(part=day, whole=day, convention=convention) == 1
