"""A priced checkout as JSON, with the specification's names and exact numbers. Decisions §1.2, §3.7, §5."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, TypeAlias

from faregate.currency import currency
from faregate.discounts import Absolute, BuyXGetY, FixedPrice, Percentage, PerUnit, PromoCode
from faregate.stacking import AppliedCode
from faregate.trace import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime

    from faregate.catalogue import Catalogue, Product, Variant
    from faregate.checkout import CheckoutItem, PricedCheckout
    from faregate.dates import Interval
    from faregate.discounts import AutomaticDiscount, DiscountKind
    from faregate.eligibility import Missing
    from faregate.explain import Explanation
    from faregate.money import MinorUnits
    from faregate.stacking import CodeResult
    from faregate.tax import VatAmount, VatRate
    from faregate.totals import CheckoutTotals, LineTotals
    from faregate.trace import Step

__all__ = ["Json", "json_text", "priced_json"]

Json: TypeAlias = "Mapping[str, Json] | Sequence[Json] | str | int | Decimal | bool | None"
"""What JSON can say; an amount is a ``Decimal`` in major units."""

_ITEM_FIGURES = (
    "list_price_gross",
    "list_price_net",
    "promo_code_discount",
    "auto_discount_amount",
    "total_discount_gross",
    "total_discount_net",
    "total_gross",
    "total_net",
)
_CHECKOUT_FIGURES = (
    *_ITEM_FIGURES[:6],
    "total_subscription_gross",
    "total_subscription_net",
    *_ITEM_FIGURES[6:],
    "amount_due",
    "cash_due",
)


def priced_json(
    priced: PricedCheckout, catalogue: Catalogue, *, at: datetime, explained: Explanation | None = None
) -> Json:
    """Everything about *priced* that pricing decides, and why, where *explained* is given.

    What belongs to a stored checkout only (its id, its expiry, form values, payment) is not there.
    """
    wire = _Wire(priced, catalogue)
    return wire.checkout(at) | ({"explanation": wire.explanation(explained)} if explained else {})


def json_text(value: Json, *, ascii_only: bool = False, indent: str = "") -> str:
    """*value* as JSON text; a number is written out, with neither exponent nor trailing zeros.

    >>> print(json_text({"totalGross": Decimal("49.50"), "items": []}))
    {
      "totalGross": 49.5,
      "items": []
    }
    """
    inner = f"{indent}  "
    if isinstance(value, dict):
        entries = [
            f"{inner}{json.dumps(key, ensure_ascii=ascii_only)}: "
            f"{json_text(entry, ascii_only=ascii_only, indent=inner)}"
            for key, entry in value.items()
        ]
        return _bracketed("{}", entries, indent)
    if isinstance(value, list):
        entries = [f"{inner}{json_text(entry, ascii_only=ascii_only, indent=inner)}" for entry in value]
        return _bracketed("[]", entries, indent)
    if isinstance(value, Decimal):
        return f"{value.normalize():f}"
    return json.dumps(value, ensure_ascii=ascii_only)
