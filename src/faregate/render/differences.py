"""Differences of prices as text and HTML: the steps that changed, and the figures before and after."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from faregate.explanations.differences import Difference, StepDifference
from faregate.money.amounts import MinorUnits, format_amount
from faregate.money.currency import Currency
from faregate.render.markup import MAX_ROWS, Table
from faregate.render.wording import printable
from faregate.trace import StepKind

_FIGURES = {
    "total_gross": "Total with VAT",
    "amount_due": "To pay",
    "cash_due": "In cash",
    "total_vat": "VAT",
    "total_net": "Total without VAT",
}
"""The figures of a basket that are displayed, in this order; of other prices, all figures are displayed."""

_NAMED = {StepKind.AUTOMATIC_DISCOUNT, StepKind.PROMO_CODE}
_NOTHING = "no difference"


class _Row(NamedTuple):
    """A row of the table; ``is_total`` marks figures, ``is_sum`` figures with their steps above them."""

    label: str
    old: MinorUnits
    new: MinorUnits
    is_total: bool = False
    is_sum: bool = False

    def cells(self, currency: Currency | None) -> tuple[str, str, str, str]:
        delta = self.new - self.old
        sign = "+" if delta > 0 else ""
        old, new = format_amount(self.old, currency), format_amount(self.new, currency)
        return self.label, old, new, f"{sign}{format_amount(delta, currency)}"


def _rows(found: Difference) -> Iterator[_Row]:
    """Yield each figure after its changed steps; leave out steps and amounts that were displayed before."""
    seen: set[object] = {(0, 0)}
    for figure, label in _figures(found).items():
        steps = [step for step in _changed(found, figure) if step[1:] not in seen]
        yield from (_Row(_label(step), step.old, step.new) for step in steps)
        rows = found.of(figure)
        amounts = sum(row.old for row in rows), sum(row.new for row in rows)
        if steps or amounts not in seen:
            yield _Row(label, *amounts, is_total=True, is_sum=bool(steps))
        seen |= {amounts, *(step[1:] for step in steps)}


def _figures(found: Difference) -> dict[str, str]:
    figures = {row.figure: _capitalized(row.figure.replace("_", " ")) for row in found.rows}
    return _FIGURES if figures.keys() & _FIGURES.keys() else figures


def _changed(found: Difference, figure: str) -> Sequence[StepDifference]:
    if figure == "total_vat":
        return [row for row in found.by_rule(figure) if row.delta]
    # The total without VAT follows from two figures that are displayed above it.
    return () if figure == "total_net" else found.changes(figure)


def _label(step: StepDifference) -> str:
    rule = "VAT" if step.rule is StepKind.VAT else step.rule.value.replace("_", " ")
    text = step.source if step.rule in _NAMED else f"{rule} {step.source}".rstrip()
    return _capitalized(text) if step.line is None else f"Line {step.line}  {text}"


def _capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


def _head(currency: Currency | None) -> tuple[str, str, str, str]:
    return "minor units" if currency is None else currency.code, "Old", "New", "Difference"


def difference_text(found: Difference, *, width: int = 72, currency: Currency | None = None) -> str:
    """Return the steps that changed and the figures as plain text, *width* columns wide."""
    unit = currency or found.currency
    rows = [*_rows(found)]
    table = [_head(unit), *(row.cells(unit) for row in rows)]
    widths = [max(len(cells[column]) for cells in table) for column in (1, 2, 3)]
    lines = [_text_line(cells, widths, width) for cells in table]
    for index, row in reversed([*enumerate(rows, 1)]):
        if row.is_sum:
            lines.insert(index, "-" * width)
    return "\n".join(lines) if rows else _NOTHING


def _text_line(cells: Sequence[str], widths: Sequence[int], width: int) -> str:
    amounts = "".join(f"  {text:>{size}}" for text, size in zip(cells[1:], widths, strict=True))
    space = max(width - len(amounts), 1)
    return f"{printable(cells[0])[:space]:<{space}}{amounts}"


def difference_html(
    found: Difference, *, currency: Currency | None = None, caption: str | None = None
) -> str:
    """Return the steps that changed and the figures as an HTML table."""
    unit = currency or found.currency
    every = [*_rows(found)]
    rows = [*islice(every, MAX_ROWS)]
    return Table(
        _head(unit),
        [row.cells(unit) for row in rows],
        totals=frozenset(index for index, row in enumerate(rows) if row.is_total),
        caption=(caption or "") if every else _NOTHING,
        size=len(every),
    ).html()
