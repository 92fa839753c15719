"""Exact allocation of amounts among the lines of many baskets. Decisions §2.

Every function returns the same shares as its namesake in ``faregate.money.allocation``, in new arrays.
Baskets are processed in steps. If the products of amounts and weights in a step stay below 2**53, quotients
are computed in floats, whose floors are then exact; below 2**62, in int64. Baskets with larger products are
computed one by one in Python ints. If the scalar function would reject baskets, its error for the first of
them is raised, with the row number.

In short baskets, the lines that get leftover units are found by counting the lines that rank before each
line; in long baskets, by sorting one number per line, or three numbers if one would not fit int64.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from faregate.arguments.checks import option
from faregate.batch.columns.checks import require_array
from faregate.batch.columns.offsets import bucket_steps, checked_offsets, integers, steps_of
from faregate.batch.columns.values import Mask, Numbers, answer_by_row
from faregate.batch.money.layouts import Flat, Groups, Layout, Matrix, Work
from faregate.batch.money.rounding import EXACT_FLOATS, EXACT_INTS
from faregate.errors import InvalidWeights
from faregate.money import allocation
from faregate.money.allocation import AllocationMode


def allocate(
    amounts: npt.NDArray[np.integer],
    weights: npt.NDArray[np.integer],
    *,
    offsets: npt.NDArray[np.integer],
    mode: AllocationMode = AllocationMode.LARGEST_REMAINDER,
) -> Numbers:
    """Distribute each amount among the lines of its basket in proportion to their weights: int64 ``[n]``.

    *amounts*: int64 ``[m]``; *weights*: int64 ``[n]``, basket by basket; *offsets*: int64 ``[m + 1]``, the
    start of each basket and the end of the last (``faregate.batch.columns.offsets``). Other dtypes that fit
    int64 are accepted.

    >>> allocate(np.array([100, -2]), np.array([2, 3, 1, 1, 1, 1]), offsets=np.array([0, 3, 6]))
    array([33, 50, 17, -1, -1,  0])

    Raises:
        InvalidInput: a column has the wrong dtype or shape, or *offsets* do not fit the number of lines.
        InvalidWeights: a weight is negative, or all weights of a basket are 0 and its amount is not.
    """
    mode = option(AllocationMode, mode, "mode")
    column, by = integers("amounts", amounts), integers("weights", weights)
    bounds = checked_offsets(offsets, lines=len(by), baskets=len(column))
    shares = np.empty(by.shape, np.int64)
    for baskets, lines in steps_of(bounds):
        layout = Flat(bounds[baskets.start : baskets.stop + 1] - lines.start)
        needs_scalar = _share(layout, column[baskets], by[lines], mode, shares[lines])
        for row in (np.flatnonzero(needs_scalar) + baskets.start).tolist():
            own = slice(int(bounds[row]), int(bounds[row + 1]))
            try:
                shares[own] = allocation.allocate(int(column[row]), by[own].tolist(), mode=mode)
            except InvalidWeights as error:
                raise InvalidWeights(f"row {row}: {error}") from None
    return shares


def allocate_bucket(
    amounts: npt.NDArray[np.integer],
    weights: npt.NDArray[np.int64],
    *,
    mode: AllocationMode = AllocationMode.LARGEST_REMAINDER,
) -> Numbers:
    """Distribute amounts as ``allocate`` does, in baskets with the same line count: int64 ``[k, c]``.

    *amounts*: int64 ``[c]`` (or a dtype that fits); *weights*: int64 ``[k, c]``, a column for each basket
    (``faregate.batch.columns.offsets.to_buckets``).

    >>> allocate_bucket(np.array([100, 10]), np.array([[2, 1], [3, 1], [1, 1]]))
    array([[33,  4],
           [50,  3],
           [17,  3]])

    Raises:
        InvalidInput: an array has the wrong dtype or shape.
        InvalidWeights: a weight is negative, or all weights of a basket are 0 and its amount is not.
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
        needs_scalar = _share(Matrix(*own.shape), column[part], own, mode, shares[:, part])
        answer_by_row(shares.T, part.start + np.flatnonzero(needs_scalar), ask)
    return shares


# ---------------------------------------------------------------- internal, unchecked


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
    """Write *weights* * *numerators* / *denominators* to *out*, rounded so that groups add up to *targets*.

    In each of the *groups*, some floors are raised by 1 so that all add up to the group's target, as in
    ``faregate.money.allocation.apportion``. *targets* are ``[groups]``; the other columns are per line, or
    one value for all. If the numerators are float64, every product must be below 2**53; otherwise int64 is
    used. No remainder may exceed *most*.
    """
    remainders = floors(weights, numerators, denominators, out=out)
    out += groups.layout.come_first(remainders, targets - groups.sums(out), groups, most=most)
    return out


def floors(weights: Work, numerators: Work, denominators: Work, *, out: Numbers) -> Work:
    """Write the floors of *weights* * *numerators* / *denominators* to *out*; return the remainders."""
    products: Work = weights.astype(numerators.dtype) * numerators
    if products.dtype == np.int64:
        np.floor_divide(products, denominators, out=out)
        return np.subtract(products, out * denominators, out=products)
    wholes = np.divide(products, denominators)
    np.floor(wholes, out=wholes)
    np.copyto(out, wholes, casting="unsafe")
    wholes *= denominators
    products -= wholes
    return products


# ---------------------------------------------------------------- allocation of a step


def _share(layout: Layout, amounts: Numbers, weights: Numbers, mode: AllocationMode, shares: Numbers) -> Mask:
    """Write each line's share to *shares*; return a mask of the baskets that need the scalar function."""
    needs_scalar = np.zeros(amounts.shape, np.bool_)
    limit = EXACT_INTS // max(1, layout.longest)
    if not _are_within(weights, limit):
        needs_scalar = np.greater(layout.sums((weights < 0) | (weights > limit)), 0)
    due = _due(amounts, layout.sums(weights), needs_scalar)
    numerators, denominators = (layout.of_lines(own.astype(due.dtype)) for own in (due.amounts, due.totals))
    claims = floors(weights, numerators, denominators, out=shares)
    most = int(due.totals.max(initial=1))
    if mode is not AllocationMode.LARGEST_REMAINDER:
        claims = _claims(
            np.where(layout.of_lines(due.needs_scalar), 0, weights) if due.needs_scalar.any() else weights,
            mode,
        )
        most = int(claims.max(initial=0))
    left = due.amounts - layout.sums(shares)
    left[due.needs_scalar] = 0
    shares += layout.come_first(claims, left, layout.whole, most=most)
    if amounts.min(initial=0) < 0:
        np.negative(shares, out=shares, where=np.broadcast_to(layout.of_lines(amounts < 0), shares.shape))
    return due.needs_scalar


class _Due(NamedTuple):
    """Absolute amount and total weight of each basket, and a dtype in which their products are exact.

    Baskets that need the scalar function have an amount of 0.
    """

    amounts: Numbers
    totals: Numbers
    dtype: type[np.float64 | np.int64]
    needs_scalar: Mask


def _due(amounts: Numbers, totals: Numbers, needs_scalar: Mask) -> _Due:
    """Return the amounts to allocate; *needs_scalar* marks the baskets whose total may have overflowed."""
    # The float product of integers is below 2**53 only if the exact one is, and then it is exact.
    products = np.abs(amounts.astype(np.float64)) * totals
    needs_scalar = needs_scalar | (products >= EXACT_INTS) | ((totals == 0) & (amounts != 0))
    if needs_scalar.any():
        amounts, totals, products = (np.where(needs_scalar, 0, own) for own in (amounts, totals, products))
    dtype = np.float64 if products.max(initial=0) < EXACT_FLOATS else np.int64
    return _Due(np.abs(amounts), np.maximum(totals, 1), dtype, needs_scalar)


def _are_within(weights: Numbers, limit: int) -> bool:
    """Return True if all *weights* are from 0 to *limit*, so that no sum exceeds int64."""
    return bool(weights.min(initial=0) >= 0 and weights.max(initial=0) <= limit)


def _claims(weights: Numbers, mode: AllocationMode) -> Work:
    """Return each line's claim to leftover units in modes that ignore remainders; the largest claims win."""
    return weights if mode is AllocationMode.LARGEST_WEIGHT else (weights > 0).astype(np.int64)
