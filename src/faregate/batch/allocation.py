"""Sharing amounts over the lines of many baskets, nothing lost. Decisions §2.

Every function has the shares of its scalar namesake in ``faregate.allocation``; what comes out is new memory.
Where an amount times the weights of its basket stays below 2**53 in a whole step of baskets, quotients are
taken of floats, whose floors are exact there; below 2**62 of int64; from there on a basket is worked out by
itself, in Python ints. A basket that the scalar function would refuse raises its error, the first one named.

Who gets the units that are left over needs no sort in short baskets: each line counts those before it. In
long ones a number per line is sorted; a step in which it would not fit int64 is worked out singly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias, assert_never

import numpy as np

from faregate import allocation
from faregate.allocation import AllocationMode
from faregate.batch.arrays import require_array
from faregate.batch.baskets import (
    bucket_steps,
    checked_offsets,
    integers,
    offsets_of,
    steps_of,
    sums_of,
)
from faregate.batch.columns import aligned, answer_by_row, whole_numbers
from faregate.batch.rounding import EXACT_FLOATS
from faregate.errors import InvalidWeights

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    import numpy.typing as npt

    from faregate.batch.columns import Numbers

    Mask: TypeAlias = npt.NDArray[np.bool_]
    Work: TypeAlias = npt.NDArray[Any]

__all__ = ["allocate", "allocate_bucket", "split"]

_MOST = 2**62
"""Products, sums of weights and keys to sort by are in int64 below it, and in Python ints from it on."""
_FEW_LINES = 24
"""Up to so many lines per basket comparing each with each is faster than sorting."""
_MOST_COMPARED = 100
"""The same in a bucket, at most 127: ranks are int8."""


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
        InvalidInput: other dtypes or shapes, or *offsets* are not those of so many lines.
        InvalidWeights: a weight is negative, or all of a basket are 0 and its amount is not.
    """
    column, by = integers("amounts", amounts), integers("weights", weights)
    bounds = checked_offsets(offsets, lines=len(by), baskets=len(column))
    shares, steps = np.empty(by.shape, np.int64), [*steps_of(bounds)]
    memory = _memory(max([step.lines.stop - step.lines.start for step in steps], default=0))
    for baskets, lines in steps:
        own = bounds[baskets.start : baskets.stop + 1] - lines.start
        step = _FlatStep(column[baskets], by[lines], own, memory)
        rows = np.flatnonzero(step.share(mode, shares[lines])) + baskets.start
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
    require_array("weights", weights, np.int64, lines=None, baskets=len(column))
    size, count = weights.shape
    if size > _MOST_COMPARED:
        flat = allocate(column, weights.T.reshape(-1), offsets=np.arange(count + 1) * size, mode=mode)
        return np.ascontiguousarray(flat.reshape(count, size).T)
    shares = np.empty(weights.shape, np.int64)

    def ask(row: int) -> tuple[int, ...]:
        return allocation.allocate(int(column[row]), weights[:, row].tolist(), mode=mode)

    parts = [*bucket_steps(size, count)]
    memory = _memory(max([weights[:, part].size for part in parts], default=0))
    for part in parts:
        step = _BucketStep(column[part], weights[:, part], memory)
        rows = part.start + np.flatnonzero(step.share(mode, shares[:, part]))
        answer_by_row(shares.T, rows, ask)
    return shares


def split(amounts: npt.NDArray[np.integer] | int, parts: npt.NDArray[np.integer] | int) -> Numbers:
    """Share each amount over equal parts, the larger shares first: int64 ``[sum of the parts]``.

    Both are int64 ``[m]`` (or a dtype that fits), or one int for all. The shares of the amounts follow one
    another; ``offsets_of(parts)`` says where those of each begin.

    >>> split(np.array([100, -5]), np.array([3, 2]))
    array([34, 33, 33, -3, -2])

    Raises:
        InvalidInput: other dtypes or shapes, or there are more than 2**62 parts.
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


def _memory(lines: int) -> Numbers:
    """What all steps of a call work in: fresh pages would cost as much as the arithmetic."""
    return np.empty((4, lines + 1), np.int64)


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


def _are_within(weights: Numbers, limit: int) -> bool:
    """Whether none is negative, or so large that a sum could be too."""
    return bool(weights.min(initial=0) >= 0 and weights.max(initial=0) <= limit)


def _floor(products: Work, totals: Work, shares: Numbers, *, quotients: Work, scratch: Work) -> Work:
    """Write the floors of *products* by *totals* to *shares*; return the remainders, over the products."""
    if products.dtype == np.int64:
        np.floor_divide(products, totals, out=quotients)
    else:
        np.divide(products, totals, out=quotients)
        np.floor(quotients, out=quotients)
    np.copyto(shares, quotients, casting="unsafe")
    products -= np.multiply(quotients, totals, out=scratch)
    return products


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
    """The floors, and one more for the first lines of a positive amount, for the last of a negative one."""
    owners = np.repeat(np.arange(len(sizes)), sizes)
    floors = amounts // sizes
    rests = amounts - floors * sizes
    firsts = np.where(amounts < 0, sizes - rests, rests)
    is_first = np.arange(offsets[-1]) < (offsets[:-1] + firsts)[owners]
    is_raised = is_first != (amounts < 0)[owners]
    shares: Numbers = floors[owners] + is_raised
    return shares


# ---------------------------------------------------------------- flat, with offsets


class _FlatStep:
    """Baskets that share out their amounts together."""

    def __init__(self, amounts: Numbers, weights: Numbers, offsets: Numbers, memory: Numbers) -> None:
        self.amounts, self.weights, self.offsets = amounts, weights, offsets
        self.longest = int(np.diff(offsets).max(initial=0))
        self.running, baskets, self.first, self.second = memory[:, : len(weights) + 1]
        self.continues = _number_baskets(baskets, offsets, starts=self.running)
        self.baskets = baskets[:-1]

    def share(self, mode: AllocationMode, shares: Numbers) -> Mask:
        """Write the *shares*; true for each basket that has to be worked out by itself."""
        due = self.due()
        remainders = self.floor(due, shares)
        left = due.amounts - sums_of(shares, self.offsets, self.running)
        come_first = self.come_first(_claims(self.weights, remainders, mode), left)
        if come_first is None:
            return np.ones(left.shape, np.bool_)
        shares += come_first
        if self.amounts.min() < 0:
            np.negative(shares, out=shares, where=self.of_lines(self.amounts < 0))
        return due.is_odd

    def due(self) -> _Due:
        limit = _MOST // max(1, self.longest)
        is_odd = np.zeros(self.amounts.shape, np.bool_)
        if not _are_within(self.weights, limit):
            are_beyond = (self.weights < 0) | (self.weights > limit)
            is_odd = np.greater(sums_of(are_beyond, self.offsets, self.running), 0)
        return _due(self.amounts, sums_of(self.weights, self.offsets, self.running), is_odd)

    def floor(self, due: _Due, shares: Numbers) -> Work:
        """Write the floors of the *shares*, and return the remainders."""
        amounts, totals = due.amounts.astype(due.dtype), due.totals.astype(due.dtype)
        products = self.of_lines(amounts, out=self.first[:-1].view(due.dtype))
        of_all = self.of_lines(totals, out=self.running[:-1].view(due.dtype))
        products *= self.weights
        return _floor(products, of_all, shares, quotients=self.second[:-1].view(due.dtype), scratch=of_all)

    def of_lines(self, values: Work, *, out: Work | None = None) -> Work:
        """For each line what its basket has."""
        # The mode is that which needs no buffer, not that anything were out of bounds.
        taken: Work = np.take(values, self.baskets, out=out, mode="clip")
        return taken

    def come_first(self, claims: Work, counts: Numbers) -> Mask | None:
        """So many lines of each basket as *counts* says: the largest claims, of equals the former.

        None where long baskets have claims too large to be put in order.
        """
        if self.longest <= _FEW_LINES:
            ranks = _ranks(claims, self.continues, self.longest)
            return np.less(ranks, self.of_lines(counts.astype(np.int8)))
        return _come_first(claims, self.offsets, self.baskets, counts)


def _number_baskets(baskets: Numbers, offsets: Numbers, *, starts: Numbers) -> Mask:
    """Write which basket each line is of; true for each line, after the first, that continues one."""
    starts[:] = 0
    np.add.at(starts, offsets[1:-1], 1)
    np.cumsum(starts, out=baskets)
    return np.equal(starts[:-1], 0)


def _come_first(claims: Work, offsets: Numbers, baskets: Numbers, counts: Numbers) -> Mask | None:
    """By one number per line that sorts by basket, claim and place; None where that would not fit."""
    lines, most = len(claims), int(claims.max())
    span = (most + 1) * lines
    if span * len(counts) >= _MOST:
        return None
    keys = (most - claims.astype(np.int64)) * lines + np.arange(lines) + baskets * span
    bounds = np.where(counts > 0, np.sort(keys)[offsets[:-1] + counts - 1], -1)
    come_first: Mask = keys <= bounds[baskets]
    return come_first


def _ranks(claims: Work, continues: Mask, longest: int) -> npt.NDArray[np.int8]:
    """How many lines of the same basket come before each: those of a larger claim, of equals the former."""
    ranks = np.zeros(len(claims), np.int8)
    are_together = continues[1:]
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


class _BucketStep:
    """Baskets of equal line count that share out their amounts together, a column each."""

    def __init__(self, amounts: Numbers, weights: Numbers, memory: Numbers) -> None:
        self.amounts, self.weights = amounts, weights
        own = memory[:, : weights.size].reshape(len(memory), *weights.shape)
        self.first, self.second, self.third = own[:3]

    def share(self, mode: AllocationMode, shares: Numbers) -> Mask:
        """Write the *shares*; true for each basket that has to be worked out by itself."""
        due = self.due()
        remainders = self.floor(due, shares)
        left = (due.amounts - shares.sum(axis=0)).astype(np.int8)
        shares += _ranks_in_columns(_claims(self.weights, remainders, mode)) < left
        if self.amounts.min() < 0:
            np.negative(shares, out=shares, where=self.amounts < 0)
        return due.is_odd

    def due(self) -> _Due:
        limit = _MOST // max(1, len(self.weights))
        is_odd = np.zeros(self.amounts.shape, np.bool_)
        if not _are_within(self.weights, limit):
            is_odd = np.any((self.weights < 0) | (self.weights > limit), axis=0)
        return _due(self.amounts, self.weights.sum(axis=0), is_odd)

    def floor(self, due: _Due, shares: Numbers) -> Work:
        """Write the floors of the *shares*, and return the remainders."""
        amounts, totals = due.amounts.astype(due.dtype), due.totals.astype(due.dtype)
        products = np.multiply(self.weights, amounts, out=self.first.view(due.dtype))
        quotients, scratch = self.second.view(due.dtype), self.third.view(due.dtype)
        return _floor(products, totals, shares, quotients=quotients, scratch=scratch)


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
