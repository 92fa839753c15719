"""Pricing of many baskets at once, tens of thousands of lines at a time. Decisions §3–§5.

The stages are those of ``faregate.totals.pipeline``: automatic discounts, promo codes, tax, sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from faregate.basket.policy import PriceBasis, SubscriptionBasis, TotalsPolicy
from faregate.batch.basket.carts import CartColumns, cart_of, either
from faregate.batch.basket.contexts import ContextColumns
from faregate.batch.basket.lines import NONE, LineColumns
from faregate.batch.basket.terms import Terms
from faregate.batch.columns.offsets import are_one_step, bucket_steps, steps_of
from faregate.batch.columns.values import Mask, Numbers
from faregate.batch.discounts.automatic import best_automatic
from faregate.batch.discounts.promo_codes import apply_promo_codes, codes_need_scalar
from faregate.batch.tax.rates import RateConversions, RateTable
from faregate.batch.totals.figures import Priced
from faregate.batch.totals.vat import other_side
from faregate.errors import InvalidAmount

if TYPE_CHECKING:
    from faregate.batch.totals.fallback import Single


@dataclass(eq=False)
class Part:
    """Consecutive baskets that are priced together, and the memory for their figures."""

    first: int
    columns: LineColumns
    context: ContextColumns
    rates: RateTable
    conversions: RateConversions
    priced: Priced

    def price(self, rules: Terms) -> None:
        """Price the baskets and write their figures."""
        entered = self.priced.codes.entered
        needs = codes_need_scalar(rules.promo_codes, entered, rules.policy)
        cart = cart_of(self.columns, self.context, self.rates, self.conversions, needs)
        disputed = _price_together(cart, rules, self.priced)
        if (singly := either(cart.needs_scalar, disputed)) is not None:
            self._price_singly(np.flatnonzero(singly).tolist(), rules)

    def _price_singly(self, baskets: Iterable[int], rules: Terms) -> None:
        from faregate.batch.totals.fallback import priced_singly

        entered = self.priced.codes.entered
        for index in baskets:
            try:
                self._write(index, priced_singly(self.columns, self.context, entered, index, rules))
            except InvalidAmount as fault:
                raise InvalidAmount(f"row {self.first + index}: {fault}") from None

    def _write(self, index: int, single: Single) -> None:
        lines, sums, codes = self.priced
        own, entries = self.columns.index_of(index), codes.entered.index_of(index)
        columns: Iterable[Any] = lines
        for column, values in zip(columns, zip(*single.lines, strict=True), strict=False):
            column[own] = values
        for figure, value in zip(sums, single.basket, strict=True):
            figure[index] = value
        if single.entries:
            amounts, unapplied, reasons = zip(*single.entries, strict=True)
            codes.amounts[entries], codes.unapplied[entries] = amounts, unapplied
            codes.reasons[entries] = reasons


def parts_of(
    columns: LineColumns, contexts: ContextColumns, policy: TotalsPolicy, priced: Priced
) -> Iterator[Part]:
    """Yield all baskets, one step at a time, with the part of *priced* that receives their figures."""
    rates = RateTable.of(columns.rate)
    tax = rates, RateConversions.of(rates.rates, policy)
    if are_one_step(columns.lines, columns.baskets):
        yield Part(0, columns, contexts, *tax, priced)
        return
    for baskets, lines, offsets in _steps(columns):
        yield Part(
            baskets.start,
            columns.part(lines, offsets),
            contexts.part(baskets),
            *tax,
            priced.part(lines, baskets),
        )


def _steps(columns: LineColumns) -> Iterator[tuple[slice, Any, Numbers | None]]:
    """Yield the baskets of each step, the index of their lines in a column, and their offsets in the step."""
    offsets = columns.offsets
    if offsets is None:
        for baskets in bucket_steps(*columns.unit_price.shape):
            yield baskets, (slice(None), baskets), None
    else:
        for baskets, lines in steps_of(offsets):
            yield baskets, lines, offsets[baskets.start : baskets.stop + 1] - lines.start


def _price_together(cart: CartColumns, rules: Terms, priced: Priced) -> Mask | None:
    """Write figures to *priced*; return a mask of baskets whose discounts need the scalar function."""
    policy = rules.policy
    lines, sums, codes = priced
    after_auto = cart.list_prices
    automatic = best_automatic(cart, rules.automatic, policy) if rules.automatic else None
    if automatic is not None:
        after_auto = cart.list_prices - automatic.amounts
        np.copyto(lines.auto_discount, automatic.winners)
        np.copyto(lines.auto_discount_amount, automatic.amounts)
        np.copyto(sums.auto_discount_amount, cart.layout.sums(automatic.amounts))
    left = after_auto
    if len(codes.entered.codes):
        applied = apply_promo_codes(cart, rules.promo_codes, codes.entered, after_auto, policy)
        left = applied.left
        np.subtract(after_auto, left, out=lines.promo_code_discount)
        np.copyto(sums.promo_code_discount, applied.totals)
        np.copyto(codes.amounts, applied.amounts)
        np.copyto(codes.unapplied, applied.unapplied)
        np.copyto(codes.reasons, applied.reasons)
    _tax(cart, left, policy, priced)
    disputed = None if automatic is None else automatic.is_disputed
    if cart.columns.is_subscription is not None:
        disputed = either(disputed, _add_up_subscriptions(cart, after_auto, rules, priced))
    return disputed


class _Side(NamedTuple):
    """Columns of gross or net figures, for lines or baskets."""

    total: Numbers
    discount: Numbers
    list_price: Numbers


def _tax(cart: CartColumns, left: Numbers, policy: TotalsPolicy, priced: Priced) -> None:
    """Write totals, discounts and list prices to *priced*, both gross and net."""
    lines, sums, _ = priced
    own = _Side(lines.total_gross, lines.total_discount_gross, lines.list_price_gross)
    other = _Side(lines.total_net, lines.total_discount_net, lines.list_price_net)
    own_sums = _Side(sums.total_gross, sums.total_discount_gross, sums.list_price_gross)
    other_sums = _Side(sums.total_net, sums.total_discount_net, sums.list_price_net)
    if policy.price_basis is PriceBasis.NET:
        own, other, own_sums, other_sums = other, own, other_sums, own_sums
    np.copyto(own.total, left)
    np.copyto(own.list_price, cart.list_prices)
    other_sums.total[...] = other_side(cart, left, policy, out=other.total)
    if left is cart.list_prices:
        np.copyto(other.list_price, other.total)
    else:
        np.subtract(cart.list_prices, left, out=own.discount)
        other_sums.discount[...] = other_side(cart, own.discount, policy, out=other.discount)
        np.add(other.total, other.discount, out=other.list_price)
    own_sums.list_price[...] = cart.totals
    np.add(sums.promo_code_discount, sums.auto_discount_amount, out=own_sums.discount)
    np.subtract(own_sums.list_price, own_sums.discount, out=own_sums.total)
    np.add(other_sums.total, other_sums.discount, out=other_sums.list_price)


def _add_up_subscriptions(
    cart: CartColumns, after_auto: Numbers, rules: Terms, priced: Priced
) -> Mask | None:
    """Write the subscription totals to *priced* (decisions §5).

    Return a mask of the baskets whose automatic discounts in later periods need the scalar function.
    """
    is_sold: Mask = cart.columns.is_subscription  # type: ignore[assignment]
    policy, layout, disputed = rules.policy, cart.layout, None
    if policy.subscription_basis is SubscriptionBasis.FIRST_PERIOD:
        gross, net = priced.lines.total_gross, priced.lines.total_net
    else:
        left, disputed = _recurring(cart, is_sold, after_auto, rules)
        own, other = left, np.empty_like(left)
        other_side(cart, left, policy, out=other)
        gross, net = (other, own) if policy.price_basis is PriceBasis.NET else (own, other)
    priced.sums.total_subscription_gross[...] = layout.sums(np.where(is_sold, gross, 0))
    priced.sums.total_subscription_net[...] = layout.sums(np.where(is_sold, net, 0))
    return disputed


def _recurring(
    cart: CartColumns, is_sold: Mask, after_auto: Numbers, rules: Terms
) -> tuple[Numbers, Mask | None]:
    """Return each subscription's price in later periods (other lines: 0), and a mask of disputed baskets."""
    price, disputed = cart.columns.recurring_price, None
    if price is not None:
        later = cart.in_later_periods(price)
        automatic = best_automatic(later, rules.automatic, rules.policy) if rules.automatic else None
        left = later.list_prices
        if automatic is not None:
            left, disputed = left - automatic.amounts, automatic.is_disputed
        has_later = cart.layout.sums(is_sold & (price != NONE)) > 0
        after_auto = np.where(cart.layout.of_lines(has_later), left, after_auto)
    return np.where(is_sold, after_auto, 0), disputed
