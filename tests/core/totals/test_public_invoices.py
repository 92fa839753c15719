"""The public example invoices of EN 16931, priced from their lines to the last cent. SOURCES.md names them.

A row of ``public_invoices.txt`` has the facts of one invoice or of several alike: lines (BT-131), allowances
(BT-92) and charges (BT-99) of the document, each ``amount @rate`` or ``amount @category``; the VAT breakdown
(base, rate, tax); the totals BT-106, 107, 108, 109, 110, 112, 113, 114 and 115; and "matches" or what the
invoice needs. A line below 0 is read as a discount on the other lines of its rate, a document whose amounts
are below 0 ("reversed") with its signs reversed, and a prepayment as a voucher.
"""

from collections import Counter
from decimal import Decimal
from pathlib import Path

import pytest

from faregate.amount_due.vouchers import Voucher
from faregate.basket.lines import Line
from faregate.basket.policy import PriceBasis, TotalsPolicy
from faregate.discounts.kinds import Absolute, PromoCode, Scope
from faregate.errors import FaregateError
from faregate.tax.rates import VatRate
from faregate.totals.invoice import InvoiceTotals, en16931_totals
from faregate.totals.pipeline import checkout_totals

NET = TotalsPolicy(price_basis=PriceBasis.NET)
CURRENCIES = {"HUF": 1}  # its invoice is in whole forints
TABLE = Path(__file__).with_name("public_invoices.txt").read_text(encoding="utf-8").splitlines()
ROWS = [[cell.strip() for cell in row.split("|")] for row in TABLE if not row.startswith("#")]


class Facts:
    """The facts of one row, in minor units."""

    def __init__(self, row: list[str]) -> None:
        currency, self.sources, lines, allowances, charges, breakdown, totals, self.need = row
        self.unit = CURRENCIES.get(currency, 100)
        self.lines, self.allowances, self.charges = map(self._listed, (lines, allowances, charges))
        self.breakdown = sorted(self._group(cell) for cell in breakdown.split(", ") if cell)
        self.totals = tuple(map(self.minor, totals.split()))

    def minor(self, amount: str) -> int:
        scaled = Decimal(amount) * self.unit
        if scaled != int(scaled):
            raise ValueError(f"{amount} has a fraction of a minor unit")
        return int(scaled)

    def _listed(self, cell: str) -> list[tuple[int, int, str]]:
        """Return the quantity, unit price and rate of each line; an allowance or charge is a single unit."""
        found = []
        for text in filter(None, cell.split(", ")):
            amount, _, rate = text.rpartition(" @")
            quantity, _, price = amount.rpartition(" x ")
            found.append((int(quantity or 1), self.minor(price), rate))
        return found

    def _group(self, cell: str) -> tuple[str, int, int]:
        base, rate, vat = cell.split()
        return rate.removeprefix("@"), self.minor(base), self.minor(vat)


def rate_of(said: str) -> VatRate:
    if said[0].isdigit():
        return VatRate.percent(said)
    return VatRate(parts_per_million=0, category=said, reason="" if said == "Z" else "as invoiced")  # type: ignore[arg-type]


def invoice_of(facts: Facts) -> InvoiceTotals:
    goods = [row for row in facts.lines if row[1] >= 0]
    sold = [*goods, *facts.charges]
    lines = [Line(key, price, quantity, rate_of(rate)) for key, (quantity, price, rate) in enumerate(sold, 1)]

    def code(name: str, amount: int, rate: str, among: int) -> PromoCode:
        keys = frozenset(key for key, row in enumerate(sold[:among], 1) if row[2] == rate)
        if sum(sold[key - 1][0] * sold[key - 1][1] for key in keys) < amount:
            raise ValueError(f"no lines at {rate} for a deduction of {amount}")
        return PromoCode(
            code=name, kind=Absolute(amount), scope=Scope(lines=keys), lane=int(among == len(sold))
        )

    below_0 = [row for row in facts.lines if row[1] < 0]
    credited = [code(f"LINE{n}", -row[0] * row[1], row[2], len(goods)) for n, row in enumerate(below_0)]
    deducted = [code(f"A{n}", row[1], row[2], len(sold)) for n, row in enumerate(facts.allowances)]
    prepaid, rounding = facts.totals[6:8]
    totals = checkout_totals(
        lines,
        promo_codes=[*credited, *deducted],
        vouchers=[Voucher(code="PREPAID", balance=prepaid)] if prepaid else [],
        policy=NET,
    )
    return en16931_totals(
        totals,
        due=totals.amount_due + rounding,
        allowances=[deduction.code for deduction in deducted],
        charges=range(len(goods) + 1, len(sold) + 1),
    )


def said(rate: VatRate) -> str:
    return str(rate).removesuffix(" %") if rate.parts_per_million else str(rate.category)


def agrees(facts: Facts) -> bool:
    """Return True if every business term of the invoice is computed with tolerance 0."""
    try:
        found = invoice_of(facts)
    except (FaregateError, ValueError):
        return False
    terms = (found.line_net, found.allowances, found.charges, found.net, found.vat, found.gross)
    groups = sorted((said(row.rate), row.base, row.vat) for row in found.breakdown)
    return (*terms, found.prepaid, found.rounding, found.due) == facts.totals and groups == facts.breakdown


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[1].split(",")[0])
def test_the_table_says_which_invoices_match(row: list[str]) -> None:
    facts = Facts(row)

    assert agrees(facts) is (facts.need == "matches")


def test_most_invoices_with_lines_match() -> None:
    facts = [Facts(row) for row in ROWS]
    counts = Counter({"all": 0, "matches": 0})
    for row in facts:
        if row.lines:
            invoices = len(row.sources.split(", "))
            counts["all"] += invoices
            counts["matches"] += invoices * (row.need == "matches")

    assert counts == {"all": 210, "matches": 186}  # 88.6 %
