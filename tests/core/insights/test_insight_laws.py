"""Laws of quantiles and ranks, and of merging counts in any order. Decisions §10."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import reduce
from operator import add
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from faregate.errors import InvalidWeights
from faregate.insights.distribution import PriceDistribution, PriceLevel, price_insight
from faregate.insights.percentiles import QuantileMethod, RankKind
from support.baskets.strategies import members
from support.effort import share_of
from support.oracles import quantiles as quantile_oracle

from_prices = PriceDistribution.from_prices
methods, kinds = members(QuantileMethod), members(RankKind)

# Few different prices, for frequent ties, and arbitrary ones.
prices = st.integers(-3, 12) | st.integers(0, 20_000) | st.integers(-(10**30), 10**30)
samples = st.lists(prices, min_size=1, max_size=30) | st.lists(st.integers(0, 4), min_size=1, max_size=60)
percents = (
    st.integers(0, 100)
    | st.integers(0, 1000).map(lambda tenths: Fraction(tenths, 10))
    | st.fractions(0, 100, max_denominator=10**6)
)
judged = prices | st.fractions(-5, 15, max_denominator=12)


def prices_of(distribution: PriceDistribution) -> list[int]:
    """Return every observed price as often as it occurs."""
    return [
        price
        for price, count in zip(distribution.prices, distribution.counts, strict=True)
        for _ in range(count)
    ]


# ---------------------------------------------------------------- quantiles


@given(samples, percents, methods)
@example(list(range(1, 26)), 28, QuantileMethod.INVERTED_CDF)
@example(list(range(1, 101)), Fraction("54.5"), QuantileMethod.CLOSEST_OBSERVATION)
def test_quantile_matches_the_definition(
    sample: list[int], percent: int | Fraction, method: QuantileMethod
) -> None:
    found = from_prices(sample).quantile(percent, method=method)

    assert found == quantile_oracle.quantile(sample, Fraction(percent), method.value)


@pytest.mark.search
@pytest.mark.parametrize("method", QuantileMethod)
def test_quantiles_of_a_hundred_thousand_cases_are_exact(method: QuantileMethod) -> None:
    """A ninth per method in a full run; samples are so small that most ranks are near a whole or a half."""
    draw = Random(method.value)
    for _ in range(share_of(1_112)):
        sample = [draw.randrange(draw.choice((4, 40, 9_000))) for _ in range(draw.randint(1, 40))]
        distribution = from_prices(sample)
        for parts in (100, 1000, len(sample), len(sample) + 1, 2 * len(sample)) * 2:
            percent = Fraction(100 * draw.randint(0, parts), parts)
            exact = quantile_oracle.quantile(sample, percent, method.value)
            assert distribution.quantile(percent, method=method) == exact, (sample, percent)


@given(samples)
def test_summary_is_that_of_the_sorted_prices(sample: list[int]) -> None:
    summary = from_prices(sample).summary()

    assert (summary.n, summary.minimum, summary.maximum) == (len(sample), min(sample), max(sample))
    assert summary.mean == Fraction(sum(sample), len(sample))
    assert [summary.lower_quartile, summary.median, summary.upper_quartile] == [
        quantile_oracle.quantile(sample, Fraction(percent), 7) for percent in (25, 50, 75)
    ]


# ---------------------------------------------------------------- ranks


@given(samples, judged, kinds)
def test_rank_matches_a_count_of_single_prices(
    sample: list[int], price: int | Fraction, kind: RankKind
) -> None:
    found = from_prices(sample).percentile_rank(price, kind=kind)

    assert found == quantile_oracle.rank(sample, price, kind.value)


@given(st.lists(prices, min_size=2, unique=True), percents)
def test_interpolated_percent_of_a_quantile_is_its_percentage(sample: list[int], percent: Fraction) -> None:
    distribution = from_prices(sample)

    assert distribution.interpolated_percent(distribution.quantile(percent)) == percent


@given(samples, judged)
def test_quantile_of_the_interpolated_percent_is_the_price(sample: list[int], price: int | Fraction) -> None:
    assume(min(sample) <= price <= max(sample))
    distribution = from_prices(sample)

    assert distribution.quantile(distribution.interpolated_percent(price)) == price


# ---------------------------------------------------------------- merging

partitions = st.lists(st.lists(prices, max_size=8), max_size=8)


@given(partitions, st.randoms())
def test_parts_merged_in_any_order_equal_the_whole_exactly(parts: list[list[int]], random: Random) -> None:
    whole = from_prices([price for part in parts for price in part])
    shuffled = [from_prices(random.sample(part, len(part))) for part in random.sample(parts, len(parts))]

    merged = reduce(add, shuffled, PriceDistribution())

    assert merged == whole
    assert (repr(merged), hash(merged), merged.n, merged.total) == (
        *(repr(whole), hash(whole), whole.n, whole.total),
    )


@given(st.lists(prices), st.lists(prices))
def test_taking_away_undoes_adding(one: list[int], other: list[int]) -> None:
    both = from_prices(one) + from_prices(other)

    assert both - from_prices(other) == from_prices(one)
    assert both - both == PriceDistribution()


@given(st.lists(st.integers(0, 9)), st.lists(st.integers(0, 9), min_size=1))
def test_more_than_the_count_cannot_be_subtracted(one: list[int], other: list[int]) -> None:
    assume(any(other.count(price) > one.count(price) for price in other))

    with pytest.raises(InvalidWeights):
        from_prices(one) - from_prices(other)


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 4))))
def test_a_count_stands_for_that_many_observations(rows: Sequence[tuple[int, int]]) -> None:
    counted = PriceDistribution.from_counts([price for price, _ in rows], [count for _, count in rows])

    assert counted == from_prices([price for price, count in rows for _ in range(count)])
    assert prices_of(counted) == sorted(price for price, count in rows for _ in range(count))


# ---------------------------------------------------------------- insight


@given(samples, prices, percents, percents)
def test_level_and_position_agree_with_the_thresholds(
    sample: list[int], price: int, one: Fraction, other: Fraction
) -> None:
    distribution = from_prices(sample)

    insight = price_insight(distribution, price, lower=min(one, other), upper=max(one, other))

    for threshold in (insight.lower, insight.upper):
        assert abs(threshold.price - distribution.quantile(threshold.percent)) <= Fraction(1, 2)
    assert (insight.level is PriceLevel.LOW) == (price < insight.lower.price)
    assert (insight.level is PriceLevel.HIGH) == (price > insight.upper.price)
    if insight.position is None:
        assert insight.lower.price == insight.upper.price
    else:
        gap = insight.upper.price - insight.lower.price
        assert insight.lower.price + insight.position * gap == price
