"""Lines to which a discount applies, with their prices and the most that it may take off. Decisions §3.4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from faregate.basket.lines import Cart
from faregate.discounts.eligibility import Context, first_day, selected
from faregate.discounts.kinds import AutomaticDiscount, Bundle, BuyXGetY, PromoCode
from faregate.money.amounts import MinorUnits


@dataclass(slots=True)
class Target:
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
    parts: Sequence[Mapping[int, int]] = ()
    """Bit mask of the ``Bundle.parts`` that select each line, for the lines of each day that have one."""
    most_per_line: int | None = None
    """Maximum number of units of each line (``PromoCode.max_units_per_line``); None for no limit."""

    @property
    def usable_units(self) -> Sequence[int]:
        """Number of units of each line to which the discount applies."""
        most = self.most_per_line
        return self.quantities if most is None else [min(units, most) for units in self.quantities]


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
    scope = selected(discount.scope, cart, cart.discountable, context)
    parts: Sequence[Mapping[int, int]] = ()
    if isinstance(kind, Bundle):
        parts = _parts_of(kind, cart, scope, context)
        scope = sorted(set().union(*parts))
    most_units = per_line = None
    if isinstance(discount, PromoCode):
        most_units, per_line = discount.max_units, discount.max_units_per_line
    return Target(prices, room, cart.quantities, scope, rewards, most_units, parts, per_line)


def _parts_of(kind: Bundle, cart: Cart, among: Sequence[int], context: Context) -> list[dict[int, int]]:
    parts: dict[int, int] = {}
    for n, part in enumerate(kind.parts):
        for line in selected(part.scope, cart, among, context):
            parts[line] = parts.get(line, 0) | 1 << n
    if not kind.same_day:
        return [parts]
    by_day: dict[date | None, dict[int, int]] = {}
    for line in sorted(parts):
        by_day.setdefault(first_day(cart.lines[line], context, "a bundle"), {})[line] = parts[line]
    return list(by_day.values())


def remaining_discountable(cart: Cart, left: list[MinorUnits]) -> list[MinorUnits]:
    """Return the maximum amount to take off each line, given the amounts *left* and the floor prices."""
    if cart.floors is None:
        return left
    return [max(0, price - floor) for price, floor in zip(left, cart.floors, strict=True)]
