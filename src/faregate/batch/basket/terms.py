"""What many baskets are sold by: rules, codes and policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faregate.basket.policy import TotalsPolicy
    from faregate.discounts.kinds import AutomaticDiscount, PromoCode, UnknownCode


class Terms(NamedTuple):
    """The scalar ``Rules``, and what was entered as a code though there is none such."""

    automatic: Sequence[AutomaticDiscount]
    promo_codes: Sequence[PromoCode | UnknownCode]
    policy: TotalsPolicy
