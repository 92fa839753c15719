"""Bridges from one amount to another, with a bar for each change; also for the parts of a price."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import NamedTuple

from matplotlib.axes import Axes

from faregate.arguments.checks import require, rows
from faregate.errors import CurrencyMismatch, InvalidAmount, InvalidInput
from faregate.explanations.differences import StepDifference, difference
from faregate.explanations.explanation import Explanation
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency, as_currency
from faregate.plot import sizes
from faregate.plot.drawing import (
    HATCH,
    Bar,
    amount_text,
    canvas,
    draw_bars,
    entitle,
    show_amounts,
    signed_text,
    text_width,
    tick_room,
    tidy,
    write_beside,
)
from faregate.plot.palettes import Palette, Style
from faregate.trace import StepKind

FEWEST_STEPS, MOST_STEPS = 2, 40
_LABEL_WIDTH = 30
_TRUNCATED_ABOVE = 20
"""The axis begins at 0 unless all totals exceed their range by this factor."""


def amount_bridge(
    steps: Iterable[tuple[str, MinorUnits]],
    *,
    currency: Currency | str,
    ax: Axes | None = None,
    title: str = "From old to new",
    style: Style | str = "light",
) -> Axes:
    """Draw a bridge: the total at the start, a bar for each change, and the total at the end.

    *steps* are labels with amounts in minor units; the first and the last are the totals. The axis begins at
    0 or, if the changes are small compared to the totals, at an amount that its label states.

    >>> from faregate.plot import alt_text
    >>> steps = [("Sold", 38545), ("Day tickets", -5705), ("Rental", 450), ("Repriced", 33290)]
    >>> alt_text(amount_bridge(steps, currency="CHF")).partition(". ")[2]
    'Sold CHF 385.45; Day tickets CHF −57.05; Rental CHF +4.50; Repriced CHF 332.90.'

    Raises:
        InvalidInput: *steps* is not a list of pairs of a string and an int, or has fewer than 2 or more than
            40 of them.
        InvalidAmount: start and changes do not add up to the end.
    """
    unit, found = as_currency(currency), _checked(steps)
    ax, palette = canvas(ax, sizes.in_rows(len(found)), style)
    bars = _rows(found, unit)
    _draw(ax, bars, unit, palette)
    parts = "; ".join(f"{row.label} {unit.code} {row.text}" for row in bars)
    entitle(ax, title, palette, alt=f"{parts}.")
    return ax


def price_waterfall(
    explanation: Explanation,
    *,
    currency: Currency | str,
    ax: Axes | None = None,
    title: str = "Parts of the price",
    style: Style | str = "light",
) -> Axes:
    """Draw the parts of a checkout's gross total: list price, tax if prices are net, discounts, donation.

    >>> from faregate import Line, Percentage, PromoCode, VatRate, checkout_totals, explain
    >>> from faregate.plot import alt_text
    >>> line = Line(1, unit_price=7900, quantity=2, rate=VatRate.percent("8.1"))
    >>> ten = PromoCode(code="TEN", kind=Percentage.percent(10))
    >>> explained = explain(checkout_totals([line], promo_codes=[ten], donation=200))
    >>> alt_text(price_waterfall(explained, currency="CHF")).partition(". ")[2]
    'List price CHF 158.00; Promo code TEN CHF −15.80; Donation CHF +2.00; Total CHF 144.20.'

    Raises:
        InvalidInput: *explanation* is not an explanation.
        CurrencyMismatch: *currency* is not that of the explanation.
    """
    require(Explanation, explanation, "explanation", InvalidInput)
    stated, unit = explanation.trace.currency, as_currency(currency)
    if stated is not None and stated.code != unit.code:
        raise CurrencyMismatch(expected=stated.code, actual=unit.code)
    parts = difference(explanation, explanation).by_rule("total_gross")
    listed = sum(part.new for part in parts if part.rule is StepKind.LIST_PRICE)
    others = [(_label(part), part.new) for part in parts if part.rule is not StepKind.LIST_PRICE and part.new]
    steps = [("List price", listed), *others, ("Total", explanation.totals.total_gross)]
    return amount_bridge(steps, currency=unit, ax=ax, title=title, style=style)


def _label(part: StepDifference) -> str:
    rule = "VAT" if part.rule is StepKind.VAT else part.rule.value.replace("_", " ").capitalize()
    return part.source if part.rule is StepKind.AUTOMATIC_DISCOUNT else f"{rule} {part.source}".strip()


def _checked(given: Iterable[tuple[str, MinorUnits]]) -> Sequence[tuple[str, MinorUnits]]:
    steps = rows("steps", given, InvalidInput)
    if not FEWEST_STEPS <= len(steps) <= MOST_STEPS:
        expected = f"expected from {FEWEST_STEPS} to {MOST_STEPS} steps"
        raise InvalidInput(f"{expected}, got {len(steps)}{': add up small changes' if steps[1:] else ''}")
    for step in steps:
        require(tuple[str, int], step, "a step", InvalidInput)
    total, (label, end) = sum(amount for _, amount in steps[:-1]), steps[-1]
    if total != end:
        raise InvalidAmount(f"steps: start and changes add up to {total}, but {label!r} is {end}")
    return steps


# ---------------------------------------------------------------- drawing


class _Row(NamedTuple):
    """A bar from ``start`` to ``end``, with its label and its amount as text."""

    label: str
    start: MinorUnits
    end: MinorUnits
    text: str
    is_total: bool = False

    def bar(self, row: int, begin: MinorUnits, palette: Palette) -> Bar:
        is_fall = self.end < self.start and not self.is_total
        color = palette.faint if self.is_total else palette.falls if is_fall else palette.bars
        edge, start = row + (1 - sizes.BAR_SHARE) / 2, max(begin, 0) if self.is_total else self.start
        return Bar(edge, sizes.BAR_SHARE, start, self.end, color, HATCH if is_fall else "")


def _rows(steps: Sequence[tuple[str, MinorUnits]], unit: Currency) -> list[_Row]:
    (label, first), *changes, (last_label, last) = steps
    found, at = [_Row(label, 0, first, amount_text(first, unit), is_total=True)], first
    for label, amount in changes:
        found.append(_Row(label, at, at + amount, signed_text(amount, unit)))
        at += amount
    return [*found, _Row(last_label, 0, last, amount_text(last, unit), is_total=True)]


def _begin(bars: Sequence[_Row]) -> MinorUnits:
    """Return the amount at which the axis begins: 0, the lowest amount if negative, or just below it."""
    ends = [row.end for row in bars]
    low, span = min(ends), max(ends) - min(ends)
    return low - span if 0 < span * _TRUNCATED_ABOVE < low else min(low, 0)


def _draw(ax: Axes, bars: Sequence[_Row], unit: Currency, palette: Palette) -> None:
    begin, most = _begin(bars), max(0, *(row.end for row in bars))
    draw_bars(ax, [bar.bar(row, begin, palette) for row, bar in enumerate(bars)], palette, in_rows=True)
    tidy(ax, palette, grid="x")
    ax.set_ylim(len(bars), 0)
    room = min(max(text_width(ax, f"{row.text}  ") for row in bars), sizes.HALF)
    ax.set_xlim(begin, begin + max(most - begin, 1) / (1 - room))
    show_amounts(ax.xaxis, unit, most=tick_room(ax, (begin, most), unit))
    labels = ["\n".join(wrap(row.label, _LABEL_WIDTH, max_lines=2, placeholder=" …")) for row in bars]
    ax.set_yticks([row + sizes.HALF for row in range(len(bars))], labels, parse_math=False)
    for row, bar in enumerate(bars):
        write_beside(ax, bar.text, (max(bar.start, bar.end), row + sizes.HALF), palette)
    for row, bar in enumerate(bars[:-1]):
        joint = [row + (1 + sizes.BAR_SHARE) / 2, row + 1 + (1 - sizes.BAR_SHARE) / 2]
        ax.plot([bar.end] * 2, joint, color=palette.faint, linewidth=sizes.MEDIUM)
    if begin < 0:
        ax.axvline(0, color=palette.faint, linewidth=sizes.MEDIUM)
    note = f", axis from {amount_text(begin, unit)}" if begin > 0 else ""
    ax.set_xlabel(f"Amount ({unit.code}){note}")
