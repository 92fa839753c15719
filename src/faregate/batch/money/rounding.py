"""Integer division with a named rounding mode, for columns. Decisions §1.3.

Every function returns the same integers as its namesake in ``faregate.money.rounding``, for every int64, in
new arrays. If results do not fit int64, the error names the first such row. Integers below 2**53 are divided
as floats, which is several times as fast; the floor of their quotient is exact.
"""

from __future__ import annotations

from typing import assert_never

import numpy as np
import numpy.typing as npt

from faregate.arguments.checks import option
from faregate.batch.columns.values import Numbers, aligned, answer_by_row, chunks, whole_numbers
from faregate.errors import InvalidAmount
from faregate.money import rounding
from faregate.money.rounding import RoundingMode

EXACT_FLOATS = 2**53
"""The float quotient of integers below this bound has the same floor as the exact quotient."""
EXACT_INTS = 2**62
"""Sums and products below this bound fit int64 even when doubled."""
MIN_INT64 = -(2**63)
"""The only int64 whose absolute value does not fit int64."""
_HALF_RANGE = 2**62
"""If neither amount nor increment exceeds this, the rounded amount fits int64: it is below their sum."""


def divide_rounded(
    numerators: npt.NDArray[np.integer] | int,
    denominators: npt.NDArray[np.integer] | int,
    *,
    mode: RoundingMode = RoundingMode.HALF_UP,
) -> Numbers:
    """Return the exact quotients of *numerators* and *denominators*, rounded once: int64 ``[n]``.

    Both arguments are int64 ``[n]`` (or a dtype that fits), or one int for all.

    >>> divide_rounded(np.array([5, -5, 4]), 2)
    array([ 3, -3,  2])
    >>> divide_rounded(np.array([5, -5, 4]), np.array([2, 2, -3]), mode=RoundingMode.FLOOR)
    array([ 2, -3, -2])

    Raises:
        InvalidInput: a column has the wrong dtype or shape.
        InvalidAmount: a quotient is 2**63, which does not fit int64.
        ZeroDivisionError: a denominator is 0.
    """
    mode = option(RoundingMode, mode, "mode")
    shape, (tops, bottoms) = aligned(
        numerators=whole_numbers("numerators", numerators),
        denominators=whole_numbers("denominators", denominators),
    )

    def ask(row: int) -> int:
        try:
            return fitting(rounding.divide_rounded(int(tops[row]), int(bottoms[row]), mode=mode))
        except ZeroDivisionError as fault:
            raise ZeroDivisionError(f"row {row}: {fault}") from None

    result = np.empty(tops.shape, np.int64)
    for part in chunks(len(result)):
        own, by = tops[part], bottoms[part]
        needs_scalar = (by == 0) | (by == MIN_INT64) | (own == MIN_INT64)
        result[part] = divided(own, np.where(needs_scalar, 1, by), mode)
        answer_by_row(result, part.start + np.flatnonzero(needs_scalar), ask)
    return result.reshape(shape)


def round_to_increment(
    amounts: npt.NDArray[np.integer] | int,
    increments: npt.NDArray[np.integer] | int,
    *,
    mode: RoundingMode = RoundingMode.HALF_UP,
) -> Numbers:
    """Round each amount to a multiple of its increment, as for cash payments: int64 ``[n]``.

    Both arguments are int64 ``[n]`` (or a dtype that fits), or one int for all.

    >>> round_to_increment(np.array([166, 1278, -178]), 5)
    array([ 165, 1280, -180])

    Raises:
        InvalidInput: a column has the wrong dtype or shape.
        InvalidAmount: an increment is below 1, or a rounded amount does not fit int64.
    """
    mode = option(RoundingMode, mode, "mode")
    shape, (column, steps) = aligned(
        amounts=whole_numbers("amounts", amounts), increments=whole_numbers("increments", increments)
    )

    def ask(row: int) -> int:
        return fitting(rounding.round_to_increment(int(column[row]), int(steps[row]), mode=mode))

    result = np.empty(column.shape, np.int64)
    for part in chunks(len(result)):
        own, by = column[part], steps[part]
        needs_scalar = (by < 1) | (own > _HALF_RANGE) | (own < -_HALF_RANGE)
        by = np.where(needs_scalar, 1, by)
        result[part] = divided(own, by, mode) * by
        answer_by_row(result, part.start + np.flatnonzero(needs_scalar), ask)
    return result.reshape(shape)


def floor_quotients(numerators: Numbers, denominators: Numbers) -> Numbers:
    """Return *numerators* (at least 0) divided by *denominators* (above 0), rounded down.

    >>> floor_quotients(np.array([7, 2**62]), np.array([2, 3]))
    array([                  3, 1537228672809129301])
    """
    if numerators.max(initial=0) < EXACT_FLOATS:
        return (numerators / denominators).astype(np.int64)
    return numerators // denominators


def fitting(answer: int) -> int:
    """Return *answer* if it fits int64."""
    if not MIN_INT64 <= answer < -MIN_INT64:
        raise InvalidAmount(f"{answer} does not fit int64")
    return answer


def divided(numerators: Numbers, denominators: Numbers, mode: RoundingMode) -> Numbers:
    """Return exact quotients, rounded once; no denominator may be 0 and no number may be ``MIN_INT64``.

    >>> divided(np.array([5, -5]), np.array([2, 2]), RoundingMode.HALF_UP)
    array([ 3, -3])
    """
    sizes, divisors = np.abs(numerators), np.abs(denominators)
    quotients = floor_quotients(sizes, divisors)
    sizes -= quotients * divisors
    is_negative = (numerators < 0) != (denominators < 0)
    return _rounded(quotients, sizes, divisors, is_negative=is_negative, mode=mode)


def _rounded(
    quotients: Numbers,
    remainders: Numbers,
    divisors: Numbers,
    *,
    is_negative: npt.NDArray[np.bool_],
    mode: RoundingMode,
) -> Numbers:
    """Return *quotients* (absolute values), rounded up where *mode* requires it and with signs restored."""
    quotients += _away_from_zero(quotients, remainders, divisors, is_negative=is_negative, mode=mode)
    return np.negative(quotients, out=quotients, where=is_negative)


def _away_from_zero(
    quotients: Numbers,
    remainders: Numbers,
    divisors: Numbers,
    *,
    is_negative: npt.NDArray[np.bool_],
    mode: RoundingMode,
) -> npt.NDArray[np.bool_]:
    # Compare the remainder with the rest of the divisor: twice the remainder may not fit int64.
    missing, is_inexact = divisors - remainders, remainders > 0
    match mode:
        case RoundingMode.HALF_UP:
            return remainders >= missing
        case RoundingMode.HALF_EVEN:
            return np.where(quotients % 2 == 1, remainders >= missing, remainders > missing)
        case RoundingMode.HALF_DOWN:
            return remainders > missing
        case RoundingMode.UP:
            return is_inexact
        case RoundingMode.DOWN:
            return np.zeros_like(is_inexact)
        case RoundingMode.CEILING:
            return is_inexact & ~is_negative
        case RoundingMode.FLOOR:
            return is_inexact & is_negative
        case RoundingMode.ZERO_FIVE_UP:
            return np.where(quotients % 5 == 0, is_inexact, False)
        case _:
            assert_never(mode)
