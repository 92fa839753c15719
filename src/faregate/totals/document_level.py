"""Discounts and fees that an invoice states for the whole document instead of its lines. Decisions §4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from faregate.arguments.checks import rows
from faregate.discounts.kinds import normalize_code
from faregate.discounts.promo_codes import AppliedCode
from faregate.errors import InvalidInvoice
from faregate.money.allocation import allocate
from faregate.money.amounts import MinorUnits
from faregate.tax.rates import VatRate
from faregate.totals.pipeline import CheckoutTotals


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentAmount:
    """Net amount of an allowance (BT-92) or charge (BT-99) for the whole invoice, in one VAT category.

    ``source`` is the code or id of the discount, or the key of the line; None for the donation.
    """

    source: str | int | None
    rate: VatRate
    amount: MinorUnits


class DocumentLevel(NamedTuple):
    """Allowances and charges of the document, and the net amount (BT-131) of each other line, by its key."""

    allowances: tuple[DocumentAmount, ...]
    charges: tuple[DocumentAmount, ...]
    lines: tuple[tuple[int, MinorUnits], ...]


def document_level(
    totals: CheckoutTotals, allowances: Collection[str | int], charges: Collection[int]
) -> DocumentLevel:
    """Split the net amounts of *totals*: *allowances* are codes and ids of discounts, *charges* line keys.

    The net discount on a line is shared among its discounts in proportion to their amounts.
    """
    shares = _shares(totals, rows("allowances", allowances, InvalidInvoice, (str, int)))
    fees = set(rows("charges", charges, InvalidInvoice, (int,)))
    _refuse_unknown("charges", fees, {line.key for line in totals.lines}, "lines")
    taken: Counter[tuple[str | int, VatRate]] = Counter()
    lines = []
    for index, line in enumerate(totals.lines):
        weights = [share[index] for share in shares.values()]
        rest = line.auto_discount_amount + line.promo_code_discount - sum(weights)
        *nets, _ = allocate(line.total_discount_net, [*weights, rest])
        taken.update({(source, line.rate): net for source, net in zip(shares, nets, strict=True)})
        lines.append((line, line.total_net + sum(nets)))
    return DocumentLevel(
        tuple(
            [
                DocumentAmount(source=source, rate=rate, amount=net)
                for (source, rate), net in taken.items()
                if net
            ]
        ),
        tuple(
            [DocumentAmount(source=of.key, rate=of.rate, amount=net) for of, net in lines if of.key in fees]
        ),
        tuple([(of.key, net) for of, net in lines if of.key not in fees]),
    )


def _shares(totals: CheckoutTotals, shown: Collection[str | int]) -> dict[str | int, tuple[MinorUnits, ...]]:
    """Return the amounts that the *shown* discounts take off each line, for those that apply."""
    wanted = {normalize_code(source) if isinstance(source, str) else source for source in shown}
    known: set[str | int] = {result.code for result in totals.promo_codes}
    known.update(discount.id for discount in totals.request.automatic)
    _refuse_unknown("allowances", wanted, known, "discounts")
    shares: dict[str | int, tuple[MinorUnits, ...]] = {
        applied.discount.id: applied.shares for applied in totals.auto_discounts
    }
    shares.update({code.code: code.shares for code in totals.promo_codes if isinstance(code, AppliedCode)})
    return {source: amounts for source, amounts in shares.items() if source in wanted}


def _refuse_unknown(name: str, given: Collection[object], known: Collection[object], kind: str) -> None:
    unknown = [source for source in given if source not in known]
    if unknown:
        choices = ", ".join(sorted(map(repr, known))) or "it has none"
        raise InvalidInvoice(f"{name} contains {unknown[0]!r}, expected {kind} of the checkout: {choices}")
