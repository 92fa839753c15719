"""Classes of a histogram: equal widths, equal ratios or given edges, and a limit for outliers."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from faregate.arguments.checks import rows, whole
from faregate.errors import InvalidAmount, InvalidInput
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import Percent
from faregate.money.amounts import MinorUnits
from faregate.render.distribution_svg import PriceClass
from faregate.render.distributions import MAX_CLASSES, class_width

MOST_CLASSES = 1000
_FEWEST = 20
"""Fewest prices among which one can be an outlier."""
_OUTLIERS = 50
"""One price of this many may be an outlier."""


class Classed(NamedTuple):
    """The classes of prices up to ``limit``, or single prices, and the number of prices ``above`` it."""

    classes: tuple[PriceClass, ...]
    limit: MinorUnits | None = None
    above: int = 0

    @property
    def is_single(self) -> bool:
        """True if each class is a price."""
        return all(own.first == own.last for own in self.classes)


def outlier_limit(found: PriceDistribution) -> MinorUnits | None:
    """Return the price above which at most 2 % of the prices take half of the range or more, or else None.

    >>> outlier_limit(PriceDistribution.from_prices([*range(100, 130), 5400]))
    129
    """
    if found.n < _FEWEST:
        return None
    limit, least = found.price_at(found.n - max(found.n // _OUTLIERS, 1)), found.prices[0]
    return limit if least < limit and 2 * (limit - least) <= found.prices[-1] - least else None


def classed(
    found: PriceDistribution,
    classes: int | Iterable[MinorUnits] | None,
    *,
    clip: MinorUnits | None,
    clip_percent: Percent | None,
    is_log: bool,
) -> Classed:
    """Return the classes for the arguments of ``price_distribution``."""
    edges: Sequence[MinorUnits] = ()
    most = MAX_CLASSES
    if isinstance(classes, Iterable):
        edges = _checked_edges(classes)
    elif classes is not None:
        most = whole(classes, "classes", InvalidInput, 1, MOST_CLASSES)
    limit = _clip(found, clip, clip_percent)
    is_round = clip is None and not edges and not is_log
    if is_round and limit is None and len(found.prices) > MAX_CLASSES:
        limit = outlier_limit(found)
    if is_round and limit is not None:
        width = class_width(found.prices[0], limit, most)
        limit = -(-limit // width) * width
    count = bisect_right(found.prices, found.prices[-1] if limit is None else limit)
    kept, counts = found.prices[:count], found.counts[:count]
    above = found.n - sum(counts)
    if classes is None and not is_log and len(kept) <= MAX_CLASSES:
        singles = tuple(map(PriceClass, kept, kept, counts))
        return Classed(singles, limit if above else None, above)
    if not edges:
        edges = _ratios(kept[0], limit or kept[-1], most) if is_log else _widths(kept, limit, most)
    return Classed(_counted(kept, counts, edges), limit if above else None, above)


def _checked_edges(given: Iterable[MinorUnits]) -> tuple[MinorUnits, ...]:
    edges = rows("classes", given, InvalidInput, (int,))
    if not 1 < len(edges) <= MOST_CLASSES + 1 or any(high <= low for low, high in pairwise(edges)):
        raise InvalidInput(
            f"classes: expected from 2 to {MOST_CLASSES + 1} ascending edges, got {edges!r:.60}"
        )
    return edges


def _clip(found: PriceDistribution, clip: MinorUnits | None, percent: Percent | None) -> MinorUnits | None:
    if clip is not None and percent is not None:
        raise InvalidInput("expected clip, a price, or clip_percent, got both")
    if percent is not None:
        return ceil(found.quantile(percent))
    if clip is not None and whole(clip, "clip", InvalidAmount) < found.prices[0]:
        raise InvalidAmount(f"clip is {clip}, below the lowest price {found.prices[0]}")
    return clip


def _widths(kept: Sequence[MinorUnits], limit: MinorUnits | None, most: int) -> Sequence[MinorUnits]:
    """Return edges at equal distances: multiples of the width, or counted down from *limit*."""
    width = class_width(kept[0], kept[-1] if limit is None else limit - 1, most)
    end = (kept[-1] // width + 1) * width if limit is None else limit
    return range(end - max(-(-(end - kept[0]) // width), 1) * width, end + 1, width)


def _ratios(least: MinorUnits, greatest: MinorUnits, most: int) -> Sequence[MinorUnits]:
    """Return edges at nearly equal ratios; only the edges are rounded, prices are counted exactly."""
    if least < 1:
        raise InvalidAmount(f"a log axis needs prices above 0, got {least}: use log='count'")
    ratio, end = max(greatest, least + 1) / least, max(greatest, least + 1)
    return sorted({least, *(round(least * ratio ** (step / most)) for step in range(1, most)), end})


def _counted(
    prices: Sequence[MinorUnits], counts: Sequence[int], edges: Sequence[MinorUnits]
) -> tuple[PriceClass, ...]:
    """Count the prices from each edge to the next; the last class includes its upper edge."""
    if prices[0] < edges[0] or prices[-1] > edges[-1]:
        raise InvalidInput(
            f"classes: prices from {prices[0]} to {prices[-1]} are not within the edges {edges[0]} to"
            f" {edges[-1]}: add edges, or pass clip={edges[-1]} for the prices above"
        )
    totals = [0] * (len(edges) - 1)
    for price, count in zip(prices, counts, strict=True):
        totals[min(bisect_right(edges, price), len(totals)) - 1] += count
    lasts = [*(edge - 1 for edge in edges[1:-1]), max(edges[-1] - 1, prices[-1])]
    return tuple(map(PriceClass, edges[:-1], lasts, totals))
