"""A histogram of prices, optionally with the position of one price."""

from __future__ import annotations

from collections.abc import Iterable

from matplotlib.axes import Axes

from faregate.arguments.checks import option, require
from faregate.errors import InvalidInput, NoObservations
from faregate.insights.distribution import PriceDistribution, PriceInsight
from faregate.insights.percentiles import Percent
from faregate.money.amounts import MinorUnits
from faregate.money.currency import Currency, as_currency
from faregate.plot import sizes
from faregate.plot.classes import classed
from faregate.plot.drawing import canvas, entitle, money_text, prices_text
from faregate.plot.histogram import Histogram, LogAxis
from faregate.plot.marks import draw_insight
from faregate.plot.palettes import Style


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
        InvalidOption: *log* or *style* is not a valid option.
        UnknownCurrency: *currency* is a code that ISO 4217 does not list.
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
        draw_insight(ax, insight, unit, palette, overflow=histogram.overflow)
    above = f"; {found.above:,} above {money_text(found.limit, unit)}" if found.limit is not None else ""
    entitle(ax, title, palette, alt=f"Histogram of {prices_text(distribution, unit)}{above}.")
    return ax
