"""Statistics of the prices of many groups at once, identical to those of each distribution. Decisions §10."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
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
    def count(
        cls, places: Numbers, groups: Numbers, *, distinct: Numbers, size: int, weights: Numbers | None
    ) -> GroupedPrices:
        """Count prices ``[n]``, given as *places* in *distinct*, in *groups* from 0 to *size* - 1.

        Groups times distinct prices, and the sum of *weights*, must be below 2^63.
        """
        column = groups * len(distinct)
        column += places
        keys, counts = tallied(column, weights)
        starts = keys.searchsorted(np.arange(size + 1) * len(distinct))
        return cls(distinct, keys, np.concatenate(([0], np.cumsum(counts))), starts)

    @property
    def observed(self) -> Numbers:
        """Groups that have prices."""
        return np.flatnonzero(np.diff(self.starts))

    @property
    def groups(self) -> Numbers:
        """Group of each key."""
        return self.keys // len(self.distinct)

    @property
    def prices(self) -> Numbers:
        """Price of each key."""
        return self.distinct[self.keys % len(self.distinct)]

    @property
    def counts(self) -> Numbers:
        """Number of prices at each key."""
        return np.diff(self.through)

    def n(self, groups: Numbers) -> Numbers:
        """Return the number of prices in each of *groups*."""
        return self.through[self.starts[groups + 1]] - self.through[self.starts[groups]]

    def price_at(self, groups: Numbers, ranks: Exact) -> Numbers:
        """Return the price at a rank of each group, 1 for its lowest; *ranks* are not checked."""
        wanted = self.through[self.starts[groups]] + ranks.astype(np.int64)
        return self.distinct[self.keys[self.through.searchsorted(wanted) - 1] % len(self.distinct)]

    def means(self, groups: Numbers) -> Exact:
        """Return the mean price of each of *groups*, which are all that have prices, rounded half even."""
        greatest = int(np.abs(self.distinct).max(initial=0)) * int(self.through[-1])
        prices = self.prices if 2 * greatest < 2**63 else self.prices.astype(object)
        totals = np.add.reduceat(prices * self.counts, self.starts[groups]) if len(groups) else groups
        return _half_even(totals, self.n(groups))

    def quantile(self, groups: Numbers, percent: Percent) -> Exact:
        """Return a quantile (``QuantileMethod.LINEAR``) of each of *groups*, rounded half even to ints."""
        numerator, denominator = ratio_of_percent(percent)
        whole, n = 100 * denominator, self.n(groups).astype(object)
        below, rest = (n - 1) * numerator // whole, (n - 1) * numerator % whole
        lower, upper = self.price_at(groups, below + 1), self.price_at(groups, np.minimum(below + 2, n))
        return _half_even(lower.astype(object) * whole + (upper - lower) * rest, whole)

    def ranks(self, groups: Numbers, prices: Exact, places: Numbers, ends: Numbers) -> tuple[Exact, Exact]:
        """Return the percentile rank and the interpolated percent of *prices*, each in one of *groups*.

        Both are in ten-thousandths of a percent, rounded half even. *places* and *ends* are the numbers of
        distinct prices below each price, and up to it.
        """
        first, last = (
            self.through[self.keys.searchsorted(groups * len(self.distinct) + own)] for own in (places, ends)
        )
        # In int64 if no product can overflow.
        dtype = np.int64 if self.through[-1] < _MAX_SCALED else object
        n, below = self.n(groups).astype(dtype), (first - self.through[self.starts[groups]]).astype(dtype)
        halves = 50 * _PARTS * (2 * below + (last - first))
        interpolated = _half_even(halves - 50 * _PARTS, np.maximum(n - 1, 1))
        interpolated[n == 1] = 50 * _PARTS
        absent = np.flatnonzero(first == last)
        interpolated[absent] = self._between(groups[absent], prices[absent], below[absent].astype(object))
        return _half_even(halves, n), interpolated

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
        prices, counts, bounds = self.prices, self.counts, list(pairwise(self.starts.tolist()))
        for group in groups.tolist():
            own = slice(*bounds[group])
            yield PriceDistribution(tuple(prices[own].tolist()), tuple(counts[own].tolist()))


def _half_even(numerators: Exact, denominators: Exact | int) -> Exact:
    """Return each quotient, rounded half even; denominators are positive."""
    whole = numerators // denominators
    twice = 2 * (numerators - whole * denominators)
    return whole + ((twice > denominators) | ((twice == denominators) & (whole % 2 == 1)))
