"""Renewal dates of subscriptions, in columns. Decisions §7.

Every function returns the same dates as its namesake in ``faregate.subscriptions.schedule``, for any date in
the years 1 to 9999; the 400 years from 1900 on are fastest. One rule applies to a whole column. Arguments
are not changed, and results are new arrays. If the scalar function would reject rows, its error for the first
of them is raised, with the row number. The scalar function also computes, one by one, rows that skip months
under ``EveryMonths`` or ``EveryYears`` with ``OMIT``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date

import numpy as np
import numpy.typing as npt

from faregate.arguments.checks import option
from faregate.batch.columns.values import (
    FIRST_DAY,
    LAST_DAY,
    Dates,
    Days,
    aligned,
    answer_by_row,
    chunks,
    date_in,
    day_numbers,
    is_in_calendar,
    whole_numbers,
    within_calendar,
)
from faregate.batch.subscriptions.boundaries import MAX_BOUNDARIES, series_of
from faregate.dates.months import MonthEnd
from faregate.errors import InvalidPeriod
from faregate.subscriptions import schedule as renewals
from faregate.subscriptions.rules import BillingRule


def renewal_date(
    rule: BillingRule,
    *,
    anchor: Dates | np.datetime64 | date,
    index: npt.NDArray[np.integer] | int,
    month_end: MonthEnd = MonthEnd.CLAMP,
) -> Dates:
    """Return period boundary number *index* for each anchor: datetime64[D] ``[n]``.

    *anchor*: datetime64[D] ``[n]``, or one for all; *index*: int64 ``[n]`` (or a dtype that fits), or one
    for all. For two single values, the result is an array without axes.

    >>> from faregate.subscriptions.rules import Monthly
    >>> anchors = np.array(["2023-01-31", "2024-01-31"], "datetime64[D]")
    >>> renewal_date(Monthly(), anchor=anchors, index=1)
    array(['2023-02-28', '2024-02-29'], dtype='datetime64[D]')

    Raises:
        InvalidInput: a column has the wrong dtype or shape, or an anchor is NaT.
        InvalidPeriod: *rule* is not a rule, *month_end* rejects a month, or a date is outside the years 1
            to 9999.
    """
    month_end = option(MonthEnd, month_end, "month_end")
    shape, (anchors, numbers) = aligned(
        anchor=day_numbers("anchor", anchor), index=whole_numbers("index", index)
    )

    def boundaries(part: slice) -> Days:
        own = anchors[part]
        return within_calendar(series_of(rule, own, month_end).boundary(numbers[part]), own)

    def ask(row: int) -> date:
        own = date_in(anchors, row, name="anchor")
        return renewals.renewal_date(rule, anchor=own, index=int(numbers[row]), month_end=month_end)

    return _dates(np.empty(anchors.shape, np.int64), boundaries, ask).reshape(shape)


def renewal_dates(
    rule: BillingRule,
    *,
    anchor: Dates | np.datetime64 | date,
    count: int,
    month_end: MonthEnd = MonthEnd.CLAMP,
) -> Dates:
    """Return each anchor's first *count* boundaries: datetime64[D] ``[n, count]`` or ``[count]``.

    *anchor*: datetime64[D] ``[n]`` or one date.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import YearlyOn
    >>> renewal_dates(YearlyOn(11, 1), anchor=date(2026, 9, 15), count=2)
    array(['2026-11-01', '2027-11-01'], dtype='datetime64[D]')

    Raises:
        InvalidInput: a column has the wrong dtype or shape, or an anchor is NaT.
        InvalidPeriod: *rule* is not a rule, *count* is negative or above four million, *month_end* rejects a
            month, or a date is outside the years 1 to 9999.
    """
    if type(count) is not int or not 0 <= count <= MAX_BOUNDARIES:
        raise InvalidPeriod(f"count: expected 0 to {MAX_BOUNDARIES}, got {count!r}")
    month_end = option(MonthEnd, month_end, "month_end")
    shape, (anchors,) = aligned(anchor=day_numbers("anchor", anchor))
    numbers = np.arange(count)

    def boundaries(part: slice) -> Days:
        own = anchors[part]
        return within_calendar(series_of(rule, own[:, np.newaxis], month_end).boundary(numbers), own)

    def ask(row: int) -> tuple[date, ...]:
        own = date_in(anchors, row, name="anchor")
        return renewals.renewal_dates(rule, anchor=own, count=count, month_end=month_end)

    return _dates(np.empty((len(anchors), count), np.int64), boundaries, ask).reshape(*shape, count)


def next_billing_date(
    rule: BillingRule,
    *,
    anchor: Dates | np.datetime64 | date,
    after: Dates | np.datetime64 | date,
    month_end: MonthEnd = MonthEnd.CLAMP,
) -> Dates:
    """Return the first boundary of each anchor that is later than *after*: datetime64[D] ``[n]``.

    *anchor* and *after*: datetime64[D] ``[n]`` each, or one for all.

    >>> from datetime import date
    >>> from faregate.subscriptions.rules import EveryDays
    >>> today = np.array(["2022-02-25", "2022-03-02"], "datetime64[D]")
    >>> next_billing_date(EveryDays(14), anchor=date(2022, 2, 2), after=today)
    array(['2022-03-02', '2022-03-16'], dtype='datetime64[D]')

    Raises:
        InvalidInput: a column has the wrong dtype or shape, or a date is NaT.
        InvalidPeriod: *rule* is not a rule, *month_end* rejects a month, or a date is outside the years 1
            to 9999.
    """
    month_end = option(MonthEnd, month_end, "month_end")
    shape, (anchors, days) = aligned(anchor=day_numbers("anchor", anchor), after=day_numbers("after", after))

    def boundaries(part: slice) -> Days:
        own, day = anchors[part], days[part]
        series = series_of(rule, own, month_end)
        return within_calendar(series.boundary(series.after(day)), own, day)

    def ask(row: int) -> date:
        own, day = date_in(anchors, row, name="anchor"), date_in(days, row, name="after")
        return renewals.next_billing_date(rule, anchor=own, after=day, month_end=month_end)

    return _dates(np.empty(anchors.shape, np.int64), boundaries, ask).reshape(shape)


def _dates(days: Days, boundaries: Callable[[slice], Days], ask: Callable[[int], object]) -> Dates:
    """Fill *days* with *boundaries* and return them as dates; call *ask* for rows outside the calendar."""
    dates = days.view("datetime64[D]")
    for part in chunks(len(days), width=math.prod(days.shape[1:])):
        own = boundaries(part)
        days[part] = own
        if not is_in_calendar(own):
            beyond = (own < FIRST_DAY) | (own > LAST_DAY)
            answer_by_row(dates, part.start + np.flatnonzero(beyond.reshape(len(own), -1).any(axis=1)), ask)
    return dates
