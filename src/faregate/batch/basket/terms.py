"""The rules, codes and policy used to price many baskets."""

from collections.abc import Sequence
from typing import NamedTuple

from faregate.basket.policy import TotalsPolicy
from faregate.discounts.kinds import AutomaticDiscount, PromoCode, UnknownCode


class Terms(NamedTuple):
    """The automatic discounts, codes (including unknown ones) and policy shared by all baskets."""

    automatic: Sequence[AutomaticDiscount]
    promo_codes: Sequence[PromoCode | UnknownCode]
    policy: TotalsPolicy
