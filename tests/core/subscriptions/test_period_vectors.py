"""Start and end of periods, in days and in instants. SOURCES.md describes the sources.

If a source ends with the last second of a day, the period here ends with the next date.
"""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from faregate.dates.instants import DateRange
from faregate.dates.months import add_months
from faregate.subscriptions.rules import (
    EveryDays,
    EveryMonths,
    Monthly,
    MonthlyOn,
    RenewalRule,
    Yearly,
)
from faregate.subscriptions.schedule import billing_period, next_billing_date, renewal_date, renewal_dates
from faregate.subscriptions.terms import subscription_configuration


def day(text: str) -> date:
    return date.fromisoformat(text)


def period(rule: RenewalRule, anchor: str, on: str) -> DateRange:
    return billing_period(rule, anchor=day(anchor), day=day(on)).days


@pytest.mark.parametrize(
    ("rule", "anchor", "billed", "start"),
    [
        # Lago, monthly_service_spec
        pytest.param(Monthly(), "2021-03-31", "2021-04-30", "2021-04-30", id="PER-P1"),
        # Lago, specifications of its date services
        pytest.param(Monthly(), "2020-01-31", "2020-02-29", "2020-02-29", id="PER-P2"),
        pytest.param(Yearly(), "2023-03-29", "2024-03-15", "2023-03-29", id="PER-P7"),
    ],
)
def test_a_period_billed_in_advance_begins_on_its_boundary(
    rule: RenewalRule, anchor: str, billed: str, start: str
) -> None:
    assert period(rule, anchor, billed).start == day(start)


def test_a_clamped_boundary_opens_the_period_it_falls_on() -> None:
    """PER-P4: lago-api PR 1840, which returned the period before, from 30 January to 28 February."""
    billed = period(Monthly(), "2024-01-30", "2024-02-29")
    before = period(Monthly(), "2024-01-30", "2024-02-28")

    assert billed == DateRange(day("2024-02-29"), day("2024-03-30"))
    assert before == DateRange(day("2024-01-30"), day("2024-02-29"))


def test_a_leap_year_that_is_billed_in_arrears_has_365_days() -> None:
    """PER-P5: Lago, yearly_service_spec, billed when the next year begins."""
    arrears = period(Yearly(), "2020-02-29", "2025-02-27")

    assert arrears == DateRange(day("2024-02-29"), day("2025-02-28"))
    assert arrears.days == 365
    assert next_billing_date(Yearly(), anchor=day("2020-02-29"), after=arrears.start) == day("2025-02-28")


def test_a_quarter_from_a_31st_ends_on_a_30th() -> None:
    """PER-P8: Lago, quarterly_service_spec."""
    assert add_months(day("2021-01-31"), 3) == day("2021-04-30")
    assert renewal_date(Monthly(), anchor=day("2021-01-31"), index=3) == day("2021-04-30")
    assert renewal_date(EveryMonths(3), anchor=day("2021-01-31"), index=1) == day("2021-04-30")


@pytest.mark.parametrize(
    ("start", "billing_day", "first"),
    [
        # Kill Bill, TestInAdvanceBillingIntervalDetail
        pytest.param("2012-01-16", 17, "2012-01-17", id="PER-P10-17"),
        pytest.param("2012-02-16", 30, "2012-02-29", id="PER-P10-30-in-February"),
        pytest.param("2012-01-31", 30, "2012-02-29", id="PER-P10-30-after-it"),
        pytest.param("2012-02-16", 14, "2012-03-14", id="PER-P10-14"),
        # Kill Bill
        pytest.param("2012-03-02", 3, "2012-03-03", id="PER-P11-before"),
        pytest.param("2012-03-03", 3, "2012-03-03", id="PER-P11-on"),
        pytest.param("2012-03-04", 3, "2012-04-03", id="PER-P11-after"),
    ],
)
def test_the_first_boundary_is_the_given_day_on_or_after_the_start(
    start: str, billing_day: int, first: str
) -> None:
    rule = MonthlyOn(billing_day)

    assert renewal_dates(rule, anchor=day(start), count=1) == (day(first),)


def test_a_given_31st_may_begin_on_a_30th_and_returns_to_the_31st() -> None:
    """PER-P13: Kill Bill, testBCD31StartingWith30DayMonth."""
    dates = renewal_dates(MonthlyOn(31), anchor=day("2012-04-30"), count=2)

    assert dates == (day("2012-04-30"), day("2012-05-31"))


def test_billing_on_a_31st_does_not_stop() -> None:
    """PER-P14: killbill#127, three whole periods billed in advance by the target date."""
    target, rule = day("2017-03-31"), MonthlyOn(31)
    last = billing_period(rule, anchor=day("2017-01-31"), day=target)

    assert last.number + 1 == 3
    assert last.days == DateRange(target, day("2017-04-30"))


def test_two_periods_of_14_days_are_four_weeks() -> None:
    """PER-P16: Kill Bill, TestBillCycleDayCalculator."""
    after = day("2022-02-25")

    assert next_billing_date(EveryDays(14), anchor=day("2022-02-02"), after=after) == day("2022-03-02")


@pytest.mark.parametrize(
    ("zone", "anchor_day"),
    [
        # Kill Bill; the tz database names +03:00 with the opposite sign
        pytest.param("UTC", 16, id="PER-P17-UTC"),
        pytest.param("Pacific/Honolulu", 16, id="PER-P17-HST"),
        pytest.param("Europe/Paris", 16, id="PER-P17-Paris"),
        pytest.param("Etc/GMT-3", 17, id="PER-P17-plus-3"),
        pytest.param("Asia/Tokyo", 17, id="PER-P17-Tokyo"),
    ],
)
def test_the_anchor_is_a_local_day(zone: str, anchor_day: int) -> None:
    ordered = datetime.fromisoformat("2012-07-16T21:17:03Z")

    found = subscription_configuration(Monthly(), ordered_at=ordered, zone=ZoneInfo(zone))

    assert found.starts_on.date() == date(2012, 7, anchor_day)
    assert found.next_billing_date.date() == date(2012, 8, anchor_day)
