"""Shares of a period. SOURCES.md describes the sources."""

from datetime import date, timedelta
from fractions import Fraction

import pytest

from faregate.dates.instants import DateRange
from faregate.subscriptions.proration import DayCount, prorate, proration
from faregate.subscriptions.rules import Monthly, RenewalRule, Yearly
from faregate.subscriptions.schedule import billing_period

ACTUAL, FIXED30, EVERY_MONTH_30 = DayCount.ACTUAL, DayCount.FIXED30, DayCount.EVERY_MONTH_30
DAY = timedelta(days=1)


def days(start: str, end: str) -> DateRange:
    return DateRange(date.fromisoformat(start), date.fromisoformat(end))


def through(start: str, last: str) -> DateRange:
    """Return days that include the last."""
    return DateRange(date.fromisoformat(start), date.fromisoformat(last) + DAY)


@pytest.mark.parametrize(
    ("part", "whole", "convention", "share", "printed"),
    [
        # Kill Bill, its test "…WithoutFixedProration"
        pytest.param(
            days("2023-05-23", "2023-06-15"),
            days("2023-05-15", "2023-06-15"),
            ACTUAL,
            Fraction(23, 31),
            "0.741935484",
            id="PRO-Q1",
        ),
        # Kill Bill
        pytest.param(
            days("2023-06-23", "2023-07-15"),
            days("2023-06-15", "2023-07-15"),
            ACTUAL,
            Fraction(22, 30),
            "0.733333333",
            id="PRO-Q2-30-days",
        ),
        pytest.param(
            days("2023-02-23", "2023-03-15"),
            days("2023-02-15", "2023-03-15"),
            ACTUAL,
            Fraction(20, 28),
            "0.714285714",
            id="PRO-Q2-28-days",
        ),
        pytest.param(
            days("2024-02-23", "2024-03-15"),
            days("2024-02-15", "2024-03-15"),
            ACTUAL,
            Fraction(21, 29),
            "0.724137931",
            id="PRO-Q2-29-days",
        ),
        pytest.param(
            days("2023-05-15", "2023-05-23"),
            days("2023-05-15", "2023-06-15"),
            FIXED30,
            Fraction(8, 30),
            "0.266666667",
            id="PRO-Q4",
        ),
    ],
)
def test_share_of_a_month(
    part: DateRange, whole: DateRange, convention: DayCount, share: Fraction, printed: str
) -> None:
    found = proration(part=part, whole=whole, convention=convention)

    assert found == share
    assert round(found, 9) == Fraction(printed)


@pytest.mark.parametrize(
    ("part", "month", "actual", "fixed_30", "strict"),
    [
        # Zuora documentation, table of the three ways to prorate a month; its ends are inclusive
        pytest.param(
            through("2021-02-27", "2021-02-28"),
            through("2021-02-01", "2021-02-28"),
            *(Fraction(2, 28), Fraction(2, 30), Fraction(4, 30)),
            id="PRO-Q7-end-of-February",
        ),
        pytest.param(
            through("2020-02-01", "2020-02-29"),
            through("2020-02-01", "2020-02-29"),
            *(Fraction(29, 29), Fraction(29, 30), Fraction(30, 30)),
            id="PRO-Q7-all-of-February",
        ),
        pytest.param(
            through("2021-01-27", "2021-01-31"),
            through("2021-01-01", "2021-01-31"),
            *(Fraction(5, 31), Fraction(5, 30), Fraction(4, 30)),
            id="PRO-Q7-end-of-January",
        ),
        pytest.param(
            through("2021-04-21", "2021-04-29"),
            through("2021-04-01", "2021-04-30"),
            *(Fraction(9, 30), Fraction(9, 30), Fraction(9, 30)),
            id="PRO-Q7-April",
        ),
    ],
)
def test_three_ways_to_prorate_a_month(
    part: DateRange, month: DateRange, actual: Fraction, fixed_30: Fraction, strict: Fraction
) -> None:
    shares = [proration(part=part, whole=month, convention=way) for way in (ACTUAL, FIXED30, EVERY_MONTH_30)]

    assert shares == [actual, fixed_30, strict]


@pytest.mark.parametrize(
    ("rule", "anchor", "billed", "days_of_it"),
    [
        # Lago, specifications of its date services, billed in arrears
        pytest.param(Yearly(), "2020-02-29", "2025-02-28", 365, id="PRO-Q8-year"),
        pytest.param(Monthly(), "2019-02-02", "2020-03-08", 29, id="PRO-Q8-month"),
    ],
)
def test_price_of_a_single_day(rule: RenewalRule, anchor: str, billed: str, days_of_it: int) -> None:
    """The last complete period, and one day of it."""
    start = date.fromisoformat(anchor)
    running = billing_period(rule, anchor=start, day=date.fromisoformat(billed))
    ended = billing_period(rule, anchor=start, day=running.days.start - DAY).days
    one_day = DateRange(ended.start, ended.start + DAY)

    assert proration(part=one_day, whole=ended) == Fraction(1, days_of_it)
    assert prorate(days_of_it * 100, part=one_day, whole=ended) == 100


def test_no_way_of_counting_has_months_of_28_days() -> None:
    """PRO-Q5: Kill Bill, 20 days left of a month fixed at 28 days; listed in SOURCES.md."""
    part, whole = days("2023-05-23", "2023-06-15"), days("2023-05-15", "2023-06-15")

    shares = [proration(part=part, whole=whole, convention=way) for way in DayCount]

    assert shares == [Fraction(23, 31), Fraction(23, 30), Fraction(22, 30), Fraction(22, 30)]
    assert Fraction(20, 28) not in shares


@pytest.mark.parametrize(
    ("start", "end", "counted"),
    [
        # ISDA, examples to section 4.16 of its 2006 definitions
        ("2007-01-15", "2007-01-30", 15),
        ("2007-01-15", "2007-02-15", 30),
        ("2007-09-30", "2008-03-31", 180),
        ("2007-09-30", "2007-10-31", 30),
        ("2007-01-15", "2007-01-31", 15),
        ("2007-01-31", "2007-02-28", 28),
        ("2006-08-31", "2007-02-28", 178),
        ("2007-02-28", "2007-08-31", 182),
        ("2008-02-29", "2008-08-31", 181),
        ("2007-02-26", "2008-02-29", 363),
        ("2008-08-31", "2009-02-28", 178),
        ("2006-02-28", "2006-03-03", 5),
    ],
)
def test_days_on_the_eurobond_basis(start: str, end: str, counted: int) -> None:
    """Use a year of 360 days, so that the share of a part is its number of days."""
    part = days(start, end)
    years = DateRange(date(2006, 1, 1), date(2010, 1, 1))

    assert proration(part=part, whole=years, convention=DayCount.THIRTY_E_360) == Fraction(counted, 4 * 360)
