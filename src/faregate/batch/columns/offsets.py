"""Two layouts of basket columns: flat with offsets, or a matrix for each line count.

Flat: an int64 column ``[n]`` for each field of a line, basket by basket, and *offsets* int64 ``[m + 1]``.
Basket ``i`` has the lines from ``offsets[i]`` up to, but not including, ``offsets[i + 1]``. Offsets begin
with 0, never decrease and end with n; a basket may be empty.

Buckets: all baskets with k lines form a matrix int64 ``[k, c]``, with a column for each basket and a row for
each line. Matrices need no offsets and are faster to compute with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from faregate.batch.columns.checks import described, require_array
from faregate.batch.columns.values import Numbers, whole_numbers
from faregate.errors import InvalidInput

_MAX_LINES = 2**62
_LARGE_BLOCK = 8 * 2**20
STEP_LINES = 65_536
"""Lines per step: few enough for the columns to stay in the cache, but enough to keep calls few."""


class Bucket(NamedTuple):
    """All baskets with ``size`` lines: ``[c]`` ascending rows, and the index of each first line."""

    size: int
    baskets: Numbers
    starts: Numbers


class Step(NamedTuple):
    """Slices of consecutive baskets that are processed together, and of their lines."""

    baskets: slice
    lines: slice


def offsets_of(sizes: npt.NDArray[np.integer]) -> Numbers:
    """Return the offsets, int64 ``[m + 1]``, of baskets with line counts *sizes*, int64 ``[m]``.

    >>> offsets_of(np.array([2, 0, 3]))
    array([0, 2, 2, 5])

    Raises:
        InvalidInput: *sizes* has the wrong dtype or shape, a size is negative, or their sum is above 2**62.
    """
    column = integers("sizes", sizes)
    if column.min(initial=0) < 0:
        row = int(np.argmax(column < 0))
        raise InvalidInput(f"row {row}: the size is {column[row]}, expected at least 0")
    if column.sum(dtype=np.float64) > _MAX_LINES:
        raise InvalidInput(f"the sizes add up to more than {_MAX_LINES} lines")
    offsets = np.zeros(len(column) + 1, np.int64)
    np.cumsum(column, out=offsets[1:])
    return offsets


def checked_offsets(offsets: npt.NDArray[np.integer], *, lines: int, baskets: int | None = None) -> Numbers:
    """Return *offsets* as int64 ``[m + 1]`` after checking them against *lines* and *baskets*.

    >>> checked_offsets(np.array([0, 2, 1, 3]), lines=3)
    Traceback (most recent call last):
    faregate.errors.InvalidInput: row 1: offsets fall from 2 to 1
    """
    column = integers("offsets", offsets)
    if not len(column) or baskets not in (None, len(column) - 1):
        wanted = "m" if baskets is None else baskets
        raise InvalidInput(f"offsets: expected int64 [{wanted} + 1], got {described(offsets)}")
    falls = column[1:] < column[:-1]
    if falls.any():
        row = int(np.argmax(falls))
        raise InvalidInput(f"row {row}: offsets fall from {column[row]} to {column[row + 1]}")
    if column[0] != 0 or column[-1] != lines:
        raise InvalidInput(f"offsets: expected 0 first and {lines} last, got {column[0]} and {column[-1]}")
    return column


def integers(name: str, value: object) -> Numbers:
    """Return *value*, a column of whole numbers, as int64 ``[n]``."""
    if not isinstance(value, np.ndarray) or value.ndim != 1:
        raise InvalidInput(f"{name}: expected int64 [n], got {described(value)}")
    return whole_numbers(name, value)


# ---------------------------------------------------------------- buckets


def buckets_of(offsets: npt.NDArray[np.integer]) -> tuple[Bucket, ...]:
    """Return a bucket for each line count, ascending; *offsets* (int64 ``[m + 1]``) delimit the baskets.

    >>> [(bucket.size, bucket.baskets.tolist()) for bucket in buckets_of(np.array([0, 2, 2, 4]))]
    [(0, [1]), (2, [0, 2])]

    Raises:
        InvalidInput: *offsets* have the wrong dtype or shape, do not begin with 0, or decrease.
    """
    column = integers("offsets", offsets)
    column = checked_offsets(column, lines=int(column[-1]) if len(column) else 0)
    sizes = np.diff(column)
    order = np.argsort(sizes, kind="stable")
    line_counts, firsts = np.unique(sizes[order], return_index=True)
    parts = np.split(order, firsts[1:])
    return tuple(
        Bucket(size, baskets, column[baskets])
        for size, baskets in zip(line_counts.tolist(), parts, strict=False)
    )


def to_buckets(values: npt.NDArray[np.integer], buckets: Sequence[Bucket]) -> tuple[Numbers, ...]:
    """Return the flat column *values*, int64 ``[n]``, as a matrix int64 ``[size, c]`` for each bucket.

    >>> to_buckets(np.array([10, 11, 20, 21]), buckets_of(np.array([0, 2, 4])))
    (array([[10, 20],
           [11, 21]]),)

    Raises:
        InvalidInput: *values* has the wrong dtype or shape, or more or fewer lines than the buckets.
    """
    column = integers("values", values)
    _require_lines(len(column), buckets)
    return tuple(_gathered(column, bucket) for bucket in buckets)


def from_buckets(matrices: Sequence[npt.NDArray[np.integer]], buckets: Sequence[Bucket]) -> Numbers:
    """Return the flat column, int64 ``[n]``, that ``to_buckets`` would split into *matrices*.

    >>> buckets = buckets_of(np.array([0, 2, 4]))
    >>> from_buckets([np.array([[10, 20], [11, 21]])], buckets)
    array([10, 11, 20, 21])

    Raises:
        InvalidInput: a matrix differs from its bucket in dtype or shape, or a bucket has no matrix.
    """
    if len(matrices) != len(buckets):
        raise InvalidInput(f"matrices: expected {len(buckets)}, one for each bucket, got {len(matrices)}")
    values = np.empty(sum(bucket.size * len(bucket.baskets) for bucket in buckets), np.int64)
    for matrix, bucket in zip(matrices, buckets, strict=True):
        require_array("matrix", matrix, np.int64, lines=bucket.size, baskets=len(bucket.baskets))
        for index, row in enumerate(matrix):
            values[bucket.starts + index] = row
    return values


def _gathered(values: Numbers, bucket: Bucket) -> Numbers:
    matrix = np.empty((bucket.size, len(bucket.baskets)), np.int64)
    for index, row in enumerate(matrix):
        np.take(values, bucket.starts + index, out=row)
    return matrix


def _require_lines(lines: int, buckets: Sequence[Bucket]) -> None:
    own = sum(bucket.size * len(bucket.baskets) for bucket in buckets)
    if own != lines:
        raise InvalidInput(f"values: expected {own}, one for each line in the buckets, got {lines}")


# ---------------------------------------------------------------- internal, unchecked


def steps_of(offsets: Numbers) -> Iterator[Step]:
    """Yield steps of consecutive baskets of up to ``STEP_LINES`` lines; a larger basket forms its own.

    >>> [step.baskets for step in steps_of(np.array([0, 60_000, 90_000, 90_000]))]
    [slice(0, 1, None), slice(1, 3, None)]
    """
    first, count = 0, len(offsets) - 1
    _keep_what_is_freed(int(offsets[-1]))
    while first < count:
        bound = np.searchsorted(offsets, offsets[first] + STEP_LINES, side="right") - 1
        last = min(max(int(bound), first + 1), first + STEP_LINES)
        yield Step(slice(first, last), slice(int(offsets[first]), int(offsets[last])))
        first = last


def are_one_step(lines: int, baskets: int) -> bool:
    """Return True if this many *lines* and *baskets* fit in one step.

    >>> are_one_step(60_000, 7_000), are_one_step(0, 90_000)
    (True, False)
    """
    return max(lines, baskets) <= STEP_LINES


def bucket_steps(size: int, count: int) -> Iterator[slice]:
    """Yield slices that split *count* baskets of *size* lines each into steps.

    >>> [*bucket_steps(60_000, 2)]
    [slice(0, 1, None), slice(1, 2, None)]
    """
    width = max(1, STEP_LINES // max(1, size))
    _keep_what_is_freed(size * count)
    for start in range(0, count, width):
        yield slice(start, min(start + width, count))


def lines_of(baskets: Numbers, offsets: Numbers) -> tuple[Numbers, Numbers]:
    """Return the indexes of all lines of *baskets*, int64 ``[l]``, and offsets that split them by basket.

    >>> lines_of(np.array([0, 2]), np.array([0, 2, 3, 5]))
    (array([0, 1, 3, 4]), array([0, 2, 4]))
    """
    starts, ends = offsets[:-1][baskets], offsets[1:][baskets]
    own = np.zeros(len(baskets) + 1, np.int64)
    np.cumsum(ends - starts, out=own[1:])
    return np.arange(own[-1]) + np.repeat(starts - own[:-1], ends - starts), own


def baskets_of(offsets: Numbers) -> Numbers:
    """Return, for each line, the row of its basket: int64 ``[n]``.

    >>> baskets_of(np.array([0, 2, 2, 3]))
    array([0, 0, 2])
    """
    # For baskets of a few lines, this takes half the time of ``np.repeat``.
    begun = np.bincount(offsets[1:-1], minlength=offsets[-1] + 1)[:-1]
    return begun.cumsum(out=begun)


def _keep_what_is_freed(lines: int) -> None:
    """Make the C library keep the memory that a step frees, so that the next step can reuse it.

    Fetching fresh pages takes several times as long as computing on them. glibc returns large blocks to the
    system at once until it has freed a larger block, so such a block is allocated and freed here. A much
    larger block would not have this effect.
    """
    if lines > STEP_LINES:
        np.empty(_LARGE_BLOCK, np.int8)


def sums_of(values: npt.NDArray[np.integer | np.bool_], offsets: Numbers, running: Numbers) -> Numbers:
    """Return the sum of *values* in each basket, int64 ``[m]``; *running* is a work buffer of n + 1 numbers.

    The running sums may overflow and wrap around, but their differences are exact.

    >>> sums_of(np.array([5, 6, 7]), np.array([0, 2, 2, 3]), np.empty(4, np.int64))
    array([11,  0,  7])
    """
    running[0] = 0
    values.cumsum(out=running[1 : len(values) + 1])
    bounds = running.take(offsets)
    sums: Numbers = bounds[1:] - bounds[:-1]
    return sums
