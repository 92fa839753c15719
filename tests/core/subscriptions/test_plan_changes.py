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

ORDERED, CHANGED, RENEWED = date(2026, 1, 31), date(2026, 2, 10), date(2026, 2, 28)
MONTH, YEAR = Plan(price=3000, rule=Monthly()), Plan(price=36_000, rule=Yearly())
AT_ONCE = ChangeQuote(
    credit=1800,  # 18 of 30 days
    charge=35_500,  # 355 of 360 days
    credited=DateRange(CHANGED, RENEWED),
    charged=DateRange(CHANGED, date(2027, 1, 31)),
    anchor=ORDERED,
)
AT_RENEWAL = ChangeQuote(
    credit=0,
    charge=33_700,  # 337 of 360 days
    credited=DateRange(RENEWED, RENEWED),
    charged=DateRange(RENEWED, date(2027, 1, 31)),
    anchor=ORDERED,
)
ANEW = ChangeQuote(
    credit=1800,
    charge=36_000,  # 365 days count as at most 360
    credited=DateRange(CHANGED, RENEWED),
    charged=DateRange(CHANGED, date(2027, 2, 10)),
    anchor=CHANGED,
)


@pytest.mark.parametrize(
    ("time", "anchor", "expected"),
    [
        (ChangeTime.AT_ONCE, AnchorChange.KEEP, AT_ONCE),
        (ChangeTime.NEXT_BOUNDARY, AnchorChange.KEEP, AT_RENEWAL),
        (ChangeTime.AT_ONCE, AnchorChange.BEGIN_ANEW, ANEW),
    ],
)
def test_the_policy_sets_the_day_the_anchor_and_the_day_count(
    time: ChangeTime, anchor: AnchorChange, expected: ChangeQuote
) -> None:
    policy = ChangePolicy(time=time, anchor=anchor, day_count=DayCount.FIXED30)

    assert change_quote(MONTH, YEAR, anchor=ORDERED, on=CHANGED, policy=policy) == expected


def test_a_price_is_not_a_plan() -> None:
    with pytest.raises(InvalidPeriod, match=r"^new is 36000, expected a Plan$"):
        change_quote(MONTH, 36_000, anchor=ORDERED, on=CHANGED)  # type: ignore[arg-type]
