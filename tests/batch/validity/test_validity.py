"""Particular seasons, the limit of prices, and refusals."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from faregate.batch.validity.options import UNLIMITED, season, season_capacity, season_prices
from faregate.batch.validity.windows import NO_WINDOW
from faregate.errors import InvalidAmount, InvalidInput

GREATEST = 2**63 - 1


def int32(rows: object) -> npt.NDArray[np.int32]:
    return np.array(rows, np.int32)


def int64(rows: object) -> npt.NDArray[np.int64]:
    return np.array(rows, np.int64)


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
def test_invalid_pools_are_refused(changed: dict[str, Any], named: str) -> None:
    arguments: dict[str, Any] = {
        "free": np.zeros((3, 2), np.int32),
        "uses": np.ones((1, 2), np.int32),
        "lengths": [1],
    } | changed

    with pytest.raises(InvalidInput, match=named):
        season_capacity(arguments.pop("free"), arguments.pop("uses"), **arguments)


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


def test_bound_considers_only_durations_that_fit() -> None:
    assert season_prices(int64([[2**40]]), lengths=[1, 10**12])[:, 0, 0].tolist() == [2**40, NO_WINDOW]


@pytest.mark.parametrize("impossible", [{"factors": [10**30]}, {"increment": 10**30}])
def test_values_beyond_int64_are_refused_even_for_prices_of_zero(impossible: dict[str, Any]) -> None:
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
def test_invalid_prices_are_refused(changed: dict[str, Any], named: str) -> None:
    arguments: dict[str, Any] = {"day_prices": np.zeros((3, 2), np.int64), "lengths": [1]} | changed

    with pytest.raises(InvalidInput, match=named):
        season_prices(arguments.pop("day_prices"), **arguments)


def test_unlimited_is_enough_for_any_quantity() -> None:
    calendar = season(
        int32([[[UNLIMITED], [UNLIMITED - 1]]]), int64([[[1], [1]]]), lengths=[1], quantity=2**40
    )

    assert calendar.is_available.tolist() == [[True, False]]


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("capacity", np.zeros((1, 3, 2)), r"expected int32 \[durations = 1, days, variants\]"),
        ("capacity", int32(np.zeros((1, 3, 0))), "expected at least one variant"),
        ("capacity", np.full((1, 3, 2), -2, np.int32), "expected an int of at least -1, got -2"),
        ("prices", int64(np.zeros((1, 3, 1))), r"expected int64 \[durations = 1, days = 3, variants = 2\]"),
        ("prices", np.full((1, 3, 2), -5, np.int64), "expected an int of at least -1, got -5"),
        ("closed", np.zeros(2, np.bool_), r"expected bool \[days = 3\], got bool \[2\]"),
        ("closed", np.zeros(3, np.int8), r".*got int8 \[3\]"),
        ("start_allowed", np.zeros(3, np.bool_), r"expected bool \[durations = 1, days = 3\]"),
        ("lengths", [0], "expected an int of at least 1, got 0"),
        ("quantity", 0, "expected an int of at least 1, got 0"),
    ],
)
def test_invalid_calendars_are_refused(name: str, value: Any, named: str) -> None:
    arguments: dict[str, Any] = {
        "capacity": np.zeros((1, 3, 2), np.int32),
        "prices": np.zeros((1, 3, 2), np.int64),
        "lengths": [1],
    } | {name: value}

    with pytest.raises(InvalidInput, match=f"{name}: {named}"):
        season(arguments.pop("capacity"), arguments.pop("prices"), **arguments)


def test_capacities_of_other_durations_are_refused() -> None:
    capacity, prices = int32(np.zeros((1, 3, 2))), int64(np.zeros((1, 3, 2)))

    with pytest.raises(InvalidInput, match=r"capacity: .* \[durations = 2, .*got int32 \[1, 3, 2\]"):
        season(capacity, prices, lengths=[1, 2])
