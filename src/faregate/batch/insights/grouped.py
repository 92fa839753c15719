"""Statistics of the prices of many groups at once, identical to those of each distribution. Decisions §10."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from faregate.batch.columns.values import Numbers
from faregate.batch.insights.distribution import tallied
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import Percent, ratio_of_percent

Exact = npt.NDArray[Any]
"""Whole numbers: int64, or Python ints where int64 could overflow."""

_PARTS = 10_000
"""Parts of a percent to which ranks are rounded."""

_MAX_SCALED = 2**42
"""Number of prices up to which ranks are computed in int64."""


class GroupedPrices(NamedTuple):
    """Number of prices of each group, at each of the *distinct* prices, ascending int64 ``[d]``.

    ``keys`` ``[m]`` ascend; each is group * d + index of the price. ``through`` ``[m + 1]`` counts the prices
    before each key; the last entry counts all. ``starts`` ``[groups + 1]`` are the first keys of the groups.
    """

    distinct: Numbers
    keys: Numbers
    through: Numbers
    starts: Numbers

    @classmethod
    def counted(
        cls, keys: Numbers, weights: Numbers | None, *, distinct: Numbers, size: int
    ) -> GroupedPrices:
        """Count the *keys* ``[n]`` of prices in groups from 0 to *size* - 1, each *weights* ``[n]`` times.

        The sum of *weights* must be below 2^63.
        """
        found, counts = tallied(keys, weights)
        starts = found.searchsorted(np.arange(size + 1) * len(distinct))
        through = np.zeros(len(found) + 1, np.int64)
        np.cumsum(counts, out=through[1:])
        return cls(distinct, found, through, starts)

    @property
    def observed(self) -> Numbers:
        """Groups that have prices."""
        return np.flatnonzero(np.diff(self.starts))

    def table(self) -> tuple[Numbers, Numbers, Numbers]:
        """Return the group, the price and the count of each key."""
        groups, places = np.divmod(self.keys, len(self.distinct))
        return groups, self.distinct[places], np.diff(self.through)

    def n(self, groups: Numbers) -> Numbers:
        """Return the number of prices in each of *groups*."""
        return self.through[self.starts[groups + 1]] - self.through[self.starts[groups]]

    def price_at(self, groups: Numbers, ranks: Exact) -> Numbers:
        """Return the price at a rank of each group, 1 for its lowest; *ranks* are not checked."""
        wanted = self.through[self.starts[groups]] + ranks.astype(np.int64)
        return self.distinct[self.keys[self.through.searchsorted(wanted) - 1] % len(self.distinct)]

    def means(self, groups: Numbers) -> Exact:
        """Return the mean price of each of *groups*, which are all that have prices, rounded half even."""
        _, prices, counts = self.table()
        greatest = int(np.abs(self.distinct).max(initial=0)) * int(self.through[-1])
        products = (prices if 2 * greatest < 2**63 else prices.astype(object)) * counts
        return _half_even(np.add.reduceat(products, self.starts[groups]), self.n(groups))

    def quantile(self, groups: Numbers, percent: Percent) -> Exact:
        """Return a quantile (``QuantileMethod.LINEAR``) of each of *groups*, rounded half even to ints."""
        numerator, denominator = ratio_of_percent(percent)
        whole, n = 100 * denominator, self.n(groups).astype(object)
        below, rest = (n - 1) * numerator // whole, (n - 1) * numerator % whole
        lower, upper = self.price_at(groups, below + 1), self.price_at(groups, np.minimum(below + 2, n))
        return _half_even(lower.astype(object) * whole + (upper - lower) * rest, whole)

    def ranks(self, groups: Numbers, prices: Exact, places: Numbers, ends: Numbers) -> tuple[Exact, Exact]:
        """Return the percentile rank and the interpolated percent of *prices*, each in one of *groups*.

        Both are in ten-thousandths of a percent, rounded half even; in a group without prices, they are
        meaningless. *places* and *ends* are the numbers of distinct prices below each price, and up to it.
        """
        wanted = groups * len(self.distinct) + places
        at = self.keys.searchsorted(wanted)
        occurs = (places < ends) & (np.append(self.keys, -1)[at] == wanted)
        first, last = self.through[at], self.through[at + occurs]
        # In int64 if no product can overflow.
        dtype = np.int64 if self.through[-1] < _MAX_SCALED else object
        n, below = self.n(groups).astype(dtype), (first - self.through[self.starts[groups]]).astype(dtype)
        halves = 50 * _PARTS * (2 * below + (last - first))
        interpolated = _half_even(halves - 50 * _PARTS, np.maximum(n - 1, 1))
        interpolated[n == 1] = 50 * _PARTS
        absent = np.flatnonzero((first == last) & (n > 0))
        interpolated[absent] = self._between(groups[absent], prices[absent], below[absent].astype(object))
        return _half_even(halves, np.maximum(n, 1)), interpolated

    def _between(self, groups: Numbers, prices: Exact, below: Exact) -> Exact:
        """Return the interpolated percent of prices that do not occur, rounded."""
        n = self.n(groups).astype(object)
        lower = self.price_at(groups, np.maximum(below, 1)).astype(object)
        gap = self.price_at(groups, np.minimum(below + 1, n)) - lower
        is_inside = (below > 0) & (below < n)
        share = np.where(is_inside, (below - 1) * gap + prices - lower, below > 0)
        return _half_even(100 * _PARTS * share, np.where(is_inside, (n - 1) * gap, 1))

    def distributions(self, groups: Numbers) -> Iterator[PriceDistribution]:
        """Yield the distribution of each of *groups*."""
        _, prices, counts = self.table()
        for first, end in zip(self.starts[groups].tolist(), self.starts[groups + 1].tolist(), strict=True):
            yield PriceDistribution(tuple(prices[first:end].tolist()), tuple(counts[first:end].tolist()))


def _half_even(numerators: Exact, denominators: Exact | int) -> Exact:
    """Return each quotient, rounded half even; denominators are positive."""
    whole = numerators // denominators
    twice = 2 * (numerators - whole * denominators)
    rounded: Exact = whole + ((twice > denominators) | ((twice == denominators) & (whole % 2 == 1)))
    return rounded
