"""Application of promo codes to many baskets, in the order that the policy sets. Decisions §3.3."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, assert_never

import numpy as np

from faregate.basket.policy import CodeOrder, Stacking, ThresholdBase, TotalsPolicy
from faregate.batch.basket.carts import CartColumns, either
from faregate.batch.columns.offsets import sums_of
from faregate.batch.columns.values import Mask, Numbers
from faregate.batch.discounts.amounts import (
    Taken,
    discount_shares,
    is_scalar_only,
    is_short_of_units,
    remaining_discountable,
)
from faregate.batch.discounts.codes import CodeColumns
from faregate.batch.discounts.eligibility import VALID, Reasons, below_minimum, code_of, not_now
from faregate.batch.discounts.targets import Target, in_scope, target_of
from faregate.discounts.eligibility import RejectionReason
from faregate.discounts.kinds import Percentage, PromoCode, UnknownCode
from faregate.discounts.promo_codes import code_rank
from faregate.errors import InvalidDiscount

_PART = 4
"""A code entered in less than 1/``_PART`` of the baskets is applied to a cart of only those baskets."""


def checked_codes(promo_codes: Sequence[PromoCode | UnknownCode]) -> None:
    """Check that no code occurs twice."""
    codes = [entered.code for entered in promo_codes]
    if len(set(codes)) < len(codes):
        raise InvalidDiscount(f"expected different promo codes, got {codes}")


def codes_need_scalar(
    promo_codes: Sequence[PromoCode | UnknownCode], entered: CodeColumns, policy: TotalsPolicy
) -> Mask | None:
    """Return a mask of the baskets whose codes need the scalar function; None if no basket does."""
    chooses = [
        isinstance(promo_code, PromoCode)
        and (
            promo_code.max_units is not None
            or promo_code.max_units_per_line is not None
            or is_scalar_only(promo_code.kind)
        )
        for promo_code in promo_codes
    ]
    if not any(chooses):
        return _has_own_order(entered, policy)
    return either(_any_entry(entered, np.array(chooses)[entered.codes]), _has_own_order(entered, policy))


def _any_entry(entered: CodeColumns, where: Mask) -> Mask:
    """Return a mask of the baskets with an entry for which *where* is true."""
    return np.greater(sums_of(where, entered.offsets, np.empty(len(where) + 1, np.int64)), 0)


def _has_own_order(entered: CodeColumns, policy: TotalsPolicy) -> Mask | None:
    sizes = np.diff(entered.offsets)
    match policy.code_order:
        case CodeOrder.RANKED:
            return None
        case CodeOrder.BEST:
            return np.greater(sizes, 1)
        case CodeOrder.AS_ENTERED:
            falls = np.zeros(len(entered.codes), np.bool_)
            falls[1:] = entered.codes[1:] < entered.codes[:-1]
            falls[entered.offsets[:-1][sizes > 0]] = False
            return _any_entry(entered, falls)
        case _:
            assert_never(policy.code_order)


def apply_promo_codes(
    cart: CartColumns,
    promo_codes: Sequence[PromoCode | UnknownCode],
    entered: CodeColumns,
    after_auto: Numbers,
    policy: TotalsPolicy,
) -> CodeStage:
    """Apply the codes *entered*, one after the other, to *after_auto*, the prices after automatic discounts.

    A valid exclusive code applies alone. A code that gives no discount is not valid.
    """
    stage = CodeStage(cart, promo_codes, entered, after_auto, policy)
    ranked = stage.ranked()
    is_settled = np.zeros(cart.layout.count, np.bool_)
    for code in ranked:
        if code.promo_code.exclusive:
            is_settled[stage.apply(code, after_auto, ~is_settled)] = True
    among = ~is_settled if is_settled.any() else None
    for code in ranked:
        if not code.promo_code.exclusive:
            stage.apply(code, stage.left, among)
    if among is not None:
        for code in ranked:
            stage.refuse_beside_exclusive(code, is_settled)
    return stage


_EVERY = slice(None)


class _Code(NamedTuple):
    """A code with the indexes of its entries and of their baskets, ascending, or ``_EVERY`` for all."""

    promo_code: PromoCode
    entries: Any
    baskets: Any

    def at(self, where: Mask) -> tuple[Numbers, Numbers]:
        """Return the indexes of the entries for which *where* is true, and of their baskets."""
        if isinstance(self.baskets, slice):
            own = np.flatnonzero(where)
            return own, own
        return self.entries[where], self.baskets[where]


def _entries_by_code(entered: CodeColumns, count: int) -> Iterable[tuple[int, Any, Any]]:
    """Return, for each entered code, its index, the indexes of its entries, and those of their baskets."""
    codes = entered.codes
    if count == 1:
        is_everywhere = len(codes) == len(entered.offsets) - 1
        return [(0, _EVERY, _EVERY) if is_everywhere else (0, np.arange(len(codes)), entered.baskets)]
    baskets = entered.baskets
    order = np.argsort(codes, kind="stable")
    indexes, firsts = np.unique(codes[order], return_index=True)
    every = zip(indexes.tolist(), np.split(order, firsts[1:]), strict=False)
    return [(index, entries, baskets[entries]) for index, entries in every]


@dataclass(eq=False)
class CodeStage:
    """State of the baskets after one code and before the next."""

    cart: CartColumns
    promo_codes: Sequence[PromoCode | UnknownCode]
    entered: CodeColumns
    after_auto: Numbers
    policy: TotalsPolicy
    left: Numbers = field(init=False)
    """Price left of each line."""
    totals: Numbers = field(init=False)
    """Discount of each basket."""
    amounts: Numbers = field(init=False)
    unapplied: Numbers = field(init=False)
    reasons: Reasons = field(init=False)
    """Result of each entered code; codes that are not defined keep their first reason, UNKNOWN."""

    def __post_init__(self) -> None:
        entries = len(self.entered.codes)
        self.left = self.after_auto
        self.totals = np.zeros(self.cart.layout.count, np.int64)
        self.amounts, self.unapplied = np.zeros((2, entries), np.int64)
        self.reasons = np.full(entries, code_of(RejectionReason.UNKNOWN), np.int8)

    def ranked(self) -> list[_Code]:
        """Return the known codes in the order in which they apply."""
        codes = [
            _Code(promo_code, entries, baskets)
            for index, entries, baskets in _entries_by_code(self.entered, len(self.promo_codes))
            if isinstance(promo_code := self.promo_codes[index], PromoCode)
        ]
        if self.policy.code_order is not CodeOrder.AS_ENTERED:
            codes.sort(key=lambda code: code_rank(code.promo_code))
        return codes

    def apply(self, code: _Code, left: Numbers, among: Mask | None) -> Numbers:
        """Apply *code* to its baskets in *among* (None: all); return the rows of those where it is valid."""
        entries, baskets = self._eligible(code, among)
        if not isinstance(baskets, slice) and not len(baskets):
            return np.zeros(0, np.int64)
        part = _CodeBaskets.of(self, baskets, left)
        taken, reasons = part.apply(code.promo_code, self.policy)
        self.reasons[entries] = reasons[part.own]
        if taken is None:
            return np.zeros(0, np.int64)
        amounts = taken.totals[part.own]
        self.amounts[entries] = amounts
        self.unapplied[entries] = np.where(amounts > 0, taken.unapplied[part.own], 0)
        self.totals[baskets] += amounts
        # Baskets that are not eligible get no discount.
        if part.lines is ...:
            self.left = self.left - taken.shares
        else:
            if self.left is self.after_auto:
                self.left = self.left.copy()
            self.left[part.lines] -= taken.shares
        _, valid = code._replace(entries=entries, baskets=baskets).at(amounts > 0)
        return valid

    def _eligible(self, code: _Code, among: Mask | None) -> tuple[Any, Any]:
        needs_scalar = self.cart.needs_scalar
        if among is None and needs_scalar is None:
            return code.entries, code.baskets
        where = np.ones(self.cart.layout.count, np.bool_) if among is None else among
        return code.at((where if needs_scalar is None else where & ~needs_scalar)[code.baskets])

    def refuse_beside_exclusive(self, code: _Code, is_settled: Mask) -> None:
        """Reject *code* as not combinable beside a valid exclusive code, unless another reason applies."""
        entries, baskets = code.at(is_settled[code.baskets] & (self.reasons[code.entries] != VALID))
        if len(baskets):
            part = _CodeBaskets.of(self, baskets, self.after_auto)
            _, reasons = part.apply(code.promo_code, self.policy)
            own = reasons[part.own]
            self.reasons[entries] = np.where(own == VALID, code_of(RejectionReason.NOT_COMBINABLE), own)


@dataclass(eq=False)
class _CodeBaskets:
    """The baskets in which a code is entered, or all baskets if it is entered in many of them."""

    cart: CartColumns
    lines: Any
    """Index that selects the lines of these baskets from a column of the stage."""
    own: Any
    """Indexes of the eligible baskets in ``cart``, or a slice of all its baskets."""
    eligible: Mask
    after_auto: Numbers
    left: Numbers

    @classmethod
    def of(cls, stage: CodeStage, baskets: Any, left: Numbers) -> _CodeBaskets:
        """Return *stage* reduced to *baskets* (ascending rows), or all of it if there are many of them."""
        if not isinstance(baskets, slice) and len(baskets) * _PART < stage.cart.layout.count:
            cart, lines = stage.cart.part(baskets)
            eligible = np.ones(len(baskets), np.bool_)
            return cls(cart, lines, np.arange(len(baskets)), eligible, stage.after_auto[lines], left[lines])
        eligible = np.zeros(stage.cart.layout.count, np.bool_)
        eligible[baskets] = True
        return cls(stage.cart, ..., baskets, eligible, stage.after_auto, left)

    def apply(self, promo_code: PromoCode, policy: TotalsPolicy) -> tuple[Taken | None, Reasons]:
        """Return the discount of *promo_code* (None if no basket can use it) and reason codes by basket."""
        cart, kind = self.cart, promo_code.kind
        is_additive = policy.stacking is Stacking.ADDITIVE and isinstance(kind, Percentage)
        prices = self.after_auto if is_additive else self.left
        target = target_of(promo_code, cart, prices, remaining_discountable(cart, self.left), self.eligible)
        reasons = np.full(cart.layout.count, VALID, np.int8)
        eligible = self._payable(promo_code, target, policy, reasons)
        if not eligible.any():
            return None, reasons
        taken = discount_shares(kind, target._replace(eligible=eligible), promo_code.limit, policy)
        is_empty = eligible & (taken.totals == 0)
        if is_empty.any():
            short = is_short_of_units(kind, target)
            reasons[is_empty] = code_of(RejectionReason.NOT_APPLICABLE)
            reasons[is_empty & short] = code_of(RejectionReason.MINIMUM_NOT_REACHED)
        return taken, reasons

    def _payable(self, promo_code: PromoCode, target: Target, policy: TotalsPolicy, reasons: Reasons) -> Mask:
        """Return a mask of the eligible baskets that may use the code, before its amount is known."""
        conditions = promo_code.conditions
        eligible = not_now(conditions, self.cart, target.eligible, reasons)
        if promo_code.is_used_up:
            reasons[eligible] = code_of(RejectionReason.USED_UP)
            return np.zeros_like(eligible)
        has_lines = in_scope(target)
        reasons[eligible & ~has_lines] = code_of(RejectionReason.NOT_APPLICABLE)
        prices = self._threshold_prices(policy)
        return below_minimum(conditions.thresholds, self.cart, prices, eligible & has_lines, reasons)

    def _threshold_prices(self, policy: TotalsPolicy) -> Numbers:
        match policy.threshold_base:
            case ThresholdBase.AFTER_AUTO:
                return self.after_auto
            case ThresholdBase.RUNNING:
                return self.left
            case ThresholdBase.LIST:
                return self.cart.list_prices
            case _:
                assert_never(policy.threshold_base)
