"""Memory layouts of the lines of many baskets, and operations per basket.

``Flat`` stores lines basket by basket, with offsets. ``Matrix`` stores baskets of the same line count, one
per column. Pricing code is written once for both. Nothing here is checked: callers in the batch layer make
sure that sums and products fit.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from faregate.batch.columns.offsets import baskets_of, sums_of
from faregate.batch.columns.values import Mask, Numbers
from faregate.batch.money.rounding import EXACT_FLOATS, EXACT_INTS

Work: TypeAlias = np.ndarray[tuple[Any, ...], Any]
"""int64, or float64 that holds integers below 2**53."""

_MAX_WINDOW = 24
"""Maximum lines per basket for which comparing all pairs is faster than sorting."""
_MAX_COMPARED = 60
"""Maximum lines per basket for which all pairs are compared in a matrix, where ranks are int8."""
Ranks: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int8]]

_MANY_GROUPS = 4
"""If there are more groups per line than this, only groups that have lines are numbered."""


class Flat:
    """Baskets one after the other: columns ``[n]``, and *offsets* ``[m + 1]`` that begin with 0."""

    def __init__(self, offsets: Numbers) -> None:
        self.offsets = offsets
        self.sizes: Numbers = offsets[1:] - offsets[:-1]
        self.count = len(self.sizes)
        self.shape = (int(offsets[-1]),)
        self.longest = int(self.sizes.max(initial=0))
        self._running = np.empty(self.shape[0] + 1, np.int64)

    @cached_property
    def baskets(self) -> Numbers:
        """For each line, the row of its basket."""
        return baskets_of(self.offsets)

    @cached_property
    def line_index(self) -> Numbers:
        """Index of each line in its basket."""
        line_index: Numbers = np.arange(self.shape[0]) - self.of_lines(self.offsets[:-1])
        return line_index

    def sums(self, values: Work) -> Numbers:
        """Return the sum of *values* in each basket: int64 ``[m]``."""
        return sums_of(values, self.offsets, self._running)

    def of_lines(self, values: Work) -> Work:
        """Return, for each line, the element of *values* for its basket."""
        # This mode needs no buffer; no index is out of bounds.
        taken: Work = values.take(self.baskets, mode="clip")
        return taken

    @cached_property
    def whole(self) -> Groups:
        """Groups that consist of one whole basket each."""
        return Groups(self, None, 1)

    def come_first(self, claims: Work, counts: Numbers, groups: Groups, *, most: int) -> Mask:
        """Return a mask of the lines with the largest claims, *counts* per group; earlier lines win ties.

        Claims must be from 0 to *most*.
        """
        if self.longest <= _MAX_WINDOW and (most + 1) * groups.count < EXACT_FLOATS:
            ranks = self._windowed_ranks(groups.keys(claims, most))
            # Each rank is within 128 of its group's bound, so the lowest eight bits of both are enough.
            ranks -= groups.of_lines((groups.starts + counts).astype(np.int8))
            return np.less(ranks, 0)
        return _come_first_when_sorted(claims, counts, groups, self.line_index, most=most)

    def _windowed_ranks(self, keys: Work) -> Ranks:
        """Return the number of lines that rank before each line in its and all earlier baskets, modulo 256.

        Lines may be compared across baskets: the keys of each basket are above those of the next, so the
        number of such comparisons and their results are known in advance.
        """
        ranks = self._ranks_at_start()
        for apart in range(1, self.longest):
            is_behind = np.greater_equal(keys[:-apart], keys[apart:]).view(np.int8)
            later, former = ranks[apart:], ranks[:-apart]
            np.add(later, is_behind, out=later)
            np.subtract(former, is_behind, out=former)
        return ranks

    def _ranks_at_start(self) -> Ranks:
        """Return the ranks before any comparison: each line's index, corrected near the column's ends."""
        lines, window = self.shape[0], max(0, self.longest - 1)
        ranks: Ranks = np.tile(np.arange(256).astype(np.int8), lines // 256 + 1)[:lines]
        ends = (np.arange(window) - window).astype(np.int8)
        ranks[: len(ends)] -= ends
        ranks[lines - len(ends) :] += ends[::-1]
        return ranks


class Matrix:
    """Baskets of *size* lines: columns ``[size, count]``."""

    def __init__(self, size: int, count: int) -> None:
        self.shape = (size, count)
        self.count, self.longest = count, size
        self.sizes: Numbers = np.full(count, size)

    @cached_property
    def baskets(self) -> Numbers:
        """For each line, the row of its basket."""
        return np.broadcast_to(np.arange(self.count), self.shape)

    @cached_property
    def line_index(self) -> Numbers:
        """Index of each line in its basket."""
        return np.broadcast_to(np.arange(self.longest)[:, None], self.shape)

    def sums(self, values: Work) -> Numbers:
        """Return the sum of *values* in each basket: int64 ``[c]``."""
        sums: Numbers = values.sum(axis=0, dtype=np.int64)
        return sums

    def of_lines(self, values: Work) -> Work:
        """Return *values*, one for each basket, unchanged: NumPy broadcasts them as a row to all lines."""
        return values

    @cached_property
    def whole(self) -> Groups:
        """Groups that consist of one whole basket each."""
        return Groups(self, None, 1)

    def come_first(self, claims: Work, counts: Numbers, groups: Groups, *, most: int) -> Mask:
        """Return a mask of the lines with the largest claims, as ``Flat.come_first`` does."""
        if self.longest <= _MAX_COMPARED and (most + 1) * groups.count < EXACT_FLOATS:
            keys = claims if groups.is_whole else groups.keys(claims, most)
            ranks = _ranks_in_columns(keys)
            return np.less(ranks, groups.of_lines((counts + groups.ahead).astype(np.int8)))
        return _come_first_when_sorted(claims, counts, groups, self.line_index, most=most)


Layout: TypeAlias = Flat | Matrix


class Groups:
    """Lines of each basket, grouped by *kind*: an int below *kinds*, such as the index of a VAT rate.

    Groups are sorted by basket, then by kind.
    """

    def __init__(self, layout: Layout, kind: Numbers | None, kinds: int) -> None:
        self.layout, self._kind, self._kinds = layout, kind, kinds
        self.is_whole = kind is None
        self.count = layout.count * kinds
        self._numbered: Numbers | None = None
        """``basket * kinds + kind`` of each group that has lines; None if empty groups are counted, too."""
        self.ids: Numbers = layout.baskets
        if kind is not None:
            self.ids = self.ids * kinds
            self.ids += kind
            if self.count > _MANY_GROUPS * self.ids.size:
                self._numbered, ids = np.unique(self.ids, return_inverse=True)
                self.ids, self.count = ids.reshape(layout.shape), len(self._numbered)
        self._above: tuple[int, Work] | None = None
        """Cache of ``keys``: its argument *most*, and the number to add to each line's claim."""

    @cached_property
    def baskets(self) -> Numbers:
        """Row of each group's basket."""
        if self._numbered is not None:
            return self._numbered // self._kinds
        return np.repeat(np.arange(self.layout.count), self._kinds)

    @cached_property
    def kinds(self) -> Numbers:
        """Kind of each group."""
        if self._numbered is not None:
            return self._numbered % self._kinds
        return np.tile(np.arange(self._kinds), self.layout.count)

    def sums(self, values: Work) -> Numbers:
        """Return the sum of *values* in each group: int64 ``[groups]``."""
        if self.is_whole:
            return self.layout.sums(values)
        sums = np.zeros(self.count, np.int64)
        np.add.at(sums, self.ids.reshape(-1), values.reshape(-1))
        return sums

    def of_lines(self, values: Work) -> Work:
        """Return, for each line, the element of *values* for its group."""
        if self.is_whole:
            return self.layout.of_lines(values)
        taken: Work = values.take(self.ids, mode="clip")
        return taken

    @cached_property
    def sizes(self) -> Numbers:
        """Number of lines in each group."""
        if self.is_whole:
            return self.layout.sizes
        if self._kind is not None and self._kinds == 2 and self._numbered is None:  # noqa: PLR2004
            seconds = self.layout.sums(self._kind)
            return np.stack([self.layout.sizes - seconds, seconds], axis=1).reshape(-1)
        return np.bincount(self.ids.reshape(-1), minlength=self.count)

    @cached_property
    def starts(self) -> Numbers:
        """For each group, the number of lines in earlier groups."""
        starts: Numbers = self.sizes.cumsum() - self.sizes
        return starts

    @cached_property
    def ahead(self) -> Numbers:
        """For each group, the number of lines in earlier groups of the same basket."""
        if self.is_whole:
            return np.zeros(1, np.int64)
        ahead: Numbers = self.starts - self.layout.whole.starts[self.baskets]
        return ahead

    def keys(self, claims: Work, most: int) -> Work:
        """Return *claims* as float64, lowered so that each group's claims are above the next group's."""
        if self._above is None or self._above[0] != most:
            self._above = most, np.multiply(self.ids, -(most + 1), dtype=np.float64)
        keys: Work = self._above[1] + claims
        return keys


def _come_first_when_sorted(
    claims: Work, counts: Numbers, groups: Groups, line_index: Numbers, *, most: int
) -> Mask:
    """Compute the mask of ``come_first`` by sorting group, claim and index, in one int64 if they fit."""
    lines = groups.layout.longest
    span = (most + 1) * lines
    if span * groups.count >= EXACT_INTS:
        return _come_first_by_three(claims, counts, groups, line_index)
    keys = (most - claims.astype(np.int64)) * lines + line_index + groups.ids * span
    # The index would be beyond the end if the last groups are empty.
    last = np.minimum(groups.starts + counts - 1, keys.size - 1)
    bounds = np.where(counts > 0, np.sort(keys, axis=None)[last], -1)
    come_first: Mask = keys <= bounds.take(groups.ids)
    return come_first


def _come_first_by_three(claims: Work, counts: Numbers, groups: Groups, line_index: Numbers) -> Mask:
    ids = groups.ids.reshape(-1)
    order = np.lexsort((line_index.reshape(-1), -claims.reshape(-1), ids))
    come_first = np.empty(claims.shape, np.bool_)
    come_first.reshape(-1)[order] = np.arange(claims.size) < (groups.starts + counts)[ids[order]]
    return come_first


def _ranks_in_columns(keys: Work) -> Ranks:
    """Return each line's rank in its column, from 0: larger keys first, then earlier lines."""
    size = len(keys)
    ranks: Ranks = np.zeros(keys.shape, np.int8)
    for index in range(size - 1):
        is_behind = (keys[index] >= keys[index + 1 :]).view(np.int8)
        ranks[index + 1 :] += is_behind
        ranks[index] += size - 1 - index
        ranks[index] -= is_behind.sum(axis=0, dtype=np.int8)
    return ranks
