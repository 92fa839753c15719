"""Allocation in columns of numbers too large to sort, and columns of caps that do not fit."""

import numpy as np
import pytest

from faregate.batch.money.allocation import allocate, allocate_bucket, allocate_capped
from faregate.errors import InvalidInput, InvalidWeights
from faregate.money import allocation
from faregate.money.allocation import AllocationMode
from support.columns.lines import ints


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


def test_caps_that_do_not_match_the_weights_are_refused() -> None:
    with pytest.raises(InvalidInput, match=r"^caps: expected one for each of the 3 weights, got 2$"):
        allocate_capped(ints(5), ints(1, 1, 1), ints(1, 1), offsets=ints(0, 3))


def test_negative_cap_is_named_with_its_basket() -> None:
    with pytest.raises(InvalidWeights, match=r"^row 1: expected caps of at least 0, got \[1, -1\]$"):
        allocate_capped(ints(5, 5), ints(1, 1, 1), ints(1, 1, -1), offsets=ints(0, 1, 3))
