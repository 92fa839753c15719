"""The parts of a price, read from its totals instead of its steps. Decisions §21."""

from collections import Counter
from collections.abc import Iterator
from typing import TypeAlias

from faregate.basket.policy import PriceBasis
from faregate.discounts.promo_codes import AppliedCode
from faregate.totals.pipeline import CheckoutTotals

Part: TypeAlias = tuple[str, int | None, str, str]
"""Figure, line, kind of rule, source."""


def price_parts(totals: CheckoutTotals) -> Counter[Part]:
    """Return the amount of each part of the totals, the VAT and the amounts due; parts of 0 are left out."""
    parts: Counter[Part] = Counter()
    for figures, line, kind, source, amount in _amounts(totals):
        for figure in figures:
            parts[figure, line, kind, source] += amount
    return Counter({part: amount for part, amount in parts.items() if amount})


_GROSS = ("total_gross", "amount_due", "cash_due")


def _amounts(totals: CheckoutTotals) -> Iterator[tuple[tuple[str, ...], int | None, str, str, int]]:
    everywhere = (*_GROSS, "total_net")
    for line in totals.request.lines:
        regular = line.unit_price if line.recurring_price is None else line.recurring_price
        yield everywhere, line.key, "list_price", "", regular * line.quantity
        yield everywhere, line.key, "first_period", "", (line.unit_price - regular) * line.quantity
    for applied in totals.auto_discounts:
        source = str(applied.discount.name) or f"automatic discount {applied.discount.id}"
        for line, share in zip(totals.request.lines, applied.shares, strict=True):
            yield everywhere, line.key, "automatic_discount", source, -share
    for code in totals.promo_codes:
        if isinstance(code, AppliedCode):
            for line, share in zip(totals.request.lines, code.shares, strict=True):
                yield everywhere, line.key, "promo_code", code.code, -share
    in_net = totals.request.policy.price_basis is PriceBasis.NET
    for row in totals.lines:
        vat, source = row.total_gross - row.total_net, str(row.rate)
        yield ("total_vat",), row.key, "vat", source, vat
        yield (_GROSS if in_net else ("total_net",)), row.key, "vat", source, vat if in_net else -vat
    yield everywhere, None, "donation", "", totals.donation
    for paid in totals.vouchers:
        yield ("amount_due", "cash_due"), None, "voucher", paid.voucher.code, -paid.amount
    yield ("cash_due",), None, "cash_rounding", "", totals.cash_due - totals.amount_due
