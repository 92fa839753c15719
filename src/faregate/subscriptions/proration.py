"""Proration: the price of part of a period. Decisions §7.5."""

from __future__ import annotations

from datetime import date
from enum import Enum
from fractions import Fraction

from faregate.arguments.checks import option
from faregate.dates.instants import DateRange
from faregate.dates.months import month_of
from faregate.errors import InvalidPeriod
from faregate.money.amounts import MinorUnits
from faregate.money.rounding import divide_rounded

_MONTH = 30


class DayCount(Enum):
    """Convention for counting the days of a period and of a part of it."""

    ACTUAL = "actual"
    """Actual days of the part divided by actual days of the whole."""
    FIXED30 = "fixed30"
    """Actual days of the part divided by 30 per month of the whole, at most 1; parts may not add up to 1."""
    THIRTY_E_360 = "30e/360"
    """Eurobond basis (ISDA 2006, section 4.16 (g)): the 31st counts as the 30th; February is unchanged."""
    EVERY_MONTH_30 = "every-month-30"
    """Every month has 30 days: a 31st counts as 0 days, and the last day of February as 3 or 2 days."""


def proration(*, part: DateRange, whole: DateRange, convention: DayCount = DayCount.ACTUAL) -> Fraction:
    """Return the share of *whole* that *part* makes up, from 0 to 1.

    >>> from datetime import date
    >>> from faregate.dates.instants import DateRange
    >>> month = DateRange(date(2023, 5, 15), date(2023, 6, 15))
    >>> proration(part=DateRange(date(2023, 5, 23), date(2023, 6, 15)), whole=month)
    Fraction(23, 31)

    Raises:
        InvalidPeriod: *part* is not within *whole*, or *whole* has no days.
    """
    convention = option(DayCount, convention, "convention")
    if not whole.start <= part.start <= part.end <= whole.end:
        raise InvalidPeriod(f"the part {part.start} to {part.end} is not within {whole.start} to {whole.end}")
    days, all_days = _counted(part, whole, convention)
    if all_days <= 0:
        raise InvalidPeriod(f"the period {whole.start} to {whole.end} has no days under {convention.value}")
    return min(Fraction(days, all_days), Fraction(1))


def _counted(part: DateRange, whole: DateRange, convention: DayCount) -> tuple[int, int]:
    if convention is DayCount.ACTUAL:
        return part.days, whole.days
    if convention is DayCount.FIXED30:
        return part.days, _MONTH * (month_of(whole.end) - month_of(whole.start))
    # A 31st is numbered like the next month's first, so it counts 0 days; for Eurobonds, like a 30th.
    last = _MONTH if convention is DayCount.THIRTY_E_360 else _MONTH + 1
    return _in_equal_months(part, last), _in_equal_months(whole, last)


def _in_equal_months(days: DateRange, last: int) -> int:
    return _equal_day(days.end, last) - _equal_day(days.start, last)


def _equal_day(day: date, last: int) -> int:
    return _MONTH * month_of(day) + min(day.day, last)


def prorate(
    amount: MinorUnits, *, part: DateRange, whole: DateRange, convention: DayCount = DayCount.ACTUAL
) -> MinorUnits:
    """Return the price of *part* if *whole* costs *amount*, rounded once, half away from zero.

    To split an amount among all parts of a period, use ``allocate`` with their days as weights: prices
    rounded one by one may not add up to the amount.

    >>> from datetime import date
    >>> from faregate.dates.instants import DateRange
    >>> month = DateRange(date(2024, 2, 15), date(2024, 3, 15))
    >>> prorate(6000, part=DateRange(date(2024, 2, 23), date(2024, 3, 15)), whole=month)
    4345

    Raises:
        InvalidPeriod: *part* is not within *whole*, or *whole* has no days.
    """
    share = proration(part=part, whole=whole, convention=convention)
    return divide_rounded(amount * share.numerator, share.denominator)
