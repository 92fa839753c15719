"""Laws of rounding, compared with ``decimal`` at a high precision. Decisions §1.3."""

import decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from faregate.money.rounding import RoundingMode, divide_rounded, rdiv, round_to_increment
from support.baskets.strategies import rounding_modes

DECIMAL_MODES = {
    RoundingMode.HALF_UP: decimal.ROUND_HALF_UP,
    RoundingMode.HALF_EVEN: decimal.ROUND_HALF_EVEN,
    RoundingMode.HALF_DOWN: decimal.ROUND_HALF_DOWN,
    RoundingMode.UP: decimal.ROUND_UP,
    RoundingMode.DOWN: decimal.ROUND_DOWN,
    RoundingMode.CEILING: decimal.ROUND_CEILING,
    RoundingMode.FLOOR: decimal.ROUND_FLOOR,
    RoundingMode.ZERO_FIVE_UP: decimal.ROUND_05UP,
}

small = st.integers(-60, 60)
large = st.integers(-(10**30), 10**30)
integers = st.one_of(small, large)
divisors = st.one_of(small, st.sampled_from((2, 4, 10, 20, 10**6, 1_081_000)), large).filter(bool)


def in_decimal(numerator: int, denominator: int, mode: RoundingMode) -> int:
    """Return the exact quotient of two numbers of up to 31 digits, rounded by ``decimal``.

    A quotient that is a tie or an integer has far fewer than 200 digits; otherwise 200 digits decide.
    """
    with decimal.localcontext(decimal.Context(prec=200, rounding=decimal.ROUND_DOWN)):
        quotient = decimal.Decimal(numerator) / decimal.Decimal(denominator)
        if quotient * denominator != numerator:
            # Digits beyond 200 were cut off; a final 1 keeps the remainder nonzero.
            quotient += decimal.Decimal(1).copy_sign(quotient).scaleb(-150)
    with decimal.localcontext(decimal.Context(prec=300)):
        return int(quotient.quantize(decimal.Decimal(1), rounding=DECIMAL_MODES[mode]))


@given(integers, divisors, rounding_modes)
@example(5, 2, RoundingMode.HALF_DOWN)
@example(-15, 2, RoundingMode.HALF_EVEN)
def test_every_mode_rounds_as_decimal_does(numerator: int, denominator: int, mode: RoundingMode) -> None:
    assert divide_rounded(numerator, denominator, mode=mode) == in_decimal(numerator, denominator, mode)


@pytest.mark.parametrize("mode", RoundingMode)
def test_every_mode_rounds_every_small_quotient_as_decimal_does(mode: RoundingMode) -> None:
    for numerator in range(-41, 42):
        for denominator in (1, 2, 3, 4, 5, 8, -2, -4, -10):
            assert divide_rounded(numerator, denominator, mode=mode) == in_decimal(
                numerator, denominator, mode
            )


@given(st.integers(0, 10**30), divisors.map(abs))
def test_rdiv_is_half_up_division(numerator: int, denominator: int) -> None:
    assert rdiv(numerator, denominator) == in_decimal(numerator, denominator, RoundingMode.HALF_UP)


@given(integers, st.integers(1, 1000), rounding_modes)
def test_rounding_to_an_increment_gives_a_multiple_less_than_one_increment_away(
    amount: int, increment: int, mode: RoundingMode
) -> None:
    rounded = round_to_increment(amount, increment, mode=mode)

    assert rounded % increment == 0
    assert abs(rounded - amount) < increment


@given(integers, st.integers(1, 1000))
def test_rounding_to_an_increment_goes_half_away_from_zero(amount: int, increment: int) -> None:
    nearest = min(
        (amount // increment * increment, -(-amount // increment) * increment),
        key=lambda multiple: (abs(multiple - amount), -abs(multiple)),
    )

    assert round_to_increment(amount, increment) == nearest
