"""Rules and date columns for the laws of renewals, which compare the batch function with the scalar one."""

from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from faregate.errors import InvalidInput
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
from support.columns.arrays import read_only
from support.columns.numbers import Outcome, Refused

rules: st.SearchStrategy[BillingRule] = st.one_of(
    st.just(Monthly()),
    st.just(Yearly()),
    st.builds(MonthlyOn, st.sampled_from([28, 29, 30, 31]) | st.integers(1, 31)),
    st.builds(YearlyOn, st.integers(1, 12), st.sampled_from([1, 28]) | st.integers(1, 28)),
    st.sampled_from([YearlyOn(2, 29), YearlyOn(4, 30), YearlyOn(12, 31)]),
    st.builds(EveryMonths, st.sampled_from([1, 3, 6, 7, 12, 24]) | st.integers(1, 1200)),
    st.builds(EveryYears, st.sampled_from([1, 2, 3, 4]) | st.integers(1, 100)),
    st.builds(EveryDays, st.sampled_from([1, 7, 30, 36_525]) | st.integers(1, 36_525)),
)

# Ends of the calendar, of its 400-year cycle, and of centuries with and without a leap day.
_EDGES = [
    date(year, month, day)
    for year in (1, 1600, 1900, 1999, 2000, 2100, 2299, 9999)
    for month, day in ((1, 1), (1, 31), (2, 28), (3, 1), (12, 31))
]
_month_ends = st.builds(
    lambda year, month, days: date.fromordinal(date(year, month, 1).toordinal() + 27 + days),
    st.integers(1995, 2040) | st.integers(1, 9998),
    st.integers(1, 12),
    st.integers(0, 4),
)
near_dates = st.dates(date(1890, 1, 1), date(2310, 12, 31))
ordinary_dates = near_dates | _month_ends
dates = ordinary_dates | ordinary_dates | st.sampled_from(_EDGES) | st.dates()

_near = st.integers(-30, 30) | st.integers(-900, 900)
_far = st.one_of(
    st.integers(-60_000, 60_000),
    st.sampled_from([-(2**63), 2**63 - 1, 2**60, -(2**60), 10**7, -(10**7)]),
    st.integers(-(2**63), 2**63 - 1),
)
# Few distant ones have a date, and one error ends a column.
indexes = st.sampled_from([_near] * 30 + [_far]).flatmap(lambda own: own)


def day_column(values: Sequence[date]) -> npt.NDArray[np.datetime64]:
    """Return a read-only datetime64[D] column."""
    return read_only(np.array(values, "datetime64[D]"))


def by_column(twin: Callable[[], npt.NDArray[Any]]) -> Outcome:
    """Return the results of the batch function, or its error."""
    try:
        answers: list[Any] = twin().tolist()
    except InvalidInput as error:
        return Refused(type(error), str(error))
    return answers
