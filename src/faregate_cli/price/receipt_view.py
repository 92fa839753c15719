"""A receipt for the terminal: the price of each line and of the checkout, and the refused codes.

List prices and discounts are in an inner column. The outer column has the price of each line after its
discounts; these prices add up to the total.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from rich.console import Console
from rich.table import Table
from rich.text import Text

from faregate.basket.policy import PriceBasis, SubscriptionBasis
from faregate.money.amounts import MinorUnits, format_minor_units
from faregate.render.receipts import ReceiptRow, RowKind, voucher_note
from faregate.render.wording import instant_label
from faregate_cli.price.priced_basket import PricedBasket
from faregate_cli.subscriptions.view import rule_label, terms_labels
from faregate_cli.terminal.console import (
    GIVEN,
    QUIET,
    REFUSED,
    STRONG,
    Trimmed,
    indented,
    packed,
    separator,
    sheet,
    two_tone,
)

_MIN_WIDTH_FOR_QUANTITIES = 46


def print_receipt(console: Console, basket: PricedBasket) -> None:
    """Print the lines, the totals, the VAT breakdown and the refused codes."""
    rows = basket.receipt.rows
    title = two_tone(basket.priced.channel.name, instant_label(basket.ordered_at), style=STRONG)
    console.print(Trimmed(title))
    parts = (
        _Sheet(console, basket).filled(rows),
        _vat_table(console, basket),
        _subscription(console, basket),
        _refused(rows),
    )
    for part in parts:
        if part is not None:
            console.print()
            console.print(Trimmed(part))


class _Sheet:
    def __init__(self, console: Console, basket: PricedBasket) -> None:
        self.totals = basket.priced.totals
        self.policy = basket.priced.channel.policy
        self.currency = basket.currency
        self.in_net = self.policy.price_basis is PriceBasis.NET
        self.discount = self.totals.total_discount_net if self.in_net else self.totals.total_discount_gross
        self.has_quantities = console.width >= _MIN_WIDTH_FOR_QUANTITIES + 2 * basket.amount_width
        self.table = sheet(
            console,
            "Prices without VAT" if self.in_net else "",
            "",
            "Price" if self.discount else "",
            self.currency.code,
        )

    def filled(self, rows: Iterable[ReceiptRow]) -> Table:
        for line, discounts in _grouped(rows):
            self._line(line, discounts)
        if self.totals.donation:
            self._row("Donation", outer=self.totals.donation)
        self.table.add_section()
        self._discounts()
        self._total()
        self._payment()
        return self.table

    def _line(self, line: ReceiptRow, discounts: list[ReceiptRow]) -> None:
        amounts = [row.amount or 0 for row in (line, *discounts)]
        lefts = [None] * len(discounts) + [sum(amounts)]
        inner = amounts[0] if self.discount else None
        self._row(line.label, quantity=line.note, inner=inner, outer=lefts[0])
        for row, left in zip(discounts, lefts[1:], strict=True):
            self._row(row.label, note=row.note, inner=row.amount, outer=left, style=GIVEN, is_detail=True)

    def _discounts(self) -> None:
        totals = self.totals
        if self.discount:
            self._row("List price", inner=totals.list_price_net if self.in_net else totals.list_price_gross)
        for label, amount in (
            ("Automatic discounts", totals.auto_discount_amount),
            ("Promo codes", totals.promo_code_discount),
        ):
            if amount:
                self._row(label, inner=-amount, style=GIVEN)

    def _total(self) -> None:
        totals = self.totals
        if self.in_net:
            self._row("Total without VAT", outer=totals.total_net)
            for row in filter(attrgetter("vat"), totals.vat_breakdown):
                self._row(f"VAT {row.rate}", note=f"on {self._money(row.net)}", outer=row.vat)
        self._row("Total", outer=totals.total_gross, style=STRONG)
        if totals.total_subscription_gross:
            basis = self.policy.subscription_basis is SubscriptionBasis.RECURRING
            label = "Subscriptions, each later period" if basis else "of which subscriptions, first period"
            self._row(label, inner=totals.total_subscription_gross, style=QUIET)

    def _payment(self) -> None:
        totals = self.totals
        for redemption in totals.vouchers:
            note = voucher_note(redemption, self.currency)
            label = f"Voucher {redemption.voucher.code}"
            self._row(label, note=note, outer=-redemption.amount, style=GIVEN)
        if totals.vouchers:
            self._row("To pay", outer=totals.amount_due, style=STRONG)
        if self.policy.cash_increment > 1:
            step = f"to the nearest {self._money(self.policy.cash_increment)}"
            self._row("In cash", note=step, outer=totals.cash_due)

    def _row(
        self,
        label: str,
        *,
        note: str = "",
        quantity: str = "",
        inner: MinorUnits | None = None,
        outer: MinorUnits | None = None,
        style: str = "",
        is_detail: bool = False,
    ) -> None:
        text = two_tone(label, note, style=style)
        if quantity and not self.has_quantities:
            text.append(f"\n  {quantity}", QUIET)
        self.table.add_row(
            indented(text) if is_detail else text,
            Text(quantity if self.has_quantities else "", QUIET),
            Text(self._money(inner), style),
            Text(self._money(outer), "" if is_detail else style),
        )

    def _money(self, amount: MinorUnits | None) -> str:
        return "" if amount is None else format_minor_units(amount, self.currency)


def _grouped(rows: Iterable[ReceiptRow]) -> list[tuple[ReceiptRow, list[ReceiptRow]]]:
    groups: list[tuple[ReceiptRow, list[ReceiptRow]]] = []
    for row in rows:
        if row.kind is RowKind.LINE:
            groups.append((row, []))
        elif row.kind is RowKind.DISCOUNT:
            groups[-1][1].append(row)
    return groups


def _vat_table(console: Console, basket: PricedBasket) -> Table | None:
    totals = basket.priced.totals
    if not totals.vat_breakdown:
        return None
    table = sheet(console, "VAT", "Net", "Tax", "Gross", is_full_width=False)

    def add(label: str, net: MinorUnits, vat: MinorUnits, gross: MinorUnits) -> None:
        table.add_row(label, *(format_minor_units(part, basket.currency) for part in (net, vat, gross)))

    for row in totals.vat_breakdown:
        add(str(row.rate), *row[1:])
    if totals.donation:
        add("Donation", totals.donation, 0, totals.donation)
    if len(table.rows) > 1:
        table.add_section()
        vat = totals.total_gross - totals.total_net
        add("Total", totals.total_net, vat, totals.total_gross)
    for row in totals.prepaid:
        add(f"{row.rate} taxed when sold", row.net, row.vat, row.gross)
    return table


def _subscription(console: Console, basket: PricedBasket) -> Text | None:
    configuration = basket.priced.subscription
    if configuration is None:
        return None
    facts = [f"Subscription: {rule_label(configuration.rule)}", *terms_labels(configuration)]
    return packed(facts, separator(console), width=console.width)


def _refused(rows: Iterable[ReceiptRow]) -> Text | None:
    refused = [row for row in rows if row.kind is RowKind.REFUSED]
    if not refused:
        return None
    return Text("\n").join(two_tone(row.label, row.note, style=REFUSED) for row in refused)
