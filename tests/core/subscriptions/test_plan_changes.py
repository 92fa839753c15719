"""Plan changes under each policy, worked out by hand. Decisions §7.11."""

from datetime import date

import pytest

from faregate.dates.instants import DateRange
from faregate.errors import InvalidPeriod
from faregate.subscriptions.changes import (
    AnchorChange,
    ChangePolicy,
    ChangeQuote,
    ChangeTime,
    Plan,
    change_quote,
)
from faregate.subscriptions.proration import DayCount
from faregate.subscriptions.rules import Monthly, Yearly

(AT_ONCE, LATER), (KEEP, ANEW) = ChangeTime, AnchorChange
ORDERED, CHANGED, RENEWED = date(2026, 1, 31), date(2026, 2, 10), date(2026, 2, 28)
MONTH, YEAR = Plan(price=3000, rule=Monthly()), Plan(price=36_000, rule=Yearly())


@pytest.mark.parametrize(
    ("time", "anchor", "prices", "charged", "new_anchor"),
    [
        # 18 of 30 days, 355 or 337 of 360 days; 365 days count as 360.
        (AT_ONCE, KEEP, (1800, 35_500), DateRange(CHANGED, date(2027, 1, 31)), ORDERED),
        (LATER, KEEP, (0, 33_700), DateRange(RENEWED, date(2027, 1, 31)), ORDERED),
        (AT_ONCE, ANEW, (1800, 36_000), DateRange(CHANGED, date(2027, 2, 10)), CHANGED),
    ],
)
def test_the_policy_sets_the_day_the_anchor_and_the_day_count(
    time: ChangeTime, anchor: AnchorChange, prices: tuple[int, int], charged: DateRange, new_anchor: date
) -> None:
    policy = ChangePolicy(time=time, anchor=anchor, day_count=DayCount.FIXED30)
    credited = DateRange(charged.start, RENEWED)

    assert change_quote(MONTH, YEAR, anchor=ORDERED, on=CHANGED, policy=policy) == ChangeQuote(
        credit=prices[0], charge=prices[1], credited=credited, charged=charged, anchor=new_anchor
    )


def test_a_price_is_not_a_plan() -> None:
    with pytest.raises(InvalidPeriod, match=r"^new is 36000, expected a Plan$"):
        change_quote(MONTH, 36_000, anchor=ORDERED, on=CHANGED)  # type: ignore[arg-type]
