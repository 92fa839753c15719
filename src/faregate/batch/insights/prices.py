"""Columns of prices in ascending order, kept as a histogram of cents or as a sorted array. Decisions §10.

Both implement ``faregate.insights.percentiles.OrderedPrices`` with the same exact results. The size of a
histogram depends on its range of cents, not on its number of prices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from faregate.batch.columns.checks import described, fits_int64
from faregate.batch.columns.values import Numbers
from faregate.errors import InvalidInput, InvalidWeights
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import OrderedPrices
from faregate.render.distributions import distribution_html

MAX_CENTS = 2**20
"""Maximum number of cents in a histogram: 8 MB, prices up to 10,485.75."""

CENTS_A_PRICE = 4
"""Average distance between prices, in cents, at which sorting becomes faster than counting."""

_CHUNK = 65_536
"""Prices per chunk, few enough for data that is read twice to stay in a cache of 1 MB."""

_GREATEST = 2**63 - 1

Integers = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class PriceHistogram(OrderedPrices):
    """Number of prices at every cent from ``first`` on.

    The histogram stores the number of prices below each cent. Merging adds these numbers, and the time of a
    query does not depend on the number of prices. Compare two histograms by their ``distribution()``.

    >>> kept = PriceHistogram.from_columns(np.array([6900, 7400, 6900]))
    >>> kept = kept + PriceHistogram.from_columns(np.array([5900], np.int32))
    >>> kept.quantile(50), kept.percentile_rank(7400)
    (Fraction(6900, 1), Fraction(175, 2))
    """

    first: int
    below: Numbers = field(repr=False)
    """int64 ``[cents + 1]``: number of prices below each cent; the last entry counts all prices."""
    n: int

    @classmethod
    def from_columns(cls, prices: Integers, *, weights: Integers | None = None) -> PriceHistogram:
        """Return the histogram of *prices* ``[n]``, each counted *weights* ``[n]`` times (default: once).

        Any dtype that fits int64 is accepted. Counting needs less than 2 MB besides the histogram.

        Raises:
            InvalidInput: a column has the wrong dtype or shape, or the prices span more than ``MAX_CENTS``.
            InvalidWeights: a weight is negative, or the weights add up to 2^63 or more.
        """
        column = integer_column("prices", prices)
        weighing = None if weights is None else weight_column(weights, len(column))
        return cls._of(column, weighing, range_of(column))

    @classmethod
    def if_worth_it(cls, prices: Integers, weights: Integers | None) -> PriceHistogram | None:
        """Return a histogram of columns already checked; None if the prices are too few or too far apart."""
        least, greatest = range_of(prices)
        is_worth_it = greatest - least < min(MAX_CENTS, CENTS_A_PRICE * len(prices))
        return cls._of(prices, weights, (least, greatest)) if is_worth_it else None

    @classmethod
    def _of(cls, prices: Integers, weights: Integers | None, extremes: tuple[int, int]) -> PriceHistogram:
        least, greatest = extremes
        # Begin at 0 if possible: then nothing is subtracted, and most histograms merge cent by cent.
        first = 0 if least >= 0 and greatest < MAX_CENTS else least
        below = np.zeros(_span(first, greatest) + 1, np.int64)
        add_counts(below[1:], prices, weights, first=first)
        np.cumsum(below, out=below)
        return cls(first, below, int(below[-1]))

    @property
    def total(self) -> int:
        """Sum of all prices."""
        # The sum over all cents but the first of the number of prices at or above each.
        return self.first * self.n + (len(self.below) - 1) * self.n - _exact_sum(self.below)

    def price_at(self, rank: int) -> int:
        """Return the price at *rank*, 1 for the lowest and n for the highest; *rank* is not checked."""
        return self.first + int(self.below.searchsorted(rank)) - 1

    def standing(self, price: int) -> tuple[int, int]:
        """Return the number of prices below *price* and the number equal to it."""
        cent = price - self.first
        if cent < 0:
            return 0, 0
        if cent >= len(self.below) - 1:
            return self.n, 0
        below = self.below.item(cent)
        return below, self.below.item(cent + 1) - below

    def distribution(self) -> PriceDistribution:
        """Return the distribution; cents without prices are left out."""
        counts = np.diff(self.below)
        cents = np.flatnonzero(counts)
        return PriceDistribution(tuple((cents + self.first).tolist()), tuple(counts[cents].tolist()))

    def _repr_html_(self) -> str:
        return distribution_html(self.distribution(), price=None, currency=None)

    def __add__(self, other: PriceHistogram) -> PriceHistogram:
        """Return a histogram of all prices in this histogram and in *other*.

        Raises:
            InvalidInput: the prices of the two together span more than ``MAX_CENTS``.
            InvalidWeights: the two histograms have 2^63 prices or more in total.
        """
        if not isinstance(other, PriceHistogram):
            return NotImplemented
        n = self.n + other.n
        if n > _GREATEST:
            raise InvalidWeights(f"expected at most {_GREATEST} prices, got {n}")
        first, below = _combined(np.add, self, other)
        return PriceHistogram(first, below, n)

    def __sub__(self, other: PriceHistogram) -> PriceHistogram:
        """Return this histogram without the prices of *other*.

        Raises:
            InvalidInput: the prices of the two together span more than ``MAX_CENTS``.
            InvalidWeights: *other* contains a price more often than this histogram does.
        """
        if not isinstance(other, PriceHistogram):
            return NotImplemented
        first, below = _combined(np.subtract, self, other)
        is_short = below[1:] < below[:-1]
        if is_short.any():
            price = first + int(is_short.argmax())
            there, taken = (own.standing(price)[1] for own in (self, other))
            raise InvalidWeights(f"price {price}: cannot subtract a count of {taken} from {there}")
        return PriceHistogram(first, below, self.n - other.n)


def _combined(operation: np.ufunc, one: PriceHistogram, other: PriceHistogram) -> tuple[int, Numbers]:
    """Apply *operation* to two histograms cent by cent; return the first cent and ``below`` of the result."""
    if (one.first, len(one.below)) == (other.first, len(other.below)):
        return one.first, operation(one.below, other.below)
    counted = [_trimmed(one), _trimmed(other)]
    spanning = [own for own in counted if own.n] or counted
    first = min(own.first for own in spanning)
    cents = _span(first, max(own.first + len(own.below) - 2 for own in spanning))
    below = np.zeros(cents + 1, np.int64)
    for combine, own in zip((np.add, operation), counted, strict=True):
        start = own.first - first if own.n else 0
        end = start + len(own.below)
        combine(below[start:end], own.below, out=below[start:end])
        combine(below[end:], own.n, out=below[end:])
    return first, below


def _trimmed(own: PriceHistogram) -> PriceHistogram:
    """Return the histogram without the cents before the first price and after the last."""
    if not own.n:
        return PriceHistogram(0, own.below[:1], 0)
    least, greatest = own.price_at(1), own.price_at(own.n)
    return PriceHistogram(least, own.below[least - own.first : greatest - own.first + 2], own.n)


def _span(first: int, greatest: int) -> int:
    cents = greatest - first + 1
    if cents > MAX_CENTS:
        raise InvalidInput(f"expected prices that span at most {MAX_CENTS} cents, got {first} to {greatest}")
    return cents


def add_counts(counts: Integers, prices: Integers, weights: Integers | None, *, first: int = 0) -> None:
    """Count each price at its cent in *counts*, which begin at *first*, once or *weights* times."""
    once = counts.dtype.type(1)  # of the same dtype: adding a Python int takes ten times as long
    for part in parts(len(prices)):
        cents = np.ascontiguousarray(prices[part], np.int64)
        if first:
            cents = cents - first
        np.add.at(counts, cents, once if weights is None else weights[part].astype(counts.dtype))


@dataclass(frozen=True, slots=True, eq=False)
class SortedPrices(OrderedPrices):
    """Prices kept one by one in an array: int64 ``[n]``, ascending, unchecked."""

    prices: Numbers
    n: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "n", len(self.prices))

    @property
    def total(self) -> int:
        """Sum of all prices."""
        return _exact_sum(self.prices)

    def price_at(self, rank: int) -> int:
        """Return the price at *rank*, 1 for the lowest and n for the highest; *rank* is not checked."""
        return self.prices.item(rank - 1)

    def standing(self, price: int) -> tuple[int, int]:
        """Return the number of prices below *price* and the number equal to it."""
        # Check first: a price beyond int64 cannot be searched for.
        if price < self.price_at(1):
            return 0, 0
        if price > self.price_at(self.n):
            return self.n, 0
        below = int(self.prices.searchsorted(price))
        return below, int(self.prices.searchsorted(price, "right")) - below


def ordered_prices(prices: Integers) -> OrderedPrices:
    """Order a column of prices ``[n]`` of any dtype that fits int64, by counting or sorting.

    >>> ordered_prices(np.array([7400, 5900, 6900], np.int16)).quantile(75)
    Fraction(7150, 1)
    """
    column = integer_column("prices", prices)
    histogram = PriceHistogram.if_worth_it(column, None)
    return histogram or SortedPrices(np.sort(column.astype(np.int64, copy=False)))


def integer_column(name: str, value: object) -> Integers:
    """Return *value* if it is a column ``[n]`` of ints that fit int64."""
    if isinstance(value, np.ndarray) and fits_int64(value.dtype) and value.ndim == 1:
        return value
    raise InvalidInput(f"{name}: expected int64 [n], got {described(value)}")


def weight_column(value: object, rows: int) -> Integers:
    """Return *value* if it is a column of *rows* weights.

    Raises:
        InvalidInput: the value is not a column of that many ints.
        InvalidWeights: a weight is negative, or the weights add up to 2^63 or more.
    """
    weights = integer_column("weights", value)
    if len(weights) != rows:
        raise InvalidInput(f"weights: expected one for each of the {rows} prices, got {len(weights)}")
    least = weights.min(initial=0)
    if least < 0:
        raise InvalidWeights(f"expected weights of at least 0, got {least}")
    total = _exact_sum(weights)
    if total > _GREATEST:
        raise InvalidWeights(f"expected weights that add up to at most {_GREATEST}, got {total}")
    return weights


def range_of(prices: Integers) -> tuple[int, int]:
    """Return the lowest and highest price; 0 and -1 for an empty column."""
    if not len(prices):
        return 0, -1
    chunks = [prices[part] for part in parts(len(prices))]
    return min(int(chunk.min()) for chunk in chunks), max(int(chunk.max()) for chunk in chunks)


def _exact_sum(numbers: Integers) -> int:
    """Return the sum as a Python int, adding the two halves of each int64 separately."""
    total = 0
    for part in parts(len(numbers)):
        chunk = numbers[part].astype(np.int64, copy=False)
        total += (int((chunk >> 32).sum()) << 32) + int((chunk & (2**32 - 1)).sum())
    return total


def parts(rows: int) -> Iterator[slice]:
    """Yield slices of rows, few enough to stay in a cache of 1 MB."""
    for start in range(0, rows, _CHUNK):
        yield slice(start, start + _CHUNK)
