"""Quantiles of all nine types and ranks, published or computed. SOURCES.md describes the sources.

Tables with six decimals are given as exact fractions: 6.916667 is 83/12.
"""

from fractions import Fraction

import pytest

from faregate.insights.distribution import PriceDistribution, price_insight
from faregate.insights.percentiles import QuantileMethod, RankKind

A = (3, 6, 7, 8, 8, 10, 13, 15, 16, 20)
B = (15, 20, 35, 40, 50)


@pytest.mark.parametrize(
    ("sample", "percent", "by_type"),
    [
        # Samples of Wikipedia, "Quantile" (A) and "Percentile" (B); the types computed from their definitions
        pytest.param(A, 25, "7 7 6 6.5 7 6.75 7.25 83/12 6.9375", id="PCT-H1"),
        pytest.param(A, 50, "8 9 8 8 9 9 9 9 9", id="PCT-H2"),
        pytest.param(A, 90, "16 18 16 16 18 19.6 16.4 278/15 18.4", id="PCT-H4"),
        pytest.param(B, 25, "20 20 15 16.25 18.75 17.5 20 55/3 18.4375", id="PCT-H5"),
        pytest.param(B, 75, "40 40 40 38.75 42.5 45 40 130/3 43.125", id="PCT-H7"),
        pytest.param((*A, 9), 25, "7 7 7 6.75 7.25 7 7.5 43/6 7.1875", id="PCT-H8"),
    ],
)
def test_quantile_of_each_type(sample: tuple[int, ...], percent: int, by_type: str) -> None:
    distribution = PriceDistribution.from_prices(sample)

    quantiles = [distribution.quantile(percent, method=method) for method in QuantileMethod]

    assert quantiles == [Fraction(value) for value in by_type.split()]


@pytest.mark.parametrize(
    ("exact", "printed"),
    [
        ("83/12", "6.916667"),
        ("278/15", "18.533333"),
        ("55/3", "18.333333"),
        ("130/3", "43.333333"),
        ("43/6", "7.166667"),
    ],
)
def test_the_fractions_equal_the_decimals_of_the_table(exact: str, printed: str) -> None:
    assert round(Fraction(exact), 6) == Fraction(printed)


@pytest.mark.parametrize(
    ("last", "share", "method", "exact", "in_floats"),
    [
        # Computed. In NumPy, 25 * 0.28 is more than 7, and 100 * 0.545 - 0.5 is more than 54.
        pytest.param(25, "0.28", QuantileMethod.INVERTED_CDF, "7", 8, id="PCT-H11-type-1"),
        pytest.param(25, "0.28", QuantileMethod.AVERAGED_INVERTED_CDF, "7.5", 8, id="PCT-H11-type-2"),
        pytest.param(100, "0.545", QuantileMethod.CLOSEST_OBSERVATION, "54", 55, id="PCT-H13"),
    ],
)
def test_quantile_at_a_whole_rank_is_exact(
    last: int, share: str, method: QuantileMethod, exact: str, in_floats: int
) -> None:
    distribution = PriceDistribution.from_prices(range(1, last + 1))

    found = distribution.quantile(100 * Fraction(share), method=method)

    assert found == Fraction(exact)
    assert found != in_floats


@pytest.mark.parametrize(
    ("kind", "percent"),
    [
        # SciPy, examples of percentileofscore
        (RankKind.RANK, 70),
        (RankKind.WEAK, 80),
        (RankKind.STRICT, 40),
        (RankKind.MEAN, 60),
    ],
)
def test_four_ranks_of_one_price(kind: RankKind, percent: int) -> None:
    """PCT-H10"""
    distribution = PriceDistribution.from_prices([1, 2, 3, 3, 4])

    assert distribution.percentile_rank(3, kind=kind) == percent


def test_price_is_struck_through_from_a_tenth_below_the_median() -> None:
    """PCT-H14, Airbnb: the median of 90.00, 100.00, 125.00 and 140.00, and nine tenths of the median."""
    distribution = PriceDistribution.from_prices([9000, 10000, 12500, 14000])

    median = distribution.quantile(50)

    assert median == 11250
    assert median * Fraction(90, 100) == 10125


@pytest.mark.parametrize(
    ("sample", "price", "interpolated", "percentile"),
    [
        # Computed
        pytest.param((1500, 2000, 3500, 4000, 5000), 2750, "37.5", 40, id="PCT-H17-27.5"),
        pytest.param(B, 35, "50", 50, id="PCT-H17-35"),
        pytest.param(B, 40, "75", 70, id="PCT-H17-40"),
        pytest.param(A, 8, "350/9", 40, id="PCT-H19-8"),
        pytest.param(A, 12, "1700/27", 60, id="PCT-H19-12"),
        pytest.param(A, 2, "0", 0, id="PCT-H19-2"),
        pytest.param(A, 21, "100", 100, id="PCT-H19-21"),
        pytest.param((1, 2, 3, 3, 4), 3, "62.5", 60, id="PCT-H20-tie"),
        pytest.param((5, 5, 5), 5, "50", 50, id="PCT-H20-all-equal"),
    ],
)
def test_two_percentages_of_one_price(
    sample: tuple[int, ...], price: int, interpolated: str, percentile: int
) -> None:
    insight = price_insight(PriceDistribution.from_prices(sample), price)

    assert insight.benchmark.interpolated_percent == Fraction(interpolated)
    assert insight.benchmark.percentile == percentile
