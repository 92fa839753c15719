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
        pytest.param(JANUARY, JANUARY, Fraction(1), Fraction(1), Fraction(1), id="a long month"),
        pytest.param(FEBRUARY, FEBRUARY, Fraction(1), Fraction(28, 30), Fraction(1), id="a short month"),
        pytest.param(
            days("2026-01-31", "2026-02-01"),
            JANUARY,
            Fraction(1, 31),
            Fraction(1, 30),
            Fraction(0),
            id="a 31st",
        ),
        pytest.param(
            days("2026-01-30", "2026-01-31"),
            JANUARY,
            Fraction(1, 31),
            Fraction(1, 30),
            Fraction(1, 30),
            id="a 30th",
        ),
        pytest.param(
            days("2026-02-28", "2026-03-01"),
            FEBRUARY,
            *(Fraction(1, 28), Fraction(1, 30), Fraction(3, 30)),
            id="the last of February",
        ),
        pytest.param(
            days("2026-01-01", "2026-01-31"),
            JANUARY,
            Fraction(30, 31),
            Fraction(1),
            Fraction(1),
            id="thirty days",
        ),
        pytest.param(FEBRUARY, YEAR, Fraction(28, 365), Fraction(28, 360), Fraction(30, 360), id="of a year"),
        pytest.param(YEAR, YEAR, Fraction(1), Fraction(1), Fraction(1), id="365 of 360 days"),
        pytest.param(
            days("2026-01-10", "2026-01-10"), JANUARY, Fraction(0), Fraction(0), Fraction(0), id="no days"
        ),
    ],
)
def test_a_part_is_counted_by_the_convention(
    part: DateRange, whole: DateRange, actual: Fraction, fixed_30: Fraction, thirty_360: Fraction
) -> None:
    shares = {
        way: proration(part=part, whole=whole, convention=way) for way in DayCount if way is not THIRTY_E_360
    }

    assert shares == {ACTUAL: actual, FIXED30: fixed_30, EVERY_MONTH_30: thirty_360}
    assert proration(part=part, whole=whole) == actual


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
    ("part", "whole", "message"),
    [
        (
            ("2025-12-31", "2026-01-10"),
            JANUARY,
            "the part 2025-12-31 to 2026-01-10 is not within 2026-01-01 to 2026-02-01",
        ),
        (
            ("2026-01-31", "2026-02-02"),
            JANUARY,
            "the part 2026-01-31 to 2026-02-02 is not within 2026-01-01 to 2026-02-01",
        ),
        (
            ("2026-01-20", "2026-01-10"),
            JANUARY,
            "the part 2026-01-20 to 2026-01-10 is not within 2026-01-01 to 2026-02-01",
        ),
    ],
)
def test_a_part_outside_the_whole_is_refused(
    part: tuple[str, str], whole: DateRange, message: str, convention: DayCount
) -> None:
    for question in (proration, lambda **given: prorate(100, **given)):
        with pytest.raises(InvalidPeriod) as raised:
            question(part=days(*part), whole=whole, convention=convention)
        assert str(raised.value) == message


@pytest.mark.parametrize(
    ("whole", "convention", "message"),
    [
        (
            ("2026-01-10", "2026-01-10"),
            ACTUAL,
            "the period 2026-01-10 to 2026-01-10 has no days under actual",
        ),
        (
            ("2026-01-10", "2026-01-24"),
            FIXED30,
            "the period 2026-01-10 to 2026-01-24 has no days under fixed30",
        ),
        (
            ("2026-01-31", "2026-02-01"),
            EVERY_MONTH_30,
            "the period 2026-01-31 to 2026-02-01 has no days under every-month-30",
        ),
    ],
)
def test_a_whole_without_days_is_refused(whole: tuple[str, str], convention: DayCount, message: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        proration(part=days(*whole), whole=days(*whole), convention=convention)

    assert str(raised.value) == message


@pytest.mark.parametrize("convention", [DayCount.ACTUAL, EVERY_MONTH_30])
def test_a_single_day_is_a_whole(convention: DayCount) -> None:
    day = days("2026-05-04", "2026-05-05")

    assert proration(part=day, whole=day, convention=convention) == 1
