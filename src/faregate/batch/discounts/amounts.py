"""Discount amounts for each line of many baskets. Decisions §3.4, §3.6.

The amounts equal those of ``faregate.discounts.amounts``. The sums of these baskets stay below
``carts.LIMIT``, so that all products with rates and percentages are exact in floats.
"""

from collections.abc import Callable
from typing import NamedTuple, assert_never

import numpy as np

from faregate.basket.policy import PercentRounding, TotalsPolicy
from faregate.batch.basket.carts import LIMIT, CartColumns
from faregate.batch.columns.values import Mask, Numbers
from faregate.batch.discounts.targets import Target
from faregate.batch.discounts.units import group_values, units_bought
from faregate.batch.money.allocation import apportion
from faregate.discounts.kinds import (
    Absolute,
    Bundle,
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
)
from faregate.money.amounts import MILLION, MinorUnits


class Taken(NamedTuple):
    """Discount per line, total discount per basket, and amount per basket that floor prices prevent."""

    shares: Numbers
    totals: Numbers
    unapplied: Numbers


def remaining_discountable(cart: CartColumns, left: Numbers) -> Numbers:
    """Return the maximum further discount on each price in *left*; *left* itself if no line has a floor."""
    return left if cart.floors is None else np.maximum(0, left - cart.floors)


def is_scalar_only(kind: DiscountKind) -> bool:
    """Return True if only the scalar functions compute *kind*, so its baskets are priced one at a time."""
    return isinstance(kind, Bundle) or (isinstance(kind, BuyXGetY) and kind.spread)


def discount_shares(
    kind: DiscountKind, target: Target, limit: MinorUnits | None, policy: TotalsPolicy
) -> Taken:
    """Return the discount of *kind* on each line of the baskets in *target*, at most *limit* per basket."""
    match kind:
        case Percentage(level=DiscountLevel.CART) | Absolute(level=DiscountLevel.CART):
            return _from_cart(kind, target, limit, policy)
        case Percentage():
            return _from_lines(target, lambda price: _percent(price, kind.parts_per_million, policy), limit)
        case Absolute():
            return _from_lines(target, lambda price: np.minimum(price, _small(kind.amount)), limit)
        case PerUnit():
            units = target.cart.quantities
            return _from_lines(target, lambda price: np.minimum(price, _small(kind.amount) * units), limit)
        case FixedPrice(group_size=1):
            floors = _small(kind.price) * target.cart.quantities
            return _from_lines(target, lambda price: np.maximum(0, price - floors), limit)
        case FixedPrice():
            values, groups = group_values(kind, target, policy)
            worth = target.cart.layout.sums(values) - _small(kind.price) * groups
            return _from_values(target, values, np.maximum(0, worth), limit)
        case BuyXGetY():
            values, _ = group_values(kind, target, policy)
            amounts = _percent(target.cart.layout.sums(values), kind.parts_per_million, policy)
            return _from_values(target, values, amounts, limit)
        case Bundle():  # pragma: no cover - such baskets are priced one at a time
            raise AssertionError("the scalar functions price bundles")
        case _:
            assert_never(kind)


def is_short_of_units(kind: DiscountKind, target: Target) -> Mask:
    """Return a mask of the baskets with too few units for even one group of the group discount *kind*."""
    units = _units(target, target.scope)
    match kind:
        case FixedPrice(group_size=size):
            return np.less(units, _small(size))
        case BuyXGetY(buy, get) if target.rewards is None:
            return np.less(units, _small(buy + get))
        case BuyXGetY(buy, get):
            few = np.less(units_bought(target), _small(buy))
            return few | np.less(_units(target, target.rewards), _small(get))
        case _:
            return np.zeros(target.eligible.shape, np.bool_)


def _units(target: Target, lines: Mask | None) -> Numbers:
    quantities = target.cart.quantities
    return target.cart.layout.sums(quantities if lines is None else np.where(lines, quantities, 0))


def _small(number: int) -> int:
    """Return *number*, but at most ``LIMIT``, which fits int64 and is above every sum in these baskets."""
    return min(number, LIMIT)


def _percent(prices: Numbers, parts_per_million: int, policy: TotalsPolicy) -> Numbers:
    if policy.percent_rounding is PercentRounding.PRICE:
        return prices - _parts(prices, MILLION - parts_per_million)
    return _parts(prices, parts_per_million)


def _parts(prices: Numbers, parts_per_million: int) -> Numbers:
    """Return each of the *prices* times *parts_per_million* / 1,000,000, rounded half up."""
    exact = prices * np.float64(2 * parts_per_million) + MILLION
    return np.floor(exact / (2 * MILLION)).astype(np.int64)


def _limited(amounts: Numbers, limit: MinorUnits | None) -> Numbers:
    return amounts if limit is None else np.minimum(amounts, _small(limit))


def _prices_in_scope(target: Target) -> Numbers:
    return target.prices if target.scope is None else np.where(target.scope, target.prices, 0)


def _from_cart(
    kind: Percentage | Absolute, target: Target, limit: MinorUnits | None, policy: TotalsPolicy
) -> Taken:
    """Compute one amount per basket and distribute it among lines in scope in proportion to their prices."""
    weights = _prices_in_scope(target)
    totals = target.cart.sums(weights)
    if isinstance(kind, Absolute):
        amounts = np.minimum(totals, _small(kind.amount))
    else:
        amounts = _percent(totals, kind.parts_per_million, policy)
    amounts = np.where(target.eligible, _limited(amounts, limit), 0)
    if target.room is target.prices:
        return Taken(_shared(target.cart, weights, amounts, totals), amounts, np.zeros_like(amounts))
    return _shared_under_caps(target.cart, weights, amounts, target.room)


def _from_lines(target: Target, amount_of: Callable[[Numbers], Numbers], limit: MinorUnits | None) -> Taken:
    layout = target.cart.layout
    wanted = amount_of(target.prices)
    is_eligible = layout.of_lines(target.eligible)
    wanted = np.where(is_eligible if target.scope is None else target.scope & is_eligible, wanted, 0)
    shares = np.minimum(wanted, target.room)
    sums = layout.sums(shares)
    limited = _limited(sums, limit)
    if limit is not None and (limited < sums).any():
        shares = _shared(target.cart, shares, limited, sums)
    unapplied = np.maximum(0, _limited(layout.sums(wanted), limit) - limited)
    return Taken(shares, limited, unapplied)


def _from_values(target: Target, values: Numbers, amounts: Numbers, limit: MinorUnits | None) -> Taken:
    """Distribute *amounts* in proportion to *values* (of lines' selected units), which no share exceeds."""
    amounts = np.where(target.eligible, _limited(amounts, limit), 0)
    return _shared_under_caps(target.cart, values, amounts, np.minimum(values, target.room))


def _shared(cart: CartColumns, weights: Numbers, amounts: Numbers, totals: Numbers) -> Numbers:
    """Allocate the amount of each basket to its lines, as ``faregate.money.allocation.allocate`` does."""
    layout, dtype = cart.layout, cart.dtype
    numerators = layout.of_lines(amounts.astype(dtype))
    denominators = layout.of_lines(np.maximum(totals, 1).astype(dtype))
    most = int(totals.max(initial=1))
    shares = np.empty(layout.shape, np.int64)
    return apportion(layout.whole, weights, numerators, denominators, amounts, most=most, out=shares)


def _shared_under_caps(cart: CartColumns, weights: Numbers, amounts: Numbers, caps: Numbers) -> Taken:
    """Allocate the amount of each basket, as ``faregate.money.allocation.allocate_capped`` does."""
    layout = cart.layout
    shares, wanted = np.zeros(layout.shape, np.int64), amounts
    totals = layout.sums(weights)
    while (is_open := (amounts > 0) & (totals > 0)).any():
        own = _shared(cart, weights, np.where(is_open, amounts, 0), totals)
        is_over = own > caps
        is_done = is_open & (layout.sums(is_over) == 0)
        shares += np.where(layout.of_lines(is_done), own, np.where(is_over, caps, 0))
        amounts = np.where(is_done, 0, amounts - layout.sums(np.where(is_over, caps, 0)))
        weights = np.where(is_over | layout.of_lines(is_done), 0, weights)
        totals = layout.sums(weights)
    return Taken(shares, wanted - amounts, amounts)
