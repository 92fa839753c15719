"""Bridges from one amount to another, with a bar for each change; also for the parts of a price."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from textwrap import wrap

from matplotlib.axes import Axes

from faregate.arguments.checks import require, rows
from faregate.errors import CurrencyMismatch, InvalidAmount, InvalidInput
from faregate.explanations.differences import StepDifference, difference
from faregate.explanations.explanation import Explanation
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency, as_currency
from faregate.plot import sizes
from faregate.plot.bars import HATCH, Bar, draw_bars
from faregate.plot.drawing import amount_text, canvas, entitle, show_amounts, text_width, tick_room, tidy
from faregate.plot.palettes import Palette, Style
from faregate.trace import StepKind

FEWEST_STEPS, MOST_STEPS = 2, 40
_LABEL_WIDTH, _LABEL_LINES = 30, 2
_TRUNCATED_ABOVE = 5
"""The axis begins at 0 unless all totals exceed their range by this factor."""
_FIGURE = "total_gross"

Levels = list[tuple[MinorUnits, MinorUnits]]


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
        InvalidOption: *style* is not a valid option.
        UnknownCurrency: *currency* is a code that ISO 4217 does not list.
    """
    found = _checked(steps)
    unit = as_currency(currency)
    ax, palette = canvas(ax, (sizes.SIZE[0], len(found) * sizes.ROW_HEIGHT + sizes.ROWS_MARGIN), style)
    levels = _levels(found)
    _draw(ax, levels, palette)
    _finish(ax, found, levels, unit, palette)
    parts = [
        f"{label} {unit.code} {text}" for (label, _), text in zip(found, _texts(found, unit), strict=True)
    ]
    entitle(ax, title, palette, alt=f"{'; '.join(parts)}.")
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
        InvalidOption: *style* is not a valid option.
        UnknownCurrency: *currency* is a code that ISO 4217 does not list.
        CurrencyMismatch: *currency* is not that of the explanation.
    """
    require(Explanation, explanation, "explanation", InvalidInput)
    stated, unit = explanation.trace.currency, as_currency(currency)
    if stated is not None and stated.code != unit.code:
        raise CurrencyMismatch(expected=stated.code, actual=unit.code)
    parts = difference(explanation, explanation).by_rule(_FIGURE)
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
    *before, (label, end) = steps
    total = sum(amount for _, amount in before)
    if total != end:
        raise InvalidAmount(f"steps: start and changes add up to {total}, but {label!r} is {end}")
    return steps


# ---------------------------------------------------------------- drawing


def _levels(steps: Sequence[tuple[str, MinorUnits]]) -> Levels:
    """Return the amounts from which, and to which, each bar goes."""
    through = list(accumulate(amount for _, amount in steps[:-1]))
    return [(0, through[0]), *pairwise(through), (0, steps[-1][1])]


def _begin(levels: Levels) -> MinorUnits:
    """Return the amount at which the axis begins: 0, the lowest amount if negative, or just below it."""
    ends = [end for _, end in levels]
    low, span = min(ends), max(ends) - min(ends)
    return low - span if 0 < span * _TRUNCATED_ABOVE < low else min(low, 0)


def _draw(ax: Axes, levels: Levels, palette: Palette) -> None:
    begin, top, last = max(_begin(levels), 0), (1 - sizes.BAR_SHARE) / 2, len(levels) - 1
    for row, (_, end) in enumerate(levels[:-1]):
        ax.plot([end, end], [row + 1 - top, row + 1 + top], color=palette.faint, linewidth=sizes.MEDIUM)
    falls = [end < start and 0 < row < last for row, (start, end) in enumerate(levels)]
    colors = [
        palette.faint if row in {0, last} else palette.falls if is_fall else palette.bars
        for row, is_fall in enumerate(falls)
    ]
    bars = [
        Bar(row + top, sizes.BAR_SHARE, start or begin, end, color, HATCH if is_fall else "")
        for row, ((start, end), color, is_fall) in enumerate(zip(levels, colors, falls, strict=True))
    ]
    draw_bars(ax, bars, palette, in_rows=True)


def _finish(
    ax: Axes, steps: Sequence[tuple[str, MinorUnits]], levels: Levels, unit: Currency, palette: Palette
) -> None:
    tidy(ax, palette, grid="x")
    ax.set_ylim(len(levels), 0)
    labels = ["\n".join(wrap(label, _LABEL_WIDTH, max_lines=_LABEL_LINES)) for label, _ in steps]
    ax.set_yticks([row + sizes.HALF for row in range(len(levels))], labels, parse_math=False)
    texts, begin = _texts(steps, unit), _begin(levels)
    room = min(max(text_width(ax, f"{text}  ") for text in texts), sizes.HALF)
    most = max(0, *(end for _, end in levels))
    ax.set_xlim(begin, begin + max(most - begin, 1) / (1 - room))
    show_amounts(ax.xaxis, unit, most=tick_room(ax, (begin, most), unit))
    for row, (ends, text) in enumerate(zip(levels, texts, strict=True)):
        ax.annotate(
            text,
            (max(ends), row + sizes.HALF),
            xytext=(sizes.SMALL // 2, 0),
            textcoords="offset points",
            va="center",
            fontsize=sizes.SMALL,
            color=palette.ink,
        )
    note = f", from {amount_text(begin, unit)}" if begin > 0 else ""
    ax.set_xlabel(f"Amount ({unit.code}{note})")


def _texts(steps: Sequence[tuple[str, MinorUnits]], unit: Currency) -> list[str]:
    """Return the amounts as text; changes have a sign."""
    last = len(steps) - 1
    return [
        f"{'+' if 0 < row < last and amount > 0 else ''}{amount_text(amount, unit)}"
        for row, (_, amount) in enumerate(steps)
    ]
