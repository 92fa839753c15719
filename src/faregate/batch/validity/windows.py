"""Minimum and maximum over every window of consecutive days, for several lengths at once.

A window of *n* days consists of two overlapping shorter windows. With the lengths in ascending order, the
windows of each length are computed from those of the previous length in a single pass. Doubling, as in a
sparse table, bridges gaps of more than a factor of two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from faregate.batch.columns.checks import described, require_at_least
from faregate.batch.columns.views import columns_html
from faregate.errors import InvalidInput

NO_WINDOW = -1
"""Value where a window would run past the last day."""

Integer = TypeVar("Integer", np.int32, np.int64)

_DTYPES = (np.dtype(np.int32), np.dtype(np.int64))
_NO_WINDOW_AND_COMPLEMENT = np.array([NO_WINDOW, ~NO_WINDOW], np.int32)


class Extremes(NamedTuple, Generic[Integer]):
    """Minimum and maximum of every window, ``[k, days, ...]`` each: views of one shared block of memory."""

    minimum: npt.NDArray[Integer]
    maximum: npt.NDArray[Integer]

    def _repr_html_(self) -> str:
        return columns_html(self)


def window_minimum(values: npt.NDArray[Integer], lengths: Sequence[int]) -> npt.NDArray[Integer]:
    """Return the minimum of ``values[d : d + length]`` for each of the *lengths* and every day *d*.

    *values*: int32 or int64 ``[days, ...]``, preferably contiguous; int32 is twice as fast. The result is
    ``[k, days, ...]`` of the same dtype for *k* lengths in any order. It is ``NO_WINDOW`` (-1) where the
    window would run past the last day, that is for ``d > days - length``.

    >>> window_minimum(np.array([5, 2, 9, 4], np.int32), [1, 2, 5])
    array([[ 5,  2,  9,  4],
           [ 2,  2,  4, -1],
           [-1, -1, -1, -1]], dtype=int32)

    Raises:
        InvalidInput: *values* is not such an array, or a length is not an int of at least 1.
    """
    return _windows(np.minimum, values, lengths)


def window_maximum(values: npt.NDArray[Integer], lengths: Sequence[int]) -> npt.NDArray[Integer]:
    """Return the maximum of ``values[d : d + length]`` in the same way as ``window_minimum``.

    >>> window_maximum(np.array([5, 2, 9, 4], np.int32), [2, 3])
    array([[ 5,  9,  9, -1],
           [ 9,  9, -1, -1]], dtype=int32)
    """
    return _windows(np.maximum, values, lengths)


def window_extremes(values: npt.NDArray[Integer], lengths: Sequence[int]) -> Extremes[Integer]:
    """Return the minimum and maximum of every window, faster than in two separate calls.

    Put several products on an axis after the days: ``[days, products]``.

    >>> minimum, maximum = window_extremes(np.array([5, 2, 9, 4], np.int32), [2])
    >>> (maximum - minimum)[:, :3]
    array([[3, 7, 5]], dtype=int32)

    Raises:
        InvalidInput: as for ``window_minimum``.
    """
    _check(values, lengths)
    if values.ndim == 1:
        return _extremes_of_one(values, lengths)
    # One block, not two: an allocator that reuses it for the next call is less likely to release it.
    minimum, maximum = np.empty((2, len(lengths), *values.shape), values.dtype)
    write_windows(np.minimum, values, lengths, out=minimum)
    write_windows(np.maximum, values, lengths, out=maximum)
    return Extremes(minimum, maximum)


def _extremes_of_one(values: npt.NDArray[Integer], lengths: Sequence[int]) -> Extremes[Integer]:
    """Compute both extremes in one pass, the maximum as a minimum of bitwise complements."""
    days = len(values)
    both = np.empty((days, 2), values.dtype)
    both[:, 0] = values
    np.invert(values, out=both[:, 1])
    result = np.empty((len(lengths), days, 2), values.dtype)
    write_windows(np.minimum, both, lengths, out=result, past_end=_NO_WINDOW_AND_COMPLEMENT)
    maximum = result[:, :, 1]
    np.invert(maximum, out=maximum)
    return Extremes(result[:, :, 0], maximum)


def _windows(extreme: np.ufunc, values: npt.NDArray[Integer], lengths: Sequence[int]) -> npt.NDArray[Integer]:
    _check(values, lengths)
    result = np.empty((len(lengths), *values.shape), values.dtype)
    write_windows(extreme, values, lengths, out=result)
    return result


def write_windows(
    extreme: np.ufunc,
    values: npt.NDArray[Integer],
    lengths: Sequence[int],
    *,
    out: npt.NDArray[Integer],
    past_end: int | npt.NDArray[np.int32] = NO_WINDOW,
) -> None:
    """Write the *extreme* (``np.minimum``, ``np.maximum``) of every window to *out* ``[k, days, ...]``.

    Arguments are not checked. The function is fast if the axis that is contiguous in *values*
    is contiguous in *out*, too.
    """
    days = len(values)
    known, reach = values, 1  # the windows of *reach* days that fit
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        length, row = lengths[index], out[index]
        if length > days:
            row[...] = past_end
            continue
        while 2 * reach < length:
            starts = days - 2 * reach + 1
            known = extreme(known[:starts], known[reach : reach + starts])
            reach *= 2
        starts = days - length + 1
        extreme(known[:starts], known[length - reach : length - reach + starts], out=row[:starts])
        row[starts:] = past_end
        known, reach = row, length


def _check(values: object, lengths: Sequence[int]) -> None:
    if not isinstance(values, np.ndarray) or values.dtype not in _DTYPES or not values.ndim:
        raise InvalidInput(f"values: expected int32 or int64 [days, ...], got {described(values)}")
    require_at_least(1, "lengths", lengths)
