"""The automatic discounts on a basket; each unit gets only the best one. Decisions §3.2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter, sub
from typing import NamedTuple

from faregate.arguments.fields import new_row
from faregate.basket.lines import Cart
from faregate.basket.policy import TotalsPolicy
from faregate.discounts.amounts import Taken, cart_kind, cart_shares, claimed_units, discount_shares
from faregate.discounts.automatic_choice import (
    OF_GROUPS,
    Candidate,
    Choice,
    amount_of_units,
    choose,
    is_rival,
    unit_groups,
)
from faregate.discounts.eligibility import Context, below_minimum, not_now, selected
from faregate.discounts.kinds import ALWAYS, AutomaticDiscount, Conditions
from faregate.discounts.targets import remaining_discountable, target_of
from faregate.discounts.unit_claims import target_of_units
from faregate.errors import InvalidDiscount
from faregate.money.allocation import split_evenly
from faregate.money.amounts import MinorUnits


class AppliedAutomatic(NamedTuple):
    """An automatic discount that was chosen; ``shares`` has the amount that it takes off each line."""

    discount: AutomaticDiscount
    total_amount: MinorUnits
    shares: tuple[MinorUnits, ...]
    unapplied: MinorUnits


class LineDiscount(NamedTuple):
    """An automatic discount on some units of a line, and the total amount that it takes off them."""

    discount: AutomaticDiscount
    units: int
    amount: MinorUnits


@dataclass(slots=True)
class Automatic:
    """The automatic discounts on a basket.

    ``left`` has the amount left on each line, ``amounts`` the amount taken off it. ``by_line`` lists the
    discounts on each line; the list is empty if the line has no discount, or one discount on all its units.
    ``is_exact`` is True if it is certain that no other choice would take off more.
    """

    left: list[MinorUnits]
    amounts: list[MinorUnits]
    winners: list[AutomaticDiscount | None]
    by_line: list[tuple[LineDiscount, ...]]
    applied: tuple[AppliedAutomatic, ...]
    is_exact: bool = True


def best_automatic(
    cart: Cart, automatic: Sequence[AutomaticDiscount], context: Context, policy: TotalsPolicy
) -> Automatic:
    """Return the automatic discounts that apply to *cart*; each unit gets only the best one.

    The largest amount wins, then the higher priority, then the lower id. Group discounts apply to whole
    groups of units if they save more than the discounts that they displace. Other discounts on several lines
    together apply as a whole or not at all.

    Raises:
        InvalidDiscount: two discounts have the same id.
    """
    lines = len(cart.keys)
    found = automatic_candidates(cart, automatic, context, policy) if automatic else ()
    if not found:
        return Automatic(cart.list_prices, [0] * lines, [None] * lines, [()] * lines, ())
    if len(found) == 1 and not isinstance(found[0][0].kind, OF_GROUPS):
        discount, (shares, unapplied) = found[0]
        winners = [discount if share else None for share in shares]
        applied = new_row(AppliedAutomatic, (discount, sum(shares), tuple(shares), unapplied))
        left = list(map(sub, cart.list_prices, shares))
        return Automatic(left, shares, winners, [()] * lines, (applied,))
    room, choice = remaining_discountable(cart, cart.list_prices), Choice()
    candidates = [
        Candidate(discount, target_of(discount, cart, cart.list_prices, room, context), *taken)
        for discount, taken in found
    ]
    if len(candidates) == 1:
        takings = [_Taking(candidates[0], *found[0][1], _units(candidates[0], policy))]
    else:
        choice = choose(candidates, policy)
        takings = [
            *_of_rivals(candidates, choice, policy),
            *_of_units_left(candidates, choice, cart.quantities, policy),
        ]
    by_line = _by_line(takings, lines)
    amounts = [sum([own.amount for own in of_line]) for of_line in by_line]
    winners = [max(of_line, key=_amount).discount if of_line else None for of_line in by_line]
    return Automatic(
        list(map(sub, cart.list_prices, amounts)),
        amounts,
        winners,
        _on_part(by_line, cart),
        _distinct(takings, by_line),
        choice.is_exact,
    )


class _Taking(NamedTuple):
    """The amount that a discount takes off each line, and the number of units to which it applies there."""

    candidate: Candidate
    shares: list[MinorUnits]
    unapplied: MinorUnits
    units: Mapping[int, int] | Sequence[int]


_amount = attrgetter("amount")


def _units(candidate: Candidate, policy: TotalsPolicy) -> Mapping[int, int] | Sequence[int]:
    """Return the number of units of each line that *candidate* would need if it were the only discount."""
    target, groups = candidate.target, unit_groups(candidate.discount, policy)
    return target.quantities if groups is None else claimed_units(groups, target, policy)


def _of_rivals(candidates: Sequence[Candidate], choice: Choice, policy: TotalsPolicy) -> Iterator[_Taking]:
    """Yield the chosen rivals (``is_rival``), with the amounts that they take off."""
    for place, candidate in enumerate(candidates):
        if place in choice.as_alone:
            yield _Taking(candidate, candidate.shares, candidate.unapplied, _units(candidate, policy))
        elif place in choice.claims:
            units = choice.claims[place]
            target = target_of_units(candidate.target, units)
            yield _Taking(candidate, *discount_shares(candidate.discount.kind, target, None, policy), units)


def _of_units_left(
    candidates: Sequence[Candidate], choice: Choice, quantities: Sequence[int], policy: TotalsPolicy
) -> list[_Taking]:
    """Return all discounts that are not rivals; only the best one on each line takes anything off it."""
    left = list(quantities)
    for place in choice.as_alone:
        for line, share in enumerate(candidates[place].shares):
            left[line] = 0 if share else left[line]
    for claims in choice.claims.values():
        for line, units in claims.items():
            left[line] -= units
    singles = [own for own in candidates if not is_rival(own.discount, policy)]
    takings = [_Taking(own, [0] * len(left), own.unapplied, left) for own in singles]
    for line, of_all_units in enumerate(zip(*[own.shares for own in singles], strict=True)):
        units, amounts = left[line], of_all_units
        if not units or not any(of_all_units):
            continue
        if units < quantities[line]:
            amounts = tuple([amount_of_units(own, line, units, policy) for own in singles])
        most = max(amounts)
        takings[amounts.index(most)].shares[line] = most
    return takings


def _by_line(takings: Sequence[_Taking], lines: int) -> list[tuple[LineDiscount, ...]]:
    by_line: list[tuple[LineDiscount, ...]] = [()] * lines
    for (discount, *_), shares, _, units in takings:
        for line, share in enumerate(shares):
            if share:
                by_line[line] += (LineDiscount(discount, units[line], share),)
    return by_line


def _on_part(by_line: Sequence[tuple[LineDiscount, ...]], cart: Cart) -> list[tuple[LineDiscount, ...]]:
    """Return *by_line* with an empty entry for each line whose units all have the same discount."""
    return [
        () if len(own) == 1 and own[0].units == units else own
        for own, units in zip(by_line, cart.quantities, strict=True)
    ]


def _distinct(
    takings: Sequence[_Taking], by_line: Sequence[tuple[LineDiscount, ...]]
) -> tuple[AppliedAutomatic, ...]:
    """Return the discounts on the lines, each once, ordered by the first line that each reduces."""
    by_id = {taking.candidate.discount.id: taking for taking in takings}
    ids = dict.fromkeys([own.discount.id for of_line in by_line for own in of_line])
    return tuple(
        AppliedAutomatic(candidate.discount, sum(shares), tuple(shares), unapplied)
        for candidate, shares, unapplied, _ in [by_id[each] for each in ids]
    )


def of_items(discounts: Iterable[LineDiscount], count: int) -> list[LineDiscount | None]:
    """Return the automatic discount on each of the *count* items of a line; None for items without one."""
    items: list[LineDiscount | None] = [
        LineDiscount(discount, 1, share) if share else None
        for discount, units, amount in discounts
        for share in split_evenly(amount, units)
    ]
    return items + [None] * (count - len(items))


def automatic_candidates(
    cart: Cart, automatic: Sequence[AutomaticDiscount], context: Context, policy: TotalsPolicy
) -> list[tuple[AutomaticDiscount, Taken]]:
    """Return the discounts that apply, by priority and id, with the amounts each would take off alone.

    A floor price limits the discount of a group by the units in the group: other units of the line make no
    room. If an exclusive discount takes anything off, only the first such discount applies.
    """
    if len(automatic) > 1:
        automatic = sorted(automatic, key=lambda discount: (-discount.priority, discount.id))
        ids = [discount.id for discount in automatic]
        if len(set(ids)) < len(ids):
            raise InvalidDiscount(f"expected automatic discounts with different ids, got {ids}")
    room = remaining_discountable(cart, cart.list_prices)
    found = []
    for discount in automatic:
        taken = _taken(discount, cart, room, context, policy)
        if taken is not None and any(taken[0]):
            if discount.exclusive:
                return [(discount, taken)]
            found.append((discount, taken))
    return found


def _taken(
    discount: AutomaticDiscount, cart: Cart, room: list[MinorUnits], context: Context, policy: TotalsPolicy
) -> Taken | None:
    """Return the amounts that *discount* would take off alone; None if it does not apply."""
    prices, limit, whole = cart.list_prices, discount.max_amount, cart_kind(discount.kind)
    if whole is not None:
        scope = selected(discount.scope, cart, cart.discountable, context)
        is_met = scope and _is_met(discount.conditions, cart, context)
        return cart_shares(whole, prices, room, scope, limit, policy) if is_met else None
    target = target_of(discount, cart, prices, room, context)
    if not (target.scope and _is_met(discount.conditions, cart, context)):
        return None
    groups = None if room is prices else unit_groups(discount, policy)
    if groups is not None:
        target = target_of_units(target, claimed_units(groups, target, policy))
    return discount_shares(discount.kind, target, limit, policy)


def _is_met(conditions: Conditions, cart: Cart, context: Context) -> bool:
    return conditions is ALWAYS or not (
        not_now(conditions, context) or below_minimum(conditions.thresholds, cart, cart.list_prices, context)
    )
