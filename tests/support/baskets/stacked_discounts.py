"""Automatic discounts and codes in short notation, and their results in a checkout."""

from typing import Any

from faregate.basket.lines import Line
from faregate.discounts.kinds import (
    Absolute,
    AutomaticDiscount,
    DiscountKind,
    DiscountLevel,
    Percentage,
    PromoCode,
    Scope,
    UnknownCode,
)
from faregate.discounts.promo_codes import AppliedCode
from faregate.totals.pipeline import CheckoutTotals
from support.shops.small_shop import UNTAXED

HUNDRED = [Line(1, 10_000, 1, UNTAXED)]
Entered = PromoCode | UnknownCode


def of_lines(*keys: int) -> Scope:
    return Scope(lines=frozenset(keys))


def automatic(
    number: int, kind: DiscountKind, *keys: int, priority: int = 0, max_amount: int | None = None
) -> AutomaticDiscount:
    return AutomaticDiscount(
        id=number, kind=kind, scope=of_lines(*keys), priority=priority, max_amount=max_amount
    )


def winners(totals: CheckoutTotals) -> list[tuple[int | None, int]]:
    """Return the id and amount of the automatic discount of each line."""
    return [
        (None if line.auto_discount is None else line.auto_discount.id, line.auto_discount_amount)
        for line in totals.lines
    ]


def off(amount: int) -> Absolute:
    """Return an absolute discount per line."""
    return Absolute(amount, DiscountLevel.LINE)


def code(name: str, kind: DiscountKind, **options: Any) -> PromoCode:
    return PromoCode(code=name, kind=kind, **options)


def applied(totals: CheckoutTotals) -> list[tuple[str, int]]:
    """Return the valid codes in the order applied, each with its discount."""
    valid = [result for result in totals.promo_codes if isinstance(result, AppliedCode)]
    return [
        (result.code, result.total_amount) for result in sorted(valid, key=lambda result: result.position)
    ]


TEN_OFF = code("TEN", Absolute(1000))
QUARTER = code("QUARTER", Percentage.percent(25), lane=1)
