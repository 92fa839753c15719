"""Numbered boundaries between subscription periods, for a column of anchors. Decisions §7.2.

The column version of ``faregate.subscriptions.boundaries``, with days since 1970-01-01 instead of ordinals.
Where the scalar function would raise an error, the resulting day is outside the calendar. Only the rule is
checked here.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from faregate.batch.columns.values import NOWHERE, Days, Numbers
from faregate.batch.dates.months import (
    EVERY_MONTH,
    FEBRUARY_29,
    day_of_month,
    month_and_day,
    months_before,
    nth_month,
)
from faregate.dates.months import MonthEnd
from faregate.subscriptions.boundaries import unknown_rule
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

_YEAR = 12
_FEBRUARY, _LEAP_DAY = 1, 28
"""Month and day, both counted from 0."""
_SHORTEST_MONTH = 28
_COUNTED_BY_KIND = (1, _YEAR)
"""Steps for which the months that have a day are counted with the tables of ``batch.dates.months``."""
_NO_MONTH = 2**40
"""Month so far outside the calendar that all boundaries counted from it are outside, too."""

MAX_BOUNDARIES = 4_000_000
"""Maximum number of boundaries, larger than the number of days in the calendar."""


class _Days(NamedTuple):
    """Boundaries every ``step`` days, beginning with ``first``."""

    first: Days
    step: int

    def boundary(self, number: Numbers) -> Days:
        return self.first + _bounded(number) * self.step

    def after(self, day: Days) -> Numbers:
        number: Numbers = np.maximum((day - self.first) // self.step + 1, 0)
        return number


class _Months(NamedTuple):
    """Boundaries on the same day of every ``step``-th month."""

    first: Numbers
    step: int
    day: Numbers | int
    month_end: MonthEnd

    def boundary(self, number: Numbers) -> Days:
        """Return the day of boundary *number*; ``NOWHERE`` if ``month_end`` rejects its month."""
        return day_of_month(self.first + self.step * _bounded(number), self.day, self.month_end)

    def after(self, day: Days) -> Numbers:
        month, _ = month_and_day(day)
        number = np.maximum((month - self.first) // self.step, 0)
        at = self.boundary(number)
        # The scalar function looks at this month first, and raises an error if it is rejected.
        return np.where(at == NOWHERE, MAX_BOUNDARIES, number + (at <= day))


class _ExistingMonths(NamedTuple):
    """Boundaries on ``day`` of every ``step``-th month of ``kind``, after ``passed`` months of that kind."""

    passed: Numbers
    step: Numbers | int
    day: Numbers | int
    kind: Numbers

    def boundary(self, number: Numbers) -> Days:
        month = nth_month(self.passed + self.step * _bounded(number), self.kind)
        return day_of_month(month, self.day, _CLAMP)

    def after(self, day: Days) -> Numbers:
        month, day_in_it = month_and_day(day)
        begun = months_before(month + (day_in_it >= self.day), self.kind)
        number: Numbers = np.maximum(-((self.passed - begun) // self.step), 0)
        return number


Series: TypeAlias = _Days | _Months | _ExistingMonths

_CLAMP, _FORWARD, _OMIT = MonthEnd.CLAMP, MonthEnd.FORWARD, MonthEnd.OMIT


def series_of(rule: BillingRule, anchor: Days, month_end: MonthEnd) -> Series:
    """Return the series of boundaries of *rule* for each *anchor*, which is int64 ``[n]`` or ``[n, 1]``.

    A boundary is outside the calendar if its number is too large, or if the scalar function would raise an
    error. The boundaries of an anchor outside the calendar are undefined.

    Raises:
        InvalidPeriod: *rule* is not a rule.
    """
    match rule:
        case Monthly():
            return _counted(anchor, 1, month_end)
        case Yearly():
            return _counted(anchor, _YEAR, month_end)
        case MonthlyOn(day) if month_end is _OMIT and day > _SHORTEST_MONTH:
            return _existing(anchor, day - 1, np.array(day - _SHORTEST_MONTH))
        case YearlyOn(2, 29) if month_end is _OMIT:
            return _existing(anchor, _LEAP_DAY, np.array(FEBRUARY_29))
        case MonthlyOn(day):
            month, _ = month_and_day(anchor)
            return _given(anchor, month, step=1, day=day - 1, month_end=month_end)
        case YearlyOn(month_of_year, day):
            month, _ = month_and_day(anchor)
            ahead = month_of_year - 1 - _month_of_year(month)
            month += ahead + _YEAR * (ahead < 0)
            return _given(anchor, month, step=_YEAR, day=day - 1, month_end=month_end)
        case EveryDays(days):
            return _Days(anchor, days)
        case EveryMonths(months):
            return _counted(anchor, months, month_end)
        case EveryYears(years):
            return _counted(anchor, _YEAR * years, month_end)
        case _ as unknown:
            raise unknown_rule(unknown)


def _counted(anchor: Days, step: int, month_end: MonthEnd) -> Series:
    """Return the series that begins with the anchor, as boundary 0."""
    month, day = month_and_day(anchor)
    if month_end is not _OMIT:
        return _Months(month, step, day, month_end)
    if step not in _COUNTED_BY_KIND:
        # Rows that skip months have no boundary here, so the scalar function computes them one by one.
        first = np.where(_skips_months(month, day, step), _NO_MONTH, month)
        return _Months(first, step, day, month_end)
    if step == 1:
        kind = np.maximum(day + 1 - _SHORTEST_MONTH, EVERY_MONTH)
        return _ExistingMonths(months_before(month, kind), step, day, kind)
    is_leap_day = _skips_months(month, day, step)
    kind = np.where(is_leap_day, FEBRUARY_29, EVERY_MONTH)
    return _ExistingMonths(months_before(month, kind), np.where(is_leap_day, 1, step), day, kind)


def _skips_months(month: Numbers, day: Numbers, step: int) -> npt.NDArray[np.bool_]:
    """Return True for rows whose *day* may be missing in a month of the series."""
    lacking: npt.NDArray[np.bool_] = day >= _SHORTEST_MONTH
    return lacking if step % _YEAR else (_month_of_year(month) == _FEBRUARY) & (day == _LEAP_DAY)


def _existing(anchor: Days, day: int, kind: Numbers) -> Series:
    """Return the series that begins with the first date on or after the anchor that falls on *day*.

    *day* is counted from 0; *kind* (see ``EVERY_MONTH``) stands for the months that have this day.
    """
    month, own_day = month_and_day(anchor)
    return _ExistingMonths(months_before(month + (own_day > day), kind), 1, day, kind)


def _given(anchor: Days, month: Numbers, *, step: int, day: int, month_end: MonthEnd) -> Series:
    """Return the series that begins with the first of the rule's dates on or after the anchor.

    *day* is counted from 0. *month* is the anchor's month or the next one that the rule names.
    """
    here = day_of_month(month, day, month_end)
    first = month + step * (here < anchor)
    if month_end is _FORWARD:
        # Only a day moved forward can reach the anchor from the month before.
        earlier = day_of_month(month - step, day, month_end)
        first = np.where(earlier >= anchor, month - step, first)
    if month_end is MonthEnd.REJECT:
        first = np.where(here == NOWHERE, _NO_MONTH, first)
    return _Months(first, step, day, month_end)


def _month_of_year(month: Numbers) -> Numbers:
    # NumPy is fast at dividing by a constant, but not at the remainder.
    return month - month // _YEAR * _YEAR


def _bounded(number: Numbers) -> Numbers:
    """Return *number*, limited to ``MAX_BOUNDARIES`` in either direction, so that no boundary overflows."""
    return np.minimum(np.maximum(number, -MAX_BOUNDARIES), MAX_BOUNDARIES)
