"""The numbered boundaries between subscription periods, computed by formula. Decisions §7.2.

Boundaries are ordinals, as in ``date.toordinal``, and are converted to dates only at the end.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from math import lcm
from typing import NamedTuple, Never, TypeAlias

from faregate.arguments.checks import option
from faregate.dates.instants import plain_date
from faregate.dates.months import (
    DAYS_A_CYCLE,
    MONTHS_A_CYCLE,
    THIS_CYCLE,
    MonthEnd,
    date_of,
    month_of,
    ordinal,
    ordinals,
)
from faregate.errors import InvalidPeriod
from faregate.subscriptions.rules import (
    BillingRule,
    EveryDays,
    EveryMonths,
    EveryYears,
    Monthly,
    MonthlyOn,
    Yearly,
    YearlyOn,
)


class _Days(NamedTuple):
    """Boundaries every ``step`` days, starting on the ordinal ``first``."""

    first: int
    step: int

    def boundary(self, number: int) -> int:
        """Return the ordinal of boundary *number*."""
        return self.first + number * self.step

    def after(self, day: date) -> int:
        """Return the number of the first boundary after *day*."""
        return max((day.toordinal() - self.first) // self.step + 1, 0)


@dataclass(slots=True)
class _Months:
    """Boundaries on the same day of every ``step``-th month; ``fallen`` is the result of ``ordinals``."""

    first: int
    step: int
    fallen: Sequence[int]

    def boundary(self, number: int) -> int:
        return ordinal(self.first + number * self.step, self.fallen)

    def after(self, day: date) -> int:
        number = (month_of(day) - self.first) // self.step
        return 0 if number < 0 else number + (self.boundary(number) <= day.toordinal())


class _ExistingMonths(NamedTuple):
    """Boundaries on ``day``, from month ``first`` on, in the months of a ``cycle`` listed in ``having``."""

    first: int
    day: int
    cycle: int
    having: Sequence[int]

    def boundary(self, number: int) -> int:
        cycles, position = divmod(self._before(self.first) + number, len(self.having))
        return ordinal(cycles * self.cycle + self.having[position], ordinals(self.day, _OMIT))

    def after(self, day: date) -> int:
        begun = month_of(day) + (day.day >= self.day)
        return max(self._before(begun) - self._before(self.first), 0)

    def _before(self, month: int) -> int:
        """Return the number of months before *month* that have ``day``, counted over all cycles."""
        cycles, rest = divmod(month, self.cycle)
        return cycles * len(self.having) + bisect_left(self.having, rest)


Series: TypeAlias = _Days | _Months | _ExistingMonths

_CLAMP, _OMIT = MonthEnd.CLAMP, MonthEnd.OMIT
_YEAR = 12


def series_of(rule: BillingRule, anchor: date, month_end: MonthEnd) -> Series:
    """Return the series of boundaries that *rule* gives for the date *anchor*.

    Raises:
        InvalidPeriod: *month_end* rejects the month of the first boundary, *rule* is not a rule, or *anchor*
            is not a date.
    """
    plain_date(anchor, "anchor")
    if month_end is not _CLAMP:
        month_end = option(MonthEnd, month_end, "month_end")
    if isinstance(rule, Monthly):  # the usual rule; as a case below, it would be a tenth slower
        return _counted(month_of(anchor), 1, anchor.day, month_end)
    match rule:
        case Yearly():
            return _counted(month_of(anchor), _YEAR, anchor.day, month_end)
        case MonthlyOn(day):
            return _given(anchor, month_of(anchor), 1, day, month_end)
        case YearlyOn(month, day):
            years_before = anchor.year - 1 + (month < anchor.month)
            return _given(anchor, _YEAR * years_before + month - 1, _YEAR, day, month_end)
        case EveryDays(days):
            return _Days(anchor.toordinal(), days)
        case EveryMonths(months):
            return _counted(month_of(anchor), months, anchor.day, month_end)
        case EveryYears(years):
            return _counted(month_of(anchor), _YEAR * years, anchor.day, month_end)
        case _ as unknown:
            raise unknown_rule(unknown)


def unknown_rule(rule: Never) -> InvalidPeriod:
    """Return the error for *rule*, which is not a renewal rule."""
    return InvalidPeriod(f"rule is {rule!r}, expected a renewal rule such as Monthly()")


def _counted(first: int, step: int, day: int, month_end: MonthEnd) -> Series:
    """Return boundaries on *day* of every *step*-th month, starting in *first*, a month that has *day*."""
    if month_end is _OMIT:
        return _existing(first, step, day)
    return _Months(first, step, ordinals(day, month_end))


def _given(anchor: date, month: int, step: int, day: int, month_end: MonthEnd) -> Series:
    """Return boundaries on *day* of every *step*-th month; number 0 is the first on or after *anchor*.

    *month* is the first such month that is not before the month of *anchor*.
    """
    if month_end is _OMIT:
        begun = month_of(anchor) + (anchor.day > day)
        return _existing(begun, step, day, phase=month)
    fallen, earliest = ordinals(day, month_end), anchor.toordinal()
    # Only a day that is moved forward can reach the anchor from the month before.
    if month_end is MonthEnd.FORWARD and ordinal(month - step, fallen) >= earliest:
        return _Months(month - step, step, fallen)
    return _Months(month + step * (ordinal(month, fallen) < earliest), step, fallen)


def _existing(first: int, step: int, day: int, *, phase: int | None = None) -> _ExistingMonths:
    """Return boundaries on *day*, from the month *first*, in *phase* and every *step*-th month after it."""
    phase = first if phase is None else phase
    # A step such as 7 does not divide 400 years, so the months repeat after several times 400 years only.
    return _ExistingMonths(first, day, lcm(MONTHS_A_CYCLE, step), _having(day, step, phase % step))


@lru_cache(maxsize=31 * 13)  # 83 ns instead of 0.5 ms; room for all days of each month and of each year
def _having(day: int, step: int, first: int) -> array[int]:
    """Return the months that have *day*, out of every *step*-th month of a cycle from *first* on."""
    fallen, cycle = ordinals(day, _OMIT), lcm(MONTHS_A_CYCLE, step)
    return array("i", [month for month in range(first, cycle, step) if fallen[month % MONTHS_A_CYCLE] > 0])


def dates(series: Series, count: int) -> tuple[date, ...]:
    """Return the dates of the first *count* boundaries.

    Raises:
        InvalidPeriod: the date of a boundary does not exist, or is after the year 9999.
    """
    if isinstance(series, _Months):
        fallen, step = series.fallen, series.step
        cycles, start = divmod(series.first, MONTHS_A_CYCLE)
        end = start + count * step
        if end <= MONTHS_A_CYCLE:
            try:  # all at once, as one call per date takes four times as long
                return tuple(map(date.fromordinal, _in_cycle(cycles, fallen[start:end:step])))
            except ValueError:  # a month without the day, or past the calendar: the loop below reports it
                pass
    return tuple([date_of(series.boundary(number)) for number in range(count)])


def _in_cycle(cycles: int, fallen: Sequence[int]) -> Sequence[int]:
    if cycles == THIS_CYCLE:
        return fallen
    offset = (cycles - THIS_CYCLE) * DAYS_A_CYCLE
    return [offset + day for day in fallen]
