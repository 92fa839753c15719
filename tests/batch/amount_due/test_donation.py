"""Donations in columns: refused and unchanged values."""

import numpy as np
import pytest

from faregate.batch.amount_due.donation import donation_amount
from faregate.errors import InvalidAmount, InvalidInput


def test_values_other_than_integer_columns_are_refused() -> None:
    with pytest.raises(
        InvalidInput, match=r"^totals: expected int64 \[n\] or an int of 64 bits, got float64"
    ):
        donation_amount(np.ones(2), step=100)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"^step: expected int64 \[n\] or an int of 64 bits, got float$"):
        donation_amount(np.ones(2, np.int64), step=0.5)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput, match=r"differ in length: totals \[2\], step \[3\]"):
        donation_amount(np.ones(2, np.int64), step=np.ones(3, np.int64))


def test_first_impossible_row_is_named() -> None:
    totals, steps = np.full(40_000, 4735), np.full(40_000, 500)
    totals[20_001], steps[20_000] = -1, 0

    with pytest.raises(
        InvalidAmount,
        match=r"^row 20000: expected a total of at least 0 and a step of at least 1, "
        r"got total 4735 and step 0$",
    ):
        donation_amount(totals, step=steps)


def test_single_values_have_no_axes() -> None:
    found = donation_amount(4735, step=500)

    assert (found.shape, found.item()) == ((), 265)


def test_arguments_are_not_changed() -> None:
    totals, steps = np.array([2**60, 5]), np.array([7, 100])

    donation_amount(totals, step=steps)

    assert (totals.tolist(), steps.tolist()) == ([2**60, 5], [7, 100])
