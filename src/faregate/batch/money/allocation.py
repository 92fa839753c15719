"""Sharing amounts over the lines of many baskets, nothing lost. Decisions §2.

Every function has the shares of its scalar namesake in ``faregate.money.allocation``; what comes out is new
memory. Where an amount times the weights of its basket stays below 2**53 in a whole step of baskets,
quotients are taken of floats, whose floors are exact there; below 2**62 of int64; from there on a basket is
worked out by itself, in Python ints. A basket that the scalar function would refuse raises its error, the
first one named.

Who gets the units that are left over needs no sort in short baskets: each line counts those before it. In
long ones a number per line is sorted, or three where one would not fit int64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from faregate.arguments.checks import option
from faregate.batch.columns.checks import require_array
from faregate.batch.columns.offsets import (
    bucket_steps,
    checked_offsets,
    integers,
    lines_of,
    offsets_of,
    steps_of,
    sums_of,
)
from faregate.batch.columns.values import aligned, answer_by_row, whole_numbers
from faregate.batch.columns.views import columns_html
from faregate.batch.money.layouts import Flat, Matrix
from faregate.batch.money.rounding import EXACT_FLOATS, EXACT_INTS
from faregate.errors import InvalidInput, InvalidWeights
from faregate.money import allocation
from faregate.money.allocation import AllocationMode

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from faregate.batch.columns.values import Mask, Numbers
    from faregate.batch.money.layouts import Groups, Layout, Work


def allocate(
    amounts: npt.NDArray[np.integer],
    weights: npt.NDArray[np.integer],
    *,
    offsets: npt.NDArray[np.integer],
    mode: AllocationMode = AllocationMode.LARGEST_REMAINDER,
) -> Numbers:
    """Share each amount over the lines of its basket in proportion to their weights: int64 ``[n]``.

    *amounts*: int64 ``[m]``; *weights*: int64 ``[n]``, the baskets one after the other; *offsets*: int64
    ``[m + 1]``, where each begins and the last ends (``faregate.batch.columns.offsets``); or dtypes that fit.

    >>> allocate(np.array([100, -2]), np.array([2, 3, 1, 1, 1, 1]), offsets=np.array([0, 3, 6]))
    array([33, 50, 17, -1, -1,  0])

    Raises:
        InvalidInput: other dtypes or shapes, or *offsets* are not those of so many lines.
        InvalidWeights: a weight is negative, or all of a basket are 0 and its amount is not.
    """
    mode = option(AllocationMode, mode, "mode")
    column, by = integers("amounts", amounts), integers("weights", weights)
    bounds = checked_offsets(offsets, lines=len(by), baskets=len(column))
    shares = np.empty(by.shape, np.int64)
    for baskets, lines in steps_of(bounds):
        layout = Flat(bounds[baskets.start : baskets.stop + 1] - lines.start)
        is_odd = _share(layout, column[baskets], by[lines], mode, shares[lines])
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
    (``faregate.batch.columns.offsets.to_buckets``).

    >>> allocate_bucket(np.array([100, 10]), np.array([[2, 1], [3, 1], [1, 1]]))
    array([[33,  4],
           [50,  3],
           [17,  3]])

    Raises:
        InvalidInput: other dtypes or shapes.
        InvalidWeights: a weight is negative, or all of a basket are 0 and its amount is not.
    """
    mode = option(AllocationMode, mode, "mode")
    column = integers("amounts", amounts)
    require_array("weights", weights, np.int64, lines=None, baskets=len(column))
    size, count = weights.shape
    shares = np.empty(weights.shape, np.int64)

    def ask(row: int) -> tuple[int, ...]:
        return allocation.allocate(int(column[row]), weights[:, row].tolist(), mode=mode)

    for part in bucket_steps(size, count):
        own = weights[:, part]
        is_odd = _share(Matrix(*own.shape), column[part], own, mode, shares[:, part])
        answer_by_row(shares.T, part.start + np.flatnonzero(is_odd), ask)
    return shares


class Allocation(NamedTuple):
    """Shares under caps, int64 ``[n]``, and what no line of each basket could take, int64 ``[m]``."""

    shares: Numbers
    unapplied: Numbers

    def _repr_html_(self) -> str:
        return columns_html(self)


def allocate_capped(
    amounts: npt.NDArray[np.integer],
    weights: npt.NDArray[np.integer],
    caps: npt.NDArray[np.integer],
    *,
    offsets: npt.NDArray[np.integer],
) -> Allocation:
    """Share each amount over the lines of its basket by their weights, no line above its cap.

    As ``allocate``, with *caps*: int64 ``[n]`` (or a dtype that fits), of which 2**63 - 1 is no cap. What
    fits nowhere is ``unapplied``.

    >>> weights, caps = np.array([10000, 4000, 4000]), np.array([1000, 4000, 4000])
    >>> allocate_capped(np.array([2700]), weights, caps, offsets=np.array([0, 3]))
    Allocation(shares=array([1000,  850,  850]), unapplied=array([0]))

    Raises:
        InvalidInput: other dtypes or shapes, or *offsets* are not those of so many lines.
        InvalidWeights: as ``allocate``, or a cap is negative.
    """
    left, by, most = integers("amounts", amounts), integers("weights", weights), integers("caps", caps)
    bounds = checked_offsets(offsets, lines=len(by), baskets=len(left))
    if len(most) != len(by):
        raise InvalidInput(f"{len(by)} weights but {len(most)} caps")
    _check_caps(left, by, most, bounds)
    capped = _Capped(left.copy(), by.copy(), most, np.zeros(by.shape, np.int64))
    rows = np.arange(len(left))
    while len(rows):
        rows = capped.share(rows, bounds)
    return Allocation(capped.shares, capped.left)


class _Capped(NamedTuple):
    """What is left of each amount, of the lines that are not at their caps the weights, and the shares."""

    left: Numbers
    weights: Numbers
    caps: Numbers
    shares: Numbers

    def share(self, rows: Numbers, offsets: Numbers) -> Numbers:
        """Share what is left in the baskets *rows*, freezing what is over its cap; the rows not done."""
        lines, own = lines_of(rows, offsets)
        found = allocate(self.left[rows], self.weights[lines], offsets=own)
        caps = self.caps[lines]
        is_over = (found > caps) | (found < -caps)
        running = np.empty(len(lines) + 1, np.int64)
        is_done = sums_of(is_over, own, running) == 0
        frozen = np.where(is_over, np.sign(found) * caps, 0)
        self.shares[lines] += np.where(np.repeat(is_done, np.diff(own)), found, frozen)
        rest = np.where(is_done, 0, self.left[rows] - sums_of(frozen, own, running))
        self.left[rows] = rest
        self.weights[lines[is_over]] = 0
        has_weight = sums_of(self.weights[lines] > 0, own, running) > 0
        with_rest: Numbers = rows[(rest != 0) & has_weight]
        return with_rest


def split_evenly(amounts: npt.NDArray[np.integer] | int, parts: npt.NDArray[np.integer] | int) -> Numbers:
    """Share each amount over equal parts, the larger shares first: int64 ``[sum of the parts]``.

    Both are int64 ``[m]`` (or a dtype that fits), or one int for all. The shares of the amounts follow one
    another; ``offsets_of(parts)`` says where those of each begin.

    >>> split_evenly(np.array([100, -5]), np.array([3, 2]))
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
        raise InvalidWeights(f"row {row}: parts is {sizes[row]}, expected an int of at least 1")
    bounds = offsets_of(sizes)
    shares = np.empty(bounds[-1], np.int64)
    for baskets, lines in steps_of(bounds):
        own = bounds[baskets.start : baskets.stop + 1] - lines.start
        shares[lines] = _equal_shares(column[baskets], sizes[baskets], own)
    return shares


# ---------------------------------------------------------------- for those who compute, unchecked


def apportion(
    groups: Groups,
    weights: Work,
    numerators: Work,
    denominators: Work,
    targets: Numbers,
    *,
    most: int,
    out: Numbers,
) -> Numbers:
    """Write the floors of *weights* times *numerators* by *denominators*, raised up to *targets*, to *out*.

    ``faregate.money.allocation.apportion`` in each of the *groups*: *targets* are ``[groups]``, the others
    are of lines, or one for all. In float64 where the numerators are, and then no product is 2**53 or more;
    else in int64. No remainder is above *most*.
    """
    remainders = floors(weights, numerators, denominators, out=out)
    out += groups.layout.come_first(remainders, targets - groups.sums(out), groups, most=most)
    return out


def floors(weights: Work, numerators: Work, denominators: Work, *, out: Numbers) -> Work:
    """Write the floors of *weights* times *numerators* by *denominators* to *out*; return the remainders."""
    products: Work = np.multiply(weights.astype(numerators.dtype), numerators)
    if products.dtype == np.int64:
        np.floor_divide(products, denominators, out=out)
        return np.subtract(products, out * denominators, out=products)
    wholes = np.divide(products, denominators)
    np.floor(wholes, out=wholes)
    np.copyto(out, wholes, casting="unsafe")
    wholes *= denominators
    products -= wholes
    return products


# ---------------------------------------------------------------- what is shared out


def _share(layout: Layout, amounts: Numbers, weights: Numbers, mode: AllocationMode, shares: Numbers) -> Mask:
    """Write the *shares*; true for each basket that has to be worked out by itself."""
    is_odd = np.zeros(amounts.shape, np.bool_)
    limit = EXACT_INTS // max(1, layout.longest)
    if not _are_within(weights, limit):
        is_odd = np.greater(layout.sums((weights < 0) | (weights > limit)), 0)
    due = _due(amounts, layout.sums(weights), is_odd)
    numerators, denominators = (layout.of_lines(own.astype(due.dtype)) for own in (due.amounts, due.totals))
    claims = floors(weights, numerators, denominators, out=shares)
    most = int(due.totals.max(initial=1))
    if mode is not AllocationMode.LARGEST_REMAINDER:
        claims = _claims(
            np.where(layout.of_lines(due.is_odd), 0, weights) if due.is_odd.any() else weights, mode
        )
        most = int(claims.max(initial=0))
    left = due.amounts - layout.sums(shares)
    left[due.is_odd] = 0
    shares += layout.come_first(claims, left, layout.whole, most=most)
    if amounts.min(initial=0) < 0:
        np.negative(shares, out=shares, where=np.broadcast_to(layout.of_lines(amounts < 0), shares.shape))
    return due.is_odd


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
    is_odd = is_odd | (products >= EXACT_INTS) | ((totals == 0) & (amounts != 0))
    if is_odd.any():
        amounts, products = np.where(is_odd, 0, amounts), np.where(is_odd, 0, products)
    dtype = np.float64 if products.max(initial=0) < EXACT_FLOATS else np.int64
    return _Due(np.abs(amounts), np.where(is_odd, 1, np.maximum(totals, 1)), dtype, is_odd)


def _are_within(weights: Numbers, limit: int) -> bool:
    """Whether none is negative, or so large that a sum could be too."""
    return bool(weights.min(initial=0) >= 0 and weights.max(initial=0) <= limit)


def _claims(weights: Numbers, mode: AllocationMode) -> Work:
    """By what the units that are left over are given, the largest first, where that is not the remainder."""
    return weights if mode is AllocationMode.LARGEST_WEIGHT else (weights > 0).astype(np.int64)


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


def _check_caps(amounts: Numbers, weights: Numbers, caps: Numbers, offsets: Numbers) -> None:
    """Refuse a negative cap, unless ``allocate`` refuses the same basket or one before it."""
    if caps.min(initial=0) < 0:
        line = int(np.argmax(caps < 0))
        row = int(np.searchsorted(offsets, line, side="right")) - 1
        end = offsets[row + 1]
        allocate(amounts[: row + 1], weights[:end], offsets=offsets[: row + 2])
        own = caps[offsets[row] : end].tolist()
        raise InvalidWeights(f"row {row}: expected caps of at least 0, got {own}")


def _equal_shares(amounts: Numbers, sizes: Numbers, offsets: Numbers) -> Numbers:
    """The floors, and one more for the first lines of a positive amount, for the last of a negative one."""
    owners = np.repeat(np.arange(len(sizes)), sizes)
    quotients = amounts // sizes
    rests = amounts - quotients * sizes
    firsts = np.where(amounts < 0, sizes - rests, rests)
    is_first = np.arange(offsets[-1]) < (offsets[:-1] + firsts)[owners]
    is_raised = is_first != (amounts < 0)[owners]
    shares: Numbers = quotients[owners] + is_raised
    return shares
