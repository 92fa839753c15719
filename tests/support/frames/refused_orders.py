"""Valid past orders, each with one reason for refusal."""

from datetime import UTC, datetime
from typing import Any

import pyarrow as pa
import pytest

from faregate.discounts.kinds import AutomaticDiscount, Conditions, Percentage, PromoCode, Scope
from faregate.discounts.pricing_rules import PricingRules
from faregate.errors import InvalidInput
from faregate.frames import totals

LINES: dict[str, Any] = {
    "checkout": ["a", "b", "b"],
    "unit_price": [1000, 5, 7],
    "quantity": [1, 2, 1],
    "rate": [0, 0, 0],
}
TEN = PromoCode(code="TEN", kind=Percentage.percent(10))
CHF = {"currency": "CHF"}


def limited(scope: Scope = Scope(), **conditions: Any) -> PricingRules:  # noqa: B008
    kind = Percentage.percent(10)
    return PricingRules(
        automatic=(AutomaticDiscount(id=1, kind=kind, scope=scope, conditions=Conditions(**conditions)),)
    )


TIMES = limited(starts_at=datetime(2026, 1, 1, tzinfo=UTC), weekdays=frozenset({1}))


def faults(columns: Any, rules: PricingRules = PricingRules(), **reading: Any) -> tuple[str, ...]:  # noqa: B008
    with pytest.raises(InvalidInput) as refused:
        totals(pa.table(columns), rules=rules, **reading)
    return refused.value.messages
