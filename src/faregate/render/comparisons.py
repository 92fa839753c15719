"""Comparisons of price distributions as text and HTML: a sentence, and a table of quantiles and intervals."""

from collections.abc import Sequence
from fractions import Fraction
from html import escape
from textwrap import wrap
from typing import NamedTuple

from faregate.insights.comparison import PriceComparison, PriceInterval, QuantileShift
from faregate.insights.percentiles import Percent
from faregate.money.amounts import MinorUnits, format_amount, format_percent
from faregate.money.currency import Currency
from faregate.money.rounding import round_half_even
from faregate.render.markup import Table, tag

_MEDIAN = 50
_NONE = "–"


class _Row(NamedTuple):
    """A figure in whole minor units; the shift displayed is the difference of the two amounts displayed."""

    name: str
    old: MinorUnits
    new: MinorUnits
    quantile: QuantileShift | None = None

    @property
    def is_clear(self) -> bool:
        return self.quantile is not None and self.quantile.is_clear

    def clause(self, currency: Currency | None) -> str:
        old, new, shift = self.amounts(currency)
        if self.old == self.new:
            return f"{self.name} stayed at {new}"
        return f"{self.name} {'rose' if self.new > self.old else 'fell'} from {old} to {new} ({shift})"

    def amounts(self, currency: Currency | None) -> tuple[str, str, str]:
        shift = self.new - self.old
        old, new, gap = (format_amount(amount, currency) for amount in (self.old, self.new, shift))
        return old, new, f"+{gap}" if shift > 0 else gap

    def cells(self, currency: Currency | None) -> list[str]:
        found = self.quantile
        intervals = (None, None) if found is None else (found.old_interval, found.new_interval)
        return [
            self.name.removeprefix("the "),
            *self.amounts(currency),
            *(_interval(each, currency) for each in intervals),
            "clear" if self.is_clear else "",
        ]


def comparison_sentence(found: PriceComparison, *, currency: Currency | None = None) -> str:
    """Return the shift of each quantile and of the mean, and those that are clear, as text."""
    return _sentence(found, _rows(found), currency)


def comparison_text(found: PriceComparison, *, width: int = 72, currency: Currency | None = None) -> str:
    """Return a sentence, wrapped to *width* columns, and a table as plain text."""
    rows = _rows(found)
    table = [_head(found, currency), *(row.cells(currency) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join([f"{cells[0]:<{widths[0]}}", *map(str.rjust, cells[1:], widths[1:])]).rstrip()
        for cells in table
    ]
    return "\n".join([*wrap(_sentence(found, rows, currency), max(width, 1)), *lines])


def comparison_html(found: PriceComparison, *, currency: Currency | None = None) -> str:
    """Return the sentence and the table as HTML."""
    rows = _rows(found)
    table = Table(_head(found, currency), [row.cells(currency) for row in rows])
    return f"{tag('p', escape(_sentence(found, rows, currency)))}{table.html()}"


def _rows(found: PriceComparison) -> list[_Row]:
    return [
        *(_row(_name(each.percent), each.old, each.new, each) for each in found.quantiles),
        _row("the mean", found.old_mean, found.new_mean),
    ]


def _row(name: str, old: Fraction, new: Fraction, quantile: QuantileShift | None = None) -> _Row:
    return _Row(name, round_half_even(old), round_half_even(new), quantile)


def _head(found: PriceComparison, currency: Currency | None) -> list[str]:
    unit = "minor units" if currency is None else currency.code
    level = _percent(found.confidence)
    return [unit, "Old", "New", "Shift", f"Old, {level} %", f"New, {level} %", ""]


def _sentence(found: PriceComparison, rows: Sequence[_Row], currency: Currency | None) -> str:
    clauses = "; ".join(row.clause(currency) for row in rows)
    clear = [row.name for row in rows if row.is_clear]
    shifts = f"the shift{'' if len(clear) == 1 else 's'} of {_listed(clear)}" if clear else "no shift"
    return (
        f"{clauses[0].upper()}{clauses[1:]}. With {found.old_n} old and {found.new_n} new prices,"
        f" {shifts} {'are' if len(clear) > 1 else 'is'} clear at {_percent(found.confidence)} % confidence."
    )


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _name(percent: Percent) -> str:
    return "the median" if percent == _MEDIAN else f"percentile {_percent(percent)}"


def _percent(percent: Percent) -> str:
    """Return *percent* as a decimal if it has at most four decimals, otherwise as a fraction."""
    parts = 10_000 * Fraction(percent)
    return format_percent(parts.numerator) if parts.denominator == 1 else str(percent)


def _interval(interval: PriceInterval | None, currency: Currency | None) -> str:
    if interval is None:
        return _NONE
    return f"{format_amount(interval.lower, currency)} – {format_amount(interval.upper, currency)}"
