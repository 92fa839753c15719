"""IPython is told by name which values to draw, so that a notebook imports nothing before it shows one."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

DRAWN = {
    "faregate.checkout.priced": ("PricedCheckout",),
    "faregate.explanations.explanation": ("Explanation",),
    "faregate.gate.price": ("GatePrice",),
    "faregate.insights.distribution": ("PriceDistribution", "PriceInsight"),
    "faregate.list_prices.steps": ("ListPrice",),
    "faregate.subscriptions.schedule": ("SubscriptionConfiguration",),
    "faregate.totals.pipeline": ("CheckoutTotals",),
    "faregate.trace": ("Trace",),
    "faregate.validity.options": ("SuggestedValidities", "ValidityOptions"),
}
"""The values that ``faregate.render.html`` draws, by module."""


class Formatter(Protocol):
    """What IPython has for each kind of output."""

    def for_type_by_name(self, type_module: str, type_name: str, func: object, /) -> object:
        """Draw values of a type by *func* from now on."""


def register(formatter: Formatter) -> None:
    """Draw each value by ``faregate.render.html``, which is imported when the first is shown."""
    for module, names in DRAWN.items():
        for name in names:
            formatter.for_type_by_name(module, name, _drawn)


def _drawn(value: object) -> str:
    drawn: str = import_module("faregate.render.values").html(value)
    return drawn
