"""Lines to which a discount applies, with their prices and the most that it may take off. Decisions §3.4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from faregate.arguments.fields import new_row
from faregate.basket.lines import Cart
from faregate.discounts.eligibility import Context, selected
from faregate.discounts.kinds import AutomaticDiscount, Bundle, BuyXGetY, PromoCode
from faregate.money.amounts import MinorUnits

NO_PARTS: Mapping[int, int] = {}
"""Parts of a discount that is not a bundle."""


class Target(NamedTuple):
    """Columns of all lines, and the indices of the lines to which a discount applies (``scope``)."""

    prices: Sequence[MinorUnits]
    """Price of each line: the base of discounts, and the weight for allocating amounts."""
    room: Sequence[MinorUnits]
    """Maximum amount to take off each line; this is ``prices`` itself if no line has a floor price."""
    quantities: Sequence[int]
    scope: Sequence[int]
    rewards: Sequence[int] | None
    """Indices of the lines that ``BuyXGetY.rewards`` selects; None if it is not set."""
    most_units: int | None = None
    """Maximum number of units that may become cheaper (``PromoCode.max_units``); None for no limit."""
    parts: Mapping[int, int] = NO_PARTS
    """Bit mask of the ``Bundle.parts`` that select each line in scope."""


def target_of(
    discount: AutomaticDiscount | PromoCode,
    cart: Cart,
    prices: list[MinorUnits],
    room: list[MinorUnits],
    context: Context,
) -> Target:
    """Return the target of *discount*; *room* is the maximum amount to take off each line."""
    kind = discount.kind
    rewards = None
    if isinstance(kind, BuyXGetY) and kind.rewards is not None:
        rewards = selected(kind.rewards, cart, cart.discountable, context)
    scope, parts = selected(discount.scope, cart, cart.discountable, context), NO_PARTS
    if isinstance(kind, Bundle):
        parts = _parts_of(kind, cart, scope, context)
        scope = [line for line in scope if line in parts]
    most_units = discount.max_units if isinstance(discount, PromoCode) else None
    return new_row(Target, (prices, room, cart.quantities, scope, rewards, most_units, parts))


def _parts_of(kind: Bundle, cart: Cart, among: Sequence[int], context: Context) -> dict[int, int]:
    parts: dict[int, int] = {}
    for n, part in enumerate(kind.parts):
        for line in selected(part.scope, cart, among, context):
            parts[line] = parts.get(line, 0) | 1 << n
    return parts


def remaining_discountable(cart: Cart, left: list[MinorUnits]) -> list[MinorUnits]:
    """Return the maximum amount to take off each line, given the amounts *left* and the floor prices."""
    if cart.floors is None:
        return left
    return [max(0, price - floor) for price, floor in zip(left, cart.floors, strict=True)]
