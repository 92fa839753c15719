"""Repriced orders as JSON: exact amounts in major units."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faregate.money.currency import Currency
    from faregate_cli.json_text import Json
    from faregate_cli.reprice.groups import Repriced, Sums

__all__ = ["reprice_json"]


def reprice_json(found: Repriced) -> dict[str, Json]:
    """The sums of all orders and of each group; what is not known is null."""
    asked = found.inquiry
    unit = asked.rules.currency
    return {
        "currency": unit.code,
        "checkouts": found.checkouts,
        **_sums(found.total, unit),
        "unknownCodes": dict(found.unknown_codes),
        "moreUnknownCodes": found.more_unknown,
        "by": list(asked.groups),
        "groups": [
            {"group": dict(zip(asked.groups, key, strict=True)), **_sums(sums, unit)}
            for key, sums in found.groups.items()
        ],
    }


def _sums(sums: Sums, unit: Currency) -> dict[str, Json]:
    return {
        "lines": sums.lines,
        "listPrice": _amount(sums.list_price, unit),
        "discount": _amount(sums.discount, unit),
        "oldTotal": _amount(sums.old, unit),
        "newTotal": _amount(sums.new, unit),
        "difference": _amount(sums.difference, unit),
    }


def _amount(amount: int | None, unit: Currency) -> Decimal | None:
    return None if amount is None else Decimal(amount).scaleb(-unit.exponent)
