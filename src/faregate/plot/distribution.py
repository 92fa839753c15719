"""A histogram of prices, optionally with the position of one price."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from matplotlib.axes import Axes

from faregate.arguments.checks import option, require
from faregate.errors import InvalidInput, NoObservations
from faregate.insights.distribution import PriceDistribution, PriceInsight, PriceThreshold
from faregate.insights.percentiles import Percent
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency, as_currency
from faregate.plot import sizes
from faregate.plot.classes import classed
from faregate.plot.drawing import (
    across,
    amount_text,
    canvas,
    entitle,
    money_text,
    percent_text,
    prices_text,
    text_width,
)
from faregate.plot.histogram import Histogram, LogAxis
from faregate.plot.palettes import Palette, Style


def price_distribution(  # noqa: PLR0913  # independent options, all with a default
    distribution: PriceDistribution,
    *,
    currency: Currency | str,
    insight: PriceInsight | None = None,
    classes: int | Iterable[MinorUnits] | None = None,
    clip: MinorUnits | None = None,
    clip_percent: Percent | None = None,
    log: LogAxis | str | None = None,
    share: bool = False,
    ax: Axes | None = None,
    title: str = "Distribution of prices",
    style: Style | str = "light",
) -> Axes:
    """Draw the number of observations of each price and, with an *insight*, its price and both thresholds.

    Without *classes*, the bars are the same as in ``faregate.render.text``: one per price or, for many
    prices, one per class of equal width. *classes* is the maximum number of classes, or a list of edges in
    minor units; a class includes its lower edge, and the last class both. Bars show counts or, with *share*,
    percentages, regardless of the widths of the classes. The background between the thresholds of *insight*
    is shaded.

    Prices above *clip* or above the percentile *clip_percent*, rounded up to an edge, are counted in one last
    bar with a label. Without both, this is done for outliers: for at most 2 % of the prices if they would
    take at least half of the axis. To draw these in place, pass the highest price as *clip*.

    *log* makes an axis logarithmic; classes of prices then have equal ratios instead of widths.

    >>> from faregate import PriceDistribution, price_insight
    >>> from faregate.plot import alt_text
    >>> prices = PriceDistribution.from_prices([5500, 6200, 6200, 8900])
    >>> ax = price_distribution(prices, currency="CHF", insight=price_insight(prices, 6200))
    >>> ax.get_xlabel(), [int(bar.get_height()) for bar in ax.patches[:3]]
    ('Price (CHF)', [1, 2, 1])
    >>> ax = price_distribution(prices, currency="CHF", classes=2, clip=8000)
    >>> alt_text(ax).partition(". ")[2]
    'Histogram of 4 prices from CHF 55.00 to CHF 89.00, median CHF 62.00; 1 above CHF 80.00.'

    Raises:
        NoObservations: the price distribution is empty.
        InvalidInput: *classes* is not a number or a list of ascending edges that contain all prices up to the
            limit, or both *clip* and *clip_percent* are given.
        InvalidAmount: *clip* is below all prices, or prices below 1 are drawn on a log axis.
        InvalidPercent: *clip_percent* is not exact or not from 0 to 100.
        InvalidOption: *log* is not a valid option.
    """
    require(PriceDistribution, distribution, "distribution", InvalidInput)
    if not distribution.n:
        raise NoObservations("the price distribution is empty")
    unit, scale = as_currency(currency), None if log is None else option(LogAxis, log, "log")
    found = classed(
        distribution,
        classes,
        clip=clip,
        clip_percent=clip_percent,
        is_log=scale in {LogAxis.PRICE, LogAxis.BOTH},
    )
    ax, palette = canvas(ax, sizes.SIZE, style)
    histogram = Histogram(found, distribution.n if share else None, unit, scale)
    histogram.draw(ax, palette)
    if insight is not None:
        _draw_insight(ax, insight, histogram, palette)
    above = f"; {found.above:,} above {money_text(found.limit, unit)}" if found.limit is not None else ""
    entitle(ax, title, palette, alt=f"Histogram of {prices_text(distribution, unit)}{above}.")
    return ax


# ---------------------------------------------------------------- one price among them


class _Mark(NamedTuple):
    place: float
    label: str
    height: float


def _draw_insight(ax: Axes, insight: PriceInsight, histogram: Histogram, palette: Palette) -> None:
    _make_room(ax)
    place, unit = histogram.place, histogram.unit
    lower, upper = place(insight.lower.price), place(insight.upper.price)
    ax.axvspan(lower, upper, ymax=sizes.BARS_UP_TO, color=palette.typical, zorder=0)
    top, middle, low = sizes.LABEL_HEIGHTS
    benchmark = _Mark(place(insight.benchmark.price), _benchmark_label(insight, unit), top)
    thresholds = (
        _Mark(lower, _threshold_label(insight.lower, unit), middle),
        _Mark(upper, _threshold_label(insight.upper, unit), low),
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
