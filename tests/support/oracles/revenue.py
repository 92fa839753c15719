"""Revenue by its definition, on lists of single observations. No code under test is used."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product


def expected_revenue(
    high: tuple[int, Sequence[int]], low: tuple[int, Sequence[int]], capacity: int, level: int
) -> Fraction:
    """Return the mean revenue over all pairs of demands at two fares, if *level* units are kept back."""
    (fare, demands), (lower_fare, lower_demands) = high, low
    revenue = 0
    for demand, lower_demand in product(demands, lower_demands):
        sold_low = min(lower_demand, max(capacity - level, 0))
        revenue += lower_fare * sold_low + fare * min(demand, capacity - sold_low)
    return Fraction(revenue, len(demands) * len(lower_demands))


def emsr_b(demands: Mapping[int, Sequence[int]]) -> dict[int, int]:
    """Try one level after the other on every combination of demands at the higher fares."""
    fares = sorted(demands, reverse=True)
    levels: dict[int, int] = {}
    for j in range(1, len(fares)):
        combinations = list(product(*(demands[fare] for fare in fares[:j])))
        revenue = sum(sum(map(int.__mul__, fares, combination)) for combination in combinations)
        units = sum(map(sum, combinations))
        level = levels.get(fares[j - 1], 0)
        while _above(combinations, level) * revenue > fares[j] * units:
            level += 1
        levels[fares[j]] = level
    return levels


def _above(combinations: list[tuple[int, ...]], level: int) -> Fraction:
    return Fraction(sum(sum(combination) > level for combination in combinations), len(combinations))


def revenue_at(price: int, willingness_to_pay: Sequence[int]) -> int:
    return sum(price for own in willingness_to_pay if own >= price)
