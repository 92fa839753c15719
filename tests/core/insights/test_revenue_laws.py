"""Laws of protection levels and of the revenue at one price. Decisions §10."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import example, given
from hypothesis import strategies as st

from faregate.insights.distribution import PriceDistribution
from faregate.insights.revenue import (
    DemandDistribution,
    best_price,
    protection_level,
    protection_levels,
    revenue_curve,
)
from support.oracles import revenue as oracle

from_units = DemandDistribution.from_units

demands = st.lists(st.integers(0, 6), min_size=1, max_size=5)
fares = st.lists(st.integers(0, 20), min_size=2, max_size=2, unique=True).map(sorted)
fare_demands = st.dictionaries(st.integers(0, 20), demands, min_size=2, max_size=4)


# ---------------------------------------------------------------- protection levels


@given(demands, demands, fares, st.integers(0, 15))
def test_no_level_has_a_higher_expected_revenue(
    high: list[int], low: list[int], pair: list[int], capacity: int
) -> None:
    lower_fare, fare = pair

    level = protection_level(from_units(high), fare=fare, lower_fare=lower_fare)

    revenues = [
        oracle.expected_revenue((fare, high), (lower_fare, low), capacity, other)
        for other in range(capacity + 1)
    ]
    assert revenues[min(level, capacity)] == max(revenues)


@given(demands, fares)
@example([0, 2], [10, 20])
def test_level_is_the_least_of_the_best(high: list[int], pair: list[int]) -> None:
    """Demand at the lower fare fills every capacity, so that each unit kept back matters."""
    (lower_fare, fare), capacity = pair, 8

    level = protection_level(from_units(high), fare=fare, lower_fare=lower_fare)

    revenues = [
        oracle.expected_revenue((fare, high), (lower_fare, [capacity]), capacity, other)
        for other in range(capacity + 1)
    ]
    assert level == revenues.index(max(revenues))


@given(fare_demands)
@example({100: [0, 10], 10: [0] * 9 + [1000], 9: [0]})
def test_levels_match_a_count_of_all_combinations(observed: dict[int, list[int]]) -> None:
    levels = protection_levels({fare: from_units(units) for fare, units in observed.items()})

    assert levels == oracle.emsr_b(observed)


@given(demands, demands, fares)
def test_emsr_b_with_two_fares_is_littlewoods_rule(high: list[int], low: list[int], pair: list[int]) -> None:
    lower_fare, fare = pair
    level = protection_level(from_units(high), fare=fare, lower_fare=lower_fare)

    levels = protection_levels({lower_fare: from_units(low), fare: from_units(high)})

    assert levels == {lower_fare: level}


@given(fare_demands, st.integers(1, 3), st.integers(1, 3))
def test_repeated_observations_and_a_smaller_currency_unit_change_no_level(
    observed: dict[int, list[int]], times: int, scale: int
) -> None:
    levels = protection_levels({fare: from_units(units) for fare, units in observed.items()})

    scaled = protection_levels({scale * fare: from_units(units * times) for fare, units in observed.items()})

    assert scaled == {scale * fare: level for fare, level in levels.items()}


# ---------------------------------------------------------------- one price for all

ready = st.lists(st.integers(0, 30) | st.integers(0, 20_000), min_size=1, max_size=12)


@given(ready)
def test_curve_matches_a_count_of_single_customers(customers: list[int]) -> None:
    curve = revenue_curve(PriceDistribution.from_prices(customers))

    assert [point.price for point in curve] == sorted(set(customers))
    for point in curve:
        assert point.revenue * len(customers) == oracle.revenue_at(point.price, customers)
        assert point.share == Fraction(sum(own >= point.price for own in customers), len(customers))


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12))
@example([1, 2])
def test_best_price_is_the_lowest_of_the_best_whole_prices(customers: list[int]) -> None:
    best = best_price(PriceDistribution.from_prices(customers))

    revenues = [oracle.revenue_at(price, customers) for price in range(max(customers) + 2)]
    assert best.revenue * len(customers) == max(revenues)
    assert best.price == revenues.index(max(revenues))
