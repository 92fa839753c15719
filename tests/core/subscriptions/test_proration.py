"""Proration of a price by each day count convention. Decisions §7.5."""

from datetime import date
from fractions import Fraction

import pytest

from faregate.dates.instants import DateRange
from faregate.errors import InvalidPeriod
from faregate.subscriptions.proration import DayCount, prorate, proration

ACTUAL, FIXED30, THIRTY_E_360, EVERY_MONTH_30 = DayCount


def days(start: str, end: str) -> DateRange:
    return DateRange(date.fromisoformat(start), date.fromisoformat(end))


JANUARY, FEBRUARY = days("2026-01-01", "2026-02-01"), days("2026-02-01", "2026-03-01")
YEAR, ONE_DAY = days("2026-01-01", "2027-01-01"), days("2026-02-28", "2026-03-01")


@pytest.mark.parametrize(
    ("part", "whole", "actual", "fixed_30", "thirty_360"),
    [
        pytest.param(FEBRUARY, FEBRUARY, "1", "28/30", "1", id="a short month"),
        pytest.param(days("2026-01-31", "2026-02-01"), JANUARY, "1/31", "1/30", "0", id="a 31st"),
        pytest.param(ONE_DAY, ONE_DAY, "1", "1/30", "1", id="a single day"),
        pytest.param(YEAR, YEAR, "1", "1", "1", id="365 of 360 days"),
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
    [(3, 2), (-3, -2), (10**30 + 1, 5 * 10**29 + 1)],
)
def test_half_a_unit_is_rounded_away_from_zero(amount: int, cost: int) -> None:
    whole = days("2026-04-01", "2026-05-01")

    assert prorate(amount, part=days("2026-04-16", "2026-05-01"), whole=whole) == cost


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
