"""Boundaries and periods of a rule, existing and missing. Decisions §7.2."""

from collections.abc import Callable
from datetime import date
from itertools import pairwise

import pytest

from faregate.dates.instants import DateRange
from faregate.dates.months import MonthEnd
from faregate.errors import InvalidOption, InvalidPeriod
from faregate.subscriptions.rules import (
    BillingRule,
    EveryDays,
    EveryMonths,
    EveryYears,
    Monthly,
    MonthlyOn,
    RenewalRule,
    Yearly,
    YearlyOn,
)
from faregate.subscriptions.schedule import (
    BillingPeriod,
    billing_period,
    next_billing_date,
    renewal_date,
    renewal_dates,
)
from faregate.subscriptions.terms import minimum_term_end

CLAMP, FORWARD, OMIT, REJECT = MonthEnd


def day(text: str) -> date:
    return date.fromisoformat(text)


def iso(dates: tuple[date, ...]) -> list[str]:
    return [each.isoformat() for each in dates]


@pytest.mark.parametrize(
    ("rule", "anchor", "month_end", "expected"),
    [
        (EveryDays(30), "2026-02-10", CLAMP, ["2026-02-10", "2026-03-12", "2026-04-11"]),
        (Monthly(), "2026-01-30", FORWARD, ["2026-01-30", "2026-03-01", "2026-03-30"]),
        (Monthly(), "2026-01-30", OMIT, ["2026-01-30", "2026-03-30", "2026-04-30"]),
        (MonthlyOn(15), "2026-01-16", CLAMP, ["2026-02-15", "2026-03-15", "2026-04-15"]),
        (MonthlyOn(30), "2026-02-10", CLAMP, ["2026-02-28", "2026-03-30", "2026-04-30"]),
        (MonthlyOn(30), "2026-02-10", FORWARD, ["2026-03-01", "2026-03-30", "2026-04-30"]),
        (MonthlyOn(31), "2026-05-01", FORWARD, ["2026-05-01", "2026-05-31", "2026-07-01"]),
        (MonthlyOn(31), "2026-04-01", OMIT, ["2026-05-31", "2026-07-31", "2026-08-31"]),
        (EveryYears(2), "2024-02-29", CLAMP, ["2024-02-29", "2026-02-28", "2028-02-29"]),
        # Every seventh month after July 2027 is a short one until January 2031.
        (EveryMonths(7), "2026-12-31", OMIT, ["2026-12-31", "2027-07-31", "2031-01-31"]),
        (YearlyOn(11, 1), "2026-11-02", CLAMP, ["2027-11-01", "2028-11-01", "2029-11-01"]),
        (YearlyOn(11, 1), "2026-11-02", OMIT, ["2027-11-01", "2028-11-01", "2029-11-01"]),
        (YearlyOn(2, 29), "2026-03-01", CLAMP, ["2027-02-28", "2028-02-29", "2029-02-28"]),
        # 1900 was not a leap year, 1600 was: the calendar repeats after 400 years, from 2001 on or before.
        (Monthly(), "1900-01-31", CLAMP, ["1900-01-31", "1900-02-28", "1900-03-31"]),
    ],
)
def test_dates_of_a_rule(rule: BillingRule, anchor: str, month_end: MonthEnd, expected: list[str]) -> None:
    start = day(anchor)

    assert iso(renewal_dates(rule, anchor=start, count=3, month_end=month_end)) == expected
    for index, (boundary, following) in enumerate(pairwise(map(day, expected))):
        assert renewal_date(rule, anchor=start, index=index, month_end=month_end) == boundary
        assert next_billing_date(rule, anchor=start, after=boundary, month_end=month_end) == following
        period = billing_period(rule, anchor=start, day=boundary, month_end=month_end)
        assert period == BillingPeriod(index, DateRange(boundary, following))


def test_months_are_clamped_by_default() -> None:
    anchor = date(2026, 1, 31)

    assert renewal_date(Monthly(), anchor=anchor, index=1) == date(2026, 2, 28)
    assert renewal_dates(Monthly(), anchor=anchor, count=2)[1] == date(2026, 2, 28)
    assert next_billing_date(Monthly(), anchor=anchor, after=anchor) == date(2026, 2, 28)
    assert billing_period(Monthly(), anchor=anchor, day=anchor).days.end == date(2026, 2, 28)
    assert minimum_term_end(Monthly(), anchor=anchor, minimal_run_periods=1) == date(2026, 2, 28)


@pytest.mark.parametrize(
    ("rule", "month_end", "before"),
    [
        (EveryDays(10), CLAMP, ["2024-03-21", "2024-03-11"]),
        (Monthly(), OMIT, ["2024-01-31", "2023-12-31"]),
        (YearlyOn(2, 29), CLAMP, ["2024-02-29", "2023-02-28"]),
    ],
)
def test_numbers_below_0_are_boundaries_before_the_first(
    rule: RenewalRule, month_end: MonthEnd, before: list[str]
) -> None:
    anchor = date(2024, 3, 31)

    found = [renewal_date(rule, anchor=anchor, index=index, month_end=month_end) for index in (-1, -2)]

    assert iso(tuple(found)) == before


@pytest.mark.parametrize("rule", [EveryDays(7), Monthly(), Yearly(), MonthlyOn(31), YearlyOn(2, 29)], ids=str)
def test_a_count_of_0_gives_no_dates(rule: RenewalRule) -> None:
    assert renewal_dates(rule, anchor=date(2026, 3, 31), count=0) == ()
    # Not even the first date is computed, which April and a common year do not have.
    assert renewal_dates(rule, anchor=date(2026, 4, 1), count=0, month_end=REJECT) == ()


@pytest.mark.parametrize(
    ("anchored_on", "after", "expected"),
    [
        (15, "2026-08-14", "2026-08-15"),
        (15, "2026-08-15", "2026-09-15"),
        (28, "2026-02-27", "2026-02-28"),
        (29, "2026-02-27", "2026-02-28"),
        (29, "2028-02-28", "2028-02-29"),
        (29, "2100-02-27", "2100-02-28"),
        (31, "2026-02-28", "2026-03-31"),
        (31, "2026-04-29", "2026-04-30"),
        (31, "2026-04-30", "2026-05-31"),
        (31, "2026-12-31", "2027-01-31"),
        (31, "9998-12-31", "9999-01-31"),
        (31, "9999-11-30", "9999-12-31"),
    ],
)
def test_the_next_month_of_an_old_subscription(anchored_on: int, after: str, expected: str) -> None:
    anchor = date(2023, 1, anchored_on)

    assert next_billing_date(Monthly(), anchor=anchor, after=day(after)) == day(expected)


@pytest.mark.parametrize("after", ["2020-01-01", "2026-10-31"])
def test_before_the_first_boundary_the_next_is_the_first(after: str) -> None:
    anchor, rule = date(2026, 9, 15), YearlyOn(11, 1)

    assert next_billing_date(rule, anchor=anchor, after=day(after)) == date(2026, 11, 1)


@pytest.mark.parametrize(
    ("rule", "month_end"), [(Monthly(), OMIT), (Monthly(), CLAMP), (EveryDays(5), CLAMP)]
)
def test_long_before_the_anchor_the_next_boundary_is_the_anchor(
    rule: RenewalRule, month_end: MonthEnd
) -> None:
    anchor = date(2026, 1, 31)

    assert next_billing_date(rule, anchor=anchor, after=date(2001, 1, 1), month_end=month_end) == anchor


def test_a_minimum_term_is_counted_from_the_first_boundary() -> None:
    def end(rule: RenewalRule, periods: int, month_end: MonthEnd = CLAMP) -> date:
        return minimum_term_end(
            rule, anchor=date(2026, 10, 31), minimal_run_periods=periods, month_end=month_end
        )

    assert end(Monthly(), 0) == date(2026, 10, 31)
    assert end(Monthly(), 4) == date(2027, 2, 28)
    assert end(Monthly(), 4, FORWARD) == date(2027, 3, 1)
    assert end(YearlyOn(11, 1), 0) == date(2026, 11, 1)
    assert end(YearlyOn(11, 1), 3) == date(2029, 11, 1)


BEYOND = "a date is outside the years 1 to 9999"
JANUARY_31 = date(2026, 1, 31)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        pytest.param(
            lambda: renewal_dates(Monthly(), anchor=JANUARY_31, count=-1),
            "expected a count of at least 0, got -1",
            id="a negative number of dates",
        ),
        pytest.param(
            lambda: renewal_dates(Monthly(), anchor=JANUARY_31, count=3, month_end=REJECT),
            "the day does not exist in month 2 of year 2026",
            id="a month rejected",
        ),
        pytest.param(
            lambda: renewal_date(MonthlyOn(31), anchor=date(2026, 4, 1), index=1, month_end=REJECT),
            "the day does not exist in month 4 of year 2026",
            id="the first rejected",
        ),
        pytest.param(
            lambda: renewal_date(YearlyOn(2, 29), anchor=date(2026, 6, 1), index=1, month_end=REJECT),
            "the day does not exist in month 2 of year 2027",
            id="the first rejected, of years",
        ),
        pytest.param(
            lambda: next_billing_date(Monthly(), anchor=JANUARY_31, after=JANUARY_31, month_end=REJECT),
            "the day does not exist in month 2 of year 2026",
            id="the next rejected",
        ),
        pytest.param(
            lambda: renewal_dates(Monthly(), anchor=date(9999, 11, 30), count=3), BEYOND, id="past the last"
        ),
        pytest.param(
            lambda: renewal_dates(EveryDays(36_525), anchor=JANUARY_31, count=90), BEYOND, id="days past it"
        ),
        pytest.param(
            lambda: renewal_date(Monthly(), anchor=JANUARY_31, index=-24_313), BEYOND, id="before the first"
        ),
        pytest.param(
            lambda: next_billing_date(Monthly(), anchor=JANUARY_31, after=date.max),
            BEYOND,
            id="the next month",
        ),
        pytest.param(
            lambda: billing_period(Monthly(), anchor=date(9999, 12, 1), day=date(9999, 12, 2)),
            BEYOND,
            id="a period that does not end",
        ),
        pytest.param(
            lambda: billing_period(YearlyOn(11, 1), anchor=date(2026, 9, 15), day=date(2026, 10, 31)),
            "2026-10-31 is before the first period, which begins on 2026-11-01",
            id="before the first period",
        ),
        pytest.param(
            lambda: minimum_term_end(Monthly(), anchor=JANUARY_31, minimal_run_periods=-1),
            "expected at least 0 minimal run periods, got -1",
            id="a negative number of periods",
        ),
    ],
)
def test_missing_dates_are_refused(question: Callable[[], object], message: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        question()

    assert str(raised.value) == message


def test_an_unknown_month_end_is_named() -> None:
    with pytest.raises(InvalidOption, match=r"^month_end is 'last', expected 'clamp', 'forward', "):
        renewal_date(Monthly(), anchor=JANUARY_31, index=1, month_end="last")  # type: ignore[arg-type]


@pytest.mark.parametrize("anchor", ["2027-03-01", "2027-12-31", "2028-02-29"])
def test_missing_dates_before_the_anchor_are_not_rejected(anchor: str) -> None:
    """February 2027 has no 29th, but the first on or after the anchor is in 2028."""
    found = renewal_date(YearlyOn(2, 29), anchor=day(anchor), index=0, month_end=REJECT)

    assert found == date(2028, 2, 29)
