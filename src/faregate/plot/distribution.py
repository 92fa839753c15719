"""A histogram of prices, optionally with the position of one price."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from matplotlib.axes import Axes

from faregate.errors import NoObservations
from faregate.insights.distribution import PriceDistribution, PriceInsight, PriceThreshold
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency, as_currency
from faregate.plot import style
from faregate.plot.drawing import (
    MAX_TICKS,
    amount_text,
    entitle,
    new_axes,
    percent_text,
    round_numbers,
    show_amounts,
    text_width,
    tick_room,
    tidy,
)
from faregate.render.distribution_svg import PriceClass
from faregate.render.distributions import price_classes


def price_distribution(
    distribution: PriceDistribution,
    *,
    currency: Currency | str,
    insight: PriceInsight | None = None,
    ax: Axes | None = None,
    title: str = "Distribution of prices",
) -> Axes:
    """Draw the number of observations of each price and, with an *insight*, its price and both thresholds.

    The bars are the same as in ``faregate.render.text``: one per price or, for many prices, one per class of
    equal width. The background between the thresholds is shaded.

    >>> from faregate import PriceDistribution, price_insight
    >>> prices = PriceDistribution.from_prices([5500, 6200, 6200, 8900])
    >>> ax = price_distribution(prices, currency="CHF", insight=price_insight(prices, 6200))
    >>> ax.get_xlabel(), [int(bar.get_height()) for bar in ax.patches[:3]]
    ('Price (CHF)', [1, 2, 1])

    Raises:
        NoObservations: the price distribution is empty.
        UnknownCurrency: *currency* is a code that ISO 4217 does not list.
    """
    if not distribution.n:
        raise NoObservations("the price distribution is empty")
    unit = as_currency(currency)
    ax = new_axes(style.SIZE) if ax is None else ax
    _draw_bars(ax, price_classes(distribution.prices, distribution.counts), unit)
    if insight is not None:
        _draw_insight(ax, insight, unit)
    tidy(ax)
    ax.set_xlabel(f"Price ({unit.code})")
    ax.set_ylabel("Number of prices")
    entitle(ax, title)
    return ax


# ---------------------------------------------------------------- bars


def _draw_bars(ax: Axes, classes: Sequence[PriceClass], currency: Currency) -> None:
    is_classed = _is_classed(classes)
    most = max(own.observations for own in classes)
    ax.bar(
        [own.first for own in classes],
        [own.observations for own in classes],
        width=classes[0].last - classes[0].first + 1 if is_classed else _bar_width(classes),
        align="edge" if is_classed else "center",
        color=style.BARS,
        edgecolor=style.PAPER if is_classed else style.BARS,
        linewidth=style.THIN,
    )
    ax.set_ylim(0, most * style.HEADROOM)
    ax.set_yticks(*round_numbers(most))
    _mark_prices(ax, classes, currency)


def _mark_prices(ax: Axes, classes: Sequence[PriceClass], currency: Currency) -> None:
    """Set ticks at the prices themselves if there is room, or else at round amounts."""
    room = tick_room(ax, (classes[0].first, classes[-1].first), currency)
    show_amounts(ax.xaxis, currency, most=min(room, MAX_TICKS))
    gap, span = _gap_and_span(classes)
    if not _is_classed(classes) and gap * room >= span:
        ax.set_xticks([own.first for own in classes])
    if not span:
        ax.set_xmargin(style.LONELY_MARGIN)


def _is_classed(classes: Sequence[PriceClass]) -> bool:
    return any(own.first < own.last for own in classes)


def _bar_width(prices: Sequence[PriceClass]) -> float:
    """Return a fraction of the smallest gap between *prices*, or more if the bars would be too narrow."""
    gap, span = _gap_and_span(prices)
    return max(gap * style.BAR_SHARE, span / style.NARROWEST_BAR)


def _gap_and_span(prices: Sequence[PriceClass]) -> tuple[MinorUnits, MinorUnits]:
    gap = min((high.first - low.first for low, high in pairwise(prices)), default=1)
    return gap, prices[-1].first - prices[0].first


# ---------------------------------------------------------------- one price among them


class _Mark(NamedTuple):
    price: MinorUnits
    label: str
    height: float


def _draw_insight(ax: Axes, insight: PriceInsight, currency: Currency) -> None:
    ax.set_ylim(0, ax.get_ylim()[1] / style.BARS_UP_TO)
    ax.axvspan(insight.lower.price, insight.upper.price, ymax=style.BARS_UP_TO, color=style.TYPICAL, zorder=0)
    top, middle, low = style.LABEL_HEIGHTS
    benchmark = _Mark(insight.benchmark.price, _benchmark_label(insight, currency), top)
    thresholds = (
        _Mark(insight.lower.price, _threshold_label(insight.lower, currency), middle),
        _Mark(insight.upper.price, _threshold_label(insight.upper, currency), low),
    )
    # Thresholds are drawn over the benchmark, so that their dashes stay visible if the lines coincide.
    ax.axvline(benchmark.price, ymax=benchmark.height, color=style.BENCHMARK, linewidth=style.THICK)
    for mark in thresholds:
        ax.axvline(mark.price, ymax=mark.height, color=style.INK, linewidth=style.MEDIUM, linestyle="dashed")
    marks = (benchmark, *thresholds)
    for mark in thresholds:
        _write(ax, mark, marks, color=style.INK)
    _write(ax, benchmark, marks, color=style.BENCHMARK, weight="bold")


def _benchmark_label(insight: PriceInsight, currency: Currency) -> str:
    rank = percent_text(insight.benchmark.percentile)
    return f"{amount_text(insight.benchmark.price, currency)} · {insight.level.value} · percentile {rank}"


def _threshold_label(threshold: PriceThreshold, currency: Currency) -> str:
    return f"{percent_text(threshold.percent)} % · {amount_text(threshold.price, currency)}"


def _write(ax: Axes, mark: _Mark, marks: Sequence[_Mark], *, color: str, weight: str = "normal") -> None:
    """Write the label of *mark* beside the top of its line, on a background that hides other lines."""
    is_left = _is_left(ax, mark, [each.price for each in marks if each.height > mark.height])
    ax.annotate(
        mark.label,
        (mark.price, mark.height),
        xycoords=ax.get_xaxis_transform(),
        xytext=(style.SMALL // 2 * (1 if is_left else -1), 0),
        textcoords="offset points",
        ha="left" if is_left else "right",
        va="top",
        fontsize=style.SMALL,
        color=color,
        weight=weight,
        bbox={"facecolor": ax.get_facecolor(), "linewidth": 0, "pad": 1},
    )


def _is_left(ax: Axes, mark: _Mark, higher: Sequence[MinorUnits]) -> bool:
    """Return True to put the label to the right of its line; *higher* has the prices with taller lines."""
    left, right = ax.get_xlim()
    width = (right - left) * text_width(ax, mark.label)
    sides = {True: (mark.price, mark.price + width), False: (mark.price - width, mark.price)}
    free = [
        is_left
        for is_left, (start, end) in sides.items()
        if left <= start and end <= right and not any(start < price < end for price in higher)
    ]
    return free[0] if len(free) == 1 else 2 * mark.price < left + right
