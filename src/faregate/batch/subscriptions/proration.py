"""Prorated prices for parts of periods, in columns. Decisions §7.5."""

from __future__ import annotations

from datetime import date

import numpy as np
import numpy.typing as npt

from faregate.arguments.checks import option
from faregate.batch.columns.values import (
    Dates,
    Numbers,
    aligned,
    answer_by_row,
    date_in,
    day_numbers,
    whole_numbers,
)
from faregate.dates.instants import DateRange
from faregate.subscriptions import proration
from faregate.subscriptions.proration import DayCount

_BOUNDS = ("part_start", "part_end", "whole_start", "whole_end")


def prorate(
    amount: npt.NDArray[np.integer] | int,
    *,
    part_start: Dates | np.datetime64 | date,
    part_end: Dates | np.datetime64 | date,
    whole_start: Dates | np.datetime64 | date,
    whole_end: Dates | np.datetime64 | date,
    convention: DayCount = DayCount.ACTUAL,
) -> Numbers:
    """Return the price of each part of a period, rounded once, half away from zero: int64 ``[n]``.

    *amount*: the price of the whole period, int64 ``[n]`` (or a dtype that fits) in minor units, or one for
    all. The dates: datetime64[D] ``[n]`` each, or one for all. Starts are inclusive, ends exclusive.

    >>> from datetime import date
    >>> half = np.datetime64("2024-04-16")
    >>> month = {"whole_start": date(2024, 4, 1), "whole_end": date(2024, 5, 1)}
    >>> prorate(np.array([6001, -6001]), part_start=half, part_end=month["whole_end"], **month)
    array([ 3001, -3001])

    Raises:
        InvalidInput: a column has the wrong dtype or shape, or a date is NaT.
        InvalidPeriod: a part is not within its whole period, a whole period has no days, or a date is outside
            the years 1 to 9999.
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
        start, end, first, last = (
            date_in(column, row, name=name) for name, column in zip(_BOUNDS, bounds, strict=True)
        )
        return proration.prorate(
            int(amounts[row]), part=DateRange(start, end), whole=DateRange(first, last), convention=convention
        )

    result = np.empty(amounts.shape, np.int64)
    answer_by_row(result, np.arange(len(result)), ask)
    return result.reshape(shape)
