"""Months counted from January of year 1, and the days that not all of them have. Decisions §7.2.

The calendar repeats every 400 years: where a day falls in 4,800 months says where it falls in any.
"""

from __future__ import annotations

from array import array
from datetime import date
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from faregate.errors import InvalidPeriod

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "DAYS_A_CYCLE",
    "MONTHS_A_CYCLE",
    "KeptMonthEnd",
    "MonthEnd",
    "add_months",
    "date_of",
    "days_into_cycle",
    "month_of",
    "ordinal",
]

MONTHS_A_CYCLE = 4800
DAYS_A_CYCLE = 146_097

_NOWHERE = -(2**31)
"""Of a month without the day: far before year 1, wherever the cycle begins."""

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class MonthEnd(Enum):
    """Where a day falls in a month that does not have it (RFC 7529)."""

    CLAMP = "clamp"
    """On the last day of that month."""
    FORWARD = "forward"
    """On the first day of the next."""
    OMIT = "omit"
    """Nowhere: the month is passed over."""
    REJECT = "reject"
    """It is an error."""


KeptMonthEnd: TypeAlias = Literal[MonthEnd.CLAMP, MonthEnd.FORWARD, MonthEnd.REJECT]
"""Those that pass no month over."""

# Looking a member up on its enumeration costs as much as the arithmetic.
_CLAMP, _FORWARD, _OMIT = MonthEnd.CLAMP, MonthEnd.FORWARD, MonthEnd.OMIT


def days_into_cycle(day: int, month_end: MonthEnd) -> array[int]:
    """Where *day* falls in each of the 4,800 months, in days since the day before them; below 0: nowhere.

    >>> days_into_cycle(31, MonthEnd.CLAMP)[:3].tolist()
    [31, 59, 90]
    """
    if month_end is _CLAMP:
        return _clamped(day)
    return _forwarded(day) if month_end is _FORWARD else _existing(day)


@cache
def _clamped(day: int) -> array[int]:
    return array("i", [before + min(day, length) for before, length in _months()])


@cache
def _forwarded(day: int) -> array[int]:
    return array("i", [before + min(day, length + 1) for before, length in _months()])


@cache
def _existing(day: int) -> array[int]:
    return array("i", [before + day if day <= length else _NOWHERE for before, length in _months()])


@cache
def _months() -> tuple[tuple[int, int], ...]:
    """How many days of the cycle come before each month, and how many it has."""
    months, before = [], 0
    for year in range(1, 401):
        is_leap = year % 4 == 0 and year not in {100, 200, 300}
        for month, length in enumerate(_LENGTHS, start=1):
            days = length + (is_leap and month == 2)  # noqa: PLR2004 - February
            months.append((before, days))
            before += days
    return tuple(months)


def month_of(day: date) -> int:
    """How many months lie between January of year 1 and that of *day*.

    >>> month_of(date(2, 3, 31))
    14
    """
    return 12 * day.year + day.month - 13


@overload
def add_months(day: date, months: int, *, month_end: KeptMonthEnd = ...) -> date: ...


@overload
def add_months(day: date, months: int, *, month_end: MonthEnd) -> date | None: ...


def add_months(day: date, months: int, *, month_end: MonthEnd = MonthEnd.CLAMP) -> date | None:
    """The same day so many months later, or earlier; None: *month_end* omits it.

    >>> add_months(date(2024, 1, 31), 1), add_months(date(2024, 1, 31), 1, month_end=MonthEnd.FORWARD)
    (datetime.date(2024, 2, 29), datetime.date(2024, 3, 1))

    Raises:
        InvalidPeriod: *month_end* rejects it, or it is beyond the years 1 to 9999.
    """
    month, days = month_of(day) + months, days_into_cycle(day.day, month_end)
    if month_end is _OMIT and days[month % MONTHS_A_CYCLE] < 0:
        return None
    return date_of(ordinal(month, days))


def ordinal(month: int, days: Sequence[int]) -> int:
    """The ordinal of a date in *month*, of *days* as ``days_into_cycle`` gives them.

    Raises:
        InvalidPeriod: that month does not have it.
    """
    cycles, index = divmod(month, MONTHS_A_CYCLE)
    into_cycle = days[index]
    if into_cycle < 0:
        raise InvalidPeriod(f"month {month % 12 + 1} of year {month // 12 + 1} has no such day")
    return cycles * DAYS_A_CYCLE + into_cycle


def date_of(ordinal: int) -> date:
    """The date so many days after the last before year 1.

    Raises:
        InvalidPeriod: it is beyond the years 1 to 9999.
    """
    try:
        return date.fromordinal(ordinal)
    except (ValueError, OverflowError):
        raise InvalidPeriod("a date is beyond the years 1 to 9999") from None
