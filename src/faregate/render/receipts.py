"""Receipts: the rows of an explained checkout as data, text and HTML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from html import escape
from itertools import groupby, takewhile
from textwrap import wrap
from typing import NamedTuple

from faregate.amount_due.vouchers import Redemption
from faregate.basket.policy import PriceBasis
from faregate.discounts.eligibility import REASONS, Shortfall
from faregate.discounts.kinds import AutomaticDiscount, PromoCode
from faregate.discounts.promo_codes import AppliedCode, RejectedCode
from faregate.explanations.descriptions import effect, source_name
from faregate.explanations.explanation import Explanation
from faregate.money.amounts import MinorUnits, format_minor_units
from faregate.money.currency import Currency
from faregate.trace import Step


class RowKind(Enum):
    """The kind of a receipt row."""

    LINE = "line"
    DISCOUNT = "discount"
    FIGURE = "figure"
    TOTAL = "total"
    VAT = "vat"
    REFUSED = "refused"


class ReceiptRow(NamedTuple):
    """A row of a receipt; ``amount`` is signed, in minor units, and ``steps`` explain it."""

    kind: RowKind
    label: str
    amount: MinorUnits | None = None
    note: str = ""
    steps: tuple[Step, ...] = ()


class Receipt(NamedTuple):
    """The rows of a receipt in one currency, displayed as a table in notebooks.

    The amounts of the rows before the first TOTAL add up to the amount of that row.
    """

    rows: tuple[ReceiptRow, ...]
    currency: Currency

    def text(self, *, width: int = 72) -> str:
        """Return the receipt as plain text, *width* columns wide."""
        return "\n".join(line for row in self.rows for line in self._text_rows(row, width))

    def _text_rows(self, row: ReceiptRow, width: int) -> Iterator[str]:
        indent = "    " if row.kind in _INDENTED else ""
        label = f"{indent}{row.label}" + (f"  {row.note}" if row.note else "")
        if row.amount is None:
            yield from wrap(label, width, subsequent_indent="    ")
            return
        if row.kind is RowKind.TOTAL:
            label = f"{label} {self.currency.code}"
        amount = self.amount(row)
        space = max(width - len(amount) - 1, 1)
        if row.kind is RowKind.TOTAL:
            yield "-" * width
        yield f"{label[:space]:<{space}} {amount}".rstrip()

    def amount(self, row: ReceiptRow) -> str:
        """Return the amount of a row in major units; empty if the row has no amount."""
        return "" if row.amount is None else format_minor_units(row.amount, self.currency)

    def html(self) -> str:
        """Return the receipt as an HTML table; clicking a row opens its explanation."""
        body = "".join(self._html_row(row) for row in self.rows)
        head = f'<tr><th scope="col">Receipt</th><th scope="col">{escape(self.currency.code)}</th></tr>'
        return f"{_STYLE}<table class='faregate-receipt'><thead>{head}</thead><tbody>{body}</tbody></table>"

    def _html_row(self, row: ReceiptRow) -> str:
        label = escape(row.label) + (f" <small>{escape(row.note)}</small>" if row.note else "")
        if row.steps:
            steps = "".join(self._html_steps(row.steps))
            label = f"<details><summary>{label}</summary><table>{steps}</table></details>"
        amount = escape(self.amount(row))
        return f"<tr class='{row.kind.value}'><th scope='row'>{label}</th><td>{amount}</td></tr>"

    def _html_steps(self, steps: tuple[Step, ...]) -> Iterator[str]:
        """Yield HTML rows: the steps of each figure and, after them, the sum of all steps so far."""
        running = 0
        for figure, group in groupby(steps, key=lambda step: step.figure):
            for step in group:
                running += step.amount
                yield self._html_step("td", _words(step), step.amount)
            yield self._html_step("th", _FIGURES[figure], running)

    def _html_step(self, cell: str, label: str, amount: MinorUnits) -> str:
        text = format_minor_units(amount, self.currency)
        return f"<tr><{cell}>{escape(label)}</{cell}><td>{escape(text)}</td></tr>"

    def shortened(self, lines: int) -> Receipt:
        """Return the receipt with only its first *lines* lines; one row adds up all other lines."""
        starts = [index for index, row in enumerate(self.rows) if row.kind is RowKind.LINE]
        if len(starts) <= lines:
            return self
        cut, more = starts[lines], len(starts) - lines
        others = [*takewhile(lambda row: row.kind in _OF_LINES, self.rows[cut:])]
        label = f"and {more} more line{'' if more == 1 else 's'}"
        rest = ReceiptRow(RowKind.LINE, label, sum(row.amount or 0 for row in others))
        return self._replace(rows=(*self.rows[:cut], rest, *self.rows[cut + len(others) :]))

    def _repr_html_(self) -> str:
        return self.shortened(MAX_LINES).html()


MAX_LINES = 20
"""Maximum number of receipt lines in a notebook cell."""

MINOR_UNITS = Currency("minor units", 0, cash_increment=1)
"""A placeholder for an unknown currency, with amounts in minor units."""

_OF_LINES = {RowKind.LINE, RowKind.DISCOUNT}
_FIGURES = {"total_gross": "Total with VAT", "total_net": "Total without VAT"}
_INDENTED = {RowKind.DISCOUNT, RowKind.VAT}
_STYLE = (
    "<style>.faregate-receipt{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    ".faregate-receipt th{text-align:left;font-weight:400;padding:.15em 2em .15em 0;vertical-align:top}"
    ".faregate-receipt td{text-align:right;vertical-align:top;padding:.15em 0}"
    ".faregate-receipt thead th{font-weight:700;border-bottom:1px solid}"
    ".faregate-receipt thead th+th{text-align:right;padding-right:0}"
    ".faregate-receipt .discount th,.faregate-receipt .vat th"
    "{padding-left:1.5em}"
    ".faregate-receipt .line th,.faregate-receipt .total th,.faregate-receipt .total td{font-weight:700}"
    ".faregate-receipt .total th,.faregate-receipt .total td{border-top:1px solid}"
    ".faregate-receipt .refused,.faregate-receipt .vat,.faregate-receipt small{opacity:.75}"
    ".faregate-receipt summary{cursor:pointer}"
    ".faregate-receipt details table{margin:.2em 0 .5em 1.2em;font-size:.9em}"
    ".faregate-receipt details td:first-child,.faregate-receipt details th"
    "{text-align:left;font-weight:400;padding-right:2em}"
    ".faregate-receipt details th,.faregate-receipt details th+td{border-top:1px solid}</style>"
)


def receipt_of(
    explained: Explanation, *, currency: Currency | None = None, labels: Mapping[int, str] | None = None
) -> Receipt:
    """Return *explained* as a receipt; *labels* maps line keys to the names displayed.

    Without a *currency*, amounts are in the currency of the explanation, or else in minor units.
    """
    unit = currency or explained.trace.currency or MINOR_UNITS
    layout = _Layout(explained, unit, labels or {})
    return Receipt(tuple(layout.rows()), unit)


class _Layout:
    def __init__(self, explained: Explanation, currency: Currency, labels: Mapping[int, str]) -> None:
        self.explained = explained
        self.totals = explained.totals
        self.currency = currency
        self.labels = labels
        in_net = self.totals.request.policy.price_basis is PriceBasis.NET
        self.basis = "net" if in_net else "gross"
        codes = [result for result in self.totals.promo_codes if isinstance(result, AppliedCode)]
        codes.sort(key=lambda code: code.position)
        self.discounts: list[tuple[AutomaticDiscount | PromoCode, tuple[MinorUnits, ...]]] = [
            *((applied.discount, applied.shares) for applied in self.totals.auto_discounts),
            *((code.promo_code, code.shares) for code in codes),
        ]

    def rows(self) -> Iterator[ReceiptRow]:
        for index, row in enumerate(self.totals.lines):
            yield from self._line(row.key, index)
        yield from self._totals()
        yield from self._payment()
        for refused in self.explained.refused:
            yield ReceiptRow(RowKind.REFUSED, f"{refused.code} not applied", note=self._why(refused))

    def _line(self, key: int, index: int) -> Iterator[ReceiptRow]:
        trace, total = self.explained.trace, f"total_{self.basis}"
        steps, listed = trace.of(total, line=key), trace.of(f"list_price_{self.basis}", line=key)
        label = self.labels.get(key, f"Line {key}")
        other = trace.of(f"total_{'gross' if self.basis == 'net' else 'net'}", line=key)
        price = sum(step.amount for step in listed)
        yield ReceiptRow(RowKind.LINE, label, price, listed[-1].note, (*steps, *other[1:]))
        for discount, shares in self.discounts:
            if shares[index]:
                note = effect(discount, currency=self.currency)
                yield ReceiptRow(RowKind.DISCOUNT, source_name(discount), -shares[index], note)

    def _totals(self) -> Iterator[ReceiptRow]:
        totals, money = self.totals, self.currency
        if totals.donation:
            yield ReceiptRow(RowKind.FIGURE, "Donation", totals.donation)
        if self.basis == "net":
            yield ReceiptRow(RowKind.TOTAL, "Total without VAT", totals.total_net)
        else:
            yield ReceiptRow(RowKind.TOTAL, "Total", totals.total_gross)
        for row in totals.vat_breakdown:
            yield ReceiptRow(
                RowKind.VAT, f"VAT {row.rate}", row.vat, f"on {format_minor_units(row.net, money)}"
            )
        if self.basis == "net":
            yield ReceiptRow(RowKind.TOTAL, "Total with VAT", totals.total_gross)

    def _payment(self) -> Iterator[ReceiptRow]:
        totals, money = self.totals, self.currency
        for redemption in totals.vouchers:
            note = voucher_note(redemption, money)
            yield ReceiptRow(RowKind.FIGURE, f"Voucher {redemption.voucher.code}", -redemption.amount, note)
        if totals.vouchers:
            yield ReceiptRow(RowKind.TOTAL, "To pay", totals.amount_due)
        step = totals.request.policy.cash_increment
        if step > 1:
            note = f"to the nearest {format_minor_units(step, money)}"
            yield ReceiptRow(RowKind.FIGURE, "In cash", totals.cash_due, note)

    def _why(self, refused: RejectedCode) -> str:
        return f"{REASONS[refused.reason]}{self._missing(refused.missing)}"

    def _missing(self, missing: Shortfall | None) -> str:
        if missing is None:
            return ""
        if missing.until is not None:
            return f", from {missing.until.isoformat()}"
        wanted = []
        if missing.spend:
            wanted.append(f"{format_minor_units(missing.spend, self.currency)} {self.currency.code}")
        if missing.quantity:
            wanted.append(f"{missing.quantity} more unit{'s' if missing.quantity > 1 else ''}")
        return f", {' and '.join(wanted)} missing"


def voucher_note(redemption: Redemption, currency: Currency) -> str:
    """Return a note with the remaining balance of a voucher or, if it pays nothing, the reason."""
    if redemption.amount:
        left = redemption.balance_left
        return f"{format_minor_units(left, currency)} left" if left else "used up"
    return f"pays nothing: {REASONS[redemption.reason]}" if redemption.reason else "pays nothing"


def _words(step: Step) -> str:
    rule = step.rule.value.replace("_", " ")
    return " ".join(part for part in (rule, step.source, f"({step.note})" if step.note else "") if part)
