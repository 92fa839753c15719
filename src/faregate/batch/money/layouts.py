"""How the lines of many baskets lie in memory, and what is done with them basket by basket.

``Flat``: one basket after the other, with offsets. ``Matrix``: baskets of one line count, a column each.
What computes prices is written once, for both. Nothing here is checked: it is for callers inside the batch
layer, who see to it that sums and products fit.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from faregate.batch.columns.offsets import baskets_of, sums_of
from faregate.batch.money.rounding import EXACT_FLOATS, EXACT_INTS

if TYPE_CHECKING:
    from faregate.batch.columns.values import Mask, Numbers

Work: TypeAlias = np.ndarray[tuple[Any, ...], Any]
"""int64, or float64 that holds integers below 2**53."""

_MAX_WINDOW = 24
"""Up to so many lines per basket comparing each with each is faster than sorting."""
_MAX_COMPARED = 60
"""The same in a matrix; ranks are int8."""
Ranks: TypeAlias = np.ndarray[tuple[Any, ...], np.dtype[np.int8]]

_MANY_GROUPS = 4
"""For so many groups as lines, and more, only those are numbered that have a line."""


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
        """Which basket each line is of."""
        return baskets_of(self.offsets)

    @cached_property
    def line_index(self) -> Numbers:
        """Which line of its basket each line is."""
        line_index: Numbers = np.arange(self.shape[0]) - self.of_lines(self.offsets[:-1])
        return line_index

    def sums(self, values: Work) -> Numbers:
        """The sum of each basket: int64 ``[m]``."""
        return sums_of(values, self.offsets, self._running)

    def of_lines(self, values: Work) -> Work:
        """For each line what its basket has."""
        # The mode is that which needs no buffer, not that anything were out of bounds.
        taken: Work = values.take(self.baskets, mode="clip")
        return taken

    @cached_property
    def whole(self) -> Groups:
        """Each basket as one group."""
        return Groups(self, None, 1)

    def come_first(self, claims: Work, counts: Numbers, groups: Groups, *, most: int) -> Mask:
        """So many lines of each group as *counts* says: the largest claims, of equals the former.

        No claim is negative or above *most*.
        """
        if self.longest <= _MAX_WINDOW and (most + 1) * groups.count < EXACT_FLOATS:
            ranks = self._windowed_ranks(groups.keys(claims, most))
            return np.less(ranks, groups.of_lines((counts + groups.ahead).astype(np.int8)))
        return _come_first_when_sorted(claims, counts, groups, self.line_index, most=most)

    def _windowed_ranks(self, keys: Work) -> Ranks:
        """How many lines of the same basket come before each.

        The keys of every basket are above those of the next, so that lines may be compared across the
        borders of baskets: how often that happens, and with which answer, is known without looking.
        """
        ranks = self._ranks_at_start.copy()
        for apart in range(1, self.longest):
            is_behind = np.greater_equal(keys[:-apart], keys[apart:]).view(np.int8)
            later, former = ranks[apart:], ranks[:-apart]
            np.add(later, is_behind, out=later)
            np.subtract(former, is_behind, out=former)
        return ranks

    @cached_property
    def _ranks_at_start(self) -> Ranks:
        """The index in the basket, set right for the lines at both ends, which are compared less often."""
        lines, window = self.shape[0], max(0, self.longest - 1)
        # Indexes are below 128: of the numbers that they are differences of the lowest eight bits will do.
        ranks: Ranks = np.arange(lines).astype(np.int8) - self.of_lines(self.offsets[:-1].astype(np.int8))
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
        """Which basket each line is of."""
        return np.broadcast_to(np.arange(self.count), self.shape)

    @cached_property
    def line_index(self) -> Numbers:
        """Which line of its basket each line is."""
        return np.broadcast_to(np.arange(self.longest)[:, None], self.shape)

    def sums(self, values: Work) -> Numbers:
        """The sum of each basket: int64 ``[c]``."""
        sums: Numbers = values.sum(axis=0, dtype=np.int64)
        return sums

    def of_lines(self, values: Work) -> Work:
        """For each line what its basket has: one row, for all."""
        return values

    @cached_property
    def whole(self) -> Groups:
        """Each basket as one group."""
        return Groups(self, None, 1)

    def come_first(self, claims: Work, counts: Numbers, groups: Groups, *, most: int) -> Mask:
        """As ``Flat.come_first``."""
        if self.longest <= _MAX_COMPARED and (most + 1) * groups.count < EXACT_FLOATS:
            keys = claims if groups.is_whole else groups.keys(claims, most)
            ranks = _ranks_in_columns(keys)
            return np.less(ranks, groups.of_lines((counts + groups.ahead).astype(np.int8)))
        return _come_first_when_sorted(claims, counts, groups, self.line_index, most=most)


Layout: TypeAlias = Flat | Matrix


class Groups:
    """The lines of each basket by a small number (such as their rate of VAT): 0 to *kinds* - 1 in *kind*.

    Ascending by basket, and by number within it.
    """

    def __init__(self, layout: Layout, kind: Numbers | None, kinds: int) -> None:
        self.layout, self._kind, self._kinds = layout, kind, kinds
        self.is_whole = kind is None
        self.count = layout.count * kinds
        self._numbered: Numbers | None = None
        """Of those groups only that have a line: by basket and number. None: all are counted."""
        self.ids: Numbers = layout.baskets
        if kind is not None:
            self.ids = self.ids * kinds
            self.ids += kind
            if self.count > _MANY_GROUPS * self.ids.size:
                self._numbered, ids = np.unique(self.ids, return_inverse=True)
                self.ids, self.count = ids.reshape(layout.shape), len(self._numbered)
        self._above: tuple[int, Work] | None = None
        """What the claims of each line are raised by, where none is above so many."""

    @cached_property
    def baskets(self) -> Numbers:
        """Which basket each group is of."""
        if self._numbered is not None:
            return self._numbered // self._kinds
        return np.repeat(np.arange(self.layout.count), self._kinds)

    @cached_property
    def kinds(self) -> Numbers:
        """Which number the lines of each group have."""
        if self._numbered is not None:
            return self._numbered % self._kinds
        return np.tile(np.arange(self._kinds), self.layout.count)

    def sums(self, values: Work) -> Numbers:
        """The sum of each group: int64 ``[groups]``."""
        if self.is_whole:
            return self.layout.sums(values)
        sums = np.zeros(self.count, np.int64)
        np.add.at(sums, self.ids.reshape(-1), values.reshape(-1))
        return sums

    def of_lines(self, values: Work) -> Work:
        """For each line what its group has."""
        if self.is_whole:
            return self.layout.of_lines(values)
        taken: Work = values.take(self.ids, mode="clip")
        return taken

    @cached_property
    def sizes(self) -> Numbers:
        """How many lines each group has."""
        if self.is_whole:
            return self.layout.sizes
        if self._kind is not None and self._kinds == 2 and self._numbered is None:  # noqa: PLR2004
            seconds = self.layout.sums(self._kind)
            return np.stack([self.layout.sizes - seconds, seconds], axis=1).reshape(-1)
        return np.bincount(self.ids.reshape(-1), minlength=self.count)

    @cached_property
    def ahead(self) -> Numbers:
        """How many lines of the same basket are in the groups before each group."""
        if self.is_whole:
            return np.zeros(1, np.int64)
        ends = np.cumsum(self.layout.sizes)
        ahead: Numbers = np.cumsum(self.sizes) - self.sizes - (ends - self.layout.sizes)[self.baskets]
        return ahead

    def keys(self, claims: Work, most: int) -> Work:
        """*claims* raised so that those of each group are above those of the next: float64."""
        if self._above is None or self._above[0] != most:
            above = np.arange(self.count - 1, -1, -1, dtype=np.float64) * (most + 1)
            self._above = most, above.take(self.ids, mode="clip")
        keys: Work = self._above[1] + claims
        return keys


def _come_first_when_sorted(
    claims: Work, counts: Numbers, groups: Groups, line_index: Numbers, *, most: int
) -> Mask:
    """By one number per line that sorts by group, claim and index; by the three where that does not fit."""
    lines = groups.layout.longest
    span = (most + 1) * lines
    if span * groups.count >= EXACT_INTS:
        return _come_first_by_three(claims, counts, groups, line_index)
    keys = (most - claims.astype(np.int64)) * lines + line_index + groups.ids * span
    ends = np.cumsum(groups.sizes)
    # Beyond the end where the last groups are empty.
    last = np.minimum(ends - groups.sizes + counts - 1, keys.size - 1)
    bounds = np.where(counts > 0, np.sort(keys, axis=None)[last], -1)
    come_first: Mask = keys <= bounds.take(groups.ids)
    return come_first


def _come_first_by_three(claims: Work, counts: Numbers, groups: Groups, line_index: Numbers) -> Mask:
    ids = groups.ids.reshape(-1)
    order = np.lexsort((line_index.reshape(-1), -claims.reshape(-1), ids))
    firsts = np.cumsum(groups.sizes) - groups.sizes
    come_first = np.empty(claims.shape, np.bool_)
    come_first.reshape(-1)[order] = np.arange(claims.size) < (firsts + counts)[ids[order]]
    return come_first


def _ranks_in_columns(keys: Work) -> Ranks:
    """How many lines of the same column come before each: those of a larger key, of equals the former."""
    size = len(keys)
    ranks: Ranks = np.zeros(keys.shape, np.int8)
    for index in range(size - 1):
        is_behind = (keys[index] >= keys[index + 1 :]).view(np.int8)
        ranks[index + 1 :] += is_behind
        ranks[index] += size - 1 - index
        ranks[index] -= is_behind.sum(axis=0, dtype=np.int8)
    return ranks
