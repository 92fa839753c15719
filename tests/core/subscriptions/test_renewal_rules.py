"""The renewal rules, their notation and their keys. Decisions §7.1, §7.10."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from faregate.errors import InvalidPeriod
from faregate.subscriptions.rules import (
    EveryDays,
    EveryMonths,
    EveryYears,
    Monthly,
    MonthlyOn,
    Renewal,
    RenewalPeriod,
    RenewalRule,
    StartConfiguration,
    Yearly,
    YearlyOn,
    parse_rule,
    parse_sold_rule,
    renewal_of,
    start_configuration,
)
from faregate.subscriptions.terms import SubscriptionTerms, subscription_configuration

DAYS, MONTHLY, YEARLY = RenewalPeriod
CURRENT_DAY, RENEWAL_DATE = StartConfiguration

RULES = [
    (EveryDays(1), "every-days:1", Renewal(DAYS, None, None, 1), CURRENT_DAY),
    (EveryDays(36_525), "every-days:36525", Renewal(DAYS, None, None, 36_525), CURRENT_DAY),
    (Monthly(), "monthly", Renewal(MONTHLY, None, None, None), CURRENT_DAY),
    (Yearly(), "yearly", Renewal(YEARLY, None, None, None), CURRENT_DAY),
    (MonthlyOn(1), "monthly-on:1", Renewal(MONTHLY, 1, None, None), RENEWAL_DATE),
    (MonthlyOn(31), "monthly-on:31", Renewal(MONTHLY, 31, None, None), RENEWAL_DATE),
    (YearlyOn(11, 1), "yearly-on:11-01", Renewal(YEARLY, 1, 11, None), RENEWAL_DATE),
    (YearlyOn(2, 29), "yearly-on:02-29", Renewal(YEARLY, 29, 2, None), RENEWAL_DATE),
]


@pytest.mark.parametrize(("rule", "text", "renewal", "start"), RULES, ids=[text for _, text, _, _ in RULES])
def test_a_rule_has_its_text_and_its_keys(
    rule: RenewalRule, text: str, renewal: Renewal, start: StartConfiguration
) -> None:
    assert str(rule) == text
    assert parse_rule(text) == rule
    assert renewal_of(rule) == renewal
    assert start_configuration(rule) is start


@pytest.mark.parametrize(
    ("text", "rule"), [("monthly-on:05", MonthlyOn(5)), ("every-days:007", EveryDays(7))]
)
def test_a_rule_may_have_leading_zeros(text: str, rule: RenewalRule) -> None:
    assert parse_rule(text) == rule


@pytest.mark.parametrize(
    ("make", "values", "message"),
    [
        (EveryDays, (0,), "days of a renewal rule is 0, expected 1 to 36525"),
        (EveryDays, (36_526,), "days of a renewal rule is 36526, expected 1 to 36525"),
        (EveryDays, (7.0,), "days of a renewal rule is 7.0, expected 1 to 36525"),
        (EveryMonths, (0,), "months of a renewal rule is 0, expected 1 to 1200"),
        (EveryMonths, (1201,), "months of a renewal rule is 1201, expected 1 to 1200"),
        (EveryYears, (101,), "years of a renewal rule is 101, expected 1 to 100"),
        (EveryYears, (True,), "years of a renewal rule is True, expected 1 to 100"),
        (MonthlyOn, (32,), "day of a renewal rule is 32, expected 1 to 31"),
        (YearlyOn, (0, 1), "month of a renewal rule is 0, expected 1 to 12"),
        (YearlyOn, (2, 30), "day of a renewal rule is 30, expected 1 to 29"),
        (YearlyOn, (12, 0), "day of a renewal rule is 0, expected 1 to 31"),
        (YearlyOn, (None, 1), "month of a renewal rule is None, expected 1 to 12"),
    ],
)
def test_a_rule_with_impossible_values_is_refused(
    make: Callable[..., RenewalRule], values: tuple[Any, ...], message: str
) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        make(*values)

    assert str(raised.value) == message


@pytest.mark.parametrize(
    "text",
    [
        *("", "Monthly", " monthly", "monthly\n", "weekly", "quarterly", "every-days", "every-days:"),
        *(
            "every-days:-1",
            "every-days:1.5",
            "every-days:100000",
            "every-days:٣",
            "monthly-on:",
            "monthly-on:111",
        ),
        *("yearly-on:1-1", "yearly-on:11", "yearly-on:11-1", "yearly-on:2026-11-01", "monthly,yearly"),
    ],
)
def test_a_form_other_than_the_seven_is_refused(text: str) -> None:
    with pytest.raises(InvalidPeriod) as raised:
        parse_rule(text)

    forms = "every-days:30, monthly, yearly, monthly-on:15 or yearly-on:11-01"
    every = "every-months:3, every-years:2, "
    assert str(raised.value) == f"{text!r} is not a renewal rule, expected one like {every}{forms}"
    with pytest.raises(InvalidPeriod) as raised:
        parse_sold_rule(text)
    assert str(raised.value) == f"{text!r} is not a renewal rule, expected one like {forms}"


@pytest.mark.parametrize("text", ["every-days:0", "every-months:0", "yearly-on:02-30"])
def test_a_form_with_an_impossible_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidPeriod, match="of a renewal rule is"):
        parse_rule(text)


COUNTED: list[Any] = [EveryMonths(3), EveryYears(2)]


@pytest.mark.parametrize("rule", COUNTED, ids=str)
def test_a_rule_that_the_interface_has_no_form_for_is_not_sold(rule: Any) -> None:
    zone, at = ZoneInfo("Europe/Zurich"), datetime(2026, 1, 31, 12, tzinfo=UTC)
    refused = (
        lambda: subscription_configuration(rule, ordered_at=at, zone=zone),
        lambda: parse_sold_rule(str(rule)),
    )

    assert parse_rule(str(rule)) == rule
    with pytest.raises(InvalidPeriod, match="expected an EveryDays, Monthly, Yearly, MonthlyOn or YearlyOn"):
        SubscriptionTerms(rule=rule)
    for attempt in refused:
        with pytest.raises(InvalidPeriod, match=f"products cannot be sold with {rule}, because"):
            attempt()
