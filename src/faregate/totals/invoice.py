"""Invoice totals in the terms of EN 16931, the European standard for electronic invoices. Decisions §4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from faregate._values import public_value
from faregate.arguments.checks import require
from faregate.errors import InvalidInvoice, Issue, Issues
from faregate.money.amounts import MILLION, MinorUnits
from faregate.money.rounding import rdiv
from faregate.tax.rates import VatAmount, VatCategory, VatRate, net_from_gross
from faregate.totals.document_level import DocumentAmount, DocumentLevel, document_level
from faregate.totals.pipeline import CheckoutTotals


@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceVat:
    """One VAT category of the invoice, with its tax base (BT-116) and tax (BT-117).

    The rate holds the percentage (BT-119), category (BT-118), reason (BT-120) and reason code (BT-121).
    """

    rate: VatRate
    base: MinorUnits
    vat: MinorUnits


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class InvoiceTotals:
    """The document totals of EN 16931, each with the number of its business term (BT)."""

    line_net: MinorUnits
    """BT-106: the sum of the lines' net amounts, after their discounts."""
    allowances: MinorUnits
    """BT-107: the sum of ``document_allowances``."""
    charges: MinorUnits
    """BT-108: the sum of ``document_charges``."""
    net: MinorUnits
    """BT-109: the total without VAT."""
    vat: MinorUnits
    """BT-110: the total VAT."""
    gross: MinorUnits
    """BT-112: the total with VAT."""
    prepaid: MinorUnits
    """BT-113: the part of the invoiced amount that was paid with multi-purpose vouchers."""
    rounding: MinorUnits
    """BT-114: the rounding, which is ``due - (gross - prepaid)``."""
    due: MinorUnits
    """BT-115: the amount due for payment."""
    breakdown: tuple[InvoiceVat, ...]
    """BG-23: the VAT breakdown, in ascending order of rate, then category."""
    prepaid_goods: tuple[VatAmount, ...]
    """Goods that are not invoiced: they were paid with single-purpose vouchers, which are taxed when sold."""
    outside_scope: MinorUnits
    """The donation, if it is left out of the invoice because it is not a taxable supply; otherwise 0."""
    document_allowances: tuple[DocumentAmount, ...] = ()
    """BG-20: the discounts stated for the whole document, per discount and VAT category."""
    document_charges: tuple[DocumentAmount, ...] = ()
    """BG-21: the lines stated as charges for the whole document, and a donation that has a VAT category."""
    lines: tuple[tuple[int, MinorUnits], ...] = ()
    """BT-131: the key and the net amount of each line; empty if goods were prepaid."""


def en16931_totals(
    totals: CheckoutTotals,
    *,
    due: MinorUnits | None = None,
    donation: VatRate | None = None,
    allowances: Collection[str | int] = (),
    charges: Collection[int] = (),
) -> InvoiceTotals:
    """Return the totals of an EN 16931 invoice; each category's tax is its base times its rate, rounded.

    With gross prices, the invoice may differ from *totals*, since some gross amounts do not result from a net
    amount in minor units. The difference is at most one minor unit per rate if the tax is rounded per rate,
    and can be more if it is rounded per line or unit. It is stated in BT-114, as is the rounding of a cash
    payment; for cash, pass ``totals.cash_due`` as *due*.

    A donation is left out of the invoice unless *donation* gives its rate, which must be 0 %.

    Discounts reduce the lines unless *allowances* contains their promo code or id; then they are stated for
    the whole document. Fees can be stated likewise: *charges* contains the keys of their lines. Neither
    changes the tax or the amount due.

    >>> from faregate import Line, checkout_totals
    >>> totals = checkout_totals([Line(1, unit_price=9999, quantity=1, rate=VatRate.percent(19))])
    >>> invoice = en16931_totals(totals)
    >>> invoice.net, invoice.vat, invoice.rounding, invoice.due
    (8403, 1597, -1, 9999)
    >>> fee = Line(2, unit_price=119, quantity=1, rate=VatRate.percent(19))
    >>> with_fee = en16931_totals(checkout_totals([*totals.request.lines, fee]), charges=[2])
    >>> with_fee.line_net, with_fee.charges, with_fee.net
    (8403, 100, 8503)

    Raises:
        InvalidInvoice: a rate of category E, AE or O has no reason, a category other than S has two reasons,
            O is combined with another category, or the donation is taxed; the error lists every issue.
            *allowances* or *charges* contains a discount or line that the checkout does not have, or is
            combined with goods prepaid by single-purpose vouchers.
    """
    goods, prepaid_goods = _without_prepaid(totals)
    document = _document_level(totals, allowances, charges, is_prepaid=bool(prepaid_goods))
    bases, given = {row.rate: row.net for row in goods}, 0
    if donation is not None:
        _check_untaxed(donation)
        given = totals.donation
        if given:
            bases[donation] = bases.get(donation, 0) + given
            gift = DocumentAmount(source=None, rate=donation, amount=given)
            document = document._replace(charges=(*document.charges, gift))
    Issues(_issues(bases)).check(InvalidInvoice)
    breakdown = tuple(
        InvoiceVat(rate=rate, base=base, vat=rdiv(base * rate.parts_per_million, MILLION))
        for rate, base in sorted(bases.items())
    )
    net, vat = sum(bases.values()), sum(row.vat for row in breakdown)
    prepaid, payable = _payment(totals, sum(row.gross for row in goods) + given, due)
    deducted = sum([row.amount for row in document.allowances])
    charged = sum([row.amount for row in document.charges])
    return InvoiceTotals(
        line_net=net - charged + deducted,
        allowances=deducted,
        charges=charged,
        net=net,
        vat=vat,
        gross=net + vat,
        prepaid=prepaid,
        rounding=payable - (net + vat - prepaid),
        due=payable,
        breakdown=breakdown,
        prepaid_goods=prepaid_goods,
        outside_scope=totals.donation - given,
        document_allowances=document.allowances,
        document_charges=document.charges,
        lines=document.lines,
    )


def _document_level(
    totals: CheckoutTotals, allowances: Collection[str | int], charges: Collection[int], *, is_prepaid: bool
) -> DocumentLevel:
    document = document_level(totals, allowances, charges)
    if not is_prepaid:
        return document
    if document.allowances or document.charges:
        raise InvalidInvoice(
            "expected no document-level allowances or charges, because single-purpose vouchers prepaid "
            "some goods: leave allowances and charges out"
        )
    return document._replace(lines=())


def _payment(
    totals: CheckoutTotals, price: MinorUnits, due: MinorUnits | None
) -> tuple[MinorUnits, MinorUnits]:
    """Return the part of *price* that was paid with multi-purpose vouchers, and the amount due."""
    paid = sum(paid.amount for paid in totals.vouchers if paid.voucher.single_purpose is None)
    prepaid = min(paid, price)
    # A payment for the whole checkout differs from its amount due only by cash rounding.
    return prepaid, price - prepaid + (0 if due is None else due - totals.amount_due)


def _without_prepaid(totals: CheckoutTotals) -> tuple[list[VatAmount], tuple[VatAmount, ...]]:
    """Return the goods to be invoiced and the goods prepaid with single-purpose vouchers, per rate."""
    goods: dict[VatRate, VatAmount] = {}
    for line in totals.lines:
        _, net, _, gross = goods.get(line.rate, (None, 0, 0, 0))
        net, gross = net + line.total_net, gross + line.total_gross
        goods[line.rate] = VatAmount(line.rate, net, gross - net, gross)
    tie, paid = totals.request.policy.tie, _prepaid(totals, goods)
    charged, prepaid = [], []
    for rate, whole in goods.items():
        gross = paid[rate]
        left = whole.gross - gross
        # Neither part may have more net than gross, however the tax was rounded per line or unit.
        base = min(max(net_from_gross(left, rate, tie=tie), whole.net - gross), whole.net)
        if left or not gross:
            charged.append(VatAmount(rate, base, left - base, left))
        if gross:
            net = whole.net - base
            prepaid.append(VatAmount(rate, net, gross - net, gross))
    return charged, tuple(sorted(prepaid))


def _prepaid(totals: CheckoutTotals, goods: dict[VatRate, VatAmount]) -> Counter[VatRate]:
    """Return the gross amount of *goods* that was paid with single-purpose vouchers, per rate.

    A voucher pays for goods taxed at its percentage. At 0 %, these can be of several VAT categories: goods of
    the voucher's category are paid first.
    """
    sold: Counter[VatRate] = Counter()
    for redemption in totals.vouchers:
        if redemption.voucher.single_purpose is not None:
            sold[redemption.voucher.single_purpose] += redemption.amount
    paid = Counter({rate: min(sold[rate], whole.gross) for rate, whole in goods.items()})
    rest: Counter[int] = Counter()
    for own, amount in (sold - paid).items():
        rest[own.parts_per_million] += amount
    for rate in sorted(goods):
        taken = min(goods[rate].gross - paid[rate], rest[rate.parts_per_million])
        paid[rate] += taken
        rest[rate.parts_per_million] -= taken
    return paid


def _check_untaxed(donation: VatRate) -> None:
    require(VatRate, donation, "donation", InvalidInvoice)
    if donation.parts_per_million:
        raise InvalidInvoice(f"expected an untaxed donation, got a rate of {donation}: give a rate of 0 %")


def _issues(rates: Collection[VatRate]) -> Iterator[Issue]:
    """Yield an issue for each EN 16931 rule on VAT categories that an invoice with *rates* would break."""
    groups = Counter(rate.category for rate in rates)
    for rate in sorted(rates):
        if rate.category.needs_reason and not (rate.reason_code or rate.reason):
            yield Issue((), f"category {rate.category} has no reason: give its rate a reason or reason_code")
    for category, count in sorted(groups.items()):
        if category is not VatCategory.S and count > 1:
            yield Issue(
                (), f"category {category} has {count} groups, expected one: give its rates the same reason"
            )
    if VatCategory.O in groups and len(groups) > 1:
        others = " and ".join(sorted(groups.keys() - {VatCategory.O}))
        yield Issue((), f"category O cannot be combined with {others}: use a separate invoice (BR-O-11)")
