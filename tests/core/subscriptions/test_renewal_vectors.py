"""Months and years from an anchor, and libraries that lose it. SOURCES.md describes the sources."""

from calendar import monthrange
from datetime import date

import pytest

from faregate.dates.months import MonthEnd, add_months
from faregate.errors import InvalidPeriod
from faregate.subscriptions.rules import Monthly, MonthlyOn, RenewalRule, Yearly, YearlyOn
from faregate.subscriptions.schedule import renewal_date, renewal_dates

STRIPE_YEAR = (
    *("2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31", "2024-06-30", "2024-07-31", "2024-08-31"),
    *("2024-09-30", "2024-10-31", "2024-11-30", "2024-12-31", "2025-01-31", "2025-02-28"),
)


def days(*texts: str) -> tuple[date, ...]:
    return tuple(map(date.fromisoformat, texts))


@pytest.mark.parametrize(
    ("rule", "anchor", "following"),
    [
        # Stripe, billing cycle anchor; computed
        pytest.param(Monthly(), "2024-01-31", STRIPE_YEAR, id="REN-R1"),
        # computed; Lago, yearly rule
        pytest.param(
            Yearly(),
            "2024-02-29",
            ("2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29", "2029-02-28"),
            id="REN-R7",
        ),
        # computed; Lago agrees for 30
        pytest.param(Monthly(), "2023-01-30", ("2023-02-28", "2023-03-30", "2023-04-30"), id="REN-R17-30"),
    ],
)
def test_every_date_is_computed_from_the_anchor(
    rule: RenewalRule, anchor: str, following: tuple[str, ...]
) -> None:
    start = date.fromisoformat(anchor)

    dates = renewal_dates(rule, anchor=start, count=len(following) + 1)

    assert dates == days(anchor, *following)
    for index, day in enumerate(days(*following), start=1):
        assert renewal_date(rule, anchor=start, index=index) == day


@pytest.mark.parametrize(
    ("start", "months", "expected"),
    [
        # test262, Temporal.PlainDate add, constrain-days
        pytest.param("2019-01-31", 1, "2019-02-28", id="REN-R2-1"),
        pytest.param("2019-01-31", 2, "2019-03-31", id="REN-R2-2"),
        pytest.param("2019-01-31", 3, "2019-04-30", id="REN-R2-3"),
        pytest.param("2019-01-31", 5, "2019-06-30", id="REN-R2-5"),
        # test262
        pytest.param("2021-09-30", 5, "2022-02-28", id="REN-R4-2021"),
        pytest.param("2019-09-30", 5, "2020-02-29", id="REN-R4-2019"),
        pytest.param("2021-12-31", 14, "2023-02-28", id="REN-R5-2021"),
        pytest.param("2022-12-31", 14, "2024-02-29", id="REN-R5-2022"),
    ],
)
def test_months_are_added_and_the_day_constrained(start: str, months: int, expected: str) -> None:
    day = date.fromisoformat(start)

    assert add_months(day, months) == date.fromisoformat(expected)
    assert renewal_date(Monthly(), anchor=day, index=months) == date.fromisoformat(expected)


def test_a_day_that_does_not_exist_may_be_an_error() -> None:
    """REN-R8: test262, a month after 31 January with overflow "reject"."""
    start = date(2020, 1, 31)

    with pytest.raises(InvalidPeriod):
        add_months(start, 1, month_end=MonthEnd.REJECT)
    with pytest.raises(InvalidPeriod):
        renewal_date(Monthly(), anchor=start, index=1, month_end=MonthEnd.REJECT)


@pytest.mark.parametrize(
    ("rules", "month_end", "expected"),
    [
        # RFC 7529, its implementations: SKIP=FORWARD;COUNT=3
        pytest.param(
            (Monthly(), MonthlyOn(31)),
            MonthEnd.FORWARD,
            ("2026-01-31", "2026-03-01", "2026-03-31"),
            id="REN-R10",
        ),
        # dateutil, rrule, measured
        pytest.param(
            (Monthly(), MonthlyOn(31)),
            MonthEnd.OMIT,
            ("2024-01-31", "2024-03-31", "2024-05-31", "2024-07-31", "2024-08-31"),
            id="REN-R11",
        ),
        # RFC 7529, tests of its implementations: SKIP=OMIT;COUNT=4
        pytest.param(
            (Yearly(), YearlyOn(2, 29)),
            MonthEnd.OMIT,
            ("2012-02-29", "2016-02-29", "2020-02-29", "2024-02-29"),
            id="REN-R13",
        ),
    ],
)
def test_a_day_that_does_not_exist_may_move_or_be_left_out(
    rules: tuple[RenewalRule, ...], month_end: MonthEnd, expected: tuple[str, ...]
) -> None:
    anchor = date.fromisoformat(expected[0])

    for rule in rules:
        dates = renewal_dates(rule, anchor=anchor, count=len(expected), month_end=month_end)

        assert dates == days(*expected)


def month_after(day: date) -> date:
    """Return a month after *day*, clamped, as added in a loop."""
    year, month = divmod(12 * day.year + day.month, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def test_a_month_added_again_and_again_loses_the_31st() -> None:
    """REN-R14: dateutil's relativedelta, measured; polar#10664."""
    anchor = date(2024, 1, 31)
    drifting = [anchor]
    for _ in range(3):
        drifting.append(month_after(drifting[-1]))

    dates = renewal_dates(Monthly(), anchor=anchor, count=4)

    assert tuple(drifting[1:]) == days("2024-02-29", "2024-03-29", "2024-04-29")
    assert dates[1:] == days("2024-02-29", "2024-03-31", "2024-04-30")
