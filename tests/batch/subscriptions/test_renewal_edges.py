"""Ends of months, years, cycles and of the calendar in all combinations: twins compared with scalars."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import Any

import numpy as np
import pytest

from faregate.batch.subscriptions.schedule import next_billing_date, renewal_date, renewal_dates
from faregate.dates.months import MonthEnd
from faregate.subscriptions import schedule as renewals
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
from support.columns.numbers import Outcome, Refused, by_row
from support.columns.renewals import by_column

EDGES = [
    date(year, month, day)
    for year in (1, 1900, 2023, 2024, 9999)
    for month, day in ((1, 1), (1, 29), (1, 30), (1, 31), (2, 28), (3, 1), (4, 30), (12, 30), (12, 31))
] + [date(year, 2, 29) for year in (4, 2000, 2024, 9996)]
RULES = [
    EveryDays(1),
    EveryDays(30),
    EveryMonths(3),
    EveryMonths(7),
    EveryYears(3),
    Monthly(),
    Yearly(),
    *(MonthlyOn(day) for day in (1, 28, 29, 30, 31)),
    *(YearlyOn(month, day) for month, day in ((1, 1), (2, 28), (2, 29), (4, 30), (12, 31))),
]
each_month_end = pytest.mark.parametrize("month_end", MonthEnd)
each_rule = pytest.mark.parametrize("rule", RULES, ids=str)

Row = Mapping[str, Any]


def assert_same(scalar: Callable[..., Any], twin: Callable[..., Any], rows: Sequence[Row]) -> None:
    """Compare rows with a result as one column, and the others one by one."""
    outcomes = [by_row(1, partial(_asked, scalar, row)) for row in rows]
    answers = [(row, *answer) for row, answer in zip(rows, outcomes, strict=True) if isinstance(answer, list)]

    found = _in_columns(twin, [row for row, _ in answers])

    assert found == [answer for _, answer in answers]
    for row, outcome in zip(rows, outcomes, strict=True):
        if isinstance(outcome, Refused):
            assert _in_columns(twin, [row]) == outcome


def _asked(scalar: Callable[..., Any], row: Row, _: int) -> Any:
    answer = scalar(**row)
    return [*answer] if isinstance(answer, tuple) else answer


def _in_columns(twin: Callable[..., Any], rows: Sequence[Row]) -> Outcome:
    names = rows[0] if rows else {}
    columns = {name: _column([row[name] for row in rows]) for name in names}
    return by_column(lambda: twin(**columns)) if rows else []


def _column(values: list[Any]) -> Any:
    return np.array(values, "int64" if isinstance(values[0], int) else "datetime64[D]")


@each_rule
@each_month_end
def test_renewal_date_matches_the_scalar(rule: BillingRule, month_end: MonthEnd) -> None:
    indexes = (-4, -1, 0, 1, 2, 3, 11, 97, 4800)

    assert_same(
        partial(renewals.renewal_date, rule, month_end=month_end),
        partial(renewal_date, rule, month_end=month_end),
        [{"anchor": anchor, "index": index} for anchor in EDGES for index in indexes],
    )


@each_rule
@each_month_end
@pytest.mark.parametrize("count", [0, 1, 14])
def test_renewal_dates_match_the_scalar(rule: BillingRule, month_end: MonthEnd, count: int) -> None:
    assert_same(
        partial(renewals.renewal_dates, rule, count=count, month_end=month_end),
        partial(renewal_dates, rule, count=count, month_end=month_end),
        [{"anchor": anchor} for anchor in EDGES],
    )


@each_rule
@each_month_end
def test_next_billing_date_matches_the_scalar(rule: BillingRule, month_end: MonthEnd) -> None:
    near = [(anchor, after) for anchor in EDGES for after in EDGES if abs(after.year - anchor.year) < 200]

    assert_same(
        partial(renewals.next_billing_date, rule, month_end=month_end),
        partial(next_billing_date, rule, month_end=month_end),
        [{"anchor": anchor, "after": after} for anchor, after in near[::2]],
    )
