"""Pricing rules: the inputs of a price that the merchant sets."""

from __future__ import annotations

from faregate import Line, Percentage, PricingRules, PromoCode, TotalsPolicy, VatRate, checkout_totals
from faregate.arguments.fields import fields_of
from faregate.basket.policy import PriceBasis

TICKET = Line(key=1, unit_price=1000, quantity=1, rate=VatRate(parts_per_million=0))


def test_default_rules_leave_the_list_price() -> None:
    assert checkout_totals([TICKET], **fields_of(PricingRules())) == checkout_totals([TICKET])


def test_the_fields_of_pricing_rules_are_arguments_of_checkout_totals() -> None:
    ten = PromoCode(code="TEN", kind=Percentage.percent(10))
    rules = PricingRules(promo_codes=(ten,), policy=TotalsPolicy(price_basis=PriceBasis.NET))

    totals = checkout_totals([TICKET], **fields_of(rules))

    assert totals.total_net == 900
    assert totals.request.policy is rules.policy
