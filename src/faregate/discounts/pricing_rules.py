"""The pricing rules of a merchant as one value, for pricing and repricing orders."""

from __future__ import annotations

from dataclasses import dataclass

from faregate._values import public_value
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.kinds import AutomaticDiscount, PromoCode


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class PricingRules:
    """Automatic discounts, promo codes and pricing policy of a merchant.

    Amounts are in minor units of one currency. ``checkout_totals`` has an argument for each field; of the
    promo codes, it takes only those that were entered in the checkout.

    >>> from faregate import Percentage, PromoCode
    >>> PricingRules(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),)).automatic
    ()
    """

    automatic: tuple[AutomaticDiscount, ...] = ()
    promo_codes: tuple[PromoCode, ...] = ()
    policy: TotalsPolicy = TotalsPolicy()
