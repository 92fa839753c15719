"""The functions ``html``, ``text`` and ``receipt`` for all values that can be rendered.

Values are plain data and do not depend on this module. Notebooks render them automatically
(``faregate.render.notebooks``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch

from faregate.checkout.priced import PricedCheckout
from faregate.explanations.differences import Difference
from faregate.explanations.explanation import Explanation, explain
from faregate.gate.price import GatePrice
from faregate.insights.comparison import PriceComparison
from faregate.insights.distribution import PriceDistribution, PriceInsight
from faregate.insights.what_if import WhatIf
from faregate.list_prices.steps import ListPrice
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency
from faregate.money.currency import currency as known_currency
from faregate.render.calendars import calendar_html, suggestions_html
from faregate.render.comparisons import comparison_html, comparison_text
from faregate.render.differences import difference_html, difference_text
from faregate.render.distributions import distribution_html, distribution_text, insight_html
from faregate.render.receipts import MAX_LINES, MINOR_UNITS, Receipt, receipt_of
from faregate.render.tables import subscription_html, trace_html
from faregate.render.what_ifs import what_if_html, what_if_text
from faregate.render.wording import line_labels
from faregate.subscriptions.terms import SubscriptionConfiguration
from faregate.totals.pipeline import CheckoutTotals
from faregate.trace import Trace
from faregate.validity.options import SuggestedValidities, ValidityOptions

# ---------------------------------------------------------------- receipts


def receipt(
    priced: CheckoutTotals | Explanation | PricedCheckout,
    *,
    currency: Currency | None = None,
    labels: Mapping[int, str] | None = None,
) -> Receipt:
    """Return *priced* as a receipt; *labels* maps line keys to the names displayed.

    Without a *currency*, amounts are in the currency of *priced*, or else in minor units. The lines of a
    ``PricedCheckout`` are named from its catalogue.

    >>> from faregate import Line, VatRate, checkout_totals, explain
    >>> from faregate.money.currency import currency
    >>> totals = checkout_totals([Line(1, 7900, quantity=2, rate=VatRate.percent("8.1"))], donation=200)
    >>> explained = explain(totals, currency=currency("CHF"))
    >>> print(receipt(explained, labels={1: "Day ticket"}).text(width=40))
    Day ticket  2 x 79.00             158.00
    Donation                            2.00
    ----------------------------------------
    Total CHF                         160.00
        VAT 8.1 %  on 146.16           11.84
    """
    if isinstance(priced, Explanation):
        return receipt_of(priced, currency=currency, labels=labels)
    if isinstance(priced, PricedCheckout):
        if labels is None and priced.catalogue is not None:
            labels = line_labels(priced.checkout.items, priced.members, priced.catalogue)
        return receipt(
            priced.totals, currency=currency or known_currency(priced.channel.currency), labels=labels
        )
    return receipt_of(explain(priced, currency=currency or MINOR_UNITS), labels=labels)


# ---------------------------------------------------------------- HTML


@singledispatch
def html(
    value: object,
    *,
    currency: Currency | None = None,
    price: MinorUnits | None = None,
    caption: str | None = None,
) -> str:
    """Return *value* as an HTML fragment: escaped, self-contained, and readable in dark and light themes.

    Amounts are in *currency*, or else in the currency of the value, or else in minor units. *price* is
    marked in a ``PriceDistribution``; *caption* is the caption of a ``Trace`` or ``Difference``.

    >>> html(Trace([])).partition("<table")[2][:17]
    ' class="faregate"'

    Raises:
        TypeError: values of this type cannot be rendered, or do not support an argument that was passed.
    """
    raise TypeError(f"cannot render {type(value).__name__} as HTML: expected {_known(html.registry)}")


@html.register(CheckoutTotals)
@html.register(Explanation)
@html.register(PricedCheckout)
def _(value: CheckoutTotals | Explanation | PricedCheckout, *, currency: Currency | None = None) -> str:
    return receipt(value, currency=currency).shortened(MAX_LINES).html()


@html.register(Receipt)
def _(value: Receipt) -> str:
    return value.shortened(MAX_LINES).html()


@html.register(Trace)
def _(value: Trace, *, caption: str | None = None) -> str:
    unit = "minor units" if value.currency is None else value.currency.code
    return trace_html(value, caption=f"amounts in {unit}" if caption is None else caption)


@html.register(GatePrice)
def _(value: GatePrice) -> str:
    return trace_html(value.trace, caption=f"the price of {value.quantity} at a gate, in {value.currency}")


@html.register(ListPrice)
def _(value: ListPrice) -> str:
    return trace_html(value.trace(), caption="the list price of one unit, in minor units")


@html.register(ValidityOptions)
def _(value: ValidityOptions, *, currency: Currency | None = None) -> str:
    return calendar_html(value.options, currency=currency or value.currency)


@html.register(SuggestedValidities)
def _(value: SuggestedValidities, *, currency: Currency | None = None) -> str:
    return suggestions_html(value, currency=currency or value.currency)


html.register(Difference, difference_html)
html.register(PriceComparison, comparison_html)
html.register(PriceDistribution, distribution_html)
html.register(PriceInsight, insight_html)
html.register(SubscriptionConfiguration, subscription_html)
html.register(WhatIf, what_if_html)

# ---------------------------------------------------------------- text


@singledispatch
def text(value: object, *, width: int = 72, currency: Currency | None = None) -> str:
    """Return *value* as plain text, *width* columns wide, with amounts in the same currency as ``html``.

    >>> print(text(PriceDistribution.from_prices([5900, 6900, 6900]), width=60))
    3 prices, minimum 5900, quartiles 6400, 6900, 6900, maximum
    6900, mean 6567
    5900  ##########################                           1
    6900  ###################################################  2

    Raises:
        TypeError: values of this type cannot be rendered.
    """
    raise TypeError(f"cannot render {type(value).__name__} as text: expected {_known(text.registry)}")


@text.register(CheckoutTotals)
@text.register(Explanation)
@text.register(PricedCheckout)
def _(
    value: CheckoutTotals | Explanation | PricedCheckout, *, width: int = 72, currency: Currency | None = None
) -> str:
    return receipt(value, currency=currency).text(width=width)


text.register(Difference, difference_text)
text.register(PriceComparison, comparison_text)
text.register(PriceDistribution, distribution_text)
text.register(WhatIf, what_if_text)


def _known(registry: Mapping[type, object]) -> str:
    return ", ".join(sorted(kind.__name__ for kind in registry if kind is not object))
