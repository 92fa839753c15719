"""Lines whose prices a discount may reduce, in many baskets, and the maximum reduction of each line."""

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
    """Line prices, used to compute percentages, to distribute amounts, and to compare with group prices."""
    room: Numbers
    """Maximum further reduction of each line; the array ``prices`` itself if no line has a floor price."""
    scope: Mask | None
    rewards: Mask | None
    """Mask of the lines that ``BuyXGetY.rewards`` selects; None if it is not set."""
    eligible: Mask


def target_of(
    discount: AutomaticDiscount | PromoCode, cart: CartColumns, prices: Numbers, room: Numbers, eligible: Mask
) -> Target:
    """Return the target of *discount* among lines that cost *prices* and can be reduced by at most *room*."""
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
