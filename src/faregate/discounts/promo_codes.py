"""Selection, order and effect of promo codes. Decisions §3.3.

Promo codes apply to the amounts that automatic discounts have left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from operator import sub
from typing import NamedTuple, TypeAlias, assert_never

from faregate._values import union_member
from faregate.arguments.fields import new_row
from faregate.basket.lines import Cart
from faregate.basket.policy import CodeOrder, Stacking, ThresholdBase, TotalsPolicy
from faregate.discounts.amounts import cart_kind, cart_shares, discount_shares, missing_units
from faregate.discounts.best_codes import Candidate, Offer, best_order
from faregate.discounts.eligibility import (
    Context,
    Refusal,
    RejectionReason,
    Shortfall,
    below_minimum,
    not_now,
    selected,
)
from faregate.discounts.kinds import (
    ALWAYS,
    Absolute,
    Bundle,
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
    UnknownCode,
)
from faregate.discounts.targets import remaining_discountable, target_of
from faregate.errors import InvalidDiscount
from faregate.money.amounts import MILLION, MinorUnits

_ADDITIVE = Stacking.ADDITIVE
_AFTER_AUTO = ThresholdBase.AFTER_AUTO


@union_member
class AppliedCode(NamedTuple):
    """A valid code, the amount it took off each line, and its ``position`` (from 0) in the order applied."""

    promo_code: PromoCode
    total_amount: MinorUnits
    shares: tuple[MinorUnits, ...]
    unapplied: MinorUnits
    position: int

    @property
    def code(self) -> str:
        """The normalized code."""
        return self.promo_code.code

    @property
    def valid(self) -> bool:
        """Always True; the counterpart of ``RejectedCode.valid``."""
        return True


@union_member
class RejectedCode(NamedTuple):
    """A code that does not apply now, with the reason and, if known, what is missing."""

    promo_code: PromoCode | UnknownCode
    reason: RejectionReason
    missing: Shortfall | None = None

    @property
    def code(self) -> str:
        """The normalized code."""
        return self.promo_code.code

    @property
    def valid(self) -> bool:
        """Always False; the counterpart of ``AppliedCode.valid``."""
        return False

    @property
    def total_amount(self) -> MinorUnits:
        """Always 0; the counterpart of ``AppliedCode.total_amount``."""
        return 0


CodeResult: TypeAlias = AppliedCode | RejectedCode


@dataclass(slots=True)
class Codes:
    """Results of the promo codes, the amount left on each line, and the amount that codes took off it.

    ``is_exact`` is False if the search for the best codes (``CodeOrder.BEST``) ended early.
    """

    left: list[MinorUnits]
    amounts: list[MinorUnits]
    results: tuple[CodeResult, ...] = ()
    is_exact: bool = True


@dataclass(slots=True)
class _Stage:
    """The values that are the same for every promo code on a basket."""

    cart: Cart
    after_auto: list[MinorUnits]
    context: Context
    policy: TotalsPolicy


_Pass: TypeAlias = tuple["list[MinorUnits]", dict[str, CodeResult]]
"""Result of applying codes in one order: the amount left on each line, and the result of each code."""


def apply_promo_codes(
    cart: Cart,
    promo_codes: Sequence[PromoCode | UnknownCode],
    after_auto: list[MinorUnits],
    context: Context,
    policy: TotalsPolicy,
) -> Codes:
    """Apply *promo_codes* in turn to the amounts that automatic discounts left.

    A valid exclusive code excludes all others. A code that takes nothing off is not valid.

    Raises:
        InvalidDiscount: the same code is given twice.
    """
    if not promo_codes:
        return Codes(after_auto, [0] * len(after_auto))
    stage = _Stage(cart, after_auto, context, policy)
    if len(promo_codes) == 1 and isinstance(promo_codes[0], PromoCode):
        result = _apply(stage, promo_codes[0], after_auto, 0)
        if isinstance(result, AppliedCode):
            shares = list(result.shares)
            return Codes(list(map(sub, after_auto, shares)), shares, (result,))
        return Codes(after_auto, [0] * len(after_auto), (result,))
    known = [entered for entered in promo_codes if isinstance(entered, PromoCode)]
    if len(promo_codes) > 1:
        codes = [entered.code for entered in promo_codes]
        if len(set(codes)) < len(codes):
            raise InvalidDiscount(f"expected different promo codes, got {codes}")
        if policy.code_order is not CodeOrder.AS_ENTERED:
            known.sort(key=code_rank)
    is_exact = True
    if policy.code_order is CodeOrder.BEST:
        left, results, is_exact = _cheapest(stage, known)
    else:
        left, results = _exclusive_first(stage, known)
    as_entered = [
        results[entered.code]
        if isinstance(entered, PromoCode)
        else RejectedCode(entered, RejectionReason.UNKNOWN)
        for entered in promo_codes
    ]
    return Codes(left, list(map(sub, after_auto, left)), tuple(as_entered), is_exact)


def code_rank(promo_code: PromoCode) -> tuple[int, int, int, str]:
    """Return the sort key for the order of promo codes: lane, priority (higher first), kind, code."""
    return promo_code.lane, -promo_code.priority, _kind_rank(promo_code.kind), promo_code.code


def _kind_rank(kind: DiscountKind) -> int:
    match kind:
        case BuyXGetY():
            return 0
        case FixedPrice() | Bundle():
            return 1
        case PerUnit():
            return 2
        case Percentage(level=DiscountLevel.LINE):
            return 3
        case Absolute(level=DiscountLevel.LINE):
            return 4
        case Percentage():
            return 5
        case Absolute():
            return 6
        case _:
            assert_never(kind)


def _exclusive_first(stage: _Stage, codes: Sequence[PromoCode]) -> _Pass:
    """Apply only the first valid exclusive code; if no such code is valid, apply all other codes."""
    refused: dict[str, CodeResult] = {}
    for promo_code in codes:
        if promo_code.exclusive:
            left, results = _one_after_another(stage, [promo_code])
            if results[promo_code.code].valid:
                others = (other for other in codes if other is not promo_code)
                return left, results | _not_combinable(stage, others)
            refused |= results
    # An exclusive code is valid alone or not at all: another code cannot make it valid.
    left, results = _one_after_another(stage, [other for other in codes if not other.exclusive])
    return left, results | refused


def _not_combinable(stage: _Stage, codes: Iterable[PromoCode]) -> dict[str, CodeResult]:
    """Reject each code: for its own reason if it has one, otherwise as not combinable."""
    results: dict[str, CodeResult] = {}
    for promo_code in codes:
        result = _apply(stage, promo_code, stage.after_auto, 0)
        if isinstance(result, AppliedCode):
            result = RejectedCode(promo_code, RejectionReason.NOT_COMBINABLE)
        results[promo_code.code] = result
    return results


def _cheapest(
    stage: _Stage, ranked: Sequence[PromoCode]
) -> tuple[list[MinorUnits], dict[str, CodeResult], bool]:
    """Apply the cheapest sequence of codes, reject the other codes, and say if the search was complete."""
    candidates = [_candidate(stage, promo_code) for promo_code in ranked]
    offers = [_offers(stage, promo_code) for promo_code in ranked]
    order, is_exact = best_order(stage.after_auto, candidates, lambda index, left: offers[index](left))
    left, results = _one_after_another(stage, [ranked[index] for index in order])
    others = [promo_code for promo_code in ranked if promo_code.code not in results]
    return left, results | _not_combinable(stage, others), is_exact


def _candidate(stage: _Stage, promo_code: PromoCode) -> Candidate:
    kind = promo_code.kind
    if not isinstance(kind, Percentage) or stage.policy.stacking is _ADDITIVE:
        return Candidate(promo_code.exclusive)
    roundings = 1 if kind.level is DiscountLevel.CART else len(stage.after_auto)
    return Candidate(promo_code.exclusive, MILLION - kind.parts_per_million, roundings)


_NOTHING = Offer((), 0, 0)


def _offers(stage: _Stage, promo_code: PromoCode) -> Callable[[list[MinorUnits]], Offer]:
    """Return a cached function that computes the offer of *promo_code* for the amounts left on the lines.

    As the amounts left fall, a discount never rises, and a minimum that was not reached stays out of reach.
    So the amount taken off now, plus the amount withheld because of floor prices, is the most that the code
    can take off later. A code with ``max_units`` may reduce other units later, so its limit is the amount
    that it would take off all units.
    """
    cart, after_auto, context, policy = stage.cart, stage.after_auto, stage.context, stage.policy
    first = target_of(promo_code, cart, after_auto, after_auto, context)
    is_running = bool(promo_code.conditions.thresholds) and policy.threshold_base is ThresholdBase.RUNNING
    if not is_running and _refusal(stage, promo_code, first.scope, after_auto) is not None:
        return lambda _: _NOTHING
    touched = sorted({*first.scope, *(first.rewards or ())})
    is_additive = policy.stacking is _ADDITIVE and isinstance(promo_code.kind, Percentage)
    made: dict[tuple[MinorUnits, ...], Offer] = {}

    def offer(left: list[MinorUnits]) -> Offer:
        key = tuple(left) if is_running else tuple([left[index] for index in touched])
        if key not in made:
            prices = after_auto if is_additive else left
            target = replace(first, prices=prices, room=remaining_discountable(cart, left))
            made[key] = _NOTHING
            if not is_running or _refusal(stage, promo_code, target.scope, left) is None:
                shares, unapplied = discount_shares(promo_code.kind, target, promo_code.limit, policy)
                most = total = sum(shares)
                if target.most_units is not None:
                    of_all = replace(target, most_units=None)
                    whole, unapplied = discount_shares(promo_code.kind, of_all, promo_code.limit, policy)
                    most = sum(whole)
                made[key] = Offer(shares, total, most + unapplied)
        return made[key]

    return offer


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
    return left, results


def _apply(stage: _Stage, promo_code: PromoCode, left: list[MinorUnits], position: int) -> CodeResult:
    cart, policy, kind = stage.cart, stage.policy, promo_code.kind
    is_additive = policy.stacking is _ADDITIVE and isinstance(kind, Percentage)
    prices, room = stage.after_auto if is_additive else left, remaining_discountable(cart, left)
    whole, target = cart_kind(kind), None
    if whole is not None and promo_code.max_units is promo_code.max_units_per_line is None:
        scope = selected(promo_code.scope, cart, cart.discountable, stage.context)
        refused = _refusal(stage, promo_code, scope, left)
        taken = refused or cart_shares(whole, prices, room, scope, promo_code.limit, policy)
    else:
        target = target_of(promo_code, cart, prices, room, stage.context)
        refused = _refusal(stage, promo_code, target.scope, left)
        taken = refused or discount_shares(kind, target, promo_code.limit, policy)
    if isinstance(taken, Refusal):
        return RejectedCode(promo_code, *taken)
    shares, unapplied = taken
    total = sum(shares)
    if total:
        return new_row(AppliedCode, (promo_code, total, tuple(shares), unapplied, position))
    missing = 0 if target is None else missing_units(kind, target)
    if missing:
        return RejectedCode(promo_code, RejectionReason.MINIMUM_NOT_REACHED, Shortfall(quantity=missing))
    return RejectedCode(promo_code, RejectionReason.NOT_APPLICABLE)


def _refusal(
    stage: _Stage, promo_code: PromoCode, scope: Sequence[int], left: list[MinorUnits]
) -> Refusal | None:
    """Return the refusal of a code, or None; reasons that buying more cannot remove come first."""
    conditions = promo_code.conditions
    refused = None if conditions is ALWAYS else not_now(conditions, stage.context)
    if refused is None and promo_code.is_used_up:
        refused = Refusal(RejectionReason.USED_UP)
    if refused is None and not scope:
        refused = Refusal(RejectionReason.NOT_APPLICABLE)
    if refused is None and conditions.thresholds:
        counting = _threshold_prices(stage, left)
        refused = below_minimum(conditions.thresholds, stage.cart, counting, stage.context)
    return refused


def _threshold_prices(stage: _Stage, left: list[MinorUnits]) -> list[MinorUnits]:
    base = stage.policy.threshold_base
    if base is _AFTER_AUTO:
        return stage.after_auto
    return left if base is ThresholdBase.RUNNING else stage.cart.list_prices
