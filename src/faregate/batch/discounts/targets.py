"""What a discount works on in many baskets: the lines that it may touch, and what each may still lose."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from faregate.batch.discounts.eligibility import selected
from faregate.discounts.kinds import BuyXGetY

if TYPE_CHECKING:
    from faregate.batch.basket.carts import CartColumns
    from faregate.batch.columns.values import Mask, Numbers
    from faregate.discounts.kinds import AutomaticDiscount, PromoCode


class Target(NamedTuple):
    """What a discount works on: columns of lines, those it may touch, and the baskets it is tried on."""

    cart: CartColumns
    prices: Numbers
    """What percentages are taken of, amounts shared by, and group prices compared with."""
    room: Numbers
    """The most that each line may still lose; the very column of prices where there is no floor."""
    scope: Mask | None
    rewards: Mask | None
    """What ``BuyXGetY.rewards`` selects, where it is set."""
    eligible: Mask


def target_of(
    discount: AutomaticDiscount | PromoCode, cart: CartColumns, prices: Numbers, room: Numbers, eligible: Mask
) -> Target:
    """What *discount* works on when lines cost *prices* and may lose *room*."""
    kind, rewards = discount.kind, None
    among = cart.columns.discountable
    if isinstance(kind, BuyXGetY) and kind.rewards is not None:
        rewards = selected(kind.rewards, cart, among)
        rewards = np.ones(cart.layout.shape, np.bool_) if rewards is None else rewards
    return Target(cart, prices, room, selected(discount.scope, cart, among), rewards, eligible)


def in_scope(target: Target) -> Mask:
    """Which baskets have a line in scope."""
    layout = target.cart.layout
    has_lines: Mask = (layout.sizes if target.scope is None else layout.sums(target.scope)) > 0
    return has_lines
