"""Dates and first payment of an ordered subscription. Decisions §7.3 to §7.6.

Zurich's clocks go forward on 2026-03-29 and back on 2026-10-25; 2024-09-08 in Santiago and 2024-03-31 in
Beirut begin at 01:00; Apia skipped 2011-12-30.
"""

from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from faregate.dates.instants import DateRange
from faregate.errors import InvalidInput, InvalidPeriod
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.rules import (
    EveryDays,
    Monthly,
    MonthlyOn,
    Renewal,
    RenewalPeriod,
    RenewalRule,
    StartConfiguration,
    Yearly,
    YearlyOn,
)
from faregate.subscriptions.terms import (
    FirstPeriod,
    SubscriptionConfiguration,
    SubscriptionTerms,
    first_period_price,
    subscription_configuration,
)

ZURICH = ZoneInfo("Europe/Zurich")
BEYOND = "a date is outside the years 1 to 9999"


def day(text: str) -> date:
    return date.fromisoformat(text)


def ordered(text: str, rule: RenewalRule, zone: ZoneInfo = ZURICH, **terms: Any) -> SubscriptionConfiguration:
    return subscription_configuration(rule, ordered_at=datetime.fromisoformat(text), zone=zone, **terms)


def test_a_zone_may_be_given_by_its_name() -> None:
    at = datetime.fromisoformat("2026-09-14T22:30:00+00:00")

    named = subscription_configuration(Yearly(), ordered_at=at, zone="Europe/Zurich")
    assert named == subscription_configuration(Yearly(), ordered_at=at, zone=ZURICH)
    with pytest.raises(InvalidInput, match="unknown time zone 'Zurich', expected a name"):
        subscription_configuration(Yearly(), ordered_at=at, zone="Zurich")


@pytest.mark.parametrize(
    ("rule", "first_period", "starts_on", "billed_next", "whole_from"),
    [
        (Monthly(), "wait", "2026-09-15T00:00:00+02:00", "2026-10-15T00:00:00+02:00", "2026-09-15"),
        (Yearly(), "wait", "2026-09-15T00:00:00+02:00", "2027-09-15T00:00:00+02:00", "2026-09-15"),
        (EveryDays(41), "wait", "2026-09-15T00:00:00+02:00", "2026-10-26T00:00:00+01:00", "2026-09-15"),
        (YearlyOn(11, 1), "wait", "2026-11-01T00:00:00+01:00", "2027-11-01T00:00:00+01:00", "2026-11-01"),
        (YearlyOn(11, 1), "prorate", "2026-09-15T00:00:00+02:00", "2026-11-01T00:00:00+01:00", "2025-11-01"),
        (YearlyOn(11, 1), "full", "2026-09-15T00:00:00+02:00", "2026-11-01T00:00:00+01:00", "2025-11-01"),
        (YearlyOn(11, 1), "free", "2026-09-15T00:00:00+02:00", "2026-11-01T00:00:00+01:00", "2025-11-01"),
        (YearlyOn(9, 15), "prorate", "2026-09-15T00:00:00+02:00", "2027-09-15T00:00:00+02:00", "2026-09-15"),
        (MonthlyOn(31), "wait", "2026-09-30T00:00:00+02:00", "2026-10-31T00:00:00+01:00", "2026-09-30"),
        (MonthlyOn(31), "prorate", "2026-09-15T00:00:00+02:00", "2026-09-30T00:00:00+02:00", "2026-08-31"),
    ],
)
def test_a_subscription_ordered_on_15_september(
    rule: RenewalRule, first_period: str, starts_on: str, billed_next: str, whole_from: str
) -> None:
    found = ordered("2026-09-15T10:30:00+02:00", rule, first_period=FirstPeriod(first_period))

    assert found.starts_on.isoformat() == starts_on
    assert found.next_billing_date.isoformat() == billed_next
    assert found.first == DateRange(day(starts_on[:10]), day(billed_next[:10]))
    assert found.whole == DateRange(day(whole_from), day(billed_next[:10]))
    assert (found.rule, found.first_period) == (rule, FirstPeriod(first_period))


@pytest.mark.parametrize(
    ("text", "starts_on"),
    [
        pytest.param("2026-09-14T22:00:00Z", "2026-09-15T00:00:00+02:00", id="midnight in Zurich"),
        pytest.param("2026-09-14T21:59:59.999999Z", "2026-09-14T00:00:00+02:00", id="an instant before"),
        pytest.param("2026-09-15T05:00:00+09:00", "2026-09-14T00:00:00+02:00", id="from Tokyo"),
        pytest.param("2026-10-25T02:30:00+01:00", "2026-10-25T00:00:00+02:00", id="in the hour shown twice"),
    ],
)
def test_the_day_of_the_order_is_in_the_zone(text: str, starts_on: str) -> None:
    assert ordered(text, Monthly()).starts_on.isoformat() == starts_on


@pytest.mark.parametrize(
    ("zone", "text", "rule", "billed_next"),
    [
        pytest.param(
            *("America/Santiago", "2024-08-08T12:00:00-04:00", Monthly(), "2024-09-08T01:00:00-03:00"),
            id="a day that begins at one",
        ),
        pytest.param(
            *("Asia/Beirut", "2024-02-29T12:00:00+02:00", MonthlyOn(31), "2024-03-31T01:00:00+03:00"),
            id="in Beirut too",
        ),
        pytest.param(
            *("Pacific/Apia", "2011-11-30T12:00:00-10:00", Monthly(), "2011-12-31T00:00:00+14:00"),
            id="a skipped day",
        ),
        pytest.param(
            *("Europe/Zurich", "2025-09-26T00:00:00+02:00", EveryDays(30), "2025-10-26T00:00:00+02:00"),
            id="the day of 25 hours",
        ),
    ],
)
def test_billing_is_at_the_first_instant_of_a_day(
    zone: str, text: str, rule: RenewalRule, billed_next: str
) -> None:
    found = ordered(text, rule, ZoneInfo(zone))

    assert found.next_billing_date.isoformat() == billed_next


def test_a_configuration_has_the_keys_of_the_api() -> None:
    found = ordered("2026-09-15T10:30:00+02:00", YearlyOn(11, 1), minimal_run_periods=2, has_pickup=True)

    assert found.start_configuration is StartConfiguration.RENEWAL_DATE
    assert found.renewal == Renewal(RenewalPeriod.YEARLY, day=1, month=11, days_amount=None)
    assert (found.minimal_run_periods, found.has_pickup) == (2, True)
    assert found.earliest_end == date(2028, 11, 1)


def test_by_default_a_subscription_waits_and_may_end_immediately() -> None:
    found = ordered("2026-09-15T10:30:00+02:00", YearlyOn(11, 1))

    assert found.first_period is FirstPeriod.WAIT
    assert (found.minimal_run_periods, found.has_pickup) == (0, False)
    assert found.earliest_end == found.first.start == date(2026, 11, 1)


@pytest.mark.parametrize(
    ("text", "terms", "message"),
    [
        ("2026-09-15T10:30:00", {}, "2026-09-15T10:30:00 has no UTC offset"),
        (
            "2026-09-15T10:30:00Z",
            {"minimal_run_periods": -1},
            "expected at least 0 minimal run periods, got -1",
        ),
        (
            "2026-09-15T10:30:00Z",
            {"minimal_run_periods": True},
            "expected at least 0 minimal run periods, got True",
        ),
        ("2026-09-15T10:30:00Z", {"minimal_run_periods": 100_000}, BEYOND),
        ("9999-12-15T10:30:00Z", {}, BEYOND),
        (
            "9999-12-31T23:30:00Z",
            {},
            "9999-12-31T23:30:00+00:00 is outside the years 1 to 9999 in Europe/Zurich",
        ),
        (
            "0001-01-01T00:30:00+01:00",
            {},
            "0001-01-01T00:30:00+01:00 is outside the years 1 to 9999 in Europe/Zurich",
        ),
    ],
)
def test_an_impossible_order_is_refused(text: str, terms: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        ordered(text, Monthly(), **terms)

    assert str(raised.value) == message


@pytest.mark.parametrize("periods", [-1, True, 1.0, "1"])
def test_terms_require_a_whole_number_of_periods(periods: Any) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        SubscriptionTerms(rule=Monthly(), minimal_run_periods=periods)

    assert str(raised.value) == f"minimal_run_periods is {periods!r}, expected an int of at least 0"


def test_terms_have_minimal_defaults() -> None:
    terms = SubscriptionTerms(rule=Monthly())

    assert (terms.first_period, terms.minimal_run_periods) == (FirstPeriod.WAIT, 0)
    assert (terms.has_pickup, terms.day_count) == (False, DayCount.ACTUAL)


@pytest.mark.parametrize("rule", [EveryDays(14), Monthly(), Yearly()])
@pytest.mark.parametrize("first_period", [FirstPeriod.PRORATE, FirstPeriod.FULL, FirstPeriod.FREE])
def test_a_rule_that_counts_from_the_order_has_no_days_before_its_first_period(
    rule: RenewalRule, first_period: FirstPeriod
) -> None:
    message = (
        f"first period '{first_period.value}' needs a rule with a given day, such as MonthlyOn(1): "
        f"{rule} counts from the order and has no days before its first period"
    )

    with pytest.raises(InvalidPeriod) as refused:
        SubscriptionTerms(rule=rule, first_period=first_period)
    assert str(refused.value) == message
    with pytest.raises(InvalidPeriod) as refused:
        ordered("2026-10-21T10:30:00+02:00", rule, first_period=first_period)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("first_period", "rule", "convention", "price"),
    [
        (FirstPeriod.WAIT, MonthlyOn(1), DayCount.ACTUAL, 9000),
        (FirstPeriod.FULL, MonthlyOn(1), DayCount.ACTUAL, 9000),
        (FirstPeriod.FREE, MonthlyOn(1), DayCount.ACTUAL, 0),
        # 11 of the 31 days of October, of 30, and 10 of 30, as the 31st counts 0
        (FirstPeriod.PRORATE, MonthlyOn(1), DayCount.ACTUAL, 3194),
        (FirstPeriod.PRORATE, MonthlyOn(1), DayCount.FIXED30, 3300),
        (FirstPeriod.PRORATE, MonthlyOn(1), DayCount.EVERY_MONTH_30, 3000),
        # ordered on the day
        (FirstPeriod.PRORATE, MonthlyOn(21), DayCount.ACTUAL, 9000),
        (FirstPeriod.FREE, MonthlyOn(21), DayCount.ACTUAL, 9000),
        (FirstPeriod.WAIT, Monthly(), DayCount.ACTUAL, 9000),
        (FirstPeriod.WAIT, EveryDays(14), DayCount.FIXED30, 9000),
    ],
)
def test_the_first_payment_of_an_order_on_21_october(
    first_period: FirstPeriod, rule: RenewalRule, convention: DayCount, price: int
) -> None:
    found = ordered("2026-10-21T10:30:00+02:00", rule, first_period=first_period)

    assert first_period_price(9000, found, convention=convention) == price
