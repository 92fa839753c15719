"""Which of several discounts apply, and in which order. Decisions §3.2, §3.3.

Automatic discounts come first: each line takes its best one. Promo codes follow on what is left.
"""

from __future__ import annotations

from itertools import permutations
from operator import sub
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from faregate.discount_amounts import Taken, Target, missing_units, take
from faregate.discounts import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    DiscountKind,
    FixedPrice,
    Level,
    Percentage,
    PerUnit,
    PromoCode,
    UnknownCode,
)
from faregate.eligibility import Context, Missing, Reason, Refusal, below_minimum, not_now, selected
from faregate.errors import InvalidDiscount
from faregate.policy import CodeOrder, Stacking, ThresholdBase, TotalsPolicy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from faregate.lines import Cart
    from faregate.money import MinorUnits

__all__ = [
    "AppliedAutomatic",
    "AppliedCode",
    "Automatic",
    "CodeResult",
    "Codes",
    "RejectedCode",
    "apply_promo_codes",
    "best_automatic",
]

_MOST_CODES_TO_PERMUTE = 6


class AppliedAutomatic(NamedTuple):
    """An automatic discount that won: ``shares`` has one amount per line of the cart."""

    discount: AutomaticDiscount
    total_amount: MinorUnits
    shares: tuple[MinorUnits, ...]
    unapplied: MinorUnits


class Automatic(NamedTuple):
    """The automatic discounts of a cart: by line, and the distinct winners by their first line."""

    amounts: list[MinorUnits]
    winners: list[AutomaticDiscount | None]
    applied: tuple[AppliedAutomatic, ...]


class AppliedCode(NamedTuple):
    """A valid code: what it took of each line, and as which it was applied (``position`` from 0)."""

    promo_code: PromoCode
    total_amount: MinorUnits
    shares: tuple[MinorUnits, ...]
    unapplied: MinorUnits
    position: int

    @property
    def code(self) -> str:
        """The code as it compares."""
        return self.promo_code.code

    @property
    def valid(self) -> bool:
        """True: the counterpart of ``RejectedCode.valid``."""
        return True


class RejectedCode(NamedTuple):
    """A code that does not apply now, why, and how far it is from doing so where that can be said."""

    promo_code: PromoCode | UnknownCode
    reason: Reason
    missing: Missing | None = None

    @property
    def code(self) -> str:
        """The code as it compares."""
        return self.promo_code.code

    @property
    def valid(self) -> bool:
        """False: the counterpart of ``AppliedCode.valid``."""
        return False

    @property
    def total_amount(self) -> MinorUnits:
        """Nothing was taken."""
        return 0


CodeResult: TypeAlias = AppliedCode | RejectedCode


class Codes(NamedTuple):
    """The promo codes of a cart: what they take of each line, and each code's result as entered."""

    amounts: list[MinorUnits]
    results: tuple[CodeResult, ...]


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
    candidates = automatic_candidates(cart, automatic, context, policy) if automatic else []
    if not candidates:
        return Automatic([0] * lines, [None] * lines, ())
    if len(candidates) == 1:
        discount, taken = candidates[0]
        winners = [discount if share else None for share in taken.shares]
        return Automatic(taken.shares, winners, (_applied(discount, taken.shares, taken.unapplied),))
    amounts: list[MinorUnits] = [0] * lines
    winners = [None] * lines
    for discount, taken in candidates:
        if not discount.is_group_rule:
            _displace(amounts, winners, discount, taken.shares)
    groups = [candidate for candidate in candidates if candidate[0].is_group_rule]
    groups.sort(key=lambda candidate: -_advantage(candidate[1].shares, amounts))
    grouped: set[int] = set()
    for discount, taken in groups:
        touched = {index for index, share in enumerate(taken.shares) if share}
        if grouped.isdisjoint(touched) and _advantage(taken.shares, amounts) > 0:
            grouped |= touched
            for index in touched:
                amounts[index], winners[index] = taken.shares[index], discount
    return Automatic(amounts, winners, _distinct(candidates, amounts, winners))


Candidate: TypeAlias = tuple[AutomaticDiscount, Taken]


def automatic_candidates(
    cart: Cart, automatic: Sequence[AutomaticDiscount], context: Context, policy: TotalsPolicy
) -> list[Candidate]:
    """What each discount would take if it were alone, higher priority first, then lower id."""
    if len({discount.id for discount in automatic}) < len(automatic):
        raise InvalidDiscount(f"an id is used twice: {[discount.id for discount in automatic]}")
    prices = cart.list_prices
    target = Target(cart.quantities, prices, _room(cart, prices))
    candidates = []
    for discount in sorted(automatic, key=lambda discount: (-discount.priority, discount.id)):
        conditions = discount.conditions
        if not_now(conditions, context) or below_minimum(conditions.thresholds, cart, prices, context):
            continue
        taken = _take(discount, target, cart, context, limit=discount.max_amount, policy=policy)
        if any(taken.shares):
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
    unapplied = {discount.id: taken.unapplied for discount, taken in candidates}
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
    return AppliedAutomatic(discount, sum(shares), tuple(shares), unapplied)


class _Stage(NamedTuple):
    """What is the same for every promo code of a cart."""

    cart: Cart
    after_auto: list[MinorUnits]
    context: Context
    policy: TotalsPolicy


class _Pass(NamedTuple):
    """The codes applied in one order: what they left of each line, and each one's result."""

    left: list[MinorUnits]
    results: dict[str, CodeResult]


def apply_promo_codes(
    cart: Cart,
    promo_codes: Sequence[PromoCode | UnknownCode],
    after_auto: list[MinorUnits],
    context: Context,
    policy: TotalsPolicy,
) -> Codes:
    """Apply *promo_codes*, one after the other, to what automatic discounts left.

    A valid exclusive code stands alone. A code that takes nothing is not valid.

    Raises:
        InvalidDiscount: a code is given twice.
    """
    if not promo_codes:
        return Codes([0] * len(after_auto), ())
    if len({entered.code for entered in promo_codes}) < len(promo_codes):
        raise InvalidDiscount(f"a code is given twice: {[entered.code for entered in promo_codes]}")
    stage = _Stage(cart, after_auto, context, policy)
    known = [entered for entered in promo_codes if isinstance(entered, PromoCode)]
    if policy.code_order is not CodeOrder.AS_ENTERED and len(known) > 1:
        known.sort(key=_rank)
    done = _exclusive(stage, known) or _in_best_order(stage, known)
    unknown = {
        entered.code: RejectedCode(entered, Reason.UNKNOWN)
        for entered in promo_codes
        if isinstance(entered, UnknownCode)
    }
    results = {**done.results, **unknown}
    return Codes(
        list(map(sub, after_auto, done.left)), tuple([results[entered.code] for entered in promo_codes])
    )


def _rank(promo_code: PromoCode) -> tuple[int, int, int, str]:
    return promo_code.lane, -promo_code.priority, _kind_rank(promo_code.kind), promo_code.code


def _kind_rank(kind: DiscountKind) -> int:
    match kind:
        case BuyXGetY():
            return 0
        case FixedPrice():
            return 1
        case PerUnit():
            return 2
        case Percentage(level=Level.LINE):
            return 3
        case Absolute(level=Level.LINE):
            return 4
        case Percentage():
            return 5
        case Absolute():
            return 6


def _exclusive(stage: _Stage, codes: Sequence[PromoCode]) -> _Pass | None:
    """The pass in which the first valid exclusive code stands alone; None where there is none."""
    for promo_code in codes:
        if promo_code.exclusive:
            alone = _one_after_another(stage, [promo_code])
            if alone.results[promo_code.code].valid:
                others = (other for other in codes if other is not promo_code)
                return _Pass(alone.left, alone.results | _not_combinable(stage, others))
    return None


def _not_combinable(stage: _Stage, codes: Iterable[PromoCode]) -> dict[str, CodeResult]:
    """Each code refused: for a reason of its own where it has one."""
    results: dict[str, CodeResult] = {}
    for promo_code in codes:
        result = _apply(stage, promo_code, stage.after_auto, 0)
        if isinstance(result, AppliedCode):
            result = RejectedCode(promo_code, Reason.NOT_COMBINABLE)
        results[promo_code.code] = result
    return results


def _in_best_order(stage: _Stage, ranked: Sequence[PromoCode]) -> _Pass:
    if stage.policy.code_order is not CodeOrder.BEST or not 1 < len(ranked) <= _MOST_CODES_TO_PERMUTE:
        return _one_after_another(stage, ranked)
    # permutations() starts with the ranked order, and min() keeps the first of equals.
    passes = (_one_after_another(stage, order) for order in permutations(ranked))
    return min(passes, key=lambda done: sum(done.left))


def _one_after_another(stage: _Stage, codes: Iterable[PromoCode]) -> _Pass:
    left = stage.after_auto
    results: dict[str, CodeResult] = {}
    position = 0
    for promo_code in codes:
        result = _apply(stage, promo_code, left, position)
        results[promo_code.code] = result
        if isinstance(result, AppliedCode):
            left = list(map(sub, left, result.shares))
            position += 1
    return _Pass(left, results)


def _apply(stage: _Stage, promo_code: PromoCode, left: list[MinorUnits], position: int) -> CodeResult:
    cart, after_auto, context, policy = stage
    conditions = promo_code.conditions
    refused = not_now(conditions, context)
    if refused is None and (promo_code.uses_left == 0 or promo_code.budget_left == 0):
        refused = Refusal(Reason.USED_UP)
    if refused is None:
        counting = _threshold_prices(stage, left)
        refused = below_minimum(conditions.thresholds, cart, counting, context)
    if refused is not None:
        return RejectedCode(promo_code, *refused)
    additive = policy.stacking is Stacking.ADDITIVE and isinstance(promo_code.kind, Percentage)
    target = Target(cart.quantities, after_auto if additive else left, _room(cart, left))
    taken = _take(promo_code, target, cart, context, limit=_limit(promo_code), policy=policy)
    total = sum(taken.shares)
    if not total:
        return RejectedCode(promo_code, *_nothing_taken(promo_code, target, cart, context))
    return AppliedCode(promo_code, total, tuple(taken.shares), taken.unapplied, position)


def _threshold_prices(stage: _Stage, left: list[MinorUnits]) -> list[MinorUnits]:
    match stage.policy.threshold_base:
        case ThresholdBase.AFTER_AUTO:
            return stage.after_auto
        case ThresholdBase.LIST:
            return stage.cart.list_prices
        case ThresholdBase.RUNNING:
            return left


def _limit(promo_code: PromoCode) -> MinorUnits | None:
    limits = [limit for limit in (promo_code.max_amount, promo_code.budget_left) if limit is not None]
    return min(limits, default=None)


def _nothing_taken(promo_code: PromoCode, target: Target, cart: Cart, context: Context) -> Refusal:
    scope = selected(promo_code.scope, cart, cart.discountable, context)
    missing = missing_units(promo_code.kind, target, scope, _rewards(promo_code.kind, cart, context))
    if missing:
        return Refusal(Reason.MINIMUM_NOT_REACHED, Missing(quantity=missing))
    return Refusal(Reason.NOT_APPLICABLE)


def _take(
    discount: AutomaticDiscount | PromoCode,
    target: Target,
    cart: Cart,
    context: Context,
    *,
    limit: MinorUnits | None,
    policy: TotalsPolicy,
) -> Taken:
    scope = selected(discount.scope, cart, cart.discountable, context)
    rewards = _rewards(discount.kind, cart, context)
    return take(discount.kind, target, scope, rewards=rewards, limit=limit, policy=policy)


def _rewards(kind: DiscountKind, cart: Cart, context: Context) -> Sequence[int] | None:
    if isinstance(kind, BuyXGetY) and kind.rewards is not None:
        return selected(kind.rewards, cart, cart.discountable, context)
    return None


def _room(cart: Cart, left: list[MinorUnits]) -> list[MinorUnits]:
    """What each line may still lose: the same list as *left* where no line has a floor price."""
    if cart.floors is None:
        return left
    return [max(0, price - floor) for price, floor in zip(left, cart.floors, strict=True)]
