"""Rules, codes and policy that many baskets are priced by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from faregate.basket.policy import TotalsPolicy
from faregate.discounts.kinds import AutomaticDiscount, PromoCode, UnknownCode


class Terms(NamedTuple):
    """The rules of the scalar functions, including entered codes that do not exist."""

    automatic: Sequence[AutomaticDiscount]
    promo_codes: Sequence[PromoCode | UnknownCode]
    policy: TotalsPolicy
