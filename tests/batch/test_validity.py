"""Particular seasons, the bound of prices, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from faregate.batch.validity import (
    NO_PRICE,
    NO_WINDOW,
    UNLIMITED,
    season,
    season_capacity,
    season_prices,
)
from faregate.errors import InvalidAmount, InvalidInput

GREATEST = 2**63 - 1


def int32(rows: object) -> npt.NDArray[np.int32]:
    return np.array(rows, np.int32)


def int64(rows: object) -> npt.NDArray[np.int64]:
    return np.array(rows, np.int64)


# ---------------------------------------------------------------- capacity


def test_pool_that_counts_the_first_day_is_not_looked_at_afterwards() -> None:
    free = int32([[9, 1], [9, 0], [3, 7]])  # places on the mountain, lockers handed out once
    uses = int32([[1, 1]])

    capacity = season_capacity(free, uses, lengths=[1, 2], first_day_only=np.array([False, True]))

    assert capacity[:, :, 0].tolist() == [[1, 0, 3], [1, 0, NO_WINDOW]]


def test_only_the_limited_days_of_a_pool_limit() -> None:
    free = int32([[UNLIMITED], [4], [UNLIMITED]])

    capacity = season_capacity(free, int32([[2], [0]]), lengths=[1, 2])

    assert capacity[:, :, 0].tolist() == [[UNLIMITED, 2, UNLIMITED], [2, 2, NO_WINDOW]]
    assert capacity[:, :, 1].tolist() == [[UNLIMITED] * 3, [UNLIMITED, UNLIMITED, NO_WINDOW]]


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"free": np.zeros((3, 2))}, r"free: expected int32 \[days, pools\], got float64 \[3, 2\]"),
        ({"free": np.zeros(3, np.int32)}, r"free: .*got int32 \[3\]"),
        ({"free": [[1, 2]]}, r"free: .*got list"),
        ({"uses": np.zeros((1, 3), np.int32)}, r"uses: .*\[variants, pools = 2\], got int32 \[1, 3\]"),
        ({"first_day_only": np.zeros(1, np.bool_)}, r"first_day_only: expected bool \[pools = 2\]"),
        ({"free": int32([[1, -2]])}, "free: expected an int of at least 0, got -2"),
        ({"uses": int32([[-1, 0]])}, "uses: expected an int of at least 0, got -1"),
        ({"lengths": [0]}, "lengths: expected an int of at least 1, got 0"),
    ],
)
def test_impossible_pools_are_refused(changed: dict[str, Any], named: str) -> None:
    arguments: dict[str, Any] = {
        "free": np.zeros((3, 2), np.int32),
        "uses": np.ones((1, 2), np.int32),
        "lengths": [1],
    } | changed

    with pytest.raises(InvalidInput, match=named):
        season_capacity(arguments.pop("free"), arguments.pop("uses"), **arguments)


# ---------------------------------------------------------------- prices


def test_half_a_unit_is_rounded_up_once_and_not_per_day() -> None:
    day_prices = int64([[1]] * 5)

    prices = season_prices(day_prices, lengths=[1, 2, 3, 4, 5], factors=[500_000])

    assert prices[:, 0, 0].tolist() == [1, 1, 2, 2, 3]


def test_price_meets_the_increment_after_the_sum() -> None:
    prices = season_prices(int64([[1_024], [1_024], [1_026]]), lengths=[1, 2, 3], increment=50)

    assert prices[:, 0, 0].tolist() == [1_000, 2_050, 3_050]


def test_later_days_cost_less_and_the_last_factor_repeats() -> None:
    prices = season_prices(int64([[1_000]] * 4), lengths=[4, 3, 2, 1], factors=[1_000_000, 900_000, 750_000])

    assert prices[:, 0, 0].tolist() == [3_400, 2_650, 1_900, 1_000]


def test_window_with_a_day_without_a_price_has_none() -> None:
    prices = season_prices(int64([[10, 1], [NO_PRICE, 2], [30, 3]]), lengths=[1, 2])

    assert prices[:, :, 0].tolist() == [[10, NO_PRICE, 30], [NO_PRICE] * 3]
    assert prices[:, :, 1].tolist() == [[1, 2, 3], [3, 5, NO_WINDOW]]


@pytest.mark.parametrize("factors", [[1_000_000], [999_999], [1_000_000, 950_000], [7, 3, 11]])
@pytest.mark.parametrize("increment", [1, 100])
def test_prices_are_exact_up_to_the_bound_and_refused_beyond(factors: list[int], increment: int) -> None:
    length = 30
    parts = factors + factors[-1:] * (length - len(factors))
    common = np.gcd.reduce([1_000_000, *factors]).item()
    greatest = (GREATEST * common - 1_000_000 * increment) // sum(parts)
    day_prices = np.full((2 * length, 1), greatest, np.int64)

    prices = season_prices(day_prices, lengths=[length, 1], factors=factors, increment=increment)

    step = 1_000_000 * increment
    for found, exact in zip(prices[:, 0, 0], (greatest * sum(parts), greatest * parts[0]), strict=True):
        assert int(found) == (2 * exact + step) // (2 * step) * increment
    with pytest.raises(InvalidAmount, match=r"day_prices: sums of 30 days at up to \d+ may not fit int64"):
        season_prices(day_prices + 2, lengths=[length], factors=factors, increment=increment)


def test_bound_itself_is_reached() -> None:
    assert season_prices(int64([[GREATEST - 1]]), lengths=[1]).item() == GREATEST - 1
    with pytest.raises(InvalidAmount):
        season_prices(int64([[GREATEST]]), lengths=[1])


def test_bound_looks_only_at_durations_that_fit() -> None:
    assert season_prices(int64([[2**40]]), lengths=[1, 10**12])[:, 0, 0].tolist() == [2**40, NO_WINDOW]


@pytest.mark.parametrize("impossible", [{"factors": [10**30]}, {"increment": 10**30}])
def test_what_is_beyond_int64_itself_is_refused_even_for_nothing(impossible: dict[str, Any]) -> None:
    with pytest.raises(InvalidAmount):
        season_prices(int64([[0]]), lengths=[1], **impossible)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        (
            {"day_prices": np.zeros((3, 2), np.int32)},
            r"day_prices: expected int64 \[days, variants\], got int32",
        ),
        ({"day_prices": int64([[5], [-2]])}, "day_prices: expected at least -1, got -2"),
        ({"lengths": [2.0]}, r"lengths: expected an int of at least 1, got 2\.0"),
        ({"factors": [1, -1]}, "factors: expected an int of at least 0, got -1"),
        ({"factors": []}, "factors: expected at least one"),
        ({"increment": 0}, "increment: expected an int of at least 1, got 0"),
    ],
)
def test_impossible_prices_are_refused(changed: dict[str, Any], named: str) -> None:
    arguments: dict[str, Any] = {"day_prices": np.zeros((3, 2), np.int64), "lengths": [1]} | changed

    with pytest.raises(InvalidInput, match=named):
        season_prices(arguments.pop("day_prices"), **arguments)


# ---------------------------------------------------------------- calendar


def test_sold_out_day_still_shows_the_prices_of_all() -> None:
    capacity = int32([[[0, 0], [0, 3]]])

    calendar = season(capacity, int64([[[500, 700], [500, 700]]]), lengths=[1])

    assert calendar.price_min.tolist() == [[500, 700]]
    assert calendar.price_max.tolist() == [[700, 700]]
    assert calendar.is_available.tolist() == [[False, True]]


def test_unlimited_variants_have_a_price_but_no_part_in_the_capacity() -> None:
    capacity = int32([[[0, UNLIMITED], [4, UNLIMITED], [UNLIMITED, UNLIMITED]]])

    calendar = season(capacity, int64([[[500, 700]] * 3]), lengths=[1], quantity=9)

    assert calendar.capacity_min.tolist() == [[0, 4, UNLIMITED]]
    assert calendar.capacity_max.tolist() == [[0, 4, UNLIMITED]]
    assert calendar.price_min.tolist() == [[700, 700, 500]]
    assert calendar.is_available.tolist() == [[True, True, True]]


def test_unlimited_is_enough_for_any_quantity() -> None:
    calendar = season(
        int32([[[UNLIMITED], [UNLIMITED - 1]]]), int64([[[1], [1]]]), lengths=[1], quantity=2**40
    )

    assert calendar.is_available.tolist() == [[True, False]]


def test_variant_without_a_price_does_not_count() -> None:
    capacity = int32([[[9, 2], [9, 2], [UNLIMITED, 2]]])

    calendar = season(
        capacity, int64([[[NO_PRICE, 700], [NO_PRICE, NO_PRICE], [NO_PRICE, 0]]]), lengths=[1], quantity=2
    )

    assert calendar.capacity_min.tolist() == [[2, -1, 2]]
    assert calendar.capacity_max.tolist() == [[2, -1, 2]]
    assert calendar.price_max.tolist() == [[700, -1, 0]]
    assert calendar.is_available.tolist() == [[True, False, True]]


def test_price_of_a_window_that_runs_past_the_end_is_not_shown() -> None:
    capacity = season_capacity(int32([[5], [5]]), int32([[1]]), lengths=[2])

    calendar = season(capacity, np.full((1, 2, 1), 9_900, np.int64), lengths=[2])

    assert calendar.price_min.tolist() == [[9_900, -1]]
    assert calendar.price_max.tolist() == [[9_900, -1]]


def test_closed_day_ends_every_window_over_it() -> None:
    ones = np.ones((3, 5, 1), np.int32)
    closed = np.array([False, False, True, False, False])

    calendar = season(ones, ones.astype(np.int64), lengths=[1, 2, 3], closed=closed)

    assert calendar.is_available.astype(int).tolist() == [[1, 1, 0, 1, 1], [1, 0, 0, 1, 0], [0, 0, 0, 0, 0]]


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"capacity": np.zeros((1, 3, 2))}, r"capacity: expected int32 \[durations = 1, days, variants\]"),
        (
            {"lengths": [1, 2]},
            r"capacity: expected int32 \[durations = 2, days, variants\], got int32 \[1, 3, 2\]",
        ),
        ({"capacity": np.zeros((1, 3, 0), np.int32)}, "capacity: expected at least one variant"),
        (
            {"prices": np.zeros((1, 3, 1), np.int64)},
            r"prices: expected int64 \[durations = 1, days = 3, variants = 2\]",
        ),
        ({"closed": np.zeros(2, np.bool_)}, r"closed: expected bool \[days = 3\], got bool \[2\]"),
        ({"closed": np.zeros(3, np.int8)}, r"closed: .*got int8 \[3\]"),
        (
            {"start_allowed": np.zeros(3, np.bool_)},
            r"start_allowed: expected bool \[durations = 1, days = 3\]",
        ),
        ({"capacity": np.full((1, 3, 2), -2, np.int32)}, "capacity: expected an int of at least -1, got -2"),
        ({"prices": np.full((1, 3, 2), -5, np.int64)}, "prices: expected an int of at least -1, got -5"),
        ({"lengths": [0]}, "lengths: expected an int of at least 1, got 0"),
        ({"quantity": 0}, "quantity: expected an int of at least 1, got 0"),
    ],
)
def test_impossible_calendars_are_refused(changed: dict[str, Any], named: str) -> None:
    arguments: dict[str, Any] = {
        "capacity": np.zeros((1, 3, 2), np.int32),
        "prices": np.zeros((1, 3, 2), np.int64),
        "lengths": [1],
    } | changed

    with pytest.raises(InvalidInput, match=named):
        season(arguments.pop("capacity"), arguments.pop("prices"), **arguments)
