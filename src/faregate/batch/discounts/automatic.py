"""Choice of the automatic discount for each line of many baskets. Decisions §3.2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from faregate.basket.policy import TotalsPolicy
from faregate.batch.basket.carts import LIMIT, CartColumns, either
from faregate.batch.columns.values import Mask, Numbers
from faregate.batch.discounts.amounts import (
    Taken,
    discount_shares,
    is_scalar_only,
    remaining_discountable,
)
from faregate.batch.discounts.eligibility import below_minimum, not_now, selected
from faregate.batch.discounts.targets import Target, in_scope, target_of
from faregate.discounts.automatic_choice import is_rival, unit_groups
from faregate.discounts.kinds import EVERYTHING, AutomaticDiscount, Bundle, BundlePart, BuyXGetY, DiscountKind
from faregate.errors import InvalidDiscount

RuleIndex: TypeAlias = npt.NDArray[np.int32]
"""Indexes into the automatic discounts."""

NO_DISCOUNT = -1
"""Rule index of a line without an automatic discount."""


class Automatic(NamedTuple):
    """The automatic discount on each line, and the index of the rule that gives it."""

    amounts: Numbers
    winners: RuleIndex
    is_disputed: Mask | None
    """Mask of the baskets that the scalar function has to decide; None for no basket."""


class _Candidate(NamedTuple):
    """The discount that a rule would give on each line if it were the only rule."""

    rule_index: int
    discount: AutomaticDiscount
    shares: Numbers
    used: Mask
    """Mask of the lines whose units count for the rule."""


def checked_ids(automatic: Sequence[AutomaticDiscount]) -> None:
    """Check that no two rules have the same id."""
    ids = [discount.id for discount in automatic]
    if len(set(ids)) < len(ids):
        raise InvalidDiscount(f"expected automatic discounts with different ids, got {sorted(ids)}")


def best_automatic(
    cart: CartColumns, automatic: Sequence[AutomaticDiscount], policy: TotalsPolicy
) -> Automatic | None:
    """Return the best automatic discount on each line; None if no line is discounted.

    The largest amount wins, then the higher priority, then the lower id. A rule for several lines applies as
    a whole, and only if it gives more than the discounts that it replaces. A basket is disputed if two
    such rules need the same line, if another rule might take units that a group discount needs, or if a
    floor price limits the units of a group.
    """
    with_bundles = _beyond_columns(cart, automatic)
    candidates = list(_candidates(cart, automatic, policy))
    if not candidates and with_bundles is None:
        return None
    amounts = np.zeros(cart.layout.shape, np.int64)
    winners = np.full(cart.layout.shape, NO_DISCOUNT, np.int32)
    rivals = [own for own in candidates if is_rival(own.discount, policy)]
    for rule_index, discount, shares, _ in candidates:
        if not is_rival(discount, policy):
            is_better = shares > amounts
            np.copyto(amounts, shares, where=is_better)
            winners[is_better] = rule_index
    is_disputed = _disputed(cart, rivals, amounts, policy) if len(candidates) > 1 else None
    if len(candidates) > 1:
        for own in candidates:
            if own.discount.exclusive:
                is_disputed = either(is_disputed, cart.layout.sums(own.shares > 0) > 0)
    for rival in rivals:
        _take_whole(cart, rival, amounts, winners)
        if cart.floors is not None and unit_groups(rival.discount, policy) is not None:
            is_disputed = either(is_disputed, cart.layout.sums((rival.shares > 0) & (cart.floors > 0)) > 0)
    return Automatic(amounts, winners, either(is_disputed, with_bundles))


def _beyond_columns(cart: CartColumns, automatic: Sequence[AutomaticDiscount]) -> Mask | None:
    """Return a mask of the baskets with units enough for a discount that columns lack; None for no basket."""
    found = None
    for discount in automatic:
        if is_scalar_only(discount.kind):
            among = selected(discount.scope, cart, cart.columns.discountable)
            filled = np.ones(cart.layout.count, np.bool_)
            for part in _parts(discount.kind):
                own = selected(part.scope, cart, among)
                units = cart.quantities if own is None else np.where(own, cart.quantities, 0)
                filled &= cart.layout.sums(units) >= min(part.units, LIMIT)
            found = either(found, filled)
    return found if found is not None and found.any() else None


def _parts(kind: DiscountKind) -> Iterable[BundlePart]:
    """Return the parts of a bundle, or the units bought for an offer."""
    if isinstance(kind, BuyXGetY):
        return (BundlePart(EVERYTHING, kind.buy),)
    return kind.parts if isinstance(kind, Bundle) else ()


def _candidates(
    cart: CartColumns, automatic: Sequence[AutomaticDiscount], policy: TotalsPolicy
) -> Iterator[_Candidate]:
    """Yield each rule that discounts at least one line, by descending priority, then by ascending id.

    Bundles and offers that are spread over their units are left to the scalar function.
    """
    prices = cart.list_prices
    room = remaining_discountable(cart, prices)
    every = np.ones(cart.layout.count, np.bool_) if cart.needs_scalar is None else ~cart.needs_scalar
    unread = np.zeros(cart.layout.count, np.int8)
    in_columns = [own for own in enumerate(automatic) if not is_scalar_only(own[1].kind)]
    ranked = sorted(in_columns, key=lambda own: (-own[1].priority, own[1].id))
    for rule_index, discount in ranked:
        target = target_of(discount, cart, prices, room, every)
        eligible = not_now(discount.conditions, cart, every & in_scope(target), unread)
        eligible = below_minimum(discount.conditions.thresholds, cart, prices, eligible, unread)
        if eligible.any():
            taken = discount_shares(
                discount.kind, target._replace(eligible=eligible), discount.max_amount, policy
            )
            if taken.totals.any():
                yield _Candidate(rule_index, discount, taken.shares, _used(discount, target, taken, policy))


def _used(discount: AutomaticDiscount, target: Target, taken: Taken, policy: TotalsPolicy) -> Mask:
    """Return a mask of the lines whose units count for *discount*, in the baskets that it discounts."""
    layout = target.cart.layout
    used: Mask = taken.shares > 0
    groups = unit_groups(discount, policy)
    if groups is None and not isinstance(discount.kind, BuyXGetY):
        return used
    counted = np.ones(layout.shape, np.bool_) if target.scope is None else target.scope
    if target.rewards is not None and groups is not None:
        counted = counted | target.rewards
    return used | (counted & layout.of_lines(taken.totals > 0))


def _disputed(
    cart: CartColumns, rivals: Sequence[_Candidate], singles: Numbers, policy: TotalsPolicy
) -> Mask | None:
    """Return a mask of the baskets in which rules compete for the same line; None for no basket."""
    used = np.zeros(cart.layout.shape, np.bool_)
    is_disputed = np.zeros(cart.layout.shape, np.bool_)
    for rival in rivals:
        is_disputed |= used & rival.used
        if unit_groups(rival.discount, policy) is not None:
            is_disputed |= rival.used & (singles > 0)
        used |= rival.used
    return cart.layout.sums(is_disputed) > 0 if is_disputed.any() else None


def _take_whole(cart: CartColumns, rival: _Candidate, amounts: Numbers, winners: RuleIndex) -> None:
    """Apply *rival* (a rule for several lines) in baskets where it beats the discounts that it replaces."""
    layout, touched = cart.layout, rival.shares > 0
    gains = layout.sums(np.where(touched, rival.shares - amounts, 0)) > 0
    taken = touched & layout.of_lines(gains)
    np.copyto(amounts, rival.shares, where=taken)
    winners[taken] = rival.rule_index
