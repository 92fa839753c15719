"""Grouped prices in one block of memory equal the scalar distribution of each group."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from batch.insights.test_insight_laws import answers, close_samples, percents, wide_prices
from faregate.batch.insights.distribution import grouped_prices
from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import QuantileMethod
from support.baskets.strategies import members
from support.columns.numbers import column_of

from_prices = PriceDistribution.from_prices


@given(
    st.lists(st.lists(wide_prices, min_size=1, max_size=12) | close_samples(least=1), min_size=1, max_size=5),
    wide_prices,
    percents,
    members(QuantileMethod),
)
def test_each_group_matches_the_scalar(
    samples: list[list[int]], judged: int, percent: Fraction, method: QuantileMethod
) -> None:
    prices = [price for own in samples for price in own]
    groups = [group for group, own in enumerate(samples) for _ in own]

    found = grouped_prices(column_of(prices), column_of(groups), count=len(samples))

    assert [answers(own, judged, percent, method) for own in found] == [
        answers(from_prices(own), judged, percent, method) for own in samples
    ]
