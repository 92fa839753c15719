"""A comparison of two price distributions: old and new quantiles with their intervals."""

from __future__ import annotations

from fractions import Fraction

from matplotlib.axes import Axes

from faregate.errors import InvalidInput
from faregate.insights.comparison import PriceComparison, PriceInterval
from faregate.money.currency import Currency, as_currency
from faregate.money.rounding import round_half_even
from faregate.plot import sizes
from faregate.plot.drawing import canvas, entitle, percent_text, show_amounts, signed_text, tidy, write_beside
from faregate.plot.palettes import Palette, Style
from faregate.render.comparisons import comparison_sentence


def quantile_shifts(
    comparison: PriceComparison,
    *,
    currency: Currency | str,
    ax: Axes | None = None,
    title: str = "Old and new prices",
    style: Style | str = "light",
) -> Axes:
    """Draw the old and the new quantiles with their intervals, a row for each, and label the shifts.

    Clear shifts are in bold. A quantile without an interval is drawn as a mark only.

    >>> from faregate import PriceDistribution
    >>> from faregate.insights import compare
    >>> old, new = (PriceDistribution.from_prices(range(first, first + 2000, 100)) for first in (6000, 7500))
    >>> ax = quantile_shifts(compare(old, new, percents=[25, 50]), currency="CHF")
    >>> [text.get_text() for text in ax.texts]
    ['Shift', '+15.00', '+15.00']

    Raises:
        InvalidInput: *comparison* is not the result of ``faregate.insights.compare``.
    """
    _require_comparison(comparison)
    found, unit = comparison.quantiles, as_currency(currency)
    ax, palette = canvas(ax, sizes.in_rows(len(found)), style)
    for row, each in enumerate(found):
        _draw(ax, row - sizes.ROW_SHIFT, each.old, each.old_interval, color=palette.curves[0], marker="o")
        _draw(ax, row + sizes.ROW_SHIFT, each.new, each.new_interval, color=palette.curves[1], marker="D")
    _finish(ax, comparison, unit, palette)
    edge = ax.get_xlim()[1]
    write_beside(ax, "Shift", (edge, -1), palette)
    for row, each in enumerate(found):
        shift = signed_text(round_half_even(each.new) - round_half_even(each.old), unit)
        write_beside(ax, shift, (edge, row), palette, weight="bold" if each.is_clear else "normal")
    entitle(
        ax, title, palette, alt=comparison_sentence(comparison, currency=unit), pad=sizes.TITLE_PAD_LEGEND
    )
    return ax


def _require_comparison(comparison: object) -> None:
    if not isinstance(comparison, PriceComparison):
        expected = "expected the result of faregate.insights.compare"
        raise InvalidInput(f"comparison: {expected}, got {type(comparison).__name__}")


def _draw(
    ax: Axes, height: float, quantile: Fraction, interval: PriceInterval | None, *, color: str, marker: str
) -> None:
    ends = [] if interval is None else [interval.lower, interval.upper]
    ax.plot(ends, [height] * len(ends), color=color, linewidth=sizes.THICK)
    ax.plot([round_half_even(quantile)], [height], color=color, marker=marker, markersize=sizes.MARKER)


def _finish(ax: Axes, comparison: PriceComparison, unit: Currency, palette: Palette) -> None:
    tidy(ax, palette, grid="x")
    count = len(comparison.quantiles)
    ax.set_ylim(count - sizes.HALF, -sizes.HALF)
    ax.set_xlim(ax.get_xlim())
    ax.set_yticks(range(count), [f"{percent_text(each.percent)} %" for each in comparison.quantiles])
    show_amounts(ax.xaxis, unit)
    ax.set_xlabel(f"Price ({unit.code}), intervals of {percent_text(comparison.confidence)} % confidence")
    ax.legend(
        ax.lines[1:4:2],
        [f"old: {comparison.old_n:,} prices", f"new: {comparison.new_n:,} prices"],
        loc="lower left",
        bbox_to_anchor=(0, 1),
        ncols=2,
        frameon=False,
        fontsize=sizes.SMALL,
        labelcolor=palette.ink,
        borderpad=0,
        borderaxespad=0,
    )
