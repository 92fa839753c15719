"""Ten thousand subscriptions over ten years, day by day: 36.5 million days. Decisions §7.2.

Only the twin is called, which its own laws tie to the scalar functions: Python would take a minute. The
subscriptions are those of ``tests/core/subscriptions/test_renewal_days_laws.py``.
"""

from collections import defaultdict
from datetime import date
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

from core.subscriptions.test_renewal_days_laws import SUBSCRIPTIONS, YEARS, drawn
from faregate.batch.subscriptions.schedule import next_billing_date, renewal_date
from faregate.dates.months import MonthEnd
from faregate.subscriptions.rules import BillingRule

pytestmark = pytest.mark.long
Dates = npt.NDArray[np.datetime64]
STEPS = YEARS * 365 + 3


def grouped() -> dict[tuple[BillingRule, MonthEnd], list[date]]:
    """Return ten thousand anchors by rule and policy."""
    random, anchors = Random(20_260_915), defaultdict(list)
    for _ in range(SUBSCRIPTIONS):
        rule, anchor, month_end = drawn(random)
        anchors[rule, month_end].append(anchor)
    return anchors


def test_each_day_of_ten_thousand_subscriptions_is_in_one_period() -> None:
    steps, steps_of_all = 0, np.arange(STEPS)

    for (rule, month_end), anchors in grouped().items():
        anchor = np.array(anchors, "datetime64[D]")
        first = renewal_date(rule, anchor=anchor, index=0, month_end=month_end)
        days = first[:, np.newaxis] + steps_of_all
        following = next_billing_date(
            rule, anchor=anchor.repeat(STEPS), after=days.reshape(-1), month_end=month_end
        )
        steps += check_days(days, following.reshape(days.shape))

    assert steps == SUBSCRIPTIONS * STEPS > 36_000_000


def check_days(day: Dates, following: Dates) -> int:
    """Check that the next boundary stays until its day, and then moves on, without gap or overlap."""
    changes = following[:, 1:] != following[:, :-1]
    is_boundary = day[:, 1:] == following[:, :-1]

    assert (following > day).all()
    assert (changes == is_boundary).all()
    assert (following[:, 1:] >= following[:, :-1]).all()
    return day.size
