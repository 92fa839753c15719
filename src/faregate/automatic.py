"""Which automatic discount each line gets. Decisions §3.2.

Each line takes its best one; rules that reach across lines are kept or dropped as a whole.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from faregate.discount_amounts import Taken, room_of, take, target_of
from faregate.discounts import ALWAYS, AutomaticDiscount
from faregate.eligibility import Context, below_minimum, not_now
from faregate.errors import InvalidDiscount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from faregate.lines import Cart
    from faregate.money import MinorUnits
    from faregate.policy import TotalsPolicy

__all__ = ["AppliedAutomatic", "Automatic", "automatic_candidates", "best_automatic"]

# A NamedTuple made from the tuple of its fields: half the time of a call with them.
_new = tuple.__new__


class AppliedAutomatic(NamedTuple):
    """An automatic discount that won: ``shares`` has one amount per line of the cart."""

    discount: AutomaticDiscount
    total_amount: MinorUnits
    shares: tuple[MinorUnits, ...]
    unapplied: MinorUnits


Automatic: TypeAlias = tuple[
    "list[MinorUnits]", "list[AutomaticDiscount | None]", tuple[AppliedAutomatic, ...]
]
"""The automatic discounts of a cart: amounts by line, winners by line, the distinct winners."""


def best_automatic(
    cart: Cart, automatic: Sequence[AutomaticDiscount], context: Context, policy: TotalsPolicy
) -> Automatic:
    """Give each line its best automatic discount.

    The largest amount wins, then the higher priority, then the lower id. A group rule (buy X get Y,
    bundle price, cart-wide) is taken as a whole, and only where it gains more than it displaces.

    Raises:
        InvalidDiscount: two discounts have one id.
    """
    lines = len(cart.keys)
    candidates = automatic_candidates(cart, automatic, context, policy) if automatic else ()
    if not candidates:
        return [0] * lines, [None] * lines, ()
    if len(candidates) == 1:
        discount, (shares, unapplied) = candidates[0]
        winners = [discount if share else None for share in shares]
        return shares, winners, (_applied(discount, shares, unapplied),)
    amounts: list[MinorUnits] = [0] * lines
    winners = [None] * lines
    for discount, (shares, _) in candidates:
        if not discount.is_group_rule:
            _displace(amounts, winners, discount, shares)
    groups = [candidate for candidate in candidates if candidate[0].is_group_rule]
    groups.sort(key=lambda candidate: -_advantage(candidate[1][0], amounts))
    grouped: set[int] = set()
    for discount, (shares, _) in groups:
        touched = {index for index, share in enumerate(shares) if share}
        if grouped.isdisjoint(touched) and _advantage(shares, amounts) > 0:
            grouped |= touched
            for index in touched:
                amounts[index], winners[index] = shares[index], discount
    return amounts, winners, _distinct(candidates, amounts, winners)


Candidate: TypeAlias = tuple[AutomaticDiscount, Taken]


def automatic_candidates(
    cart: Cart, automatic: Sequence[AutomaticDiscount], context: Context, policy: TotalsPolicy
) -> list[Candidate]:
    """What each discount would take if it were alone, higher priority first, then lower id."""
    if len(automatic) > 1:
        automatic = sorted(automatic, key=lambda discount: (-discount.priority, discount.id))
        ids = [discount.id for discount in automatic]
        if len(set(ids)) < len(ids):
            raise InvalidDiscount(f"an id is used twice: {ids}")
    prices = cart.list_prices
    room = room_of(cart, prices)
    candidates = []
    for discount in automatic:
        target = target_of(discount, cart, prices, room, context)
        if not target.scope:
            continue
        conditions = discount.conditions
        if conditions is not ALWAYS and (
            not_now(conditions, context) or below_minimum(conditions.thresholds, cart, prices, context)
        ):
            continue
        taken = take(discount.kind, target, discount.max_amount, policy)
        if any(taken[0]):
            candidates.append((discount, taken))
    return candidates


def _displace(
    amounts: list[MinorUnits],
    winners: list[AutomaticDiscount | None],
    discount: AutomaticDiscount,
    shares: Sequence[MinorUnits],
) -> None:
    for index, share in enumerate(shares):
        if share > amounts[index]:
            amounts[index], winners[index] = share, discount


def _advantage(shares: Sequence[MinorUnits], displaced: Sequence[MinorUnits]) -> MinorUnits:
    return sum([share - old for share, old in zip(shares, displaced, strict=True) if share])


def _distinct(
    candidates: Sequence[Candidate],
    amounts: Sequence[MinorUnits],
    winners: Sequence[AutomaticDiscount | None],
) -> tuple[AppliedAutomatic, ...]:
    unapplied = {discount.id: rest for discount, (_, rest) in candidates}
    distinct = {winner.id: winner for winner in winners if winner is not None}
    return tuple(
        _applied(
            discount,
            [amount if winner is discount else 0 for amount, winner in zip(amounts, winners, strict=True)],
            unapplied[discount.id],
        )
        for discount in distinct.values()
    )


def _applied(
    discount: AutomaticDiscount, shares: Sequence[MinorUnits], unapplied: MinorUnits
) -> AppliedAutomatic:
    return _new(AppliedAutomatic, (discount, sum(shares), tuple(shares), unapplied))
