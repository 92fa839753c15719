"""Edge cases of quantiles and ranks, and invalid percentages."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from faregate.errors import InvalidAmount, InvalidPercent, NoObservations
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import (
    OrderedPrices,
    QuantileMethod,
    RankKind,
    quantile_position,
    ratio_of_percent,
)

NUMPY_NAMES = (
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen"),
    *("weibull", "linear", "median_unbiased", "normal_unbiased"),
)
TEN = PriceDistribution.from_prices(range(10, 110, 10))


def test_methods_have_their_numbers_and_names() -> None:
    assert [method.value for method in QuantileMethod] == list(range(1, 10))
    assert [method.name.lower() for method in QuantileMethod] == list(NUMPY_NAMES)


@pytest.mark.parametrize("method", QuantileMethod)
def test_extremes_are_the_lowest_and_the_highest_price(method: QuantileMethod) -> None:
    assert TEN.quantile(0, method=method) == 10
    assert TEN.quantile(100, method=method) == 100


@pytest.mark.parametrize(
    ("percent", "price"),
    [("0.1", 10), ("99.9", 100)],  # before the first rank and beyond the last
)
@pytest.mark.parametrize("method", [QuantileMethod.HAZEN, QuantileMethod.WEIBULL])
def test_no_price_is_beyond_the_extremes(percent: str, price: int, method: QuantileMethod) -> None:
    assert TEN.quantile(Fraction(percent), method=method) == price


def test_quantile_is_linear_by_default() -> None:
    assert TEN.quantile(25) == TEN.quantile(25, method=QuantileMethod.LINEAR) == Fraction("32.5")


@pytest.mark.parametrize(
    ("n", "percent", "method", "position"),
    [
        (10, 30, QuantileMethod.INVERTED_CDF, (3, 0, 1)),
        (10, 31, QuantileMethod.INVERTED_CDF, (3, 1, 1)),
        (10, 30, QuantileMethod.AVERAGED_INVERTED_CDF, (3, 1, 2)),
        (10, 31, QuantileMethod.AVERAGED_INVERTED_CDF, (3, 1, 1)),
        (10, 25, QuantileMethod.CLOSEST_OBSERVATION, (2, 0, 1)),
        (10, 35, QuantileMethod.CLOSEST_OBSERVATION, (3, 1, 1)),
        (10, 34, QuantileMethod.CLOSEST_OBSERVATION, (2, 1, 1)),
        (10, 0, QuantileMethod.CLOSEST_OBSERVATION, (-1, 1, 1)),
        (3, 50, QuantileMethod.LINEAR, (2, 0, 2400)),
    ],
)
def test_a_quantile_has_a_position_after_a_rank(
    n: int, percent: int, method: QuantileMethod, position: tuple[int, int, int]
) -> None:
    assert quantile_position(n, percent, method=method) == position


@pytest.mark.parametrize("percent", [97.5, True, Decimal("97.5"), "97.5", None])
def test_percentage_that_is_not_exact_is_refused(percent: Any) -> None:
    with pytest.raises(
        InvalidPercent, match=r"^expected a percentage such as 50 or Fraction\('97\.5'\), got "
    ):
        TEN.quantile(percent)


@pytest.mark.parametrize("percent", [-1, 101, Fraction(-1, 10**9), Fraction(10**11 + 1, 10**9)])
def test_percentage_outside_0_to_100_is_refused(percent: int | Fraction) -> None:
    with pytest.raises(InvalidPercent, match=f"^expected 0 to 100 percent, got {percent}$"):
        ratio_of_percent(percent)


@pytest.mark.parametrize(
    ("price", "kind", "percent"),
    [
        (5, RankKind.MEAN, 0),
        (10, RankKind.STRICT, 0),
        (10, RankKind.MEAN, 5),
        (10, RankKind.RANK, 10),
        (100, RankKind.WEAK, 100),
    ],
)
def test_rank_at_and_between_prices(price: int, kind: RankKind, percent: int) -> None:
    assert TEN.percentile_rank(price, kind=kind) == percent


def test_rank_is_the_mid_rank_by_default() -> None:
    assert TEN.percentile_rank(30) == 25


@pytest.mark.parametrize(
    ("price", "interpolated", "mid_rank"),
    [
        (Fraction(61, 2), Fraction(205, 9), 30),
        (Fraction(30), Fraction(200, 9), 25),
    ],
)
def test_price_may_lie_between_two_cents(price: Fraction, interpolated: Fraction, mid_rank: int) -> None:
    assert TEN.interpolated_percent(price) == interpolated
    assert TEN.percentile_rank(price) == mid_rank


@pytest.mark.parametrize("price", [69.5, "6900", True, None])
def test_price_that_is_not_exact_is_refused(price: Any) -> None:
    for ask in (TEN.percentile_rank, TEN.interpolated_percent):
        with pytest.raises(InvalidAmount, match=r"^expected an int or a Fraction, got "):
            ask(price)


QUESTIONS: list[Callable[[OrderedPrices], object]] = [
    lambda prices: prices.quantile(50),
    lambda prices: prices.percentile_rank(6900),
    lambda prices: prices.interpolated_percent(6900),
    lambda prices: prices.summary(),
]


@pytest.mark.parametrize("ask", QUESTIONS)
def test_an_empty_distribution_has_no_figures(ask: Callable[[OrderedPrices], object]) -> None:
    with pytest.raises(NoObservations, match=r"^the price distribution is empty$"):
        ask(PriceDistribution())


@pytest.mark.parametrize(("price", "percent"), [(6800, 0), (6900, 50), (7000, 100)])
def test_a_single_price_is_at_the_middle(price: int, percent: int) -> None:
    assert PriceDistribution.from_prices([6900]).interpolated_percent(price) == percent
