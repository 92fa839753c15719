"""Exact quantiles and ranks of prices in ascending order. Decisions §10.

The rank of a quantile may lie between two prices. It is kept as a ratio of ints, since a float can fall on
the wrong side of a whole rank.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum, IntEnum
from fractions import Fraction
from math import ceil
from typing import TypeAlias, assert_never

from faregate._values import public_value
from faregate.arguments.checks import as_int, option
from faregate.errors import InvalidAmount, InvalidPercent, NoObservations

Percent: TypeAlias = int | Fraction
"""Percentage from 0 to 100, exact: 97.5 is ``Fraction("97.5")``."""


class QuantileMethod(IntEnum):
    """The nine types of sample quantile, numbered by Hyndman and Fan (The American Statistician 50, 1996).

    For n prices and a share p, the quantile lies at a rank or between two ranks, but never beyond the first
    or the last price.
    """

    INVERTED_CDF = 1
    """The lowest price such that at least the share p of all prices are at or below it."""
    AVERAGED_INVERTED_CDF = 2
    """As INVERTED_CDF, but the mean of that price and the next if exactly the share p is at or below it."""
    CLOSEST_OBSERVATION = 3
    """The price whose rank is nearest to np; if two ranks are equally near, the even one."""
    INTERPOLATED_INVERTED_CDF = 4
    """Linear at rank np."""
    HAZEN = 5
    """Linear at rank np + 1/2."""
    WEIBULL = 6
    """Linear at rank (n + 1)p."""
    LINEAR = 7
    """Linear at rank (n - 1)p + 1: the default everywhere, as in NumPy, R and spreadsheets."""
    MEDIAN_UNBIASED = 8
    """Linear at rank (n + 1/3)p + 1/3."""
    NORMAL_UNBIASED = 9
    """Linear at rank (n + 1/4)p + 3/8."""


_PER_RANK = 24
_RANKS = {
    QuantileMethod.INVERTED_CDF: (0, 0),
    QuantileMethod.AVERAGED_INVERTED_CDF: (0, 0),
    QuantileMethod.CLOSEST_OBSERVATION: (0, -12),
    QuantileMethod.INTERPOLATED_INVERTED_CDF: (0, 0),
    QuantileMethod.HAZEN: (0, 12),
    QuantileMethod.WEIBULL: (24, 0),
    QuantileMethod.LINEAR: (-24, 24),
    QuantileMethod.MEDIAN_UNBIASED: (8, 8),
    QuantileMethod.NORMAL_UNBIASED: (6, 9),
}
"""The constants a and b of the rank (n + a)p + b, in twenty-fourths."""


class RankKind(Enum):
    """Prices that count as ranked below a given price; the names are those of SciPy's percentileofscore."""

    MEAN = "mean"
    """Lower prices and half of the equal prices: the mid-rank, or mean of WEAK and STRICT."""
    WEAK = "weak"
    """Lower and equal prices."""
    STRICT = "strict"
    """Lower prices."""
    RANK = "rank"
    """Lower prices, and equal prices up to the middle one, counted from 1."""


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class PriceSummary:
    """Seven-number summary of prices in minor units, unrounded; quartiles use ``QuantileMethod.LINEAR``."""

    n: int
    minimum: int
    lower_quartile: Fraction
    median: Fraction
    upper_quartile: Fraction
    maximum: int
    mean: Fraction


class OrderedPrices(ABC):
    """Prices in minor units, in ascending order, regardless of how they are stored."""

    __slots__ = ()

    n: int
    """Number of prices."""

    @property
    @abstractmethod
    def total(self) -> int:
        """Sum of all prices."""

    @abstractmethod
    def price_at(self, rank: int) -> int:
        """Return the price at *rank*, which counts from 1 and is not checked."""

    @abstractmethod
    def standing(self, price: int) -> tuple[int, int]:
        """Return the number of prices below *price* and the number equal to it; nothing is checked."""

    def quantile(self, percent: Percent, *, method: QuantileMethod = QuantileMethod.LINEAR) -> Fraction:
        """Return the quantile at *percent*: the price that *percent* % of the prices do not exceed.

        >>> from faregate.insights.distribution import PriceDistribution
        >>> prices = PriceDistribution.from_prices([15, 20, 35, 40, 50])
        >>> prices.quantile(25), prices.quantile(25, method=QuantileMethod.WEIBULL)
        (Fraction(20, 1), Fraction(35, 2))

        Raises:
            NoObservations: the distribution is empty.
            InvalidPercent: *percent* is not an int or Fraction from 0 to 100; a float is not exact.
        """
        n = self._observed()
        rank, numerator, denominator = quantile_position(n, percent, method=method)
        lower = self.price_at(min(max(rank, 1), n))
        if not numerator:
            return Fraction(lower)
        upper = self.price_at(min(max(rank + 1, 1), n))
        return Fraction(lower * denominator + (upper - lower) * numerator, denominator)

    def percentile_rank(self, price: int | Fraction, *, kind: RankKind = RankKind.MEAN) -> Fraction:
        """Return the percentage of prices ranked below *price*; *kind* decides how equal prices are counted.

        >>> from faregate.insights.distribution import PriceDistribution
        >>> prices = PriceDistribution.from_prices([1, 2, 3, 3, 4])
        >>> prices.percentile_rank(3), prices.percentile_rank(3, kind=RankKind.WEAK)
        (Fraction(60, 1), Fraction(80, 1))

        Raises:
            NoObservations: the distribution is empty.
            InvalidAmount: *price* is not an int or Fraction.
        """
        kind = option(RankKind, kind, "kind")
        n = self._observed()
        below, equal = self._standing(price)
        match kind:
            case RankKind.MEAN:
                halves = 2 * below + equal
            case RankKind.WEAK:
                halves = 2 * (below + equal)
            case RankKind.STRICT:
                halves = 2 * below
            case RankKind.RANK:
                halves = 2 * below + equal + (equal > 0)
            case _:
                assert_never(kind)
        return Fraction(50 * halves, n)

    def interpolated_percent(self, price: int | Fraction) -> Fraction:
        """Return the percentage whose quantile by ``QuantileMethod.LINEAR`` is *price*.

        The result is interpolated linearly between neighbouring prices. If several prices equal *price*, the
        result is the middle of their percentages; it is 0 below all prices, 100 above them, and 50 if all
        prices equal *price*.

        >>> from faregate.insights.distribution import PriceDistribution
        >>> prices = PriceDistribution.from_prices([1500, 2000, 3500, 4000, 5000])
        >>> prices.interpolated_percent(2750)
        Fraction(75, 2)

        Raises:
            NoObservations: the distribution is empty.
            InvalidAmount: *price* is not an int or Fraction.
        """
        n = self._observed()
        below, equal = self._standing(price)
        if equal:
            return Fraction(50 * (2 * below + equal - 1), n - 1) if n > 1 else Fraction(50)
        if below in (0, n):
            return Fraction(100 if below else 0)
        lower, upper = self.price_at(below), self.price_at(below + 1)
        gap = upper - lower
        return Fraction(100 * ((below - 1) * gap + price - lower)) / ((n - 1) * gap)

    def summary(self) -> PriceSummary:
        """Return the count, minimum, quartiles, maximum and mean of the prices.

        >>> from faregate.insights.distribution import PriceDistribution
        >>> PriceDistribution.from_prices([15, 20, 35, 40, 50]).summary().mean
        Fraction(32, 1)

        Raises:
            NoObservations: the distribution is empty.
        """
        n = self._observed()
        return PriceSummary(
            n=n,
            minimum=self.price_at(1),
            lower_quartile=self.quantile(25),
            median=self.quantile(50),
            upper_quartile=self.quantile(75),
            maximum=self.price_at(n),
            mean=Fraction(self.total, n),
        )

    def _observed(self) -> int:
        n = self.n
        if not n:
            raise NoObservations("the price distribution is empty")
        return n

    def _standing(self, price: int | Fraction) -> tuple[int, int]:
        if type(price) is int or not isinstance(price, Fraction):
            number = as_int(price)
            if number is None:
                raise InvalidAmount(f"expected an int or a Fraction, got {price!r}")
            return self.standing(number)
        if price.denominator == 1:
            return self.standing(price.numerator)
        return self.standing(ceil(price))[0], 0


def quantile_position(n: int, percent: Percent, *, method: QuantileMethod) -> tuple[int, int, int]:
    """Return the rank of a quantile of *n* prices as a mixed number: whole part, numerator, denominator.

    Ranks count from 1; a rank before the first or after the last means the first or last price.

    >>> quantile_position(10, 25, method=QuantileMethod.HAZEN)
    (3, 0, 2400)
    >>> rank, numerator, denominator = quantile_position(10, 25, method=QuantileMethod.LINEAR)
    >>> rank + Fraction(numerator, denominator)
    Fraction(13, 4)
    """
    method = option(QuantileMethod, method, "method")
    numerator, denominator = ratio_of_percent(percent)
    per_share, constant = _RANKS[method]
    whole = 100 * denominator
    rank, rest = divmod((_PER_RANK * n + per_share) * numerator + constant * whole, _PER_RANK * whole)
    if method > QuantileMethod.CLOSEST_OBSERVATION:
        return rank, rest, _PER_RANK * whole
    if rest:
        return rank, 1, 1
    if method is QuantileMethod.AVERAGED_INVERTED_CDF:
        return rank, 1, 2
    return rank, rank % 2 if method is QuantileMethod.CLOSEST_OBSERVATION else 0, 1


def ratio_of_percent(percent: Percent) -> tuple[int, int]:
    """Return the numerator and denominator of *percent*.

    >>> ratio_of_percent(Fraction("97.5"))
    (195, 2)
    """
    return exact_percent(percent).as_integer_ratio()


def exact_percent(percent: Percent) -> Percent:
    """Return *percent*, an integer of NumPy as an int.

    Raises:
        InvalidPercent: *percent* is not an int or Fraction, or is not from 0 to 100.
    """
    is_exact = type(percent) is int or isinstance(percent, Fraction)
    found = percent if is_exact else as_int(percent)
    if found is None:
        raise InvalidPercent(f"expected a percentage such as 50 or Fraction('97.5'), got {percent!r}")
    if not 0 <= found.numerator <= 100 * found.denominator:
        raise InvalidPercent(f"expected 0 to 100 percent, got {percent}")
    return found
