"""The part of a period's price that some of its days cost, a column at a time. Decisions §7.5."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from faregate.arguments.checks import option
from faregate.batch.columns.values import (
    FIRST_DAY,
    LAST_DAY,
    aligned,
    answer_by_row,
    chunks,
    date_in,
    day_numbers,
    whole_numbers,
)
from faregate.batch.dates.months import month_and_day
from faregate.batch.money.rounding import EXACT_FLOATS
from faregate.subscriptions.proration import DayCount

if TYPE_CHECKING:
    from datetime import date

    import numpy.typing as npt

    from faregate.batch.columns.values import Dates, Days, Numbers

_BOUNDS = ("part_start", "part_end", "whole_start", "whole_end")
_MONTH = 30
_MOST = 2**61


def prorate(
    amount: npt.NDArray[np.integer] | int,
    *,
    part_start: Dates | np.datetime64 | date,
    part_end: Dates | np.datetime64 | date,
    whole_start: Dates | np.datetime64 | date,
    whole_end: Dates | np.datetime64 | date,
    convention: DayCount = DayCount.ACTUAL,
) -> Numbers:
    """What each part costs of an amount for its whole, rounded once, half away from zero: int64 ``[n]``.

    *amount*: int64 ``[n]`` (or a dtype that fits) in minor units, or one for all; the dates:
    datetime64[D] ``[n]`` each, or one for all; starts are in, ends are not. Where an amount times
    the days of its part reaches 2**61, the row is worked out by itself, in Python ints.

    >>> from datetime import date
    >>> half = np.datetime64("2024-04-16")
    >>> month = {"whole_start": date(2024, 4, 1), "whole_end": date(2024, 5, 1)}
    >>> prorate(np.array([6001, -6001]), part_start=half, part_end=month["whole_end"], **month)
    array([ 3001, -3001])

    Raises:
        InvalidInput: other dtypes or shapes, or a date is NaT.
        InvalidPeriod: a part is not within its whole, a whole counts no days, or a date is beyond the years
            1 to 9999.
    """
    convention = option(DayCount, convention, "convention")
    shape, (amounts, *bounds) = aligned(
        amount=whole_numbers("amount", amount),
        part_start=day_numbers("part_start", part_start),
        part_end=day_numbers("part_end", part_end),
        whole_start=day_numbers("whole_start", whole_start),
        whole_end=day_numbers("whole_end", whole_end),
    )

    def ask(row: int) -> int:
        from faregate.dates.instants import DateRange
        from faregate.subscriptions import proration

        start, end, first, last = (
            date_in(column, row, name=name) for name, column in zip(_BOUNDS, bounds, strict=True)
        )
        return proration.prorate(
            int(amounts[row]), part=DateRange(start, end), whole=DateRange(first, last), convention=convention
        )

    result = np.empty(amounts.shape, np.int64)
    for part in chunks(len(result)):
        own = [column[part] for column in bounds]
        days, all_days = _counted(*own, convention=convention)
        is_sure = _are_parts(*own) & (all_days > 0) & _is_small(amounts[part], days)
        days, all_days = np.where(is_sure, days, 0), np.where(is_sure, all_days, 1)
        result[part] = _rounded(amounts[part], days, all_days)
        answer_by_row(result, part.start + np.flatnonzero(~is_sure), ask)
    return result.reshape(shape)


def _are_parts(start: Days, end: Days, first: Days, last: Days) -> npt.NDArray[np.bool_]:
    """Whether each is a part of its whole, and the whole is in the calendar."""
    in_order: npt.NDArray[np.bool_] = (first <= start) & (start <= end) & (end <= last)
    return in_order & (first >= FIRST_DAY) & (last <= LAST_DAY)


def _is_small(amounts: Numbers, days: Days) -> npt.NDArray[np.bool_]:
    """Whether *amounts* times *days* are sure to fit; a float is off by less than what is left to int64."""
    return np.abs(amounts.astype(np.float64)) * days < _MOST


def _rounded(amounts: Numbers, days: Numbers, all_days: Numbers) -> Numbers:
    """Shares of what is neither negative nor too large, half away from zero."""
    doubled = np.abs(amounts) * days * 2 + all_days
    divisors = all_days * 2
    if doubled.max(initial=0) < EXACT_FLOATS:
        shares = (doubled / divisors).astype(np.int64)  # several times as fast, and as exact
    else:
        shares = doubled // divisors
    return np.where(amounts < 0, -shares, shares)


def _counted(
    start: Days, end: Days, first: Days, last: Days, *, convention: DayCount
) -> tuple[Numbers, Numbers]:
    """The days of each part and of its whole, the part at most the whole."""
    if convention is DayCount.ACTUAL:
        return end - start, last - first
    if convention is DayCount.FIXED30:
        all_days = _MONTH * (month_and_day(last)[0] - month_and_day(first)[0])
        return np.minimum(end - start, all_days), all_days
    longest = _MONTH if convention is DayCount.THIRTY_E_360 else _MONTH + 1
    begin, stop, start_of_whole, end_of_whole = (
        _equal_day(days, longest) for days in (start, end, first, last)
    )
    return stop - begin, end_of_whole - start_of_whole


def _equal_day(days: Days, longest: int) -> Numbers:
    month, day = month_and_day(days)  # the first day is 0
    return _MONTH * month + np.minimum(day, longest - 1)
