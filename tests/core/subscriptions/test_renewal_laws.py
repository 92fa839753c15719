"""Laws of boundaries: they follow from the anchor and their number, under every rule. Decisions §7.1–§7.3."""

from calendar import monthrange
from contextlib import suppress
from datetime import date

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from faregate.dates.instants import DateRange
from faregate.dates.months import MonthEnd, add_months
from faregate.errors import InvalidPeriod
from faregate.subscriptions.rules import (
    BillingRule,
    Monthly,
    MonthlyOn,
    RenewalRule,
    StartConfiguration,
    Yearly,
    YearlyOn,
    parse_rule,
    renewal_of,
    start_configuration,
)
from faregate.subscriptions.schedule import billing_period, next_billing_date, renewal_date, renewal_dates
from faregate.subscriptions.terms import minimum_term_end
from support.subscriptions.renewal_walk import (
    DAY,
    Subscription,
    billing_rules,
    given_days,
    kept_subscriptions,
    long_rules,
    month_ends,
    rules,
    subscriptions,
    walk,
    walked,
)

counts = st.integers(0, 60)
offsets = st.integers(-800, 4000)


def dates_of(subscription: Subscription, count: int) -> tuple[date, ...]:
    rule, anchor, month_end = subscription
    return renewal_dates(rule, anchor=anchor, count=count, month_end=month_end)


def date_of(subscription: Subscription, index: int) -> date:
    rule, anchor, month_end = subscription
    return renewal_date(rule, anchor=anchor, index=index, month_end=month_end)


def next_after(subscription: Subscription, day: date) -> date:
    rule, anchor, month_end = subscription
    return next_billing_date(rule, anchor=anchor, after=day, month_end=month_end)


def shifted(day: date, days: int) -> date:
    return date.fromordinal(min(max(day.toordinal() + days, 1), date.max.toordinal()))


def refuses(subscription: Subscription, count: int) -> bool:
    try:
        dates_of(subscription, count)
    except InvalidPeriod:
        return True
    return False


@given(subscriptions, st.integers(1, 60))
@example(Subscription(YearlyOn(2, 29), date(2027, 6, 1), MonthEnd.REJECT), 1)
@example(Subscription(YearlyOn(2, 29), date(2025, 3, 1), MonthEnd.FORWARD), 3)
@example(Subscription(YearlyOn(2, 29), date(2025, 3, 2), MonthEnd.FORWARD), 3)
@example(Subscription(MonthlyOn(31), date(2026, 5, 1), MonthEnd.FORWARD), 3)
@example(Subscription(MonthlyOn(30), date(2026, 3, 1), MonthEnd.FORWARD), 3)
@example(Subscription(MonthlyOn(29), date(2, 3, 1), MonthEnd.FORWARD), 60)
@example(Subscription(MonthlyOn(31), date(2, 12, 31), MonthEnd.FORWARD), 2)
@example(Subscription(MonthlyOn(31), date(2025, 2, 10), MonthEnd.REJECT), 1)
@example(Subscription(Yearly(), date(2096, 2, 29), MonthEnd.OMIT), 60)
@example(Subscription(Monthly(), date(2400, 10, 31)), 60)
@example(Subscription(Monthly(), date(9998, 1, 31), MonthEnd.FORWARD), 24)
def test_boundaries_match_a_walk_from_month_to_month(subscription: Subscription, count: int) -> None:
    expected = walked(subscription, count)

    if None in expected or len(expected) < count:
        with pytest.raises(InvalidPeriod):
            dates_of(subscription, count)
    else:
        assert dates_of(subscription, count) == tuple(day for day in expected if day is not None)


@given(subscriptions, counts)
def test_a_boundary_is_the_same_alone_as_in_the_series(subscription: Subscription, count: int) -> None:
    assume(not refuses(subscription, count))

    dates = dates_of(subscription, count)

    assert dates == tuple(date_of(subscription, index) for index in range(count))


@given(kept_subscriptions)
def test_the_first_boundary_is_on_or_after_the_anchor_and_the_one_before_it_is_not(
    subscription: Subscription,
) -> None:
    assume(subscription.anchor.year > 200)
    rule, anchor, _ = subscription

    first = date_of(subscription, 0)

    assert date_of(subscription, -1) < anchor <= first
    if start_configuration(rule) is StartConfiguration.CURRENT_DAY:
        assert first == anchor


@pytest.mark.parametrize("day", [28, 29, 30, 31])
@pytest.mark.parametrize("first", [1, 1899, 2099, 2399, 9995])
def test_a_day_is_omitted_from_the_same_months_across_cycles(day: int, first: int) -> None:
    months = [(year, month) for year in range(first, first + 4) for month in range(1, 13)]
    days = tuple(date(*month, day) for month in months if day <= monthrange(*month)[1])

    for rule, anchor in ((Monthly(), days[0]), (MonthlyOn(day), date(first, 1, 1))):
        assert renewal_dates(rule, anchor=anchor, count=len(days), month_end=MonthEnd.OMIT) == days
        backwards = [
            renewal_date(rule, anchor=days[-1], index=-back, month_end=MonthEnd.OMIT)
            for back in range(len(days))
        ]
        assert tuple(reversed(backwards)) == days


@given(kept_subscriptions, offsets)
@example(Subscription(Monthly(), date(2026, 1, 31), MonthEnd.FORWARD), 28)
@example(Subscription(Monthly(), date(2026, 1, 31), MonthEnd.FORWARD), 29)
@example(Subscription(MonthlyOn(31), date(2026, 3, 1), MonthEnd.FORWARD), 0)
@example(Subscription(Yearly(), date(2024, 2, 29), MonthEnd.FORWARD), 366)
@example(Subscription(Yearly(), date(2024, 2, 29), MonthEnd.FORWARD), 365)
@example(Subscription(Yearly(), date(2024, 2, 29), MonthEnd.OMIT), 1460)
def test_the_next_boundary_is_the_first_later_one(subscription: Subscription, offset: int) -> None:
    after = shifted(subscription.anchor, offset)
    expected = next(day for day in walk(subscription) if day is not None and day > after)

    assert next_after(subscription, after) == expected


@given(kept_subscriptions, st.integers(0, 100_000))
def test_a_day_is_in_its_period_and_in_no_other(subscription: Subscription, offset: int) -> None:
    rule, anchor, month_end = subscription
    assume(anchor.year < 9000)
    day = shifted(date_of(subscription, 0), offset)

    number, days = billing_period(rule, anchor=anchor, day=day, month_end=month_end)

    assert days.start <= day < days.end == next_after(subscription, day)
    assert days == DateRange(date_of(subscription, number), date_of(subscription, number + 1))


@given(kept_subscriptions, st.integers(1, 3000))
def test_no_period_contains_a_day_before_the_first(subscription: Subscription, before: int) -> None:
    assume(subscription.anchor.year > 10)
    rule, anchor, month_end = subscription
    day = date_of(subscription, 0) - before * DAY

    with pytest.raises(InvalidPeriod):
        billing_period(rule, anchor=anchor, day=day, month_end=month_end)

    assert next_after(subscription, day) == date_of(subscription, 0)


@given(kept_subscriptions, st.integers(0, 60))
def test_the_minimum_term_is_a_number_of_whole_periods(subscription: Subscription, periods: int) -> None:
    rule, anchor, month_end = subscription
    assume(anchor.year < 3000)

    end = minimum_term_end(rule, anchor=anchor, minimal_run_periods=periods, month_end=month_end)

    assert billing_period(rule, anchor=anchor, day=end, month_end=month_end).number == periods


@given(billing_rules | long_rules)
def test_a_written_rule_parses_to_the_same_rule(rule: BillingRule) -> None:
    assert parse_rule(str(rule)) == rule


@given(rules)
def test_the_four_keys_identify_every_rule(rule: RenewalRule) -> None:
    period, day, month, days_amount = renewal_of(rule)
    text = {"DAYS": f"every-days:{days_amount}", "MONTHLY": "monthly", "YEARLY": "yearly"}[period.value]
    on = [f"{part:02}" if month else f"{part}" for part in (month, day) if part is not None]

    assert parse_rule(f"{text}-on:{'-'.join(on)}" if on else text) == rule


_edges = st.dates(date(1, 1, 1), date(4, 12, 31)) | st.dates(date(9996, 1, 1), date(9999, 12, 31))
_far = st.integers(-60, 60) | st.integers(-(10**20), 10**20)


@given(billing_rules | long_rules | given_days.map(MonthlyOn), _edges, month_ends, _far, _edges)
@example(MonthlyOn(1), date(9999, 12, 2), MonthEnd.CLAMP, 0, date(9999, 12, 31))
@example(MonthlyOn(31), date(9999, 12, 31), MonthEnd.FORWARD, 0, date(9999, 12, 31))
@example(YearlyOn(2, 29), date(1, 1, 1), MonthEnd.FORWARD, -1, date(1, 1, 1))
@example(YearlyOn(2, 29), date(9999, 3, 1), MonthEnd.OMIT, 0, date(9999, 3, 1))
@example(Monthly(), date(1, 1, 31), MonthEnd.REJECT, -1, date(1, 1, 1))
@example(Monthly(), date(9999, 1, 31), MonthEnd.OMIT, 10**20, date(9999, 12, 31))
def test_beyond_the_calendar_the_only_error_is_an_invalid_period(
    rule: BillingRule, anchor: date, month_end: MonthEnd, index: int, day: date
) -> None:
    questions = (
        lambda: renewal_date(rule, anchor=anchor, index=index, month_end=month_end),
        lambda: renewal_dates(rule, anchor=anchor, count=min(abs(index), 70), month_end=month_end),
        lambda: next_billing_date(rule, anchor=anchor, after=day, month_end=month_end),
        lambda: billing_period(rule, anchor=anchor, day=day, month_end=month_end),
        lambda: minimum_term_end(rule, anchor=anchor, minimal_run_periods=abs(index), month_end=month_end),
        lambda: add_months(anchor, index, month_end=month_end),
    )
    for question in questions:
        with suppress(InvalidPeriod):
            question()
