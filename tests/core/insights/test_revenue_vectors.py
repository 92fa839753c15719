"""Protection levels and revenues at one price, as published. SOURCES.md describes the sources."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, factorial, sqrt
from statistics import NormalDist

import pytest

from faregate.insights.distribution import PriceDistribution
from faregate.insights.revenue import (
    DemandDistribution,
    best_price,
    protection_level,
    protection_levels,
    revenue_curve,
)


def poisson(mean: int) -> DemandDistribution:
    """Return Poisson demand as exact weights, without the numbers of units beyond 3 times *mean* + 40."""
    most = 3 * mean + 40
    weights = [mean**units * (factorial(most) // factorial(units)) for units in range(most + 1)]
    return DemandDistribution(tuple(range(most + 1)), tuple(weights))


QUARTERS = 4


def normal(mean: float, deviation: float) -> DemandDistribution:
    """Return normal demand, rounded to quarters of a unit; no demand is below 0."""
    demand = NormalDist(QUARTERS * mean, QUARTERS * deviation)
    weights = {
        units: round(10**12 * (demand.cdf(units + 0.5) - (demand.cdf(units - 0.5) if units else 0)))
        for units in range(ceil(QUARTERS * (mean + 7 * deviation)))
    }
    weights = {units: weight for units, weight in weights.items() if weight}
    return DemandDistribution(tuple(weights), tuple(weights.values()))


@pytest.mark.parametrize(
    ("fares", "mean", "level"),
    [
        # Ceryan, R supplement 1, section 1.1, and a solution to its exercises
        pytest.param((100, 60), 80, 78, id="REV-L1"),
        pytest.param((800, 690), 30, 24, id="REV-L2"),
    ],
)
def test_level_of_littlewoods_rule(fares: tuple[int, int], mean: int, level: int) -> None:
    fare, lower_fare = fares

    assert protection_level(poisson(mean), fare=fare, lower_fare=lower_fare) == level


def test_levels_of_emsr_b_for_poisson_demand() -> None:
    """REV-E1: Ceryan, R supplement 2, section 3.1."""
    means = {100: 15, 60: 40, 40: 50, 35: 55, 15: 120}

    levels = protection_levels({fare: poisson(mean) for fare, mean in means.items()})

    assert levels == {60: 14, 40: 54, 35: 102, 15: 166}


@pytest.mark.parametrize(
    ("demands", "levels"),
    [
        pytest.param(
            # Phillips, Pricing and Revenue Optimization, example 7.5
            {1050: (17.3, 5.8), 950: (45.1, 15.0), 699: (39.6, 13.2), 520: (34.0, 11.3)},
            {950: 10, 699: 54, 520: 97},
            id="REV-E2",
        ),
        pytest.param(
            # RM2, example of EMSRb
            {250: (50, sqrt(50)), 150: (75, sqrt(75)), 100: (125, sqrt(125)), 50: (500, sqrt(500))},
            {150: 49, 100: 125, 50: 257},
            id="REV-E3",
        ),
    ],
)
def test_levels_of_emsr_b_for_rounded_normal_demand(
    demands: dict[int, tuple[float, float]], levels: dict[int, int]
) -> None:
    quarters = protection_levels({fare: normal(*demand) for fare, demand in demands.items()})

    assert {fare: ceil(Fraction(level, QUARTERS)) for fare, level in quarters.items()} == levels


def test_revenue_at_each_price_of_a_demand_schedule() -> None:
    """REV-W1: Mankiw, table 15-1; of the prices 5 and 6, with the same revenue, the lower is best."""
    willingness_to_pay = PriceDistribution.from_prices(range(3, 11))

    curve = revenue_curve(willingness_to_pay)

    assert [8 * point.revenue for point in curve] == [24, 28, 30, 30, 28, 24, 18, 10]
    assert best_price(willingness_to_pay) == curve[2]
    assert curve[2].price == 5


def test_share_of_buyers_at_each_price() -> None:
    """REV-W2: Krugman, figure 49-1, and revenues computed from it."""
    curve = revenue_curve(PriceDistribution.from_prices([59, 45, 35, 25, 10]))

    assert [point.price for point in curve] == [10, 25, 35, 45, 59]
    assert [5 * point.share for point in curve] == [5, 4, 3, 2, 1]
    assert [5 * point.revenue for point in curve] == [50, 100, 105, 90, 59]
