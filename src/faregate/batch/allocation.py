"""Sharing amounts over the lines of many baskets, nothing lost. Decisions §2.

Every function has the shares of its scalar namesake in ``faregate.allocation``; what comes out is new memory.
Where an amount times the weights of its basket stays below 2**53 in a whole step of baskets, quotients are
taken of floats, whose floors are exact there; below 2**62 of int64; from there on a basket is worked out by
itself, in Python ints. A basket that the scalar function would refuse raises its error, the first one named.

Who gets the units that are left over needs no sort in short baskets: each line counts those before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never

import numpy as np

from faregate import allocation
from faregate.allocation import AllocationMode
from faregate.batch.arrays import described
from faregate.batch.baskets import (
    STEP_LINES,
    checked_offsets,
    integers,
    offsets_of,
    steps_of,
    sums_of,
)
from faregate.batch.columns import aligned, answer_by_row, whole_numbers
from faregate.batch.rounding import EXACT_FLOATS
from faregate.errors import InvalidInput, InvalidWeights

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import numpy.typing as npt

    from faregate.batch.columns import Numbers

    Mask: TypeAlias = npt.NDArray[np.bool_]
    Work: TypeAlias = npt.NDArray[Any]

__all__ = ["allocate", "allocate_bucket", "split"]

_MOST = 2**62
_FEW_LINES = 16
"""Up to so many lines per basket comparing each with each is faster than sorting."""
_MOST_COMPARED = 64


def allocate(
    amounts: npt.NDArray[np.integer],
    weights: npt.NDArray[np.integer],
    *,
    offsets: npt.NDArray[np.integer],
    mode: AllocationMode = AllocationMode.LARGEST_REMAINDER,
) -> Numbers:
    """Share each amount over the lines of its basket in proportion to their weights: int64 ``[n]``.

    *amounts*: int64 ``[m]``; *weights*: int64 ``[n]``, the baskets one after the other; *offsets*: int64
    ``[m + 1]``, where each begins and the last ends (``faregate.batch.baskets``); or dtypes that fit.

    >>> allocate(np.array([100, -2]), np.array([2, 3, 1, 1, 1, 1]), offsets=np.array([0, 3, 6]))
    array([33, 50, 17, -1, -1,  0])

    Raises:
        InvalidInput: other dtypes or shapes.
        InvalidLines: *offsets* are none of so many lines.
        InvalidWeights: a weight is negative, or all of a basket are 0 and its amount is not.
    """
    column, by = integers("amounts", amounts), integers("weights", weights)
    bounds = checked_offsets(offsets, lines=len(by), baskets=len(column))
    shares = np.empty(by.shape, np.int64)
    for baskets, lines in steps_of(bounds):
        own = bounds[baskets.start : baskets.stop + 1] - lines.start
        is_odd = _share_flat(column[baskets], by[lines], own, mode=mode, shares=shares[lines])
        rows = np.flatnonzero(is_odd) + baskets.start
        _answer_singly(shares, column, by, bounds=bounds, rows=rows.tolist(), mode=mode)
    return shares


def allocate_bucket(
    amounts: npt.NDArray[np.integer],
    weights: npt.NDArray[np.int64],
    *,
    mode: AllocationMode = AllocationMode.LARGEST_REMAINDER,
) -> Numbers:
    """``allocate`` over baskets of equal line count: int64 ``[k, c]``.

    *amounts*: int64 ``[c]`` (or a dtype that fits); *weights*: int64 ``[k, c]``, a column for each basket
    (``faregate.batch.baskets.to_buckets``).

    >>> allocate_bucket(np.array([100, 10]), np.array([[2, 1], [3, 1], [1, 1]]))
    array([[33,  4],
           [50,  3],
           [17,  3]])

    Raises:
        InvalidInput: other dtypes or shapes.
        InvalidWeights: a weight is negative, or all of a basket are 0 and its amount is not.
    """
    column = integers("amounts", amounts)
    if not isinstance(weights, np.ndarray) or weights.dtype != np.int64 or weights.shape[1:] != column.shape:
        raise InvalidInput(f"weights: expected int64 [lines, {len(column)}], got {described(weights)}")
    size, count = weights.shape
    if size > _MOST_COMPARED:
        flat = allocate(column, weights.T.reshape(-1), offsets=np.arange(count + 1) * size, mode=mode)
        return np.ascontiguousarray(flat.reshape(count, size).T)
    shares = np.empty(weights.shape, np.int64)

    def ask(row: int) -> tuple[int, ...]:
        return allocation.allocate(int(column[row]), weights[:, row].tolist(), mode=mode)

    width = max(1, STEP_LINES // max(1, size))
    for start in range(0, count, width):
        part = slice(start, start + width)
        is_odd = _share_columns(column[part], weights[:, part], mode=mode, shares=shares[:, part])
        answer_by_row(shares.T, start + np.flatnonzero(is_odd), ask)
    return shares


def split(amounts: npt.NDArray[np.integer] | int, parts: npt.NDArray[np.integer] | int) -> Numbers:
    """Share each amount over equal parts, the larger shares first: int64 ``[sum of the parts]``.

    Both are int64 ``[m]`` (or a dtype that fits), or one int for all. The shares of the amounts follow one
    another; ``offsets_of(parts)`` says where those of each begin.

    >>> split(np.array([100, -5]), np.array([3, 2]))
    array([34, 33, 33, -3, -2])

    Raises:
        InvalidInput: other dtypes or shapes.
        InvalidLines: there are more than 2**62 parts.
        InvalidWeights: there is less than one part.
    """
    _, (column, sizes) = aligned(
        amounts=whole_numbers("amounts", amounts), parts=whole_numbers("parts", parts)
    )
    if sizes.min(initial=1) < 1:
        row = int(np.argmax(sizes < 1))
        raise InvalidWeights(f"row {row}: {sizes[row]} parts, expected at least 1")
    bounds = offsets_of(sizes)
    shares = np.empty(bounds[-1], np.int64)
    for baskets, lines in steps_of(bounds):
        own = bounds[baskets.start : baskets.stop + 1] - lines.start
        shares[lines] = _equal_shares(column[baskets], sizes[baskets], own)
    return shares


# ---------------------------------------------------------------- what is shared out


class _Due(NamedTuple):
    """What a step of baskets shares out, in magnitude, by which totals, and in which dtype it is exact.

    Nothing where only the scalar function has an answer (``is_odd``).
    """

    amounts: Numbers
    totals: Numbers
    dtype: type[np.float64 | np.int64]
    is_odd: Mask


def _due(amounts: Numbers, totals: Numbers, is_odd: Mask) -> _Due:
    """*is_odd* says of which baskets the total is not to be trusted."""
    # No product of integers below 2**53 comes out below 2**53 unless it is, and exactly so.
    products = np.abs(amounts.astype(np.float64)) * totals
    is_odd = is_odd | (products >= _MOST) | ((totals == 0) & (amounts != 0))
    if is_odd.any():
        amounts, products = np.where(is_odd, 0, amounts), np.where(is_odd, 0, products)
    dtype = np.float64 if products.max(initial=0) < EXACT_FLOATS else np.int64
    return _Due(np.abs(amounts), np.maximum(totals, 1), dtype, is_odd)


def _are_beyond(weights: Numbers, longest: int) -> Mask:
    """Which are negative, or too large for any sum of *longest* of them to be trusted."""
    return weights.view(np.uint64) > _MOST // max(1, longest)


def _floors(products: Work, totals: Work) -> Work:
    if products.dtype == np.int64:
        return products // totals
    quotients = products / totals
    return np.floor(quotients, out=quotients)


def _claims(weights: Numbers, remainders: Work, mode: AllocationMode) -> Work:
    """By what the units that are left over are given, the largest first."""
    match mode:
        case AllocationMode.LARGEST_REMAINDER:
            return remainders
        case AllocationMode.LARGEST_WEIGHT:
            return weights
        case AllocationMode.FIRST:
            return (weights > 0).view(np.int8)
        case _:
            assert_never(mode)


def _answer_singly(
    shares: Numbers,
    amounts: Numbers,
    weights: Numbers,
    *,
    bounds: Numbers,
    rows: Iterable[int],
    mode: AllocationMode,
) -> None:
    for row in rows:
        lines = slice(int(bounds[row]), int(bounds[row + 1]))
        try:
            shares[lines] = allocation.allocate(int(amounts[row]), weights[lines].tolist(), mode=mode)
        except InvalidWeights as fault:
            raise InvalidWeights(f"row {row}: {fault}") from None


def _equal_shares(amounts: Numbers, sizes: Numbers, offsets: Numbers) -> Numbers:
    """The floors, and one more for the first lines of what is owed, for the last of what is owing."""
    floors = amounts // sizes
    rests = amounts - floors * sizes
    is_negative = np.repeat(amounts < 0, sizes)
    places = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
    is_first = places < np.repeat(np.where(amounts < 0, sizes - rests, rests), sizes)
    return np.repeat(floors, sizes) + (is_first != is_negative)


# ---------------------------------------------------------------- flat, with offsets


def _share_flat(
    amounts: Numbers, weights: Numbers, offsets: Numbers, *, mode: AllocationMode, shares: Numbers
) -> Mask:
    """Write the *shares* of some baskets; true for each that has to be worked out by itself."""
    sizes = np.diff(offsets)
    longest = int(sizes.max(initial=0))
    are_beyond = _are_beyond(weights, longest)
    is_odd = sums_of(are_beyond, offsets) > 0 if are_beyond.any() else np.zeros(sizes.shape, np.bool_)
    due = _due(amounts, sums_of(weights, offsets), is_odd)
    products = np.repeat(due.amounts.astype(due.dtype), sizes)
    products *= weights
    totals = np.repeat(due.totals.astype(due.dtype), sizes)
    quotients = _floors(products, totals)
    np.copyto(shares, quotients, casting="unsafe")
    products -= np.multiply(quotients, totals, out=totals)
    left = due.amounts - sums_of(shares, offsets)
    come_first = _first_of_each(_claims(weights, products, mode), offsets, left)
    if come_first is None:
        return np.ones(sizes.shape, np.bool_)
    shares += come_first
    if amounts.min(initial=0) < 0:
        np.negative(shares, out=shares, where=np.repeat(amounts < 0, sizes))
    return due.is_odd


def _first_of_each(claims: Work, offsets: Numbers, counts: Numbers) -> Mask | None:
    """So many lines of each basket as *counts* says, of the largest claims, of equals the former."""
    sizes = np.diff(offsets)
    longest = int(sizes.max(initial=0))
    if longest <= _FEW_LINES:
        return _ranks(claims, offsets, longest) < np.repeat(counts.astype(np.int8), sizes)
    return _first_when_sorted(claims, offsets, counts)


def _first_when_sorted(claims: Work, offsets: Numbers, counts: Numbers) -> Mask | None:
    """The same by one number per line that sorts by basket, claim and place; None where it does not fit."""
    sizes, lines = np.diff(offsets), len(claims)
    most = int(claims.max())
    span = (most + 1) * lines
    if span * len(sizes) >= _MOST or claims.min() < 0:
        return None
    keys = (most - claims.astype(np.int64)) * lines + np.arange(lines)
    keys += np.repeat(np.arange(len(sizes)) * span, sizes)
    last = np.sort(keys)[offsets[:-1] + counts - 1]
    return keys <= np.repeat(np.where(counts > 0, last, -1), sizes)


def _ranks(claims: Work, offsets: Numbers, longest: int) -> npt.NDArray[np.int8]:
    """How many lines of the same basket come before each: those of a larger claim, of equals the former."""
    count = len(claims)
    ranks = np.zeros(count, np.int8)
    continues = np.ones(count + 1, np.bool_)
    continues[offsets] = False
    continues = continues[:count]
    are_together = continues[1:].copy()
    for apart in range(1, longest):
        is_behind = np.greater_equal(claims[:-apart], claims[apart:])
        is_behind &= are_together
        later, former = ranks[apart:], ranks[:-apart]
        np.add(later, is_behind.view(np.int8), out=later)
        np.logical_xor(is_behind, are_together, out=is_behind)
        np.add(former, is_behind.view(np.int8), out=former)
        are_together = are_together[:-1] & continues[apart + 1 :]
    return ranks


# ---------------------------------------------------------------- in buckets


def _share_columns(amounts: Numbers, weights: Numbers, *, mode: AllocationMode, shares: Numbers) -> Mask:
    """``_share_flat`` for a basket in each column."""
    is_odd = _are_beyond(weights, len(weights)).any(axis=0)
    due = _due(amounts, weights.sum(axis=0), is_odd)
    totals = due.totals.astype(due.dtype)
    products = weights * due.amounts.astype(due.dtype)
    quotients = _floors(products, totals)
    np.copyto(shares, quotients, casting="unsafe")
    products -= np.multiply(quotients, totals, out=quotients)
    left = (due.amounts - shares.sum(axis=0)).astype(np.int8)
    shares += _ranks_in_columns(_claims(weights, products, mode)) < left
    if amounts.min(initial=0) < 0:
        np.negative(shares, out=shares, where=amounts < 0)
    return due.is_odd


def _ranks_in_columns(claims: Work) -> npt.NDArray[np.int8]:
    """``_ranks`` for a basket in each column."""
    size = len(claims)
    ranks = np.zeros(claims.shape, np.int8)
    for place in range(size - 1):
        is_behind = (claims[place] >= claims[place + 1 :]).view(np.int8)
        ranks[place + 1 :] += is_behind
        ranks[place] += size - 1 - place
        ranks[place] -= is_behind.sum(axis=0, dtype=np.int8)
    return ranks
