"""Cumulative curves of prices: for each price, the share of prices that do not exceed it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from itertools import accumulate, cycle
from operator import add
from typing import Any

from matplotlib.axes import Axes
from matplotlib.ticker import MultipleLocator

from faregate.arguments.checks import require, whole
from faregate.errors import InvalidAmount, InvalidInput, NoObservations
from faregate.insights.distribution import PriceDistribution
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency, as_currency
from faregate.plot import sizes
from faregate.plot.classes import outlier_limit
from faregate.plot.drawing import canvas, entitle, money_text, name_text, prices_text, show_amounts, tidy
from faregate.plot.palettes import Palette, Style

_QUARTER = 25


def price_ecdf(
    distributions: Mapping[str, PriceDistribution],
    *,
    currency: Currency | str,
    clip: MinorUnits | None = None,
    ax: Axes | None = None,
    title: str = "Share of prices up to each amount",
    style: Style | str = "light",
) -> Axes:
    """Draw the percentage of prices at or below each amount, as a curve for each distribution.

    The axis ends at *clip* or, without it, before outliers, as in ``price_distribution``; its label then says
    how many prices are beyond. Keys may be those of ``faregate.frames.distributions``.

    >>> from faregate import PriceDistribution
    >>> from faregate.plot import alt_text
    >>> old, new = (PriceDistribution.from_prices(prices) for prices in ([5500, 6200], [6200, 6900, 8900]))
    >>> alt_text(price_ecdf({"2026": old}, currency="CHF")).partition(". ")[2]
    'Cumulative curves of 2026: 2 prices from CHF 55.00 to CHF 62.00, median CHF 58.50.'
    >>> [line.get_ydata().tolist() for line in price_ecdf({"2027": new}, currency="CHF").get_lines()]
    [[0.0, 33.333333333333336, 66.66666666666667, 100.0]]

    Raises:
        NoObservations: *distributions* is empty, or one of the distributions is.
        InvalidInput: *distributions* is not a mapping to price distributions.
        InvalidAmount: *clip* is not an int above the lowest price.
    """
    curves = checked_distributions(distributions)
    every, unit = reduce(add, curves.values()), as_currency(currency)
    limit = outlier_limit(every) if clip is None else whole(clip, "clip", InvalidAmount, every.prices[0] + 1)
    ax, palette = canvas(ax, sizes.SIZE, style)
    _draw(ax, curves, palette)
    _finish(ax, every, unit, palette, limit=limit)
    named = "; ".join(f"{name}: {prices_text(own, unit)}" for name, own in curves.items())
    entitle(ax, title, palette, alt=f"Cumulative curves of {named}.")
    return ax


def checked_distributions(given: Mapping[Any, PriceDistribution]) -> dict[str, PriceDistribution]:
    """Return *given* with its keys as names; refuse what is empty or not a distribution."""
    require(Mapping, given, "distributions", InvalidInput)
    found = {name_text(key): own for key, own in given.items()}
    if not found:
        raise NoObservations("expected at least one price distribution, got none")
    if len(found) < len(given):
        raise InvalidInput(f"two distributions have the same name, among {', '.join(map(repr, given)):.60}")
    for name, own in found.items():
        require(PriceDistribution, own, f"the distribution of {name!r}", InvalidInput)
        if not own.n:
            raise NoObservations(f"the price distribution of {name!r} is empty")
    return found


def _draw(ax: Axes, curves: Mapping[str, PriceDistribution], palette: Palette) -> None:
    looks = zip(cycle(palette.curves), cycle(sizes.DASHES), strict=False)
    lines = [
        ax.step(
            [own.prices[0], *own.prices],
            [100 * below / own.n for below in accumulate(own.counts, initial=0)],
            where="post",
            color=color,
            linestyle=dashes,
            linewidth=sizes.THICK,
        )[0]
        for own, (color, dashes) in zip(curves.values(), looks, strict=False)
    ]
    legend = ax.legend(
        lines, [*curves], loc="best", fontsize=sizes.SMALL, labelcolor=palette.ink, facecolor=palette.paper
    )
    legend.get_frame().set_linewidth(0)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _finish(
    ax: Axes, every: PriceDistribution, unit: Currency, palette: Palette, *, limit: MinorUnits | None
) -> None:
    tidy(ax, palette)
    ax.set_ylim(0, 100 * sizes.HEADROOM)
    ax.yaxis.set_major_locator(MultipleLocator(_QUARTER))
    show_amounts(ax.xaxis, unit)
    label = f"Price ({unit.code})"
    if limit is not None:
        ax.set_xlim(every.prices[0], limit)
        beyond = every.n - sum(every.standing(limit))
        label += f" · beyond {money_text(limit, unit)}: {beyond:,} of {every.n:,} prices"
    ax.set_xlabel(label)
    ax.set_ylabel("Share of prices (%)")
