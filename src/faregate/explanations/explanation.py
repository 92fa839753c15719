"""Explanations: the rule behind every minor unit of a priced checkout.

Pricing records no steps; they are computed on demand, with the functions that priced the checkout. They add
up to each figure of the checkout and of its lines.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from faregate._values import public_value
from faregate.discounts.kinds import AutomaticDiscount, PromoCode
from faregate.discounts.promo_codes import RejectedCode
from faregate.explanations.descriptions import source_name
from faregate.explanations.steps import PassedOver, Replay
from faregate.money.currency import Currency
from faregate.totals.pipeline import CheckoutTotals
from faregate.trace import Trace


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Explanation of the price of a checkout.

    ``trace.amount(figure, line=key)`` equals the figure of the line and ``trace.amount(figure)`` the figure
    of the checkout, for every figure of ``LineTotals`` and ``CheckoutTotals``. ``refused`` has the promo
    codes that do not apply, and ``passed_over`` the automatic discounts that apply but are best on no line.
    """

    totals: CheckoutTotals
    trace: Trace
    refused: tuple[RejectedCode, ...]
    passed_over: tuple[PassedOver, ...]


def explain(
    totals: CheckoutTotals,
    *,
    currency: Currency | None = None,
    name: Callable[[AutomaticDiscount | PromoCode], str] = source_name,
) -> Explanation:
    """Return a step-by-step explanation of *totals*; *currency* and *name* affect only the wording.

    >>> from faregate import Line, Percentage, PromoCode, VatRate, checkout_totals
    >>> totals = checkout_totals(
    ...     [Line(1, unit_price=1999, quantity=1, rate=VatRate.percent("8.1"))],
    ...     promo_codes=[PromoCode(code="TEN", kind=Percentage.percent(25))],
    ... )
    >>> for step in explain(totals).trace.of("total_gross", line=1):
    ...     print(step.rule.value, step.source, step.amount)
    list_price  1999
    promo_code TEN -500

    Raises:
        InvalidLines: the totals have other lines than their request, as after ``with_parts``.
    """
    replay = Replay(totals, currency, name)
    return Explanation(
        totals=totals,
        trace=Trace(replay.steps(), currency=currency),
        refused=tuple([result for result in totals.promo_codes if isinstance(result, RejectedCode)]),
        passed_over=tuple(replay.passed_over()),
    )


def checkout_trace(
    totals: CheckoutTotals,
    *,
    currency: Currency | None = None,
    name: Callable[[AutomaticDiscount | PromoCode], str] = source_name,
) -> Trace:
    """Return the steps behind the checkout's own figures: those of ``explain`` whose ``line`` is None."""
    return Trace(Replay(totals, currency, name).checkout_steps(), currency=currency)


def item_trace(
    totals: CheckoutTotals,
    members: Sequence[Sequence[int]],
    *,
    currency: Currency | None = None,
    name: Callable[[AutomaticDiscount | PromoCode], str] = source_name,
) -> Trace:
    """Return the steps behind the totals of each item; the ``line`` of a step is the item id.

    *members* lists the item ids of each line, as in the result of ``pricing_lines``.

    >>> from faregate import Absolute, Line, PromoCode, VatRate, checkout_totals, pricing_lines
    >>> item = Line(key=1, unit_price=1000, quantity=1, rate=VatRate.percent("8.1"))
    >>> joined = pricing_lines([item, item._replace(key=2), item._replace(key=3)])
    >>> totals = checkout_totals(joined.lines, promo_codes=[PromoCode(code="TEN", kind=Absolute(1000))])
    >>> for step in item_trace(totals, joined.members).of("total_gross", line=1):
    ...     print(step.rule.value, step.source, step.amount, step.note)
    list_price  1000 1 x 1000
    promo_code TEN -334 1000 off: 1000 over 3 items
    """
    return Trace(Replay(totals, currency, name).item_steps(members), currency=currency)
