"""Lines of many baskets whose prices a discount may reduce, and the most that each may lose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from faregate.batch.basket.carts import CartColumns
from faregate.batch.columns.values import Mask, Numbers
from faregate.batch.discounts.eligibility import selected
from faregate.discounts.kinds import AutomaticDiscount, BuyXGetY, PromoCode


class Target(NamedTuple):
    """Input of a discount: columns of lines, the lines in scope, and the eligible baskets."""

    cart: CartColumns
    prices: Numbers
    """Base of percentages, weights for sharing amounts, and prices that group prices compare with."""
    room: Numbers
    """The most that each line may still lose; the column ``prices`` itself if no line has a floor price."""
    scope: Mask | None
    rewards: Mask | None
    """Lines selected by ``BuyXGetY.rewards``, if set."""
    eligible: Mask


def target_of(
    discount: AutomaticDiscount | PromoCode, cart: CartColumns, prices: Numbers, room: Numbers, eligible: Mask
) -> Target:
    """Return the target of *discount* if lines cost *prices* and may lose at most *room*."""
    kind, rewards = discount.kind, None
    among = cart.columns.discountable
    if isinstance(kind, BuyXGetY) and kind.rewards is not None:
        rewards = selected(kind.rewards, cart, among)
        rewards = np.ones(cart.layout.shape, np.bool_) if rewards is None else rewards
    return Target(cart, prices, room, selected(discount.scope, cart, among), rewards, eligible)


def in_scope(target: Target) -> Mask:
    """Return a mask of the baskets that have a line in scope."""
    layout = target.cart.layout
    has_lines: Mask = (layout.sizes if target.scope is None else layout.sums(target.scope)) > 0
    return has_lines
