"""The marks of one price and of two thresholds on a histogram."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from matplotlib.axes import Axes

from faregate.insights.distribution import PriceInsight, PriceThreshold
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency
from faregate.plot import sizes
from faregate.plot.drawing import across, amount_text, percent_text, text_width
from faregate.plot.palettes import Palette


class Overflow(NamedTuple):
    """The bar for the prices above ``limit``, from ``left`` to ``right``."""

    limit: MinorUnits
    left: float
    right: float


class _Mark(NamedTuple):
    place: float
    label: str
    height: float


def draw_insight(
    ax: Axes, insight: PriceInsight, currency: Currency, palette: Palette, *, overflow: Overflow | None
) -> None:
    """Draw and label the price of *insight* and its thresholds; prices in *overflow* are in its middle."""

    def place(price: MinorUnits) -> float:
        is_above = overflow is not None and price > overflow.limit
        return (overflow.left + overflow.right) / 2 if overflow is not None and is_above else price

    _make_room(ax)
    lower, upper = place(insight.lower.price), place(insight.upper.price)
    ax.axvspan(lower, upper, ymax=sizes.BARS_UP_TO, color=palette.typical, zorder=0)
    top, middle, low = sizes.LABEL_HEIGHTS
    benchmark = _Mark(place(insight.benchmark.price), _benchmark_label(insight, currency), top)
    thresholds = (
        _Mark(lower, _threshold_label(insight.lower, currency), middle),
        _Mark(upper, _threshold_label(insight.upper, currency), low),
    )
    # Thresholds are drawn over the benchmark, so that their dashes stay visible if the lines coincide.
    ax.axvline(benchmark.place, ymax=benchmark.height, color=palette.benchmark, linewidth=sizes.THICK)
    for mark in thresholds:
        ax.axvline(
            mark.place, ymax=mark.height, color=palette.ink, linewidth=sizes.MEDIUM, linestyle="dashed"
        )
    marks = (benchmark, *thresholds)
    for mark in thresholds:
        _write(ax, mark, marks, color=palette.ink)
    _write(ax, benchmark, marks, color=palette.benchmark, weight="bold")


def _make_room(ax: Axes) -> None:
    """Raise the upper limit of the counts, so that bars end below the labels."""
    low, high = ax.get_ylim()
    is_log = ax.get_yscale() == "log"
    ax.set_ylim(low, low * (high / low) ** (1 / sizes.BARS_UP_TO) if is_log else high / sizes.BARS_UP_TO)


def _benchmark_label(insight: PriceInsight, currency: Currency) -> str:
    rank = percent_text(insight.benchmark.percentile)
    return f"{amount_text(insight.benchmark.price, currency)} · {insight.level.value} · percentile {rank}"


def _threshold_label(threshold: PriceThreshold, currency: Currency) -> str:
    return f"{percent_text(threshold.percent)} % · {amount_text(threshold.price, currency)}"


def _write(ax: Axes, mark: _Mark, marks: Sequence[_Mark], *, color: str, weight: str = "normal") -> None:
    """Write the label of *mark* beside the top of its line, on a background that hides other lines."""
    is_left = _is_left(ax, mark, [each.place for each in marks if each.height > mark.height])
    ax.annotate(
        mark.label,
        (mark.place, mark.height),
        xycoords=ax.get_xaxis_transform(),
        xytext=(sizes.SMALL // 2 * (1 if is_left else -1), 0),
        textcoords="offset points",
        ha="left" if is_left else "right",
        va="top",
        fontsize=sizes.SMALL,
        color=color,
        weight=weight,
        bbox={"facecolor": ax.get_facecolor(), "linewidth": 0, "pad": 1},
    )


def _is_left(ax: Axes, mark: _Mark, higher: Sequence[float]) -> bool:
    """Return True to put the label to the right of its line; *higher* has the places of taller lines."""
    at, width = across(ax, mark.place), text_width(ax, mark.label)
    sides = {True: (at, at + width), False: (at - width, at)}
    taller = [across(ax, place) for place in higher]
    free = [
        is_left
        for is_left, (start, end) in sides.items()
        if start >= 0 and end <= 1 and not any(start < place < end for place in taller)
    ]
    return free[0] if len(free) == 1 else 2 * at < 1
