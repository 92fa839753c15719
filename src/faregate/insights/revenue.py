"""Protection levels for fares, and the price with the highest revenue, from exact counts. Decisions §10.

Nothing is forecast or fitted to a curve: past demand is taken for future demand, and all comparisons are of
ints and Fractions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise, product
from operator import mul

from faregate._values import public_value
from faregate.arguments.checks import checked, require, rows, whole
from faregate.errors import InvalidAmount, InvalidWeights, NoObservations
from faregate.insights.distribution import PriceDistribution
from faregate.money.amounts import MinorUnits

# ---------------------------------------------------------------- protection levels


@public_value
@checked(InvalidWeights)
@dataclass(frozen=True, slots=True)
class DemandDistribution:
    """Past demand at one fare: ascending ``units`` and, in ``counts``, how often each number was wanted.

    Each observation is a day, a tour or a performance, with the units that customers wanted, sold or not.
    Sales are not enough: on sold-out days, demand was higher. Give probabilities as whole numbers in the same
    ratio: 1 and 3 for 0.25 and 0.75.

    >>> demand = DemandDistribution.from_units([3, 0, 3, 2])
    >>> demand.units, demand.counts, demand.mean
    ((0, 2, 3), (1, 1, 2), Fraction(2, 1))

    Raises:
        InvalidWeights: ``units`` is empty, units are not ascending ints of at least 0, a count is
            not an int of at least 1, or the numbers of units and counts differ.
    """

    units: tuple[int, ...]
    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.units) != len(self.counts):
            raise InvalidWeights(f"{len(self.units)} numbers of units but {len(self.counts)} counts")
        if not self.units:
            raise InvalidWeights("expected at least one observation of demand")
        if self.units[0] < 0 or any(units >= more for units, more in pairwise(self.units)):
            raise InvalidWeights("expected ascending units of at least 0 without duplicates")
        if min(self.counts) < 1:
            raise InvalidWeights(f"expected counts of at least 1, got {min(self.counts)}")

    @classmethod
    def from_units(cls, units: Iterable[int]) -> DemandDistribution:
        """Return the distribution of *units*, one number per observation, in any order.

        An observation without demand is a 0.

        >>> DemandDistribution.from_units([3, 0, 3])
        DemandDistribution(units=(0, 3), counts=(1, 2))

        Raises:
            InvalidWeights: *units* is empty, or contains something other than ints of at least 0.
        """
        observed = rows("units", units, InvalidWeights)
        return _demand(Counter(whole(number, "units", InvalidWeights, 0) for number in observed))

    @property
    def mean(self) -> Fraction:
        """Mean number of units, not rounded."""
        return Fraction(sum(map(mul, self.units, self.counts)), sum(self.counts))


def _demand(table: Mapping[int, int]) -> DemandDistribution:
    units = sorted(table)
    return DemandDistribution(tuple(units), tuple(map(table.__getitem__, units)))


def protection_level(demand: DemandDistribution, *, fare: MinorUnits, lower_fare: MinorUnits) -> int:
    """Return the units to keep back for *fare* while *lower_fare* is on sale, by Littlewood's rule.

    With y units kept back, one more is kept back if its expected revenue, *fare* times the share of
    observations with a *demand* above y, is higher than *lower_fare*. If both are equal, it is not.

    The level maximises expected revenue at any capacity if these assumptions hold: customers for the lower
    fare come first and never buy at the higher fare instead; the demands at both fares are independent, and
    future demand is distributed like *demand*; nobody cancels, and no group buys all of its units or none.

    >>> demand = DemandDistribution.from_units([1, 2, 2, 3, 5])
    >>> protection_level(demand, fare=10000, lower_fare=6000)
    2

    Raises:
        InvalidAmount: a fare is not an int of at least 0, or *lower_fare* is not below *fare*.
        InvalidWeights: *demand* is not a ``DemandDistribution``.
    """
    require(DemandDistribution, demand, "demand", InvalidWeights)
    fare, lower = whole(fare, "fare", InvalidAmount, 0), whole(lower_fare, "lower_fare", InvalidAmount, 0)
    if lower >= fare:
        raise InvalidAmount(f"lower_fare is {lower}, expected less than the fare of {fare}")
    return _littlewood(demand, Fraction(lower, fare))


def _littlewood(demand: DemandDistribution, ratio: Fraction) -> int:
    """Return the least y for which the share of observations above y is at most *ratio*, below 1."""
    through = tuple(accumulate(demand.counts))
    return demand.units[bisect_left(through, through[-1] * (1 - ratio))]


def protection_levels(demands: Mapping[MinorUnits, DemandDistribution]) -> dict[MinorUnits, int]:
    """Return, for each fare but the highest, the units to keep back for higher fares, by EMSR-b.

    *demands* maps each fare to its demand; the demand at the lowest fare has no effect. Sell at a fare only
    while more units are left than its level.

    For each fare, Littlewood's rule treats all higher fares as one: with the sum of their demands, in which
    every combination of their observations counts once, and with their mean fare, weighted by mean demand.
    The textbook rule fits a normal distribution instead; observed counts are exact. A level is never below
    the level of the next higher fare.

    For two fares, the result is that of ``protection_level``. For more, EMSR-b is a heuristic. It assumes the
    same, with customers who come in ascending order of fares.

    >>> weekdays = DemandDistribution.from_units([1, 2, 2, 3, 5])
    >>> protection_levels({10000: weekdays, 6000: weekdays, 4000: weekdays})
    {6000: 2, 4000: 5}

    Raises:
        InvalidAmount: a fare is not an int of at least 0, or there are fewer than two fares.
        InvalidWeights: *demands* is not a mapping, or a demand is not a ``DemandDistribution``.
    """
    require(Mapping, demands, "demands", InvalidWeights)
    fares = sorted((whole(fare, "a fare", InvalidAmount, 0) for fare in demands), reverse=True)
    if not fares[1:]:
        raise InvalidAmount(f"expected at least 2 fares, got {len(fares)}")
    for fare in fares:
        require(DemandDistribution, demands[fare], f"demand at {fare}", InvalidWeights)
    level, levels = 0, {}
    total, revenue = DemandDistribution((0,), (1,)), Fraction()
    for fare, lower in pairwise(fares):
        total = _sum(total, demands[fare])
        revenue += fare * demands[fare].mean
        if revenue:
            level = max(level, _littlewood(total, lower * total.mean / revenue))
        levels[lower] = level
    return levels


def _sum(one: DemandDistribution, other: DemandDistribution) -> DemandDistribution:
    table: Counter[int] = Counter()
    pairs = product(zip(one.units, one.counts, strict=True), zip(other.units, other.counts, strict=True))
    for (units, count), (more, times) in pairs:
        table[units + more] += count * times
    return _demand(table)


# ---------------------------------------------------------------- one price for all


@public_value
@dataclass(frozen=True, slots=True, kw_only=True)
class RevenuePoint:
    """A price, the ``share`` of customers who would pay it, and the expected ``revenue`` per customer.

    ``revenue`` is the price times the share, in minor units, not rounded.
    """

    price: MinorUnits
    share: Fraction
    revenue: Fraction


def revenue_curve(willingness_to_pay: PriceDistribution) -> tuple[RevenuePoint, ...]:
    """Return the expected revenue per customer at each price, in ascending order of prices.

    *willingness_to_pay* has the highest price that each customer would pay for one unit, for example from a
    survey or from bids. Past sales are not enough: a buyer may have been willing to pay more, and customers
    who found the price too high are missing. The curve assumes that all pay the same price, that everyone who
    would pay it buys one unit, that there are enough units, and that a unit costs nothing to provide.

    >>> for point in revenue_curve(PriceDistribution.from_prices([6000, 4000, 4000, 1000])):
    ...     print(point.price, point.share, point.revenue)
    1000 1 1000
    4000 3/4 3000
    6000 1/4 1500

    Raises:
        NoObservations: the distribution is empty.
        InvalidAmount: a price is negative, or *willingness_to_pay* is not a ``PriceDistribution``.
    """
    require(PriceDistribution, willingness_to_pay, "willingness_to_pay", InvalidAmount)
    n, prices = willingness_to_pay.n, willingness_to_pay.prices
    if not n:
        raise NoObservations("the price distribution is empty")
    if prices[0] < 0:
        raise InvalidAmount(f"expected prices of at least 0, got {prices[0]}")
    shares = [Fraction(n - willingness_to_pay.standing(price)[0], n) for price in prices]
    return tuple(
        RevenuePoint(price=price, share=share, revenue=price * share)
        for price, share in zip(prices, shares, strict=True)
    )


def best_price(willingness_to_pay: PriceDistribution) -> RevenuePoint:
    """Return the price with the highest expected revenue per customer; of several, the lowest.

    No other price has a higher revenue: from just above one observed price to the next, the same customers
    buy. The assumptions are those of ``revenue_curve``.

    >>> best_price(PriceDistribution.from_prices([6000, 4000, 4000, 1000])).price
    4000

    Raises:
        NoObservations: the distribution is empty.
        InvalidAmount: a price is negative, or *willingness_to_pay* is not a ``PriceDistribution``.
    """
    return max(revenue_curve(willingness_to_pay), key=lambda point: point.revenue)
