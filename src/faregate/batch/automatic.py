"""Which automatic discount each line of many baskets gets. Decisions §3.2."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from faregate.batch.discount_amounts import in_scope, room_of, take, target_of
from faregate.batch.eligibility import below_minimum, not_now
from faregate.errors import InvalidDiscount

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from faregate.batch.carts import Cart
    from faregate.batch.columns import Numbers
    from faregate.discounts import AutomaticDiscount
    from faregate.policy import TotalsPolicy

__all__ = ["NO_DISCOUNT", "Automatic", "Places", "best_automatic", "checked_ids"]

Places: TypeAlias = npt.NDArray[np.int32]
"""Of automatic discounts, among those that were given."""

NO_DISCOUNT = -1
"""The winner of a line that no discount touches."""


class Automatic(NamedTuple):
    """Of each line: what is taken, and the place of the winner in the rules that were given."""

    amounts: Numbers
    winners: Places


class _Candidate(NamedTuple):
    """What a rule would take from each line if it were alone."""

    place: int
    is_group_rule: bool
    shares: Numbers


def checked_ids(automatic: Sequence[AutomaticDiscount]) -> None:
    """Refuse two rules of one id.

    Raises:
        InvalidDiscount: there are.
    """
    ids = [discount.id for discount in automatic]
    if len(set(ids)) < len(ids):
        raise InvalidDiscount(f"an id is used twice: {sorted(ids)}")


def best_automatic(
    cart: Cart, automatic: Sequence[AutomaticDiscount], policy: TotalsPolicy
) -> Automatic | None:
    """Give each line its best automatic discount; None where nothing is taken from any.

    The largest amount wins, then the higher priority, then the lower id. A group rule is taken as a
    whole, and only where it gains more than it displaces.
    """
    candidates = list(_candidates(cart, automatic, policy))
    if not candidates:
        return None
    amounts = np.zeros(cart.layout.shape, np.int64)
    winners = np.full(cart.layout.shape, NO_DISCOUNT, np.int32)
    for place, is_group_rule, shares in candidates:
        if not is_group_rule:
            is_better = shares > amounts
            np.copyto(amounts, shares, where=is_better)
            winners[is_better] = place
    groups = [candidate for candidate in candidates if candidate.is_group_rule]
    if groups:
        _take_groups(cart, groups, amounts, winners)
    return Automatic(amounts, winners)


def _candidates(
    cart: Cart, automatic: Sequence[AutomaticDiscount], policy: TotalsPolicy
) -> Iterator[_Candidate]:
    """Higher priority first, then lower id."""
    prices = cart.list_prices
    room = room_of(cart, prices)
    every = np.ones(cart.layout.count, np.bool_) if cart.is_odd is None else ~cart.is_odd
    unread = np.zeros(cart.layout.count, np.int8)
    ranked = sorted(enumerate(automatic), key=lambda own: (-own[1].priority, own[1].id))
    for place, discount in ranked:
        target = target_of(discount, cart, prices, room, every)
        asked = not_now(discount.conditions, cart, every & in_scope(target), unread)
        asked = below_minimum(discount.conditions.thresholds, cart, prices, asked, unread)
        if asked.any():
            taken = take(discount.kind, target._replace(asked=asked), discount.max_amount, policy)
            if taken.totals.any():
                yield _Candidate(place, discount.is_group_rule, taken.shares)


def _take_groups(cart: Cart, groups: Sequence[_Candidate], amounts: Numbers, winners: Places) -> None:
    """In each basket the rule that gains most comes first; none touches the lines of another."""
    layout = cart.layout
    gains = np.stack([layout.sums(np.where(own.shares > 0, own.shares - amounts, 0)) for own in groups])
    order = np.argsort(-gains, axis=0, kind="stable")
    grouped = np.zeros(layout.shape, np.bool_)
    for turn in order:
        for index, own in enumerate(groups):
            is_next = (turn == index) & (gains[index] > 0)
            if is_next.any():
                touched = own.shares > 0
                is_next &= layout.sums(touched & grouped) == 0
                taken = touched & layout.of_lines(is_next)
                np.copyto(amounts, own.shares, where=taken)
                winners[taken] = own.place
                grouped |= taken
