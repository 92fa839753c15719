"""Rounding of columns: refusals, and the names in their messages."""

import numpy as np
import pytest

from faregate.batch.money.rounding import divide_rounded, fitting, round_to_increment
from faregate.errors import InvalidAmount
from faregate.money import rounding
from faregate.money.rounding import RoundingMode

ROWS = 40_000  # more than one chunk
LEAST = -(2**63)


def test_first_row_with_a_zero_denominator_is_named() -> None:
    denominators = np.ones(ROWS, np.int64)
    denominators[[20_000, 30_000]] = 0

    with pytest.raises(ZeroDivisionError, match=r"^row 20000: "):
        divide_rounded(1, denominators)


def test_first_quotient_beyond_int64_is_named() -> None:
    with pytest.raises(InvalidAmount, match=r"^row 1: 9223372036854775808 does not fit int64$"):
        divide_rounded(np.array([LEAST, LEAST, 1]), np.array([1, -1, 0]))


def test_first_impossible_increment_is_named() -> None:
    with pytest.raises(InvalidAmount, match=r"^row 2: increment is 0, expected an int of at least 1$"):
        round_to_increment(np.arange(4), np.array([1, 5, 0, -5]))


def test_multiple_beyond_int64_is_refused() -> None:
    with pytest.raises(InvalidAmount, match=r"^row 0: 9223372036854775810 does not fit int64$"):
        round_to_increment(2**63 - 1, 10)


@pytest.mark.parametrize("mode", RoundingMode)
def test_division_at_the_limits_of_int64_matches_the_scalar(mode: RoundingMode) -> None:
    ends = [LEAST, LEAST + 1, -1, 1, 2**62, 2**63 - 2, 2**63 - 1]
    pairs = [(one, other) for one in ends for other in ends if (one, other) != (LEAST, -1)]

    found = divide_rounded(*np.array(pairs).T, mode=mode)

    assert found.tolist() == [rounding.divide_rounded(*pair, mode=mode) for pair in pairs]


@pytest.mark.parametrize("mode", RoundingMode)
def test_rounding_to_large_increments_matches_the_scalar(mode: RoundingMode) -> None:
    pairs = [
        (sign * amount, increment)
        for sign in (1, -1)
        for amount in (1, 2**61, 2**62 - 1, 2**62)
        for increment in (1, 2**61 + 1, 2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1)
    ]

    found = round_to_increment(*np.array(pairs).T, mode=mode)

    assert found.tolist() == [rounding.round_to_increment(*pair, mode=mode) for pair in pairs]


@pytest.mark.parametrize("amount", [LEAST, LEAST + 1, 2**63 - 1])
def test_multiples_are_exact_up_to_the_limits_of_int64(amount: int) -> None:
    column = np.array([amount])

    towards_zero = round_to_increment(column, 10, mode=RoundingMode.DOWN)

    assert towards_zero.item() == rounding.round_to_increment(amount, 10, mode=RoundingMode.DOWN)
    with pytest.raises(InvalidAmount, match=r"^row 0: -?922337203685477581\d does not fit int64$"):
        round_to_increment(column, 10, mode=RoundingMode.UP)


@pytest.mark.parametrize("mode", RoundingMode)
def test_long_columns_give_the_same_results_as_their_parts(mode: RoundingMode) -> None:
    numerators = np.random.default_rng(3).integers(-(10**6), 10**6, ROWS)
    numerators[20_000] = 2**60  # one chunk of large numbers among small ones

    found = divide_rounded(numerators, 8, mode=mode)

    parts = [divide_rounded(part, 8, mode=mode) for part in np.split(numerators, 500)]
    np.testing.assert_array_equal(found, np.concatenate(parts))


@pytest.mark.parametrize("answer", [LEAST - 1, 2**63])
def test_values_beyond_int64_do_not_fit(answer: int) -> None:
    with pytest.raises(InvalidAmount, match=f"^{answer} does not fit int64$"):
        fitting(answer)
