"""The part of a period's price that some of its days cost. Decisions §7.5."""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING

from faregate.arguments.checks import option
from faregate.dates.months import month_of
from faregate.errors import InvalidPeriod
from faregate.money.rounding import divide_rounded

if TYPE_CHECKING:
    from datetime import date

    from faregate.dates.instants import DateRange
    from faregate.money.amounts import MinorUnits

_MONTH = 30


class DayCount(Enum):
    """How the days of a part and of its whole are counted."""

    ACTUAL = "actual"
    """Days over days."""
    FIXED30 = "fixed30"
    """Days over 30 for every month of the whole, never more than 1; parts do not add up to their whole."""
    THIRTY_E_360 = "30e/360"
    """Eurobond basis (ISDA 2006, section 4.16 (g)): a 31st is read as a 30th, February as it is."""
    EVERY_MONTH_30 = "every-month-30"
    """Every month counts 30 days, in the part too: a 31st none, the last of February what is missing."""


def proration(*, part: DateRange, whole: DateRange, convention: DayCount = DayCount.ACTUAL) -> Fraction:
    """Which share of *whole* its *part* is, from 0 to 1.

    >>> from datetime import date
    >>> from faregate.dates.instants import DateRange
    >>> month = DateRange(date(2023, 5, 15), date(2023, 6, 15))
    >>> proration(part=DateRange(date(2023, 5, 23), date(2023, 6, 15)), whole=month)
    Fraction(23, 31)

    Raises:
        InvalidPeriod: the part is not within the whole, or the whole counts no days.
    """
    convention = option(DayCount, convention, "convention")
    if not whole.start <= part.start <= part.end <= whole.end:
        raise InvalidPeriod(f"{part.start} to {part.end} is no part of {whole.start} to {whole.end}")
    days, all_days = _counted(part, whole, convention)
    if all_days <= 0:
        raise InvalidPeriod(f"{whole.start} to {whole.end} is no time at all by {convention.value}")
    return min(Fraction(days, all_days), Fraction(1))


def _counted(part: DateRange, whole: DateRange, convention: DayCount) -> tuple[int, int]:
    if convention is DayCount.ACTUAL:
        return part.days, whole.days
    if convention is DayCount.FIXED30:
        return part.days, _MONTH * (month_of(whole.end) - month_of(whole.start))
    # A 31st stands where the first of the next month does, and counts nothing; for Eurobonds, where a 30th.
    last = _MONTH if convention is DayCount.THIRTY_E_360 else _MONTH + 1
    return _in_equal_months(part, last), _in_equal_months(whole, last)


def _in_equal_months(days: DateRange, last: int) -> int:
    return _equal_day(days.end, last) - _equal_day(days.start, last)


def _equal_day(day: date, last: int) -> int:
    return _MONTH * month_of(day) + min(day.day, last)


def prorate(
    amount: MinorUnits, *, part: DateRange, whole: DateRange, convention: DayCount = DayCount.ACTUAL
) -> MinorUnits:
    """What *part* costs of an *amount* for the *whole*, rounded once, half away from zero.

    To split an amount over all parts of a whole ``allocate`` it by their days: rounded one by one they need
    not add up.

    >>> from datetime import date
    >>> from faregate.dates.instants import DateRange
    >>> month = DateRange(date(2024, 2, 15), date(2024, 3, 15))
    >>> prorate(6000, part=DateRange(date(2024, 2, 23), date(2024, 3, 15)), whole=month)
    4345

    Raises:
        InvalidPeriod: the part is not within the whole, or the whole counts no days.
    """
    share = proration(part=part, whole=whole, convention=convention)
    return divide_rounded(amount * share.numerator, share.denominator)
