"""Integer division with a named rounding mode, the only place where faregate rounds.

The eight modes are those of the General Decimal Arithmetic specification (Cowlishaw) and of Python's
``decimal``. Decisions §1.3.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import assert_never

from faregate.arguments.checks import as_int, option, whole
from faregate.errors import InvalidAmount


class RoundingMode(Enum):
    """Treatment of the remainder of a division."""

    HALF_UP = "half_up"
    """To nearest, half away from zero: the default everywhere."""
    HALF_EVEN = "half_even"
    """To nearest, half to the even neighbour."""
    HALF_DOWN = "half_down"
    """To nearest, half towards zero."""
    UP = "up"
    """Away from zero."""
    DOWN = "down"
    """Towards zero."""
    CEILING = "ceiling"
    """Towards positive infinity."""
    FLOOR = "floor"
    """Towards negative infinity."""
    ZERO_FIVE_UP = "zero_five_up"
    """Towards zero, but away from zero if the last digit would otherwise be 0 or 5."""


# Looking up an enumeration member costs as much as a division.
_HALF_UP = RoundingMode.HALF_UP


def divide_rounded(numerator: int, denominator: int, *, mode: RoundingMode = RoundingMode.HALF_UP) -> int:
    """Divide *numerator* by *denominator* exactly, then round once.

    >>> divide_rounded(5, 2), divide_rounded(-5, 2)
    (3, -3)
    >>> divide_rounded(5, 2, mode=RoundingMode.HALF_EVEN)
    2

    Raises:
        InvalidAmount: an argument is not an int; a float may have been rounded already.
        InvalidOption: *mode* is unknown.
        ZeroDivisionError: *denominator* is 0.
    """
    if mode is not _HALF_UP:
        mode = option(RoundingMode, mode, "mode")
    if type(numerator) is not int or type(denominator) is not int:
        numerator, denominator = _two_ints(numerator, denominator)
    negative = (numerator < 0) is not (denominator < 0)
    quotient, remainder = divmod(abs(numerator), abs(denominator))
    if remainder and _away_from_zero(
        quotient, 2 * remainder - abs(denominator), negative=negative, mode=mode
    ):
        quotient += 1
    return -quotient if negative else quotient


def round_half_even(exact: Fraction) -> int:
    """Return *exact* rounded to an int, half to the even neighbour.

    >>> round_half_even(Fraction(7, 2)), round_half_even(Fraction(5, 2))
    (4, 2)
    """
    return divide_rounded(*exact.as_integer_ratio(), mode=RoundingMode.HALF_EVEN)


def _two_ints(numerator: object, denominator: object) -> tuple[int, int]:
    ints = as_int(numerator), as_int(denominator)
    if ints[0] is None or ints[1] is None:
        raise InvalidAmount(f"expected two ints, got {numerator!r} and {denominator!r}")
    return ints[0], ints[1]


def _away_from_zero(quotient: int, beyond_half: int, *, negative: bool, mode: RoundingMode) -> bool:
    match mode:
        case RoundingMode.HALF_UP:
            return beyond_half >= 0
        case RoundingMode.HALF_EVEN:
            return beyond_half > 0 or (beyond_half == 0 and quotient % 2 == 1)
        case RoundingMode.HALF_DOWN:
            return beyond_half > 0
        case RoundingMode.UP:
            return True
        case RoundingMode.DOWN:
            return False
        case RoundingMode.CEILING:
            return not negative
        case RoundingMode.FLOOR:
            return negative
        case RoundingMode.ZERO_FIVE_UP:
            return quotient % 5 == 0
        case _:
            assert_never(mode)


def rdiv(numerator: int, denominator: int) -> int:
    """Divide and round half up; unchecked, so ``numerator >= 0`` and ``denominator > 0`` must hold.

    >>> rdiv(5, 2), rdiv(4, 3)
    (3, 1)
    """
    return (2 * numerator + denominator) // (2 * denominator)


def round_to_increment(amount: int, increment: int, *, mode: RoundingMode = RoundingMode.HALF_UP) -> int:
    """Round *amount* to a multiple of *increment*, as for a cash payment.

    >>> round_to_increment(166, 5), round_to_increment(1278, 5), round_to_increment(-178, 5)
    (165, 1280, -180)

    Raises:
        InvalidAmount: *increment* is below 1, or an argument is not an int.
    """
    if type(increment) is not int or increment < 1:
        increment = whole(increment, "increment", InvalidAmount, 1)
    return divide_rounded(amount, increment, mode=mode) * increment
