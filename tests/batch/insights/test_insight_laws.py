"""Columns of prices equal the scalar distribution, however they are stored."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import given
from hypothesis import strategies as st

from faregate.batch.insights.distribution import (
    grouped_prices,
    price_distribution,
    price_distributions,
    quantiles,
)
from faregate.batch.insights.prices import PriceHistogram, SortedPrices
from faregate.errors import FaregateError, InvalidWeights
from faregate.insights.distribution import PriceDistribution, price_insight
from faregate.insights.percentiles import OrderedPrices, QuantileMethod, RankKind
from support.baskets.strategies import members
from support.columns.arrays import read_only

Column = npt.NDArray[Any]
from_prices, from_counts = PriceDistribution.from_prices, PriceDistribution.from_counts

DTYPES = ("int64", "int32", "int16", "uint16", "uint32", ">i8", ">i4")
near_prices = st.integers(0, 9) | st.integers(0, 9_000)
wide_prices = near_prices | st.integers(-(2**63), 2**63 - 1)
percents = st.integers(0, 100) | st.fractions(0, 100, max_denominator=1000)


@st.composite
def close_samples(draw: st.DrawFn, least: int = 0) -> list[int]:
    """Draw prices within a histogram, from 0, from below it or from far above."""
    first = draw(st.sampled_from([0, 0, -7, -(2**63), 2**63 - 10_000, 10**12]))
    return [first + price for price in draw(st.lists(near_prices, min_size=least, max_size=40))]


@st.composite
def columns(draw: st.DrawFn, prices: list[int]) -> Column:
    """Return the prices in a dtype that fits, perhaps as every other row of a longer column."""
    fitting = [dtype for dtype in DTYPES if all(_fits(price, dtype) for price in prices)]
    column = np.array(prices, draw(st.sampled_from(fitting)))
    if draw(st.booleans()):
        column = np.repeat(column, 2)[::2]
    return read_only(column)


def _fits(price: int, dtype: str) -> bool:
    bounds = np.iinfo(dtype)
    return bool(bounds.min <= price <= bounds.max)


def answers(prices: OrderedPrices, judged: int, percent: Fraction, method: QuantileMethod) -> list[object]:
    return [
        prices.n,
        prices.total,
        prices.summary(),
        prices.quantile(percent, method=method),
        *(prices.percentile_rank(judged, kind=kind) for kind in RankKind),
        prices.percentile_rank(Fraction(2 * judged + 1, 2)),
        prices.interpolated_percent(judged),
        price_insight(prices, judged),
    ]


@given(st.data(), percents, members(QuantileMethod))
def test_every_way_to_store_prices_gives_the_same_results(
    data: st.DataObject, percent: Fraction, method: QuantileMethod
) -> None:
    sample = data.draw(close_samples(least=1))
    judged = data.draw(st.sampled_from(sample) | wide_prices | st.integers(-(10**20), 10**20))
    column = data.draw(columns(sample))

    histogram, ascending = PriceHistogram.from_columns(column), SortedPrices(np.array(sorted(sample)))

    expected = answers(from_prices(sample), judged, percent, method)
    assert answers(histogram, judged, percent, method) == expected
    assert answers(ascending, judged, percent, method) == expected
    assert quantiles(column, [percent], method=method) == (expected[3],)


@given(st.data(), st.lists(wide_prices, max_size=40) | close_samples())
def test_distribution_of_a_column_matches_the_scalar(data: st.DataObject, sample: list[int]) -> None:
    column = data.draw(columns(sample))

    found = price_distribution(column)

    assert found == from_prices(sample)
    assert {type(number) for number in found.prices + found.counts} <= {int}
    assert column.tolist() == sample


@given(st.data(), st.none() | close_samples())
def test_weighted_column_matches_the_scalar_with_counts(data: st.DataObject, close: list[int] | None) -> None:
    sample = data.draw(st.lists(wide_prices, max_size=40)) if close is None else close
    size, heaviest = len(sample), data.draw(st.sampled_from([3, 2**57]))
    weights = data.draw(st.lists(st.integers(0, heaviest), min_size=size, max_size=size))
    column, weighing = data.draw(columns(sample)), data.draw(columns(weights))

    found = price_distribution(column, weights=weighing)

    assert found == from_counts(sample, weights)
    assert weighing.tolist() == weights
    if close is not None:
        histogram = PriceHistogram.from_columns(column, weights=weighing)
        assert histogram.distribution() == found
        assert (histogram.n, histogram.total) == (found.n, found.total)


@given(
    st.lists(close_samples().filter(lambda sample: all(abs(price) < 10**5 for price in sample)), max_size=6)
)
def test_histograms_merge_in_any_order(parts: list[list[int]]) -> None:
    kept = [PriceHistogram.from_columns(np.array(part, np.int64)) for part in parts]
    empty = PriceHistogram.from_columns(np.array([], np.int64))

    forwards, backwards = sum(kept, empty), sum(reversed(kept), empty)

    whole = from_prices([price for part in parts for price in part])
    assert forwards.distribution() == backwards.distribution() == whole
    assert (forwards.n, forwards.total) == (whole.n, whole.total)


@given(close_samples(), close_samples())
def test_subtraction_matches_the_scalar(one: list[int], other: list[int]) -> None:
    def taken(kept: Callable[[list[int]], Any]) -> PriceDistribution | str:
        try:
            left = kept(one + other) - kept(other), kept(one) - kept(other)
        except InvalidWeights as error:
            return str(error)
        return left[0] if isinstance(left[0], PriceDistribution) else left[0].distribution()

    if max(one + other, default=0) - min(one + other, default=0) < 2**20:
        assert taken(lambda prices: PriceHistogram.from_columns(np.array(prices, np.int64))) == taken(
            from_prices
        )


@given(st.data(), st.integers(1, 5), st.lists(wide_prices, max_size=40) | close_samples())
def test_groups_match_the_scalar_one_by_one(data: st.DataObject, count: int, sample: list[int]) -> None:
    size = len(sample)
    groups = data.draw(st.lists(st.integers(0, count - 1), min_size=size, max_size=size))
    weights = data.draw(st.lists(st.integers(0, 9), min_size=size, max_size=size))
    column, rows, weighing = (data.draw(columns(own)) for own in (sample, groups, weights))

    plain = price_distributions(column, rows, count=count)
    weighed = price_distributions(column, rows, count=count, weights=weighing)
    kept = grouped_prices(column, rows, count=count)

    for group in range(count):
        members_of = [index for index in range(size) if groups[index] == group]
        own = [sample[index] for index in members_of]
        assert plain[group] == from_prices(own)
        assert weighed[group] == from_counts(own, [weights[index] for index in members_of])
        assert [kept[group].price_at(rank) for rank in range(1, kept[group].n + 1)] == sorted(own)
    assert (column.tolist(), rows.tolist()) == (sample, groups)


@given(st.lists(wide_prices, min_size=1), st.lists(percents), members(QuantileMethod))
def test_quantiles_of_a_histogram_equal_those_of_the_column(
    sample: list[int], asked: list[Fraction], method: QuantileMethod
) -> None:
    kept = from_prices(sample)

    expected = tuple(kept.quantile(percent, method=method) for percent in asked)

    assert quantiles(np.array(sample, np.int64), asked, method=method) == expected
    assert quantiles(kept, asked, method=method) == expected


def message_of(ask: Callable[[], object]) -> str:
    try:
        ask()
    except FaregateError as error:
        return f"{type(error).__name__}: {error}"
    return "none"


@given(st.lists(near_prices, max_size=3), st.sampled_from([-1, 0, 50, 100, 101, Fraction(201, 2)]))
def test_refusals_match_those_of_the_scalar(sample: list[int], percent: Fraction) -> None:
    scalar, column = from_prices(sample), np.array(sample, np.int64)

    assert message_of(lambda: quantiles(column, [percent])) == message_of(lambda: scalar.quantile(percent))
    assert message_of(lambda: PriceHistogram.from_columns(column).summary()) == message_of(scalar.summary)
