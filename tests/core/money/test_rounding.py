"""Rounding at its boundaries; seven modes by the table in the documentation of Java's RoundingMode."""

from enum import IntEnum

import pytest

from faregate.errors import InvalidAmount
from faregate.money.allocation import allocate, split_evenly
from faregate.money.rounding import RoundingMode, divide_rounded, rdiv, round_to_increment

MODES = ("UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN")
TENTHS = [
    (55, (6, 5, 6, 5, 6, 5, 6)),
    (25, (3, 2, 3, 2, 3, 2, 2)),
    (16, (2, 1, 2, 1, 2, 2, 2)),
    (11, (2, 1, 2, 1, 1, 1, 1)),
    (10, (1, 1, 1, 1, 1, 1, 1)),
    (-10, (-1, -1, -1, -1, -1, -1, -1)),
    (-11, (-2, -1, -1, -2, -1, -1, -1)),
    (-16, (-2, -1, -1, -2, -2, -2, -2)),
    (-25, (-3, -2, -2, -3, -3, -2, -2)),
    (-55, (-6, -5, -5, -6, -6, -5, -6)),
]


@pytest.mark.parametrize(("tenths", "rounded"), TENTHS)
def test_seven_modes_round_as_java_documents_them(tenths: int, rounded: tuple[int, ...]) -> None:
    assert tuple(divide_rounded(tenths, 10, mode=RoundingMode[mode]) for mode in MODES) == rounded


@pytest.mark.parametrize(
    ("tenths", "rounded"),
    [
        (1, 1),
        (50, 5),
        (51, 6),
        (100, 10),
        (-51, -6),
    ],
)
def test_zero_five_up_leaves_zero_only_where_the_last_digit_would_be_0_or_5(
    tenths: int, rounded: int
) -> None:
    assert divide_rounded(tenths, 10, mode=RoundingMode.ZERO_FIVE_UP) == rounded


@pytest.mark.parametrize(("numerator", "denominator"), [(5, -2), (-5, 2)])
def test_the_sign_may_be_on_either_operand(numerator: int, denominator: int) -> None:
    # -2.5, half away from zero
    assert divide_rounded(numerator, denominator) == -3
    assert divide_rounded(-numerator, -denominator) == -3


@pytest.mark.parametrize(
    ("numerator", "denominator", "message"),
    [
        (2.5, 1, "expected two ints, got 2.5 and 1"),
        (True, 2, "expected two ints, got True and 2"),
        (5, None, "expected two ints, got 5 and None"),
    ],
)
def test_a_number_that_is_not_an_int_is_refused(numerator: int, denominator: int, message: str) -> None:
    with pytest.raises(InvalidAmount, match=f"^{message}$"):
        divide_rounded(numerator, denominator)


class Size(IntEnum):
    MINUS_SEVEN, TWO, FIVE = -7, 2, 5


def test_members_of_an_int_enum_count_as_ints() -> None:
    minus_seven, two, five = Size

    assert (divide_rounded(minus_seven, two), round_to_increment(minus_seven, five)) == (-4, -5)
    assert (split_evenly(minus_seven, two), allocate(five, [two, 1])) == ((-4, -3), (3, 2))


@pytest.mark.parametrize("numerator", [0, 1])
def test_dividing_by_zero_has_its_own_error(numerator: int) -> None:
    with pytest.raises(ZeroDivisionError):
        divide_rounded(numerator, 0)


@pytest.mark.parametrize(
    ("numerator", "denominator", "rounded"),
    # 0, 0.33, 0.5, 0.67, 1, 2.5 and one part in a million on either side of a half
    [
        (1, 2, 1),
        (5, 2, 3),
        (499_999, 10**6, 0),
        (500_000, 10**6, 1),
    ],
)
def test_the_hot_path_rounds_half_up(numerator: int, denominator: int, rounded: int) -> None:
    assert rdiv(numerator, denominator) == rounded


@pytest.mark.parametrize(
    ("amount", "increment", "mode", "rounded"),
    [
        (1277, 5, RoundingMode.HALF_UP, 1275),
        (1278, 5, RoundingMode.HALF_UP, 1280),
        (15, 10, RoundingMode.HALF_UP, 20),
        (25, 10, RoundingMode.HALF_EVEN, 20),
        (1279, 5, RoundingMode.DOWN, 1275),
        (1276, 5, RoundingMode.CEILING, 1280),
        (1277, 1, RoundingMode.HALF_UP, 1277),
    ],
)
def test_an_amount_rounds_to_a_multiple(
    amount: int, increment: int, mode: RoundingMode, rounded: int
) -> None:
    assert round_to_increment(amount, increment, mode=mode) == rounded


@pytest.mark.parametrize("increment", [0, -5])
def test_an_increment_is_at_least_one(increment: int) -> None:
    with pytest.raises(InvalidAmount, match=f"^increment is {increment}, expected an int of at least 1$"):
        round_to_increment(100, increment)


@pytest.mark.parametrize(
    ("amount", "increment", "message"),
    [
        (1.5, 5, "expected two ints, got 1.5 and 5"),
        (100, 5.0, "increment is 5.0, expected an int of at least 1"),
        (100, True, "increment is True, expected an int of at least 1"),
        (100, "5", "increment is '5', expected an int of at least 1"),
    ],
)
def test_only_ints_round_to_an_increment(amount: int, increment: int, message: str) -> None:
    with pytest.raises(InvalidAmount, match=f"^{message}$"):
        round_to_increment(amount, increment)
