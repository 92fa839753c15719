"""Twins of renewals: results of the scalar function per row, or its error for the first refused row."""

from datetime import date
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.subscriptions.proration import prorate
from faregate.batch.subscriptions.schedule import next_billing_date, renewal_date, renewal_dates
from faregate.dates.instants import DateRange
from faregate.dates.months import MonthEnd
from faregate.subscriptions import proration
from faregate.subscriptions import schedule as renewals
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.rules import BillingRule
from support.baskets.strategies import members, sized
from support.columns.arrays import read_only
from support.columns.numbers import by_row, sizes
from support.columns.renewals import (
    by_column,
    dates,
    day_column,
    indexes,
    ordinary_dates,
    rules,
)

month_ends = members(MonthEnd)


@given(rules, month_ends, sized(st.tuples(dates, indexes), sizes))
def test_renewal_date_matches_the_scalar_in_every_row(
    rule: BillingRule, month_end: MonthEnd, rows: list[tuple[date, int]]
) -> None:
    anchors, numbers = [row[0] for row in rows], [row[1] for row in rows]
    anchor, index = day_column(anchors), read_only(np.array(numbers, np.int64))

    found = by_column(lambda: renewal_date(rule, anchor=anchor, index=index, month_end=month_end))

    assert found == by_row(
        len(rows),
        lambda row: renewals.renewal_date(rule, anchor=anchors[row], index=numbers[row], month_end=month_end),
    )
    assert anchor.tolist() == anchors


@given(rules, month_ends, sized(dates, sizes), st.integers(0, 60))
def test_renewal_dates_match_the_scalar_in_every_row(
    rule: BillingRule, month_end: MonthEnd, anchors: list[date], count: int
) -> None:
    anchor = day_column(anchors)

    found = by_column(lambda: renewal_dates(rule, anchor=anchor, count=count, month_end=month_end))

    assert found == by_row(
        len(anchors),
        lambda row: [*renewals.renewal_dates(rule, anchor=anchors[row], count=count, month_end=month_end)],
    )


@given(rules, month_ends, sized(st.tuples(dates, dates), sizes))
def test_next_billing_date_matches_the_scalar_in_every_row(
    rule: BillingRule, month_end: MonthEnd, rows: list[tuple[date, date]]
) -> None:
    anchors, days = [row[0] for row in rows], [row[1] for row in rows]
    anchor, after = day_column(anchors), day_column(days)

    found = by_column(lambda: next_billing_date(rule, anchor=anchor, after=after, month_end=month_end))

    assert found == by_row(
        len(rows),
        lambda row: renewals.next_billing_date(
            rule, anchor=anchors[row], after=days[row], month_end=month_end
        ),
    )


_amounts = st.one_of(
    st.integers(-100, 100),
    st.integers(-(10**12), 10**12),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([0, 2**63 - 1, -(2**63), 2**56, 2**53 - 1, -(2**52)]),
)


@st.composite
def _periods(draw: st.DrawFn) -> list[date]:
    """Draw the first day of the whole, first and last of the part, last of the whole; sometimes unordered."""
    some = dates if draw(st.integers(0, 9)) == 0 else ordinary_dates
    days = [draw(some) for _ in range(4)]
    return days if draw(st.integers(0, 15)) == 15 else sorted(days)


@given(members(DayCount), sized(st.tuples(_amounts, _periods()), sizes))
def test_prorated_amount_matches_the_scalar_in_every_row(
    convention: DayCount, rows: list[tuple[int, list[date]]]
) -> None:
    amounts = [amount for amount, _ in rows]
    firsts, starts, ends, lasts = ([days[place] for _, days in rows] for place in range(4))
    columns: dict[str, Any] = {
        "part_start": day_column(starts),
        "part_end": day_column(ends),
        "whole_start": day_column(firsts),
        "whole_end": day_column(lasts),
    }

    found = by_column(
        lambda: prorate(read_only(np.array(amounts, np.int64)), **columns, convention=convention)
    )

    assert found == by_row(
        len(rows),
        lambda row: proration.prorate(
            amounts[row],
            part=DateRange(starts[row], ends[row]),
            whole=DateRange(firsts[row], lasts[row]),
            convention=convention,
        ),
    )


@given(rules, month_ends, sized(ordinary_dates, st.just(6)))
def test_any_memory_layout_gives_the_same_results(
    rule: BillingRule, month_end: MonthEnd, anchors: list[date]
) -> None:
    anchor = day_column(anchors)

    strided = by_column(lambda: renewal_dates(rule, anchor=anchor[::-2], count=3, month_end=month_end))

    copied = anchor[::-2].copy()
    assert strided == by_column(lambda: renewal_dates(rule, anchor=copied, count=3, month_end=month_end))
