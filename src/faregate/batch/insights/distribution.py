"""Price distributions of whole columns, to the last bit those of ``faregate.insights``. Decisions §10.

What is kept and merged, or too much for a distribution of single prices, is a ``PriceHistogram``.
"""

from __future__ import annotations

from itertools import pairwise, starmap
from typing import TYPE_CHECKING

import numpy as np

from faregate.arguments.checks import option
from faregate.batch.columns.checks import require_at_least
from faregate.batch.insights.prices import (
    PriceHistogram,
    SortedPrices,
    integer_column,
    ordered_prices,
    range_of,
    weight_column,
)
from faregate.errors import InvalidInput
from faregate.insights.distribution import PriceDistribution
from faregate.insights.quantiles import OrderedPrices, QuantileMethod

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    import numpy.typing as npt

    from faregate.batch.insights.prices import Integers
    from faregate.insights.quantiles import Percent

    Index = npt.NDArray[np.intp]


def price_distribution(prices: Integers, *, weights: Integers | None = None) -> PriceDistribution:
    """Count *prices*; what ``PriceDistribution.from_prices`` gives, or ``from_counts`` with *weights*.

    *prices* and *weights* are ``[n]``, of any dtype that fits int64.

    >>> price_distribution(np.array([6900, 7400, 6900]), weights=np.array([1, 5, 2]))
    PriceDistribution(prices=(6900, 7400), counts=(3, 5))

    Raises:
        InvalidInput: a column has another dtype or shape.
        InvalidWeights: a weight is negative, or they add up to 2^63 or more.
    """
    column = integer_column("prices", prices)
    weighing = None if weights is None else weight_column(weights, len(column))
    if histogram := PriceHistogram.if_worth_it(column, weighing):
        return histogram.distribution()
    return _distributions(column, np.zeros(len(column), np.int8), count=1, weights=weighing)[0]


def price_distributions(
    prices: Integers, groups: Integers, *, count: int, weights: Integers | None = None
) -> tuple[PriceDistribution, ...]:
    """One distribution for each group from 0 to *count* - 1, also of those without prices.

    *prices*, *groups* and *weights* are ``[n]``, of any dtype that fits int64.

    >>> winter, summer = price_distributions(
    ...     np.array([6900, 4900, 6900]), np.array([0, 1, 0]), count=2
    ... )
    >>> winter.counts, summer.prices
    ((2,), (4900,))

    Raises:
        InvalidInput: a column has another dtype or shape, a group is not from 0 to *count* - 1, or
            *count* is no int of at least 0.
        InvalidWeights: a weight is negative, or they add up to 2^63 or more.
    """
    column, rows = integer_column("prices", prices), integer_column("groups", groups)
    weighing = None if weights is None else weight_column(weights, len(column))
    return _distributions(column, rows, count=count, weights=weighing)


def grouped_prices(prices: Integers, groups: Integers, *, count: int) -> tuple[OrderedPrices, ...]:
    """The prices of each group from 0 to *count* - 1, in one block of memory: for many groups at once.

    *prices* and *groups* are ``[n]``, of any dtype that fits int64.

    >>> winter, summer = grouped_prices(np.array([6900, 4900, 7400]), np.array([0, 1, 0]), count=2)
    >>> winter.quantile(50), summer.percentile_rank(4900)
    (Fraction(7150, 1), Fraction(50, 1))

    Raises:
        InvalidInput: as ``price_distributions``.
    """
    column, rows = integer_column("prices", prices), integer_column("groups", groups)
    order = _order(column, rows, count=count)
    ascending = column[order].astype(np.int64)
    return tuple(SortedPrices(ascending[part]) for part in _groups(rows[order], count))


def quantiles(
    prices: Integers | OrderedPrices,
    percents: Iterable[Percent],
    *,
    method: QuantileMethod = QuantileMethod.LINEAR,
) -> tuple[Fraction, ...]:
    """Exact quantiles of a column ``[n]``, or of what is kept already.

    >>> quantiles(np.array([3, 6, 7, 8, 8, 10, 13, 15, 16, 20]), [25, 50])
    (Fraction(29, 4), Fraction(9, 1))

    Raises:
        InvalidInput: *prices* has another dtype or shape.
        NoObservations: there are no prices.
        InvalidPercent: a percentage is no int or Fraction from 0 to 100.
    """
    method = option(QuantileMethod, method, "method")
    ordered = prices if isinstance(prices, OrderedPrices) else ordered_prices(prices)
    return tuple(ordered.quantile(percent, method=method) for percent in percents)


def _order(prices: Integers, groups: Integers, *, count: int) -> Index:
    """Return the rows in ascending order of their groups, then of their prices."""
    require_at_least(0, "count", [count])
    if len(groups) != len(prices):
        raise InvalidInput(f"{len(prices)} prices but {len(groups)} groups")
    first, last = range_of(groups)
    if first < 0 or last >= count:
        raise InvalidInput(f"groups: expected 0 to {count - 1}, got {first} to {last}")
    lowest, highest = range_of(prices)
    span = highest - lowest + 1
    if count * span + abs(lowest) >= 2**63:
        return np.lexsort((prices, groups))
    # One number a row is sorted several times as fast as two.
    return np.argsort(groups.astype(np.int64) * span + prices - lowest)


def _groups(ascending: Integers, count: int) -> Iterator[slice]:
    """Yield where each group from 0 to *count* - 1 is among *ascending* ones."""
    bounds = np.searchsorted(ascending, np.arange(count + 1))
    return starmap(slice, pairwise(bounds.tolist()))


def _distributions(
    prices: Integers, groups: Integers, *, count: int, weights: Integers | None
) -> tuple[PriceDistribution, ...]:
    order = _order(prices, groups, count=count)
    ascending, group = prices[order].astype(np.int64), groups[order]
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = (ascending[1:] != ascending[:-1]) | (group[1:] != group[:-1])
    starts = np.flatnonzero(is_first)
    if weights is None:
        counts = np.diff(starts, append=len(order))
    else:
        counts = np.add.reduceat(weights[order].astype(np.int64), starts)
    starts, counts = starts[counts > 0], counts[counts > 0]
    distinct = ascending[starts]
    return tuple(
        PriceDistribution(tuple(distinct[part].tolist()), tuple(counts[part].tolist()))
        for part in _groups(group[starts], count)
    )
