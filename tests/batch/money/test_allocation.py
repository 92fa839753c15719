"""Allocation over columns: refusals, long columns, and the limits of exactness."""

from typing import Any

import numpy as np
import pytest

from faregate.batch.columns.offsets import offsets_of
from faregate.batch.money.allocation import allocate, allocate_bucket
from faregate.errors import InvalidInput, InvalidWeights
from faregate.money import allocation
from faregate.money.allocation import AllocationMode
from support.columns.lines import ints

ONE = np.array([1])
TWO = np.array([1, 1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1], TWO, [0, 2]), r"^amounts: expected int64 \[n\], got list$"),
        ((np.array(1), TWO, np.array([0, 2])), r"^amounts: expected int64 \[n\], got int64 \[\]$"),
        ((ONE, np.ones(2), np.array([0, 2])), r"^weights: expected int64 \[n\] .*, got float64 \[2\]$"),
        ((ONE, TWO.reshape(1, 2), np.array([0, 2])), r"^weights: expected int64 \[n\], got int64 \[1, 2\]$"),
        ((ONE, TWO, np.array([0, 1, 2])), r"^offsets: expected int64 \[1 \+ 1\], got int64 \[3\]$"),
        ((ONE, TWO, np.array([0, 1])), "^offsets: expected 0 first and 2 last, got 0 and 1$"),
        ((TWO, TWO, np.array([0, 3, 2])), "^row 1: offsets fall from 3 to 2$"),
    ],
)
def test_columns_that_do_not_fit_together_are_refused(arguments: Any, message: str) -> None:
    amounts, weights, offsets = arguments

    with pytest.raises(InvalidInput, match=message):
        allocate(amounts, weights, offsets=offsets)


@pytest.mark.parametrize(
    ("weights", "named"),
    [
        (TWO, r"int64 \[2\]"),
        (np.ones((3, 1), np.int64), r"int64 \[3, 1\]"),
        (np.ones((3, 2), np.int32), r"int32 \[3, 2\]"),
        ([[1, 1]], "list"),
    ],
)
def test_matrix_that_does_not_fit_the_amounts_is_refused(weights: Any, named: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^weights: expected int64 \[lines, baskets = 2\], got {named}$"):
        allocate_bucket(TWO, weights)


def test_first_basket_without_weight_is_named_far_down_the_column() -> None:
    weights = np.ones(200_000, np.int64)
    weights[100_000:100_004] = 0
    amounts, offsets = np.full(100_000, 3), np.arange(100_001) * 2

    with pytest.raises(InvalidWeights, match=r"^row 50000: cannot share 3 without a positive weight$"):
        allocate(amounts, weights, offsets=offsets)
    with pytest.raises(InvalidWeights, match=r"^row 50000: cannot share 3 without a positive weight$"):
        allocate_bucket(amounts, weights.reshape(-1, 2).T)


def test_first_negative_weight_is_named() -> None:
    with pytest.raises(InvalidWeights, match=r"^row 1: negative weight in \[5, -2\]$"):
        allocate(np.array([1, 1, 1]), np.array([1, 5, -2, -3]), offsets=np.array([0, 1, 3, 4]))


@pytest.mark.parametrize("mode", AllocationMode)
@pytest.mark.parametrize("most_lines", [9, 24, 25, 60])
def test_long_columns_match_the_scalar_basket_by_basket(mode: AllocationMode, most_lines: int) -> None:
    random = np.random.default_rng(most_lines)
    offsets = offsets_of(random.integers(0, most_lines + 1, 200_000 // most_lines))
    weights = random.integers(0, 9, offsets[-1]) * 100
    totals = np.diff(np.append(0, np.cumsum(weights))[offsets])
    amounts = np.where(totals > 0, random.integers(-500, 500, len(totals)), 0)
    amounts[len(amounts) // 2] *= 2**43  # one step takes int64, the others floats

    found = allocate(amounts, weights, offsets=offsets, mode=mode)

    expected: list[int] = []
    for amount, own in zip(amounts.tolist(), np.split(weights, offsets[1:-1]), strict=True):
        expected += allocation.allocate(amount, own.tolist(), mode=mode)
    assert found.tolist() == expected


@pytest.mark.parametrize("mode", AllocationMode)
@pytest.mark.parametrize(
    "amount", [2**53 // 6 + off for off in (-1, 0, 1)] + [2, 2**62 // 6 + 1, -(2**63), 2**63 - 1]
)
@pytest.mark.parametrize(
    "weights", [[3, 2, 1], [2**61, 1, 2**62], [1] * 40, [2**62 - 3, *[2] * 30], [2**63 - 1, 2**63 - 1, 5]]
)
def test_products_around_and_beyond_the_exact_range_match_the_scalar(
    mode: AllocationMode, amount: int, weights: list[int]
) -> None:
    column, own = np.array([amount, amount // 2]), np.array([*weights, *weights[::-1]])

    found = allocate(column, own, offsets=np.array([0, 1, 2]) * len(weights), mode=mode)

    first = allocation.allocate(amount, weights, mode=mode)
    assert found.tolist() == [*first, *allocation.allocate(amount // 2, weights[::-1], mode=mode)]
    assert allocate_bucket(column[:1], own[: len(weights), np.newaxis], mode=mode)[:, 0].tolist() == [*first]


def test_remainders_that_floats_would_confuse_match_the_scalar() -> None:
    totals = [2**26 + 2 * n + 1 for n in range(0, 2**25, 2**16 + 5)]
    # The halves of an odd total differ by one; floats know the product, beyond 2**53, to within one.
    baskets = [
        ((total + 1) ** 2 // 4 % total + turns * total, [total - 2, 2])
        for total in totals
        for turns in range(1, 6)
    ]
    baskets = [(amount, own) for amount, own in baskets if 2**53 <= amount * sum(own) < 2**55]
    amounts = np.array([amount for amount, _ in baskets])
    weights = np.array([own for _, own in baskets])

    found = allocate(amounts, weights.reshape(-1), offsets=np.arange(len(baskets) + 1) * 2)

    assert len(baskets) > 1000
    assert found.reshape(-1, 2).tolist() == [[*allocation.allocate(*basket)] for basket in baskets]
    assert allocate_bucket(amounts, weights.T).T.tolist() == found.reshape(-1, 2).tolist()


@pytest.mark.parametrize("amounts", [[], [0, 0]])
def test_baskets_without_lines_have_no_shares(amounts: list[int]) -> None:
    column = np.array(amounts, np.int64)

    flat = allocate(column, np.array([], np.int64), offsets=np.zeros(len(amounts) + 1, np.int64))
    matrix = allocate_bucket(column, np.zeros((0, len(amounts)), np.int64))

    assert flat.dtype == matrix.dtype == np.int64
    assert (flat.shape, matrix.shape) == ((0,), (0, len(amounts)))


@pytest.mark.parametrize("mode", AllocationMode)
@pytest.mark.parametrize("size", [24, 25, 60, 61])
def test_shares_of_huge_weights_match_the_scalar_in_baskets_of_any_length(
    size: int, mode: AllocationMode
) -> None:
    weights = np.arange(2 * size) + 2**60 // size
    amounts = ints(3, -2)
    wanted = [
        allocation.allocate(amount, own.tolist(), mode=mode)
        for amount, own in zip(amounts.tolist(), weights.reshape(2, size), strict=True)
    ]

    flat = allocate(amounts, weights, offsets=ints(0, size, 2 * size), mode=mode)
    bucket = allocate_bucket(amounts, weights.reshape(2, size).T, mode=mode)

    assert flat.reshape(2, size).tolist() == bucket.T.tolist() == [list(own) for own in wanted]
