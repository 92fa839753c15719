"""Comparison of two price distributions: the shift of each quantile, and if it is clear. Decisions §10.

The interval of a quantile runs from one observed price to another. Its two ranks depend only on the number of
prices, so its coverage holds for any distribution of prices, with or without ties.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from math import comb, floor
from typing import NamedTuple

from faregate._values import public_value
from faregate.arguments.checks import rows
from faregate.errors import InvalidInput, InvalidPercent
from faregate.insights.percentiles import OrderedPrices, Percent, exact_percent, ratio_of_percent
from faregate.money.amounts import MinorUnits

COMPARED_PERCENTS = (10, 25, 50, 75, 90)
CONFIDENCE = 95
LEAST_CONFIDENCE = 50
"""Lowest confidence accepted, in percent: 0.95 is probably a share, not a percentage."""

_BITS = 96
"""Initial precision of binomial weights, in bits; almost always enough for up to 10^9 prices."""
_PARTS = 10_000
"""Steps per percent to which a coverage is rounded down."""


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class PriceInterval:
    """A confidence interval of a quantile: two observed prices, their ranks, and the coverage in percent.

    Ranks count from 1. ``coverage`` is the probability that the interval of a random sample of this size
    contains the quantile: exact if prices are continuous, a lower bound if they have ties. It is rounded down
    to four decimals.
    """

    lower: MinorUnits
    upper: MinorUnits
    lower_rank: int
    upper_rank: int
    coverage: Fraction


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class QuantileShift:
    """A quantile (``QuantileMethod.LINEAR``) of old and new prices, each with its interval.

    An interval is None if there are too few prices for the confidence.
    """

    percent: Percent
    old: Fraction
    new: Fraction
    old_interval: PriceInterval | None
    new_interval: PriceInterval | None

    @property
    def shift(self) -> Fraction:
        """The new quantile minus the old one, in minor units."""
        return self.new - self.old

    @property
    def is_clear(self) -> bool:
        """True if both intervals exist and have no price in common."""
        old, new = self.old_interval, self.new_interval
        return old is not None and new is not None and (old.upper < new.lower or new.upper < old.lower)


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class PriceComparison:
    """The result of comparing two distributions of prices; means are in minor units, unrounded."""

    old_n: int
    new_n: int
    old_mean: Fraction
    new_mean: Fraction
    quantiles: tuple[QuantileShift, ...]
    confidence: Percent

    @property
    def mean_shift(self) -> Fraction:
        """The new mean minus the old one, in minor units."""
        return self.new_mean - self.old_mean


def compare(
    old: OrderedPrices,
    new: OrderedPrices,
    *,
    percents: Iterable[Percent] = COMPARED_PERCENTS,
    confidence: Percent = CONFIDENCE,
) -> PriceComparison:
    """Compare the prices of two periods or groups: the shift of the mean and of each quantile.

    The intervals are those of ``quantile_interval``. Their confidence is that of each interval, not of all of
    them together.

    >>> from faregate.insights.distribution import PriceDistribution
    >>> old, new = PriceDistribution.from_prices(range(60, 80)), PriceDistribution.from_prices(range(75, 95))
    >>> [median] = compare(old, new, percents=[50]).quantiles
    >>> median.old, median.new, median.shift, median.is_clear
    (Fraction(139, 2), Fraction(169, 2), Fraction(15, 1), True)

    Raises:
        InvalidInput: *old* or *new* is not a price distribution.
        NoObservations: *old* or *new* is empty.
        InvalidPercent: a percentage is not exact or not from 0 to 100, *percents* is not a list or is empty,
            or *confidence* is below ``LEAST_CONFIDENCE`` or not below 100.
    """
    _require_prices("old", old)
    _require_prices("new", new)
    wanted = rows("percents", percents, InvalidPercent)
    if not wanted:
        raise InvalidPercent("percents: expected at least one percentage")
    quantiles = tuple(_shift(old, new, exact_percent(percent), confidence) for percent in wanted)
    return PriceComparison(
        old_n=old.n,
        new_n=new.n,
        old_mean=Fraction(old.total, old.n),
        new_mean=Fraction(new.total, new.n),
        quantiles=quantiles,
        confidence=exact_percent(confidence),
    )


def _shift(old: OrderedPrices, new: OrderedPrices, percent: Percent, confidence: Percent) -> QuantileShift:
    return QuantileShift(
        percent=percent,
        old=old.quantile(percent),
        new=new.quantile(percent),
        old_interval=quantile_interval(old, percent, confidence=confidence),
        new_interval=quantile_interval(new, percent, confidence=confidence),
    )


def _require_prices(name: str, prices: object) -> None:
    if not isinstance(prices, OrderedPrices):
        raise InvalidInput(
            f"{name}: expected a price distribution, got {type(prices).__name__}:"
            " use PriceDistribution.from_prices"
        )


def quantile_interval(
    prices: OrderedPrices, percent: Percent, *, confidence: Percent = CONFIDENCE
) -> PriceInterval | None:
    """Return the equal-tailed, distribution-free interval of a quantile; None if there are too few prices.

    The interval is for the quantile of the population from which *prices* are a random sample. It is the
    narrowest that lies above the quantile, and below it, with a probability of at most
    (100 - *confidence*) / 2 percent each. For n prices and a share p, these are the probabilities of fewer
    than ``lower_rank``, and of at least ``upper_rank``, successes in n trials of probability p.

    The ranks are exact. The cost grows with the square root of n: about 5 ms for a million prices.

    >>> from faregate.insights.distribution import PriceDistribution
    >>> interval = quantile_interval(PriceDistribution.from_prices(range(10, 110, 10)), 50)
    >>> interval.lower_rank, interval.upper_rank, interval.lower, interval.upper, float(interval.coverage)
    (2, 9, 20, 90, 97.8515)
    >>> quantile_interval(PriceDistribution.from_prices([10, 20, 30, 40, 50]), 50) is None
    True

    Raises:
        InvalidInput: *prices* is not a price distribution.
        InvalidPercent: as in ``compare``.
    """
    _require_prices("prices", prices)
    share, tail = Fraction(*ratio_of_percent(percent)) / 100, _tail(confidence)
    # The lowest and the highest possible price are beyond any sample.
    ranks = _ranks(prices.n, share, tail, _BITS) if 0 < share < 1 else None
    if ranks is None:
        return None
    return PriceInterval(
        lower=prices.price_at(ranks.lower),
        upper=prices.price_at(ranks.upper),
        lower_rank=ranks.lower,
        upper_rank=ranks.upper,
        coverage=Fraction(ranks.coverage, _PARTS),
    )


def _tail(confidence: Percent) -> Fraction:
    tail = (100 - Fraction(*ratio_of_percent(confidence))) / 200
    if not 0 < tail <= Fraction(100 - LEAST_CONFIDENCE, 200):
        raise InvalidPercent(
            f"confidence: expected at least {LEAST_CONFIDENCE} and below 100 percent, got {confidence}"
        )
    return tail


class _Ranks(NamedTuple):
    lower: int
    upper: int
    coverage: int


class _Weights(NamedTuple):
    """Weights of ``first``, ``first + 1``, … successes; the sum of any is too low by at most ``error``."""

    first: int
    weights: Sequence[int]
    error: int


@lru_cache(maxsize=4096)  # many groups have the same number of prices
def _ranks(n: int, share: Fraction, tail: Fraction, bits: int) -> _Ranks | None:
    """Return both ranks of the interval, with more precision until the error of the weights is irrelevant."""
    while True:
        first, weights, error = _weights(n, share, bits)
        total = sum(weights)
        below = _within(tail, weights, total, error)
        above = _within(tail, weights[::-1], total, error)
        if below is not None and above is not None:
            lower, upper = first + below, first + len(weights) - above
            if not lower or upper > n:
                return None
            inside = sum(weights[below : len(weights) - above])
            coverage = 100 * _PARTS * inside // (total + error)
            if coverage == 100 * _PARTS * (inside + error) // total:
                return _Ranks(lower, upper, coverage)
        bits *= 2


def _within(tail: Fraction, weights: Sequence[int], total: int, error: int) -> int | None:
    """Return how many of the first weights sum to at most *tail* of all; None if the error leaves doubt."""
    sums = list(accumulate(weights))
    surely = bisect_right(sums, floor(tail * total) - error)
    perhaps = bisect_right(sums, floor(tail * (total + error)))
    return surely if surely == perhaps else None


def _weights(n: int, share: Fraction, bits: int) -> _Weights:
    """Return the binomial weights relative to the greatest, which has *bits* bits, or exactly if they fit.

    Each step away from the greatest weight rounds down and loses less than 1, so that no weight is too low by
    n. Weights that are left out have been rounded down to 0.
    """
    success, whole = share.as_integer_ratio()
    failure = whole - success
    mode = (n + 1) * success // whole
    is_exact = n * whole.bit_length() <= bits
    top = comb(n, mode) * success**mode * failure ** (n - mode) if is_exact else 1 << bits
    below = [*_falling(top, mode, n - mode, success, failure)]
    above = [*_falling(top, n - mode, mode, failure, success)]
    return _Weights(mode - len(below), [*reversed(below), top, *above], 0 if is_exact else n * n)


def _falling(weight: int, successes: int, failures: int, success: int, failure: int) -> Iterator[int]:
    """Yield the weights of ever fewer *successes*, up to and including the first that is 0."""
    while successes and weight:
        failures += 1
        weight = weight * (successes * failure) // (failures * success)
        successes -= 1
        yield weight
