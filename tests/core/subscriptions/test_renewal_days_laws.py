"""Ten thousand subscriptions over ten years: every day is in exactly one period. Decisions §7.2.

Only the batch twin is tested with all 36.5 million days (``tests/batch/subscriptions/test_renewal_days.py``).
Here it is the first and the last day of every period of the ten thousand subscriptions, and every day of
three hundred. The next boundary is the first later one (``test_renewal_laws.py``): if it is the same on the
first and on the last day of a period, it is the same on all days between.
"""

from datetime import date
from itertools import pairwise
from random import Random

import pytest

from faregate.dates.instants import DateRange
from faregate.dates.months import MonthEnd
from faregate.subscriptions.rules import EveryDays, Monthly, MonthlyOn, RenewalRule, Yearly, YearlyOn
from faregate.subscriptions.schedule import billing_period, next_billing_date, renewal_dates
from support.subscriptions.renewal_walk import DAY, Subscription

pytestmark = pytest.mark.long

SUBSCRIPTIONS, ALL_DAYS_OF = 10_000, 300
YEARS = 10
_FIRST = date(2015, 1, 1).toordinal()
_SHORT, _KEPT = 7, (MonthEnd.CLAMP, MonthEnd.CLAMP, MonthEnd.FORWARD, MonthEnd.OMIT)


def drawn(random: Random) -> Subscription:
    """Draw any rule and any day of forty years; half the days are among the last four of a month."""
    anchor = date.fromordinal(_FIRST + random.randrange(40 * 365))
    if random.random() < 0.5:
        anchor = anchor.replace(day=1) - random.randint(1, 4) * DAY
    rules: tuple[RenewalRule, ...] = (
        Monthly(),
        Yearly(),
        MonthlyOn(random.randint(1, 31)),
        YearlyOn(month := random.randint(1, 12), random.randint(1, 29 if month == 2 else 30)),
        EveryDays(random.randint(_SHORT, 400)),
    )
    return Subscription(random.choice(rules), anchor, random.choice(_KEPT))


def boundaries(subscription: Subscription) -> list[date]:
    """Return the boundaries from number 0 to the first at least ten years after the anchor."""
    rule, anchor, month_end = subscription
    end, count = anchor.replace(year=anchor.year + YEARS, day=1), 16
    while (dates := renewal_dates(rule, anchor=anchor, count=count, month_end=month_end))[-1] <= end:
        count *= 2
    return [dates[0], *(day for day, before in zip(dates[1:], dates, strict=False) if before <= end)]


def test_ten_thousand_subscriptions_leave_no_gap_and_no_overlap_in_ten_years() -> None:
    random, periods, days = Random(20_260_915), 0, 0

    for _ in range(SUBSCRIPTIONS):
        subscription = drawn(random)
        rule, anchor, month_end = subscription
        dates = boundaries(subscription)
        assert next_billing_date(rule, anchor=anchor, after=dates[0] - DAY, month_end=month_end) == dates[0]
        for start, end in pairwise(dates):
            found = [
                next_billing_date(rule, anchor=anchor, after=day, month_end=month_end)
                for day in (start, end - DAY)
            ]
            assert start < end
            assert found == [end, end], subscription
        periods, days = periods + len(dates) - 1, days + (dates[-1] - dates[0]).days

    assert periods > 500_000
    assert days > SUBSCRIPTIONS * YEARS * 365


def test_every_day_of_three_hundred_subscriptions_is_in_one_period() -> None:
    random, steps = Random(20_261_101), 0

    for _ in range(ALL_DAYS_OF):
        subscription = drawn(random)
        rule, anchor, month_end = subscription
        dates = boundaries(subscription)
        for number, (start, end) in enumerate(pairwise(dates)):
            for day in map(date.fromordinal, range(start.toordinal(), end.toordinal())):
                found = billing_period(rule, anchor=anchor, day=day, month_end=month_end)
                assert found == (number, DateRange(start, end)), (subscription, day)
        steps += (dates[-1] - dates[0]).days

    assert steps > ALL_DAYS_OF * YEARS * 365
