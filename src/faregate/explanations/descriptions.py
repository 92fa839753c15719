"""Short descriptions of discounts: their names, and their effects as notes of steps and receipts."""

from __future__ import annotations

from typing import assert_never

from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    Bundle,
    BuyXGetY,
    DiscountKind,
    DiscountLevel,
    FixedPrice,
    Percentage,
    PerUnit,
    PromoCode,
)
from faregate.money.amounts import MILLION, format_amount, format_percent
from faregate.money.currency import Currency


def source_name(discount: AutomaticDiscount | PromoCode) -> str:
    """Return the name of a discount as it appears in the steps of a trace."""
    if isinstance(discount, PromoCode):
        return discount.code
    return str(discount.name) or f"automatic discount {discount.id}"


def describe_kind(kind: DiscountKind, *, currency: Currency | None = None) -> str:
    """Return a short description of a discount.

    >>> describe_kind(Percentage.percent("12.5")), describe_kind(BuyXGetY(buy=2, get=1))
    ('12.5 % off', 'buy 2 get 1')
    >>> describe_kind(Absolute(500, DiscountLevel.LINE))
    '500 off each line'
    """
    level = kind.level if isinstance(kind, Absolute | Percentage) else None
    return f"{what_it_takes(kind, currency=currency)}{' each line' if level is DiscountLevel.LINE else ''}"


def what_it_takes(kind: DiscountKind, *, currency: Currency | None = None) -> str:
    """Return a short description of the effect of a discount on a single line.

    >>> what_it_takes(Absolute(500, DiscountLevel.LINE))
    '500 off'
    """
    match kind:
        case Absolute(amount):
            return f"{format_amount(amount, currency)} off"
        case Percentage(parts_per_million=parts):
            return f"{format_percent(parts)} % off"
        case PerUnit(amount):
            return f"{format_amount(amount, currency)} off each unit"
        case FixedPrice(price, 1):
            return f"{format_amount(price, currency)} each"
        case FixedPrice(price, size):
            return f"{size} for {format_amount(price, currency)}"
        case BuyXGetY(buy, get, parts, spread=spread):
            reduced = "" if parts == MILLION else f" at {format_percent(parts)} % off"
            return f"buy {buy} get {get}{reduced}{', shared by all units' if spread else ''}"
        case Bundle(parts=parts, price=price, parts_per_million=percent):
            sizes = " + ".join([str(part.units) for part in parts])
            if price is None:
                return f"{sizes} at {format_percent(percent or 0)} % off"
            return f"{sizes} for {format_amount(price, currency)}"
        case _:
            assert_never(kind)


def effect(discount: AutomaticDiscount | PromoCode, *, currency: Currency | None = None) -> str:
    """Return a short description of the effect of a discount on a line, with any maximum number of units.

    >>> effect(PromoCode(code="TWO", kind=Percentage.percent(50), max_units=2))
    '50 % off, at most 2 units'
    """
    return f"{what_it_takes(discount.kind, currency=currency)}{how_many(discount)}"


def how_many(discount: AutomaticDiscount | PromoCode) -> str:
    """Return the limits on units of *discount*, as they follow a description; empty if it has none."""
    if not isinstance(discount, PromoCode):
        return ""
    most = (discount.max_units, ""), (discount.max_units_per_line, " of each line")
    limits = [f"{count} unit{'s' if count > 1 else ''}{of}" for count, of in most if count is not None]
    return f", at most {' and '.join(limits)}" if limits else ""
