"""Statistics of all groups at once equal those of each group's distribution."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from batch.insights.test_insight_laws import percents
from faregate.batch.insights.grouped import GroupedPrices
from faregate.insights.distribution import PriceDistribution
from faregate.money.rounding import round_half_even

prices = st.integers(-3, 12) | st.integers(-(10**12), 10**12)
few, many = (st.tuples(prices, st.integers(0, most)) for most in (3, 2**57))
samples = st.lists(st.lists(few, max_size=6) | st.lists(many, max_size=6), min_size=1, max_size=5)
Samples = list[list[tuple[int, int]]]
SMALL: Samples = [[(2, 1), (3, 1)], [(5, 1)], [(0, 1), (3, 1), (4, 2)]]
LARGE: Samples = [[(10**12, 2**57), (-(10**12), 2**56), (7, 0)], [], [(0, 0)]]


def grouped(drawn: Samples, *, stray: int = 0) -> GroupedPrices:
    """Count the prices; every group has room for the prices of all, and for the price *stray*."""
    distinct = np.unique([stray, *(price for own in drawn for price, _ in own)])
    keys = [
        group * len(distinct) + int(distinct.searchsorted(price))
        for group, own in enumerate(drawn)
        for price, _ in own
    ]
    weights = np.array([count for own in drawn for _, count in own], np.int64)
    return GroupedPrices.counted(np.array(keys, np.int64), weights, distinct=distinct, size=len(drawn))


def one_by_one(drawn: Samples) -> list[PriceDistribution]:
    return [
        PriceDistribution.from_counts([own[0] for own in each], [own[1] for own in each]) for each in drawn
    ]


@given(samples, percents)
@example(SMALL, 50)
@example(LARGE, 50)
def test_quantiles_means_and_counts_match_the_scalar(drawn: Samples, percent: Fraction) -> None:
    found, expected = grouped(drawn), one_by_one(drawn)
    groups = found.observed
    kept = [own for own in expected if own.n]

    assert groups.tolist() == [group for group, own in enumerate(expected) if own.n]
    assert found.n(groups).tolist() == [own.n for own in kept]
    assert found.quantile(groups, percent).tolist() == [
        round_half_even(own.quantile(percent)) for own in kept
    ]
    assert found.means(groups).tolist() == [round_half_even(Fraction(own.total, own.n)) for own in kept]
    assert list(found.distributions(np.arange(len(drawn)))) == expected
    assert [row[1:] for row in zip(*map(np.ndarray.tolist, found.table()), strict=True)] == [
        row for own in kept for row in zip(own.prices, own.counts, strict=True)
    ]


@given(samples, prices, st.booleans())
@example(SMALL, 5, True)
@example(LARGE, 5, True)
@example([[(5, 1), (9, 2)]], 2**70, False)
def test_ranks_match_the_scalar(drawn: Samples, judged: int, is_known: bool) -> None:
    found = grouped(drawn, stray=judged if is_known else 0)
    groups = found.observed
    bounded = max(min(judged, 2**62), -(2**62))
    places, ends = (np.full_like(groups, found.distinct.searchsorted(bounded, s)) for s in ("left", "right"))

    ranked = found.ranks(groups, np.full(len(groups), judged, object), places, ends)

    kept = [own for own in one_by_one(drawn) if own.n]
    for own, *shown in zip(kept, *ranked, strict=True):
        exact = (own.percentile_rank(judged), own.interpolated_percent(judged))
        assert shown == [round_half_even(10_000 * each) for each in exact]


@pytest.mark.parametrize("weights", [None, np.array([2, 0, 1])], ids=["once", "weighted"])
@pytest.mark.parametrize("apart", [1, 10**6], ids=["in a histogram", "by sorting"])
def test_prices_are_counted_near_and_far_apart(weights: np.ndarray | None, apart: int) -> None:
    distinct = np.arange(3 * apart)

    found = GroupedPrices.counted(np.array([0, apart, 0]), weights, distinct=distinct, size=1)

    assert list(found.distributions(found.observed)) == [
        PriceDistribution((0, apart), (2, 1)) if weights is None else PriceDistribution((0,), (3,))
    ]
