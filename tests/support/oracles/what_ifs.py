"""A change of rules by its definition: order by order with the scalar function, sums in plain dicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import NamedTuple

from faregate.discounts.pricing_rules import PricingRules
from faregate.discounts.promo_codes import AppliedCode
from faregate.totals.pipeline import CheckoutTotals, checkout_totals
from faregate.totals.request import PricingRequest


class Change(NamedTuple):
    """The change of one line."""

    product: str | None
    week: str | None
    before: int
    after: int


def under(request: PricingRequest, rules: PricingRules) -> CheckoutTotals:
    """Price one order by itself, with its own codes as *rules* define them."""
    known = {promo_code.code: promo_code for promo_code in rules.promo_codes}
    return checkout_totals(
        request.lines,
        automatic=rules.automatic,
        promo_codes=[known[own.code] for own in request.promo_codes if own.code in known],
        policy=rules.policy,
        context=request.context,
    )


def changes(requests: Sequence[PricingRequest], before: PricingRules, after: PricingRules) -> list[Change]:
    return [
        Change(
            None if line.product is None else str(line.product),
            None if line.validity is None else iso_week(line.validity.first_day),
            old.total_gross,
            new.total_gross,
        )
        for request in requests
        for line, old, new in zip(
            request.lines, under(request, before).lines, under(request, after).lines, strict=True
        )
    ]


def iso_week(day: date) -> str:
    year, week, _ = day.isocalendar()
    return f"{year}-W{week:02}"


def unmatched(requests: Sequence[PricingRequest], rules: PricingRules) -> Mapping[str, int]:
    """Count the orders of each code that took nothing off in any of them."""
    entered = Counter(own.code for request in requests if request.lines for own in request.promo_codes)
    applied = {
        own.promo_code.code
        for request in requests
        for own in under(request, rules).promo_codes
        if isinstance(own, AppliedCode)
    }
    return {code: count for code, count in entered.items() if code not in applied}


def revenue(pairs: Sequence[tuple[int, int]], elasticity: Fraction) -> Fraction:
    """Let the units of each pair of amounts respond, unless one of them is not above 0."""
    total = Fraction(0)
    for old, new in pairs:
        responds = old > 0 and new > 0
        units = 1 + elasticity * (Fraction(new, old) - 1) if responds else Fraction(1)
        total += new * units if units > 0 else 0
    return total
