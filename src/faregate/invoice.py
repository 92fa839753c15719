"""A priced checkout in the terms of EN 16931, the European standard for electronic invoices. Decisions §4."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from faregate.money import MILLION
from faregate.rounding import rdiv
from faregate.tax import VatRate

if TYPE_CHECKING:
    from faregate.money import MinorUnits
    from faregate.totals import CheckoutTotals

__all__ = ["InvoiceTotals", "InvoiceVat", "en16931_totals"]


class InvoiceVat(NamedTuple):
    """One VAT category of the invoice: its rate (BT-119), tax base (BT-116) and tax (BT-117)."""

    rate: VatRate
    base: MinorUnits
    vat: MinorUnits


class InvoiceTotals(NamedTuple):
    """The document totals, by their business term."""

    line_net: MinorUnits
    """BT-106: the sum of the line nets, after the discounts of the lines."""
    allowances: MinorUnits
    """BT-107: always 0, because every discount is shared over the lines."""
    charges: MinorUnits
    """BT-108: the donation."""
    net: MinorUnits
    """BT-109: the total without VAT."""
    vat: MinorUnits
    """BT-110: the total VAT."""
    gross: MinorUnits
    """BT-112: the total with VAT."""
    prepaid: MinorUnits
    """BT-113: what vouchers paid."""
    rounding: MinorUnits
    """BT-114: the difference between the tax the standard demands and the prices that were shown."""
    due: MinorUnits
    """BT-115: what is to be paid."""
    breakdown: tuple[InvoiceVat, ...]
    """BG-23, ascending by rate; the donation stands in the category without tax."""


def en16931_totals(totals: CheckoutTotals, *, due: MinorUnits | None = None) -> InvoiceTotals:
    """Derive the strict view, in which the tax of a category is its base times its rate, rounded.

    A channel that prices gross may differ from that by a minor unit per rate, since not every gross
    amount has a net amount that leads back to it; the standard puts the difference into BT-114, and so
    does it with the rounding of cash: give ``totals.cash_due`` as *due*.

    >>> from faregate.totals import Line, checkout_totals
    >>> totals = checkout_totals([Line(1, unit_price=9999, quantity=1, rate=VatRate.percent(19))])
    >>> invoice = en16931_totals(totals)
    >>> invoice.net, invoice.vat, invoice.rounding, invoice.due
    (8403, 1597, -1, 9999)
    """
    bases = {row.rate: row.net for row in totals.vat_breakdown}
    if totals.donation:
        bases[_UNTAXED] = bases.get(_UNTAXED, 0) + totals.donation
    breakdown = tuple(
        InvoiceVat(rate, base, rdiv(base * rate.parts_per_million, MILLION))
        for rate, base in sorted(bases.items())
    )
    line_net = totals.total_net - totals.donation
    vat = sum(row.vat for row in breakdown)
    gross = totals.total_net + vat
    prepaid = sum(redemption.amount for redemption in totals.vouchers)
    payable = totals.amount_due if due is None else due
    return InvoiceTotals(
        line_net=line_net,
        allowances=0,
        charges=totals.donation,
        net=totals.total_net,
        vat=vat,
        gross=gross,
        prepaid=prepaid,
        rounding=payable - (gross - prepaid),
        due=payable,
        breakdown=breakdown,
    )


_UNTAXED = VatRate(0)
