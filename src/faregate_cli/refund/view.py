"""A refund quote for the terminal: lines, VAT, means of payment and promo codes, and on request the steps."""

from collections.abc import Callable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from faregate.money.amounts import MinorUnits, format_minor_units
from faregate.refunds import LineRefund, RefundQuote, refund_trace
from faregate.render.wording import instant_label, printable
from faregate_cli.refund.arguments import Refund
from faregate_cli.terminal.amounts import counted
from faregate_cli.terminal.console import STRONG, Trimmed, indented, print_facts, sheet, two_tone

_LABEL, _GAP, _HEAD = 12, 2, 8
"""Widths of the longest label, the space between columns and the longest head of an amount."""

_AMOUNTS: dict[str, Callable[[LineRefund], MinorUnits]] = {
    "Paid": lambda row: row.paid,
    "Repriced": lambda row: row.gross - row.paid,
    "Kept": lambda row: -row.kept_gross,
    "Fee": lambda row: -row.fee,
}


def show(console: Console, refund: Refund) -> None:
    """Print the amounts of a refund quote."""
    _View(console, refund).print_all()


class _View:
    def __init__(self, console: Console, refund: Refund) -> None:
        self.console = console
        self.refund = refund
        self.quote: RefundQuote = refund.quote
        self.unit = refund.currency
        widest = max(map(len, map(self.money, [self.quote.amount, *(-row.paid for row in self.quote.lines)])))
        console.width = max(console.width, _LABEL + 6 * (max(widest, _HEAD) + _GAP))

    def money(self, amount: MinorUnits) -> str:
        return format_minor_units(amount, self.unit)

    def print_all(self) -> None:
        units = sum(len(row.units) for row in self.quote.lines)
        amount = f"refund of {self.money(self.quote.amount)} {self.unit.code}"
        facts = [amount, counted(units, "unit"), instant_label(self.refund.at)]
        print_facts(self.console, facts, style=STRONG)
        parts: list[Table | Text] = [self.lines(), self.vat(), self.payments(), self.codes()]
        if self.refund.is_explained:
            parts.append(self.explanation())
        for part in parts:
            if part if isinstance(part, Text) else part.rows:
                self.console.print()
                self.console.print(Trimmed(part))

    def lines(self) -> Table:
        """Return the lines; kinds of amounts that no line has are left out, and the others add up."""
        rows = self.quote.lines
        heads = [head for head, amount in _AMOUNTS.items() if head == "Paid" or any(map(amount, rows))]
        table = sheet(self.console, "", "Units", *heads, "Refund", is_full_width=False)
        for row in rows:
            amounts = [*(_AMOUNTS[head](row) for head in heads), row.refund]
            table.add_row(f"Line {row.line}", str(len(row.units)), *map(self.money, amounts))
        return table

    def vat(self) -> Table:
        table = sheet(self.console, "VAT", "Net", "Tax", "Gross", is_full_width=False)
        for row in self.quote.vat_breakdown:
            table.add_row(str(row.rate), *map(self.money, row[1:]))
        if self.quote.donation:
            table.add_row("Donation", *map(self.money, (self.quote.donation, 0, self.quote.donation)))
        for row in self.quote.fees:
            table.add_row(f"Fee {row.rate}", *(self.money(-amount) for amount in row[1:]))
        return table

    def payments(self) -> Table:
        table = sheet(self.console, "Paid back with", self.unit.code, is_full_width=False)
        names = [pay.name for pay in self.quote.payments]
        names += [f"Voucher {pay.name}" for pay in self.quote.vouchers]
        for name, pay in zip(names, (*self.quote.payments, *self.quote.vouchers), strict=True):
            table.add_row(printable(name), self.money(pay.amount))
        return table

    def codes(self) -> Text:
        lines = []
        for code in self.quote.codes:
            uses = f" and {counted(code.uses, 'use')}" if code.uses else ""
            lines.append(two_tone(code.code, f"{self.money(code.amount)} of its budget{uses} to give back"))
        return Text("\n").join(lines)

    def explanation(self) -> Table:
        trace = refund_trace(self.quote, currency=self.unit)
        head = Text("Where the refund comes from", STRONG)
        table = sheet(self.console, head, "", self.unit.code, is_full_width=False)
        for figure, line in trace.figures():
            if figure != "refund":
                continue
            table.add_section()
            steps = trace.of(figure, line=line)
            for step in steps:
                label = Text(printable(step.note or step.source or step.rule.value))
                table.add_row(indented(label), self.money(step.amount), "")
            name = "= Refund" if line is None else f"= Line {line}"
            amount = self.money(sum(step.amount for step in steps))
            table.add_row(Text(name, STRONG), "", Text(amount, STRONG))
        return table
