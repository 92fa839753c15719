"""Everything that a merchant sets about prices, as one value: what orders are priced, or repriced, by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from faregate.basket.policy import TotalsPolicy

if TYPE_CHECKING:
    from faregate.discounts.kinds import AutomaticDiscount, PromoCode


@dataclass(frozen=True, slots=True, kw_only=True)
class PricingRules:
    """Automatic discounts, the promo codes there are, and how prices are computed.

    Amounts are minor units of one currency. ``checkout_totals`` takes the fields by their names; which of
    the codes were entered is for each checkout to say.

    >>> from faregate import Percentage, PromoCode
    >>> PricingRules(promo_codes=(PromoCode(code="TEN", kind=Percentage.percent(10)),)).automatic
    ()
    """

    automatic: tuple[AutomaticDiscount, ...] = ()
    promo_codes: tuple[PromoCode, ...] = ()
    policy: TotalsPolicy = TotalsPolicy()
