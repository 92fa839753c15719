"""Month arithmetic on arrays of dates, using tables of one calendar cycle. Decisions §7.2.

Months are counted from January 1900, days from 1970-01-01 and days of a month from 0. The calendar repeats
every 400 years, so tables of the 400 years from 1900 cover all dates. They take 370 kB, and another 500 kB
once a rule skips months. Dates within these years need no division.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from faregate.batch.columns.values import NOWHERE, Days, Numbers
from faregate.dates.months import DAYS_A_CYCLE, MONTHS_A_CYCLE, MonthEnd

EVERY_MONTH = 0
"""Kind 0: all months (all have a 28th). Kinds 1, 2 and 3: months that have a 29th, a 30th and a 31st."""
FEBRUARY_29 = 4
"""Kind 4: the Februaries of leap years."""


class _Cycle(NamedTuple):
    month_of: npt.NDArray[np.int16]
    """Month of each day of the cycle."""
    before: Numbers
    """Number of days in the cycle before each month."""
    first: Days
    last: Days
    following: Days
    """First day of the month after each month."""


@cache  # builds the table of 4,800 months once
def _cycle() -> _Cycle:
    months = np.datetime64("1900-01") + np.arange(MONTHS_A_CYCLE + 1)
    days = months.astype("datetime64[D]").astype(np.int64)
    first, following = days[:-1].copy(), days[1:].copy()
    month_of = np.repeat(np.arange(MONTHS_A_CYCLE, dtype=np.int16), following - first)
    return _Cycle(month_of, first - first[0], first, following - 1, following)


def _in_cycle(numbers: Numbers, size: int) -> tuple[Numbers | None, Numbers]:
    """Divide *numbers* by *size* and return the quotients (None if all of them are 0) and the remainders."""
    if numbers.view(np.uint64).max(initial=0) < size:
        return None, numbers
    cycles = numbers // size
    return cycles, numbers - cycles * size


def month_and_day(days: Days) -> tuple[Numbers, Numbers]:
    """Return each day's month, counted from January 1900, and its day of the month, counted from 0.

    >>> month_and_day(np.array(["1900-02-03", "2026-11-30"], "datetime64[D]").view(np.int64))
    (array([   1, 1522]), array([ 2, 29]))
    """
    table = _cycle()
    cycles, into_cycle = _in_cycle(days - table.first[0], DAYS_A_CYCLE)
    month = table.month_of.take(into_cycle, mode="wrap").astype(np.int64)
    day = into_cycle - table.before.take(month, mode="wrap")
    if cycles is not None:
        month += cycles * MONTHS_A_CYCLE
    return month, day


def day_of_month(month: Numbers, day: Numbers | int, month_end: MonthEnd) -> Days:
    """Return the date of *day* in each *month*; ``NOWHERE`` if it does not exist and is not moved.

    *month*: counted from January 1900, int64 of any shape, below 2**60; *day*: 0 (the 1st) to 30, of the
    same shape or one for all.

    >>> day_of_month(np.array([1, 2]), 30, MonthEnd.CLAMP).view("datetime64[D]")
    array(['1900-02-28', '1900-03-31'], dtype='datetime64[D]')
    """
    table = _cycle()
    cycles, index = _in_cycle(month, MONTHS_A_CYCLE)
    days = table.first.take(index, mode="wrap")
    days += day
    lacking = None
    if month_end is MonthEnd.CLAMP:
        np.minimum(days, table.last.take(index, mode="wrap"), out=days)
    elif month_end is MonthEnd.FORWARD:
        np.minimum(days, table.following.take(index, mode="wrap"), out=days)
    else:
        lacking = days > table.last.take(index, mode="wrap")
    if cycles is not None:
        days += cycles * DAYS_A_CYCLE
    if lacking is not None:
        days[lacking] = NOWHERE
    return days


class _Kinds(NamedTuple):
    """For each kind of month (see ``EVERY_MONTH``): count per cycle, count before each month, the months."""

    per_cycle: Numbers
    before: Numbers
    having: Numbers


@cache  # builds the table of months by kind once
def _kinds() -> _Kinds:
    table = _cycle()
    length = table.following - table.first
    is_february = np.arange(MONTHS_A_CYCLE) % 12 == 1
    has_it = np.array([*(length >= least for least in (28, 29, 30, 31)), is_february & (length > 28)])  # noqa: PLR2004
    having = np.zeros(has_it.shape, np.int64)
    for own, months in zip(having, has_it, strict=True):
        own[: months.sum()] = np.flatnonzero(months)
    return _Kinds(has_it.sum(axis=1), (has_it.cumsum(axis=1) - has_it).reshape(-1), having.reshape(-1))


def months_before(month: Numbers, kind: Numbers) -> Numbers:
    """Return how many months of *kind* (see ``EVERY_MONTH``) lie between January 1900 and each *month*."""
    table = _kinds()
    cycles, index = _in_cycle(month, MONTHS_A_CYCLE)
    before = table.before.take(index + kind * MONTHS_A_CYCLE, mode="wrap")
    return before if cycles is None else before + cycles * table.per_cycle.take(kind)


def nth_month(number: Numbers, kind: Numbers) -> Numbers:
    """Return, for each row, the month of *kind* (see ``EVERY_MONTH``) that *number* such months precede."""
    table = _kinds()
    count = table.per_cycle.take(kind)
    cycles = number // count
    index = number - cycles * count + kind * MONTHS_A_CYCLE
    return table.having.take(index, mode="wrap") + cycles * MONTHS_A_CYCLE
