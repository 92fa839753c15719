"""Totals for storage, with only those rules that affected the price. Decisions §19."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.basket.lines import Cart
from faregate.discounts.automatic import best_automatic

if TYPE_CHECKING:
    from faregate.totals.pipeline import CheckoutTotals


def with_used_rules(totals: CheckoutTotals) -> CheckoutTotals:
    """Return *totals* with a request limited to the automatic discounts that reduced a price.

    Pricing this request gives the same totals. All entered codes are kept, even rejected ones, because the
    totals list their results. If the choice depends on discounts that took nothing, all discounts are kept.

    >>> from faregate import AutomaticDiscount, Line, Percentage, VatRate, checkout_totals
    >>> rules = [AutomaticDiscount(id=n, kind=Percentage.percent(n)) for n in (5, 10)]
    >>> totals = checkout_totals([Line(1, 1000, 1, VatRate.percent("8.1"))], automatic=rules)
    >>> [discount.id for discount in with_used_rules(totals).request.automatic]
    [10]
    """
    request = totals.request
    if not request.automatic:
        return totals
    carts = [Cart.of(request.lines)]
    if any(line.recurring_price is not None for line in request.lines):
        carts.append(Cart.of([line.in_later_periods for line in request.lines]))
    context, policy = request.context, request.policy
    choices = [best_automatic(cart, request.automatic, context, policy) for cart in carts]
    winners = {
        applied.discount.id for choice in choices for applied in choice.applied if applied.total_amount
    }
    used = tuple([discount for discount in request.automatic if discount.id in winners])
    if [best_automatic(cart, used, context, policy) for cart in carts] != choices:
        return totals
    return totals._replace(request=request._replace(automatic=used))
