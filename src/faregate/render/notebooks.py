"""IPython formatters registered by type name, so that nothing is imported before it is needed."""

from importlib import import_module
from typing import Protocol

DRAWN = {
    "faregate.checkout.priced": ("PricedCheckout",),
    "faregate.explanations.differences": ("Difference",),
    "faregate.explanations.explanation": ("Explanation",),
    "faregate.gate.price": ("GatePrice",),
    "faregate.insights.comparison": ("PriceComparison",),
    "faregate.insights.distribution": ("PriceDistribution", "PriceInsight"),
    "faregate.insights.what_if": ("WhatIf",),
    "faregate.list_prices.steps": ("ListPrice",),
    "faregate.subscriptions.terms": ("SubscriptionConfiguration",),
    "faregate.totals.pipeline": ("CheckoutTotals",),
    "faregate.trace": ("Trace",),
    "faregate.validity.options": ("SuggestedValidities", "ValidityOptions"),
}
"""The names of the types that ``faregate.render.html`` renders, keyed by module."""


class Formatter(Protocol):
    """An IPython display formatter."""

    def for_type_by_name(self, type_module: str, type_name: str, func: object, /) -> object:
        """Register *func* as the formatter of the type with this module and name."""


def register(formatter: Formatter) -> None:
    """Register ``faregate.render.html``, which is imported on first use, for all types that it renders."""
    for module, names in DRAWN.items():
        for name in names:
            formatter.for_type_by_name(module, name, _drawn)


def _drawn(value: object) -> str:
    drawn: str = import_module("faregate.render.values").html(value)
    return drawn
