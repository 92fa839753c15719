"""Price distributions of whole columns, identical to those of ``faregate.insights``. Decisions §10.

Use ``PriceHistogram`` to store and merge distributions, and for columns with very many different prices.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from faregate.arguments.checks import option
from faregate.batch.columns.checks import require_at_least
from faregate.batch.columns.values import Numbers
from faregate.batch.insights.prices import (
    CENTS_A_PRICE,
    Integers,
    PriceHistogram,
    SortedPrices,
    integer_column,
    ordered_prices,
    range_of,
    weight_column,
)
from faregate.errors import InvalidInput
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import OrderedPrices, Percent, QuantileMethod


def price_distribution(prices: Integers, *, weights: Integers | None = None) -> PriceDistribution:
    """Return the distribution of *prices*, each counted once or, if *weights* are given, that many times.

    *prices* and *weights* are ``[n]``, of any dtype that fits int64.

    >>> price_distribution(np.array([6900, 7400, 6900]), weights=np.array([1, 5, 2]))
    PriceDistribution(prices=(6900, 7400), counts=(3, 5))

    Raises:
        InvalidInput: a column has the wrong dtype or shape.
        InvalidWeights: a weight is negative, or the weights add up to 2^63 or more.
    """
    column = integer_column("prices", prices)
    weighing = None if weights is None else weight_column(weights, len(column))
    return (PriceHistogram.if_worth_it(column, weighing) or _tally(column, weighing)).distribution()


def price_distributions(
    prices: Integers, groups: Integers, *, count: int, weights: Integers | None = None
) -> tuple[PriceDistribution, ...]:
    """Return a distribution for each group from 0 to *count* - 1, including groups without prices.

    *groups* contains the group of each price. All columns are ``[n]``, of any dtype that fits int64.

    >>> winter, summer = price_distributions(
    ...     np.array([6900, 4900, 6900]), np.array([0, 1, 0]), count=2
    ... )
    >>> winter.counts, summer.prices
    ((2,), (4900,))

    Raises:
        InvalidInput: a column has the wrong dtype or shape, a group is not from 0 to *count* - 1, or
            *count* is not an int of at least 0.
        InvalidWeights: a weight is negative, or the weights add up to 2^63 or more.
    """
    column, rows = integer_column("prices", prices), integer_column("groups", groups)
    weighing = None if weights is None else weight_column(weights, len(column))
    keys = _group_keys(column, rows, count)
    if keys is None:
        return tuple(
            _tally(*_of_group(column, weighing, rows == group)).distribution() for group in range(count)
        )
    tally = tallied(keys.column, weighing)
    return tuple(
        tally.part(part, keys.shift(group)).distribution()
        for group, part in enumerate(keys.groups(tally.prices))
    )


def grouped_prices(prices: Integers, groups: Integers, *, count: int) -> tuple[OrderedPrices, ...]:
    """Return the ordered prices of each group from 0 to *count* - 1; efficient for many groups.

    *groups* contains the group of each price. Both columns are ``[n]``, of any dtype that fits int64.

    >>> winter, summer = grouped_prices(np.array([6900, 4900, 7400]), np.array([0, 1, 0]), count=2)
    >>> winter.quantile(50), summer.percentile_rank(4900)
    (Fraction(7150, 1), Fraction(50, 1))

    Raises:
        InvalidInput: as for ``price_distributions``.
    """
    column, rows = integer_column("prices", prices), integer_column("groups", groups)
    keys = _group_keys(column, rows, count)
    if keys is None:
        return tuple(SortedPrices(np.sort(column[rows == group].astype(np.int64))) for group in range(count))
    ascending = keys.column
    ascending.sort()
    parts = list(keys.groups(ascending))
    for group, part in enumerate(parts):
        ascending[part] -= keys.shift(group)
    return tuple(SortedPrices(ascending[part]) for part in parts)


def quantiles(
    prices: Integers | OrderedPrices,
    percents: Iterable[Percent],
    *,
    method: QuantileMethod = QuantileMethod.LINEAR,
) -> tuple[Fraction, ...]:
    """Return the exact quantile of *prices*, a column ``[n]`` or ordered prices, at each of *percents*.

    >>> quantiles(np.array([3, 6, 7, 8, 8, 10, 13, 15, 16, 20]), [25, 50])
    (Fraction(29, 4), Fraction(9, 1))

    Raises:
        InvalidInput: *prices* has the wrong dtype or shape.
        NoObservations: *prices* is empty.
        InvalidPercent: a percentage is not an int or Fraction from 0 to 100.
    """
    method = option(QuantileMethod, method, "method")
    ordered = prices if isinstance(prices, OrderedPrices) else ordered_prices(prices)
    return tuple(ordered.quantile(percent, method=method) for percent in percents)


class _GroupKeys(NamedTuple):
    """One integer key per row; keys sort by group, then by price."""

    column: Numbers
    size: int
    span: int
    least: int

    def shift(self, group: int) -> int:
        """Return the number to subtract from a key of *group* to get its price."""
        return group * self.span - self.least

    def groups(self, ascending: Numbers) -> Iterator[slice]:
        """Yield the slice of each group in *ascending*, the sorted keys."""
        starts = np.searchsorted(ascending, np.arange(self.size + 1) * self.span)
        for start, end in pairwise(starts.tolist()):
            yield slice(start, end)


def _group_keys(prices: Integers, groups: Integers, count: int) -> _GroupKeys | None:
    """Return the keys for *prices*; None if the prices are too far apart for *count* groups."""
    require_at_least(0, "count", [count])
    if len(groups) != len(prices):
        raise InvalidInput(f"groups: expected one for each of the {len(prices)} prices, got {len(groups)}")
    first, last = range_of(groups)
    if first < 0 or last >= count:
        raise InvalidInput(f"groups: expected 0 to {count - 1}, got {first} to {last}")
    least, greatest = range_of(prices)
    span = greatest - least + 1
    if (count + 1) * span + abs(least) >= 2**63:
        return None
    column = groups.astype(np.int64)
    column *= span
    column += prices
    column -= least
    return _GroupKeys(column, count, span, least)


class Tally(NamedTuple):
    """Distinct prices, ascending, and their counts, which are above 0."""

    prices: Numbers
    counts: Numbers

    def part(self, rows: slice, shift: int) -> Tally:
        return Tally(self.prices[rows] - shift, self.counts[rows])

    def distribution(self) -> PriceDistribution:
        return PriceDistribution(tuple(self.prices.tolist()), tuple(self.counts.tolist()))


def tallied(keys: Numbers, weights: Integers | None) -> Tally:
    """Count *keys* of at least 0, in a histogram if they are dense, or else by sorting."""
    cells = int(keys.max(initial=-1)) + 1
    if cells > CENTS_A_PRICE * len(keys):
        return _tally(keys, weights)
    histogram = np.zeros(cells, np.int64)
    np.add.at(histogram, keys, 1 if weights is None else weights.astype(np.int64, copy=False))
    found = np.flatnonzero(histogram)
    return Tally(found, histogram[found])


def _tally(prices: Integers, weights: Integers | None) -> Tally:
    column = prices.astype(np.int64, copy=False)
    if weights is None:
        ascending = np.sort(column)
        starts = _starts(ascending)
        return Tally(ascending[starts], np.diff(starts, append=len(ascending)))
    order = np.argsort(column)
    ascending = column[order]
    starts = _starts(ascending)
    counts = np.add.reduceat(weights[order].astype(np.int64), starts)
    return Tally(ascending[starts][counts > 0], counts[counts > 0])


def _starts(ascending: Numbers) -> npt.NDArray[np.intp]:
    """Return the index in *ascending* at which each distinct price first occurs."""
    is_first = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=is_first[1:])
    return np.flatnonzero(is_first)


def _of_group(
    prices: Integers, weights: Integers | None, is_member: npt.NDArray[np.bool_]
) -> tuple[Integers, Integers | None]:
    return prices[is_member], None if weights is None else weights[is_member]
