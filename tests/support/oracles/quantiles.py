"""Quantiles and ranks by their definitions, on a list of every single price.

The types are those of Hyndman and Fan: with the order statistics X(1) to X(n), X(0) = X(1) and X(n + 1) =
X(n), and j + g = np + m where j is an integer and 0 <= g < 1, the quantile is (1 - gamma) X(j) + gamma X(j +
1). No code under test is used.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import floor

HALF = Fraction(1, 2)


def quantile(prices: Sequence[int], percent: Fraction, number: int) -> Fraction:
    ordered, p = sorted(prices), percent / 100
    place = len(ordered) * p + constant(p, number)
    j = floor(place)
    gamma = weight(j, place - j, number)
    return (1 - gamma) * statistic(ordered, j) + gamma * statistic(ordered, j + 1)


def constant(p: Fraction, number: int) -> Fraction:
    """Return the m of each type: for 4 to 9 it is alpha + p (1 - alpha - beta)."""
    if number <= 2:
        return Fraction(0)
    if number == 3:
        return -HALF
    alpha, beta = {
        4: (Fraction(0), Fraction(1)),
        5: (HALF, HALF),
        6: (Fraction(0), Fraction(0)),
        7: (Fraction(1), Fraction(1)),
        8: (Fraction(1, 3), Fraction(1, 3)),
        9: (Fraction(3, 8), Fraction(3, 8)),
    }[number]
    return alpha + p * (1 - alpha - beta)


def weight(j: int, g: Fraction, number: int) -> Fraction:
    if number == 1:
        return Fraction(g > 0)
    if number == 2:
        return Fraction(1) if g > 0 else HALF
    if number == 3:
        return Fraction(not (g == 0 and j % 2 == 0))
    return g


def statistic(ordered: Sequence[int], rank: int) -> int:
    return ordered[min(max(rank, 1), len(ordered)) - 1]


def rank(prices: Sequence[int], price: int | Fraction, kind: str) -> Fraction:
    """Return the percentile rank as defined by SciPy's percentileofscore."""
    below = sum(own < price for own in prices)
    up_to = sum(own <= price for own in prices)
    ranks_of_equals = range(below + 1, up_to + 1)
    share = {
        "strict": Fraction(below),
        "weak": Fraction(up_to),
        "mean": Fraction(below + up_to, 2),
        "rank": Fraction(sum(ranks_of_equals), len(ranks_of_equals)) if ranks_of_equals else Fraction(below),
    }[kind]
    return 100 * share / len(prices)
