"""How much a discount takes from each line. Decisions §3.4, §3.6.

Every amount is computed exactly and rounded once; what is taken across lines is allocated, so the
shares add up to it. No line goes below 0, nor below its floor price: what that keeps from being
taken is reported as ``unapplied``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never

from faregate.allocation import allocate, allocate_capped, apportion
from faregate.discounts import Absolute, BuyXGetY, DiscountKind, FixedPrice, Level, Percentage, PerUnit
from faregate.eligibility import Context, selected
from faregate.money import MILLION, MinorUnits
from faregate.policy import Fairness, PercentRounding
from faregate.rounding import rdiv

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from faregate.discounts import AutomaticDiscount, PromoCode
    from faregate.lines import Cart
    from faregate.policy import TotalsPolicy

__all__ = ["Taken", "Target", "missing_units", "room_of", "take", "target_of"]


# Looking a member up on its enumeration costs as much as the arithmetic of a line.
_EACH_LINE = Level.LINE
_ROUND_PRICE = PercentRounding.PRICE
# A NamedTuple made from the tuple of its fields: half the time of a call with them.
_new = tuple.__new__


class Target(NamedTuple):
    """What a discount works on: columns of all lines of the cart, and the indices it may touch."""

    prices: Sequence[MinorUnits]
    """What percentages are taken of, amounts shared by, and group prices compared with."""
    room: Sequence[MinorUnits]
    """The most that each line may still lose; the very list of prices where there is no floor."""
    quantities: Sequence[int]
    scope: Sequence[int]
    rewards: Sequence[int] | None
    """What ``BuyXGetY.rewards`` selects, where it is set."""


Taken: TypeAlias = tuple[list[MinorUnits], MinorUnits]
"""The amount taken from each line, and what floor prices kept from being taken."""


def take(kind: DiscountKind, target: Target, limit: MinorUnits | None, policy: TotalsPolicy) -> Taken:
    """What *kind* takes from each line of *target*, in all at most *limit*."""
    if isinstance(kind, (Percentage, Absolute)):
        if kind.level is _EACH_LINE:
            return _from_lines(target, lambda price, _: _amount(kind, price, policy), limit)
        return _from_cart(kind, target, limit, policy)
    match kind:
        case PerUnit():
            return _from_lines(target, lambda price, units: min(kind.amount * units, price), limit)
        case FixedPrice():
            return _fixed_price(kind, target, limit, policy)
        case BuyXGetY():
            return _from_rewards(kind, target, limit, policy)
        case _:
            assert_never(kind)


def _amount(kind: Percentage | Absolute, price: MinorUnits, policy: TotalsPolicy) -> MinorUnits:
    if isinstance(kind, Absolute):
        return min(kind.amount, price)
    return _percent(price, kind.parts_per_million, policy)


def _fixed_price(kind: FixedPrice, target: Target, limit: MinorUnits | None, policy: TotalsPolicy) -> Taken:
    if kind.group_size > 1:
        return _from_bundles(kind, target, limit, policy)
    return _from_lines(target, lambda price, units: max(0, price - kind.price * units), limit)


def _percent(price: MinorUnits, parts_per_million: int, policy: TotalsPolicy) -> MinorUnits:
    if policy.percent_rounding is _ROUND_PRICE:
        return price - rdiv(price * (MILLION - parts_per_million), MILLION)
    return rdiv(price * parts_per_million, MILLION)


def _from_cart(
    kind: Percentage | Absolute, target: Target, limit: MinorUnits | None, policy: TotalsPolicy
) -> Taken:
    """Work the amount out once, and share it over the lines in scope by their prices."""
    prices, room, _, scope, _ = target
    total = sum(prices if len(scope) == len(prices) else [prices[index] for index in scope])
    amount = _amount(kind, total, policy)
    if limit is not None and amount > limit:
        amount = limit
    shares = [0] * len(prices)
    if not amount:
        return shares, 0
    if room is prices:
        apportion(shares, prices, scope, amount, total, amount)
        return shares, 0
    capped = allocate_capped(amount, [prices[index] for index in scope], [room[index] for index in scope])
    return _spread(scope, capped.shares, len(prices)), capped.unapplied


def _from_lines(
    target: Target, amount_of: Callable[[MinorUnits, int], MinorUnits], limit: MinorUnits | None
) -> Taken:
    prices, room, quantities, scope, _ = target
    wanted = [amount_of(prices[index], quantities[index]) for index in scope]
    shares = [min(amount, room[index]) for amount, index in zip(wanted, scope, strict=True)]
    if limit is not None and sum(shares) > limit:
        shares = list(allocate(limit, shares))
    unapplied = max(0, _limited(sum(wanted), limit) - sum(shares))
    return _spread(scope, shares, len(prices)), unapplied


class _Run(NamedTuple):
    """Units of one line at one price."""

    price: MinorUnits
    units: int
    line: int


def _from_bundles(kind: FixedPrice, target: Target, limit: MinorUnits | None, policy: TotalsPolicy) -> Taken:
    runs, units = _runs(target, target.scope)
    groups = units // kind.group_size
    bundled = _end(units, groups * kind.group_size, policy)
    values = _values(runs, bundled)
    amount = max(0, sum(values.values()) - kind.price * groups)
    return _from_values(target, values, _limited(amount, limit))


def _from_rewards(kind: BuyXGetY, target: Target, limit: MinorUnits | None, policy: TotalsPolicy) -> Taken:
    rewards = target.rewards
    if rewards is None:
        runs, units = _runs(target, target.scope)
        groups = _at_most(units // (kind.buy + kind.get), kind)
        if policy.fairness is Fairness.CUSTOMER:
            free = _tail_of_groups(kind, groups)
        else:
            free = _end(units, groups * kind.get, policy)
    else:
        runs, units = _runs(target, rewards)
        bought = _units(target, set(target.scope).difference(rewards))
        free = _end(units, min(units, _at_most(bought // kind.buy, kind) * kind.get), policy)
    values = _values(runs, free)
    amount = _percent(sum(values.values()), kind.parts_per_million, policy)
    return _from_values(target, values, _limited(amount, limit))


def missing_units(kind: DiscountKind, target: Target) -> int:
    """How many more units a group rule needs for its first group; 0 where that is not the matter."""
    rewards = target.rewards
    units = _units(target, target.scope)
    match kind:
        case FixedPrice(group_size=size):
            return max(0, size - units)
        case BuyXGetY(buy, get) if rewards is None:
            return max(0, buy + get - units)
        case BuyXGetY(buy):
            bought = _units(target, set(target.scope).difference(rewards or ()))
            return max(0, buy - bought) + (0 if rewards else 1)
        case _:
            return 0


def _units(target: Target, indices: Iterable[int]) -> int:
    return sum([target.quantities[index] for index in indices])


def _at_most(groups: int, kind: BuyXGetY) -> int:
    return groups if kind.at_most is None else min(groups, kind.at_most)


def _runs(target: Target, scope: Iterable[int]) -> tuple[list[_Run], int]:
    """The units in scope as runs of equal price, dearest first, and how many units there are.

    A line whose price does not divide by its quantity has some units that are one minor unit dearer.
    """
    runs = []
    for index in scope:
        quantity = target.quantities[index]
        price, dearer = divmod(target.prices[index], quantity)
        if dearer:
            runs.append(_Run(price + 1, dearer, index))
        runs.append(_Run(price, quantity - dearer, index))
    runs.sort(key=lambda run: (-run.price, run.line))
    return runs, sum([run.units for run in runs])


# A selection of units tells how many of the first n, dearest first, it holds: units are never expanded.


def _end(units: int, count: int, policy: TotalsPolicy) -> Callable[[int], int]:
    """Select *count* units: the dearest for the customer, the cheapest for the merchant."""
    if policy.fairness is Fairness.CUSTOMER:
        return lambda first: min(first, count)
    return lambda first: max(0, first - (units - count))


def _tail_of_groups(kind: BuyXGetY, groups: int) -> Callable[[int], int]:
    """Select the cheapest units of each consecutive group."""
    size = kind.buy + kind.get

    def held(first: int) -> int:
        whole, rest = divmod(min(first, groups * size), size)
        return whole * kind.get + max(0, rest - kind.buy)

    return held


def _values(runs: Sequence[_Run], held: Callable[[int], int]) -> dict[int, MinorUnits]:
    """What the selected units of each line are worth."""
    values: dict[int, MinorUnits] = {}
    position = 0
    for price, units, line in runs:
        count = held(position + units) - held(position)
        position += units
        if count:
            values[line] = values.get(line, 0) + count * price
    return values


def _from_values(target: Target, values: dict[int, MinorUnits], amount: MinorUnits) -> Taken:
    """Share *amount* by the worth of the selected units, no line losing more than they are worth."""
    if not amount:
        return [0] * len(target.prices), 0
    lines = sorted(values)
    weights = [values[line] for line in lines]
    caps = [min(values[line], target.room[line]) for line in lines]
    shares, unapplied = allocate_capped(amount, weights, caps)
    return _spread(lines, shares, len(target.prices)), unapplied


def _limited(amount: MinorUnits, limit: MinorUnits | None) -> MinorUnits:
    return amount if limit is None else min(amount, limit)


def _spread(indices: Iterable[int], shares: Iterable[MinorUnits], length: int) -> list[MinorUnits]:
    """*shares* at their *indices*, 0 elsewhere."""
    spread = [0] * length
    for index, share in zip(indices, shares, strict=True):
        spread[index] = share
    return spread


def target_of(
    discount: AutomaticDiscount | PromoCode,
    cart: Cart,
    prices: list[MinorUnits],
    room: list[MinorUnits],
    context: Context,
) -> Target:
    """What *discount* works on when the lines cost *prices* and may lose *room*."""
    kind = discount.kind
    rewards = None
    if isinstance(kind, BuyXGetY) and kind.rewards is not None:
        rewards = selected(kind.rewards, cart, cart.discountable, context)
    scope = selected(discount.scope, cart, cart.discountable, context)
    return _new(Target, (prices, room, cart.quantities, scope, rewards))


def room_of(cart: Cart, left: list[MinorUnits]) -> list[MinorUnits]:
    """What each line may still lose: the same list as *left* where no line has a floor price."""
    if cart.floors is None:
        return left
    return [max(0, price - floor) for price, floor in zip(left, cart.floors, strict=True)]
