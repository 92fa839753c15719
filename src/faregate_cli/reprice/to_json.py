"""Repriced orders as JSON: exact amounts in major units."""

from __future__ import annotations

from faregate.insights.what_if import WhatIf
from faregate.money.currency import Currency
from faregate_cli.reprice.groups import OrderSums, RepricedOrders
from faregate_cli.terminal.json_text import Json, json_amounts


def to_json(orders: RepricedOrders) -> dict[str, Json]:
    """Return the sums of all orders and of each group; an unknown amount is null."""
    query = orders.query
    unit = query.rules.currency
    return {
        "currency": unit.code,
        "checkouts": orders.checkouts,
        **_sums(orders.total, unit),
        "unknownCodes": dict(orders.unknown_codes),
        "moreUnknownCodes": orders.more_unknown,
        "returns": orders.returns,
        **_what_if(orders.what_if, unit),
        "by": list(query.groups),
        "groups": [
            {"group": dict(zip(query.groups, key, strict=True)), **_sums(sums, unit)}
            for key, sums in orders.groups.items()
        ],
    }


def _what_if(found: WhatIf | None, unit: Currency) -> dict[str, Json]:
    if found is None:
        return {"expected": None, "breakEven": None}
    even = found.break_even
    return {**json_amounts(found, unit, "expected"), "breakEven": None if even is None else str(even)}


def _sums(sums: OrderSums, unit: Currency) -> dict[str, Json]:
    names = ("list_price", "discount", "old_total", "new_total", "difference")
    return {"lines": sums.lines, **json_amounts(sums, unit, *names)}
