"""Laws of plan changes, and an oracle that counts days one by one. Decisions §7.11."""

from datetime import date
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from faregate.errors import InvalidOption, InvalidPeriod
from faregate.subscriptions.changes import (
    AnchorChange,
    ChangePolicy,
    ChangeQuote,
    ChangeTime,
    Plan,
    change_quote,
)
from faregate.subscriptions.proration import DayCount
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
from support.baskets.strategies import amounts, members
from support.subscriptions.renewal_walk import DAY, Subscription, ends_of_months, walk

KEEP, AT_ONCE = AnchorChange.KEEP, ChangeTime.AT_ONCE

rules: st.SearchStrategy[BillingRule] = st.one_of(
    st.just(Monthly()),
    st.just(Yearly()),
    st.builds(EveryMonths, st.integers(1, 12)),
    st.builds(EveryYears, st.integers(1, 3)),
    st.builds(EveryDays, st.sampled_from((1, 7, 30)) | st.integers(1, 400)),
    st.builds(MonthlyOn, st.sampled_from((1, 15, 29, 30, 31))),
    st.sampled_from((YearlyOn(11, 1), YearlyOn(2, 29))),
)
plans = st.builds(lambda price, rule: Plan(price=price, rule=rule), amounts, rules)
anchors = ends_of_months(st.integers(2019, 2030)) | st.dates(date(2019, 1, 1), date(2030, 12, 31))
offsets = st.integers(0, 1500)
policies = st.builds(
    lambda time, anchor, day_count: ChangePolicy(time=time, anchor=anchor, day_count=day_count),
    members(ChangeTime),
    members(AnchorChange),
    members(DayCount),
)
at_once = policies.filter(lambda policy: policy.time is AT_ONCE)


def quoted(old: Plan, new: Plan, anchor: date, on: date, policy: ChangePolicy) -> ChangeQuote:
    """Return the quote; reject examples whose periods have no days under the day count."""
    try:
        return change_quote(old, new, anchor=anchor, on=on, policy=policy)
    except InvalidPeriod as error:
        assume("no days under" not in str(error))
        raise


def walked_period(rule: BillingRule, anchor: date, day: date) -> tuple[date, date]:
    """Return the period around *day*, from boundaries found month by month from far before the anchor."""
    # Any earlier anchor gives the same dates for a rule with given days.
    start = date(anchor.year - 9, 1, 1) if isinstance(rule, MonthlyOn | YearlyOn) else anchor
    for first, second in pairwise(walk(Subscription(rule, start))):
        if first and second and first <= day < second:
            return first, second
    raise AssertionError


def oracle(price: int, rule: BillingRule, anchor: date, day: date) -> int:
    """Return the price for the days from *day* on, one by one, rounded half up."""
    start, end = walked_period(rule, anchor, day)
    each = Fraction(price, (end - start).days)
    return int(sum((each for _ in range((end - day).days)), Fraction(1, 2)))


@given(plans, plans, anchors, offsets, members(AnchorChange), members(ChangeTime))
@example(
    Plan(price=999, rule=Monthly()), Plan(price=1999, rule=Yearly()), date(2024, 1, 31), 29, KEEP, AT_ONCE
)
def test_credit_and_charge_are_counted_day_by_day(
    old: Plan, new: Plan, anchor: date, offset: int, anchor_change: AnchorChange, time: ChangeTime
) -> None:
    on = anchor + offset * DAY

    quote = change_quote(old, new, anchor=anchor, on=on, policy=ChangePolicy(time=time, anchor=anchor_change))

    start = on if time is AT_ONCE else walked_period(old.rule, anchor, on)[1]
    new_anchor = anchor if anchor_change is KEEP else start
    assert quote.credit == (oracle(old.price, old.rule, anchor, on) if time is AT_ONCE else 0)
    assert quote.charge == oracle(new.price, new.rule, new_anchor, start)
    assert (quote.anchor, quote.effective_on) == (new_anchor, start)
    assert quote.charged.end == walked_period(new.rule, new_anchor, start)[1]


@given(plans, plans, plans, anchors, offsets, at_once)
def test_two_changes_on_one_day_cost_as_much_as_one(
    first: Plan, second: Plan, third: Plan, anchor: date, offset: int, policy: ChangePolicy
) -> None:
    on = anchor + offset * DAY

    one = quoted(first, third, anchor, on, policy)
    half = quoted(first, second, anchor, on, policy)
    rest = quoted(second, third, half.anchor, on, policy)

    assert half.amount + rest.amount == one.amount
    assert (rest.charge, rest.charged, rest.anchor) == (one.charge, one.charged, one.anchor)


def test_a_negative_price_and_an_unknown_policy_are_refused() -> None:
    with pytest.raises(InvalidPeriod, match="price"):
        Plan(price=-1, rule=Monthly())
    with pytest.raises(InvalidOption, match="time"):
        ChangePolicy(time="later")  # type: ignore[arg-type]
