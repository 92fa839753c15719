"""Classes of a histogram and the limit for outliers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import ceil

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from faregate import PriceDistribution
from faregate.errors import InvalidAmount, InvalidInput, InvalidPercent
from faregate.plot.classes import classed, outlier_limit

PRICES = st.lists(st.integers(0, 10**6), min_size=1, max_size=60)
HOTEL = PriceDistribution.from_prices([*range(9000, 24000, 100), 540_000])


@given(PRICES, st.none() | st.integers(1, 400), st.none() | st.integers(0, 10**6), st.booleans())
@example([0, *range(100, 2100, 100), 10**6], None, None, False)
def test_each_price_is_in_one_class_or_above_the_limit(
    prices: list[int], classes: int | None, clip: int | None, is_log: bool
) -> None:
    prices = [price + is_log for price in prices]
    limit = None if clip is None else max(clip, min(prices))

    found = classed(
        PriceDistribution.from_prices(prices), classes, clip=limit, clip_percent=None, is_log=is_log
    )

    counted = [sum(own.first <= price <= own.last for price in prices) for own in found.classes]
    assert [own.observations for own in found.classes] == counted
    assert found.above == sum(found.limit is not None and price > found.limit for price in prices)
    assert sum(counted) + found.above == len(prices)
    assert all(low.last < high.first for low, high in pairwise(found.classes))
    assert len(found.classes) <= (classes or 12)


@given(PRICES, st.sampled_from([50, 90, 99]))
def test_at_most_the_remaining_share_is_above_a_percentile(prices: list[int], percent: int) -> None:
    found = classed(
        PriceDistribution.from_prices(prices), None, clip=None, clip_percent=percent, is_log=False
    )

    assert found.above <= ceil(Fraction((100 - percent) * (len(prices) - 1), 100))


@given(st.lists(st.integers(0, 10**5), min_size=20, max_size=200))
def test_outliers_are_few_and_take_half_of_the_range(prices: list[int]) -> None:
    limit = outlier_limit(PriceDistribution.from_prices(prices))

    if limit is not None:
        assert sum(price > limit for price in prices) <= max(len(prices) // 50, 1)
        assert limit - min(prices) <= max(prices) - limit


@pytest.mark.parametrize(("count", "are_single"), [(12, True), (13, False)])
def test_up_to_twelve_prices_have_a_class_each(count: int, *, are_single: bool) -> None:
    prices = PriceDistribution.from_prices(range(0, 7 * count, 7))

    found = classed(prices, None, clip=None, clip_percent=None, is_log=False)

    assert all(own.first == own.last for own in found.classes) is are_single


def test_a_single_outlier_of_hotel_prices_is_above_the_limit() -> None:
    found = classed(HOTEL, None, clip=None, clip_percent=None, is_log=False)

    assert (found.limit, found.above) == (24000, 1)
    assert {own.last + 1 - own.first for own in found.classes} == {2000}


def test_highest_price_as_limit_leaves_everything_in_place() -> None:
    found = classed(HOTEL, None, clip=540_000, clip_percent=None, is_log=False)

    assert (found.limit, found.above) == (None, 0)


def test_given_edges_may_have_any_distance_and_the_last_is_included() -> None:
    prices = PriceDistribution.from_prices([0, 0, 99, 100, 500])

    found = classed(prices, [0, 1, 100, 500], clip=None, clip_percent=None, is_log=False)

    assert [tuple(own) for own in found.classes] == [(0, 0, 2), (1, 99, 1), (100, 500, 2)]


def test_classes_of_a_log_axis_have_equal_ratios() -> None:
    prices = PriceDistribution.from_prices([100, 500, 5000, 100_000])

    found = classed(prices, 3, clip=None, clip_percent=None, is_log=True)

    assert [own.first for own in found.classes] == [100, 1000, 10_000]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"classes": 0}, InvalidInput, "classes is 0, expected an int from 1 to 1000"),
        ({"classes": True}, InvalidInput, "classes is True"),
        ({"classes": "12"}, InvalidInput, "classes is '12', expected a list"),
        ({"classes": [5]}, InvalidInput, "ascending edges"),
        ({"classes": [5, 5]}, InvalidInput, "ascending edges"),
        ({"classes": [0, 9.5]}, InvalidInput, r"contains 9\.5"),
        ({"classes": [0, 9000]}, InvalidInput, "not within the edges 0 to 9000: add .*, or pass clip=9000"),
        ({"clip": 8999}, InvalidAmount, "below the lowest price 9000"),
        ({"clip": 99.5}, InvalidAmount, r"clip is 99\.5"),
        ({"clip": 9500, "clip_percent": 99}, InvalidInput, "got both"),
        ({"clip_percent": 101}, InvalidPercent, "101"),
        ({"clip_percent": 99.5}, InvalidPercent, r"99\.5"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], error: type[Exception], message: str) -> None:
    chosen = {"classes": None, "clip": None, "clip_percent": None, **options}

    with pytest.raises(error, match=message):
        classed(HOTEL, is_log=False, **chosen)  # type: ignore[arg-type]


def test_free_tickets_cannot_be_drawn_on_a_log_axis() -> None:
    with pytest.raises(InvalidAmount, match="needs prices above 0, got 0: use log='count'"):
        classed(PriceDistribution.from_prices([0, 5]), None, clip=None, clip_percent=None, is_log=True)
