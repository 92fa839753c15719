"""Distributions: their input, merging, and the comparison of one price."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest

from faregate.errors import FaregateError, InvalidAmount, InvalidPercent, InvalidWeights
from faregate.insights.comparison import compare
from faregate.insights.distribution import (
    PriceBenchmark,
    PriceDistribution,
    PriceInsight,
    PriceLevel,
    PriceThreshold,
    price_insight,
)
from faregate.insights.percentiles import PriceSummary

from_prices, from_counts = PriceDistribution.from_prices, PriceDistribution.from_counts
WINTER = from_prices([6900, 7400, 6900, 5900])

# ---------------------------------------------------------------- input


def test_repeated_prices_add_up_and_a_count_of_0_is_ignored() -> None:
    assert from_counts([5, 7, 5, 9], [1, 2, 3, 0]) == PriceDistribution((5, 7), (4, 2))


def test_a_distribution_may_be_empty() -> None:
    empty = from_prices([])

    assert empty == PriceDistribution() == from_counts([], []) == from_counts([6900], [0])
    assert (empty.n, empty.total, empty.prices) == (0, 0, ())


NOT_INTS, UNORDERED = "prices: expected ints, got", "expected ascending prices without duplicates"


@pytest.mark.parametrize(
    ("make", "given", "error", "message"),
    [
        (from_prices, [[6900, 69.5]], InvalidAmount, f"{NOT_INTS} 69.5"),
        (from_prices, [[6900, 6900.0]], InvalidAmount, f"{NOT_INTS} 6900.0"),
        (from_prices, [[1, True]], InvalidAmount, f"{NOT_INTS} True"),
        (from_prices, ["69"], InvalidAmount, f"{NOT_INTS} '6'"),
        (from_counts, [[6900, None], [1, 1]], InvalidAmount, f"{NOT_INTS} None"),
        (from_counts, [[6900], [1.5]], InvalidWeights, "counts: expected ints, got 1.5"),
        (from_counts, [[5, 6], [2, -1]], InvalidWeights, "expected counts of at least 0, got -1"),
        (from_counts, [[5, 6], [2]], InvalidWeights, "2 prices but 1 counts"),
        (from_counts, [[5], [2, 1]], InvalidWeights, "1 prices but 2 counts"),
        (PriceDistribution, [(6, 5), (1, 1)], InvalidAmount, UNORDERED),
        (PriceDistribution, [(5, 5), (1, 1)], InvalidAmount, UNORDERED),
        (PriceDistribution, [(5, 6), (1, 0)], InvalidWeights, "expected counts of at least 1, got 0"),
        (PriceDistribution, [(5, 6), (1,)], InvalidWeights, "2 prices but 1 counts"),
        (PriceDistribution, [(5, 6.5), (1, 1)], InvalidAmount, f"{NOT_INTS} 6.5"),
    ],
)
def test_an_invalid_distribution_is_refused(
    make: Any, given: list[Any], error: type[FaregateError], message: str
) -> None:
    with pytest.raises(error) as caught:
        make(*given)

    assert type(caught.value) is error
    assert str(caught.value) == message


class Whole:
    """An integer that is not an int, as those of NumPy."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_integers_of_other_libraries_become_ints() -> None:
    def of(*values: int) -> Any:
        return [Whole(value) for value in values]

    made = [from_prices(of(7, 5, 7)), from_counts(of(5, 7), of(1, 2)), PriceDistribution(of(5, 7), of(1, 2))]
    insight = price_insight(WINTER, of(6400)[0], lower=of(10)[0], upper=of(90)[0])

    for one in made:
        assert one == PriceDistribution((5, 7), (1, 2))
        assert {type(value) for value in (*one.prices, *one.counts, one.n, one.total)} == {int}
    assert repr(insight) == repr(price_insight(WINTER, 6400, lower=10, upper=90))
    assert WINTER.percentile_rank(of(6900)[0]) == WINTER.percentile_rank(6900)
    assert WINTER.quantile(of(50)[0]) == WINTER.quantile(50)
    assert repr(compare(WINTER, WINTER, percents=of(50), confidence=of(90)[0])) == repr(
        compare(WINTER, WINTER, percents=[50], confidence=90)
    )


# ---------------------------------------------------------------- equality and merging


def test_equal_observations_are_equal_whatever_their_order() -> None:
    other = from_prices([5900, 6900, 6900, 7400])

    assert other == WINTER
    assert hash(other) == hash(WINTER)
    assert other != from_prices([5900, 6900, 7400])
    assert pickle.loads(pickle.dumps(WINTER)) == WINTER


def test_repr_of_a_distribution_recreates_it() -> None:
    assert repr(WINTER) == "PriceDistribution(prices=(5900, 6900, 7400), counts=(1, 2, 1))"
    assert eval(repr(WINTER)) == WINTER


def test_merging_adds_counts_and_leaves_both_as_they_were() -> None:
    summer = from_prices([4900, 6900])

    merged = WINTER + summer

    assert merged == PriceDistribution((4900, 5900, 6900, 7400), (1, 1, 3, 1))
    assert (WINTER.n, summer.n, merged.n) == (4, 2, 6)
    assert sum([WINTER, summer], PriceDistribution()) == merged


def test_subtracted_observations_are_removed() -> None:
    assert WINTER - from_prices([6900, 5900]) == from_prices([6900, 7400])


@pytest.mark.parametrize(
    ("taken", "message"),
    [
        ([5900, 5900], "price 5900: cannot subtract a count of 2 from 1"),
        ([6000], "price 6000: cannot subtract a count of 1 from 0"),
    ],
)
def test_missing_observations_cannot_be_subtracted(taken: list[int], message: str) -> None:
    with pytest.raises(InvalidWeights, match=f"^{message}$"):
        WINTER - from_prices(taken)


def test_only_distributions_merge() -> None:
    other: Any = [6900]

    with pytest.raises(TypeError, match="unsupported operand"):
        WINTER + other
    with pytest.raises(TypeError, match="unsupported operand"):
        WINTER - other


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize(
    ("price", "standing"),
    [(0, (0, 0)), (5900, (0, 1)), (6000, (1, 0)), (6900, (1, 2)), (7400, (3, 1)), (7500, (4, 0))],
)
def test_every_price_has_its_counts_below_and_equal(price: int, standing: tuple[int, int]) -> None:
    assert WINTER.standing(price) == standing


def test_summary_is_not_rounded() -> None:
    assert from_prices([3, 6, 7, 8, 8, 10, 13, 15, 16, 20]).summary() == PriceSummary(
        n=10,
        minimum=3,
        lower_quartile=Fraction(29, 4),
        median=Fraction(9),
        upper_quartile=Fraction(29, 2),
        maximum=20,
        mean=Fraction(53, 5),
    )


# ---------------------------------------------------------------- the rank of one price

HUNDRED = from_prices(range(0, 10_100, 100))


@pytest.mark.parametrize(
    ("price", "level", "position"),
    [
        (2499, PriceLevel.LOW, Fraction(-1, 5000)),
        (7500, PriceLevel.TYPICAL, 1),
        (7501, PriceLevel.HIGH, Fraction(5001, 5000)),
    ],
)
def test_price_at_a_threshold_is_typical(price: int, level: PriceLevel, position: Fraction) -> None:
    insight = price_insight(HUNDRED, price)

    assert (insight.lower.price, insight.upper.price) == (2500, 7500)
    assert (insight.level, insight.position) == (level, position)


def test_insight_has_both_percentages_of_the_price() -> None:
    assert price_insight(WINTER, 6900, lower=10, upper=Fraction(90)) == PriceInsight(
        benchmark=PriceBenchmark(price=6900, percentile=Fraction(50), interpolated_percent=Fraction(50)),
        lower=PriceThreshold(10, 6200),
        upper=PriceThreshold(Fraction(90), 7250),
        level=PriceLevel.TYPICAL,
        position=Fraction(2, 3),
    )


@pytest.mark.parametrize(
    ("prices", "threshold"),
    [
        ((0, 1), 0),
        ((1, 2), 2),
        ((-1, 0), 0),
    ],
)
def test_threshold_is_rounded_half_even(prices: tuple[int, ...], threshold: int) -> None:
    insight = price_insight(from_prices(prices), 0, lower=50, upper=50)

    assert insight.lower == insight.upper == PriceThreshold(50, threshold)


def test_level_is_judged_by_the_threshold_that_is_shown() -> None:
    """The median is 1.5, shown as 2: a price of 2 is typical, not high."""
    insight = price_insight(from_prices([1, 2]), 2, lower=50, upper=50)

    assert insight.level is PriceLevel.TYPICAL


@pytest.mark.parametrize(("price", "level"), [(68, "low"), (69, "typical"), (70, "high")])
def test_thresholds_that_coincide_leave_no_position(price: int, level: str) -> None:
    insight = price_insight(from_prices([69, 69]), price)

    assert insight.position is None
    assert insight.level is PriceLevel(level)


def test_thresholds_may_be_the_extremes() -> None:
    insight = price_insight(WINTER, 5900, lower=0, upper=100)

    assert (insight.lower.price, insight.upper.price) == (5900, 7400)
    assert insight.position == 0


@pytest.mark.parametrize("price", [69.5, True, Fraction(1, 2)])
def test_a_price_is_in_whole_minor_units(price: Any) -> None:
    with pytest.raises(InvalidAmount) as caught:
        price_insight(WINTER, price)

    assert str(caught.value) == f"price: expected an int of minor units, got {price!r}"


@pytest.mark.parametrize(
    ("thresholds", "message"),
    [
        ({"lower": 80}, "lower threshold of 80 percent is above the upper threshold of 75"),
        ({"upper": Fraction(49, 2)}, "lower threshold of 25 percent is above the upper threshold of 49/2"),
        ({"lower": -1}, "expected 0 to 100 percent, got -1"),
        ({"upper": 101}, "expected 0 to 100 percent, got 101"),
    ],
)
def test_invalid_thresholds_are_refused(thresholds: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidPercent) as caught:
        price_insight(WINTER, 5, **thresholds)

    assert str(caught.value) == message
