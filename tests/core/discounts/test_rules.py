"""Pricing rules: the inputs of a price that the merchant sets."""

from __future__ import annotations

import pytest

from faregate import Line, Percentage, PricingRules, PromoCode, TotalsPolicy, VatRate, checkout_totals
from faregate.arguments.fields import fields_of
from faregate.basket.policy import PriceBasis
from faregate.discounts.eligibility import scopes_of
from faregate.discounts.kinds import (
    AutomaticDiscount,
    Bundle,
    BundlePart,
    BuyXGetY,
    Conditions,
    DiscountKind,
    Scope,
    Threshold,
)

TICKET = Line(key=1, unit_price=1000, quantity=1, rate=VatRate(parts_per_million=0))


def test_default_rules_leave_the_list_price() -> None:
    assert checkout_totals([TICKET], **fields_of(PricingRules())) == checkout_totals([TICKET])


def test_the_fields_of_pricing_rules_are_arguments_of_checkout_totals() -> None:
    ten = PromoCode(code="TEN", kind=Percentage.percent(10))
    rules = PricingRules(promo_codes=(ten,), policy=TotalsPolicy(price_basis=PriceBasis.NET))

    totals = checkout_totals([TICKET], **fields_of(rules))

    assert totals.total_net == 900
    assert totals.request.policy is rules.policy


ONE, TWO, THREE, FOUR = (Scope(products=frozenset({n})) for n in range(1, 5))


@pytest.mark.parametrize(
    ("kind", "scopes"),
    [
        (Percentage.percent(10), []),
        (BuyXGetY(2, 1), []),
        (BuyXGetY(2, 1, rewards=THREE), [THREE]),
        (Bundle(parts=(BundlePart(THREE), BundlePart(FOUR)), price=1), [THREE, FOUR]),
    ],
)
def test_scopes_of_a_discount_include_those_of_its_conditions_and_kind(
    kind: DiscountKind, scopes: list[Scope]
) -> None:
    conditions = Conditions(thresholds=(Threshold(quantity=2, counting=TWO),))

    found = scopes_of(AutomaticDiscount(id=1, kind=kind, scope=ONE, conditions=conditions))

    assert found == [ONE, TWO, *scopes]
