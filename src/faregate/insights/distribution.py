"""Price distributions: exact counts of each price, and the rank of a price among them. Decisions §10.

Nothing is sampled or approximated: a distribution counts how often each price occurs. Merging adds counts,
so the result is exactly the same in any order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import accumulate, islice
from operator import lt, mul

from faregate._values import public_value
from faregate.arguments.checks import as_int
from faregate.errors import InvalidAmount, InvalidInput, InvalidPercent, InvalidWeights
from faregate.insights.percentiles import OrderedPrices, Percent, exact_percent
from faregate.money.amounts import MinorUnits
from faregate.money.rounding import round_half_even

LOWER_PERCENT = 25
UPPER_PERCENT = 75


@public_value
@dataclass(frozen=True, slots=True)
class PriceDistribution(OrderedPrices):
    """A distribution of prices: ascending ``prices`` (any ints) and their ``counts``, of at least 1 each.

    A count is also a weight: a price seen three times is the same as a price with weight 3. Weights are ints,
    since a sum of floats depends on their order; scale up fractional weights.

    >>> winter = PriceDistribution.from_prices([6900, 7400, 6900])
    >>> winter.prices, winter.counts
    ((6900, 7400), (2, 1))
    >>> (winter + PriceDistribution.from_prices([5900])).quantile(50)
    Fraction(6900, 1)

    Raises:
        InvalidAmount: a price is not an int, or not above the price before it.
        InvalidWeights: a count is not an int of at least 1, or the numbers of prices and counts differ.
    """

    prices: tuple[MinorUnits, ...] = ()
    counts: tuple[int, ...] = ()
    n: int = field(init=False, repr=False, compare=False)
    _through: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "prices", _ints("prices", self.prices, InvalidAmount))
        object.__setattr__(self, "counts", _ints("counts", self.counts, InvalidWeights))
        _require_same_length(self.prices, self.counts)
        if not all(map(lt, self.prices, islice(self.prices, 1, None))):
            raise InvalidAmount("expected ascending prices without duplicates")
        if min(self.counts, default=1) < 1:
            raise InvalidWeights(f"expected counts of at least 1, got {min(self.counts)}")
        object.__setattr__(self, "_through", tuple(accumulate(self.counts)))
        object.__setattr__(self, "n", self._through[-1] if self._through else 0)

    @classmethod
    def from_prices(cls, prices: Iterable[MinorUnits]) -> PriceDistribution:
        """Return the distribution of *prices*, given in any order.

        >>> PriceDistribution.from_prices([3, 1, 3])
        PriceDistribution(prices=(1, 3), counts=(1, 2))

        Raises:
            InvalidAmount: a price is not an int.
        """
        return cls._from_table(Counter(_ints("prices", prices, InvalidAmount)))

    @classmethod
    def from_counts(cls, prices: Iterable[MinorUnits], counts: Iterable[int]) -> PriceDistribution:
        """Return the distribution of *prices* with these *counts*; equal prices are combined.

        Prices with a count of 0 are left out.

        >>> PriceDistribution.from_counts([3, 1, 3, 2], [2, 5, 1, 0])
        PriceDistribution(prices=(1, 3), counts=(5, 3))

        Raises:
            InvalidAmount: a price is not an int.
            InvalidWeights: a count is negative or not an int, or the numbers of prices and counts differ.
        """
        observed, times = _ints("prices", prices, InvalidAmount), _ints("counts", counts, InvalidWeights)
        _require_same_length(observed, times)
        if min(times, default=0) < 0:
            raise InvalidWeights(f"expected counts of at least 0, got {min(times)}")
        table: dict[MinorUnits, int] = {}
        _add_up(table, observed, times)
        return cls._from_table(table)

    @classmethod
    def _from_table(cls, table: Mapping[MinorUnits, int]) -> PriceDistribution:
        prices = sorted(filter(table.__getitem__, table))
        return cls(tuple(prices), tuple(map(table.__getitem__, prices)))

    @property
    def total(self) -> int:
        """Sum of all observed prices."""
        return sum(map(mul, self.prices, self.counts))

    def price_at(self, rank: int) -> MinorUnits:
        """Return the price at *rank*, which counts from 1 and is not checked.

        >>> PriceDistribution.from_prices([6900, 7400, 6900]).price_at(2)
        6900
        """
        return self.prices[bisect_left(self._through, rank)]

    def standing(self, price: MinorUnits) -> tuple[int, int]:
        """Return the number of observations below *price* and the number equal to it; nothing is checked.

        >>> PriceDistribution.from_prices([6900, 7400, 6900]).standing(7400)
        (2, 1)
        """
        prices = self.prices
        index = bisect_left(prices, price)
        if index == len(prices):
            return self.n, 0
        count = self.counts[index]
        below = self._through[index] - count
        return (below, count) if prices[index] == price else (below, 0)

    def __add__(self, other: PriceDistribution) -> PriceDistribution:
        """Return the distribution that contains all observations of both."""
        if not isinstance(other, PriceDistribution):
            return NotImplemented
        table = dict(zip(self.prices, self.counts, strict=True))
        _add_up(table, other.prices, other.counts)
        return self._from_table(table)

    def __sub__(self, other: PriceDistribution) -> PriceDistribution:
        """Return this distribution without the observations of *other*.

        Raises:
            InvalidWeights: *other* contains a price more often than this distribution does.
        """
        if not isinstance(other, PriceDistribution):
            return NotImplemented
        table = dict(zip(self.prices, self.counts, strict=True))
        for price, count in zip(other.prices, other.counts, strict=True):
            left = table.get(price, 0) - count
            if left < 0:
                raise InvalidWeights(f"price {price}: cannot subtract a count of {count} from {left + count}")
            table[price] = left
        return self._from_table(table)


def _ints(name: str, values: Iterable[int], error: type[InvalidInput]) -> tuple[int, ...]:
    """Return *values*, integers of NumPy as ints."""
    given = tuple(values)
    # Check the set of types first: it covers a million prices in 20 ms.
    if not set(map(type, given)) - {int}:
        return given
    found = tuple([number for number in map(as_int, given) if number is not None])
    if len(found) < len(given):
        wrong = next(value for value in given if as_int(value) is None)
        raise error(f"{name}: expected ints, got {wrong!r}")
    return found


def _require_same_length(prices: tuple[MinorUnits, ...], counts: tuple[int, ...]) -> None:
    if len(prices) != len(counts):
        raise InvalidWeights(f"{len(prices)} prices but {len(counts)} counts")


def _add_up(table: dict[MinorUnits, int], prices: tuple[MinorUnits, ...], counts: tuple[int, ...]) -> None:
    for price, count in zip(prices, counts, strict=True):
        table[price] = table.get(price, 0) + count


class PriceLevel(Enum):
    """The level of a price compared with others; a price equal to a threshold counts as typical."""

    LOW = "low"
    """Below the lower threshold."""
    TYPICAL = "typical"
    HIGH = "high"
    """Above the upper threshold."""


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class PriceBenchmark:
    """A price and its rank: ``percentile`` is the mid-rank, ``interpolated_percent`` the inverse quantile."""

    price: MinorUnits
    percentile: Fraction
    interpolated_percent: Fraction


@public_value
@dataclass(frozen=True, slots=True)
class PriceThreshold:
    """A price threshold: the quantile at ``percent``, in whole minor units."""

    percent: Percent
    price: MinorUnits


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class PriceInsight:
    """The result of comparing a price with a distribution of prices.

    ``position`` is 0 at the lower threshold and 1 at the upper; outside them, it is below 0 or above 1. It is
    None if both thresholds are the same price.
    """

    benchmark: PriceBenchmark
    lower: PriceThreshold
    upper: PriceThreshold
    level: PriceLevel
    position: Fraction | None


def price_insight(
    distribution: OrderedPrices,
    price: MinorUnits,
    *,
    lower: Percent = LOWER_PERCENT,
    upper: Percent = UPPER_PERCENT,
) -> PriceInsight:
    """Compare *price* with a *distribution*: find its rank, and its position between two thresholds.

    A threshold is a quantile (``QuantileMethod.LINEAR``), rounded to whole minor units, half to even. The
    level and the position use the rounded thresholds, so that they agree with the prices shown.

    >>> insight = price_insight(PriceDistribution.from_prices([5900, 6900, 6900, 7900]), 6400)
    >>> insight.lower, insight.upper
    (PriceThreshold(percent=25, price=6650), PriceThreshold(percent=75, price=7150))
    >>> insight.level, insight.position, insight.benchmark.percentile
    (<PriceLevel.LOW: 'low'>, Fraction(-1, 2), Fraction(25, 1))

    Raises:
        NoObservations: the distribution is empty.
        InvalidAmount: *price* is not an int.
        InvalidPercent: *lower* or *upper* is not an exact percentage from 0 to 100, or *lower* is above
            *upper*.
    """
    number = as_int(price)
    if number is None:
        raise InvalidAmount(f"price: expected an int of minor units, got {price!r}")
    low, high = _threshold(distribution, lower), _threshold(distribution, upper)
    if low.percent > high.percent:
        raise InvalidPercent(f"lower threshold of {lower} percent is above the upper threshold of {upper}")
    benchmark = PriceBenchmark(
        price=number,
        percentile=distribution.percentile_rank(number),
        interpolated_percent=distribution.interpolated_percent(number),
    )
    gap = high.price - low.price
    position = Fraction(number - low.price, gap) if gap else None
    return PriceInsight(
        benchmark=benchmark,
        lower=low,
        upper=high,
        level=_level(number, low.price, high.price),
        position=position,
    )


def _threshold(distribution: OrderedPrices, percent: Percent) -> PriceThreshold:
    exact = distribution.quantile(percent)
    return PriceThreshold(exact_percent(percent), round_half_even(exact))


def _level(price: MinorUnits, lower: MinorUnits, upper: MinorUnits) -> PriceLevel:
    if price < lower:
        return PriceLevel.LOW
    return PriceLevel.HIGH if price > upper else PriceLevel.TYPICAL
