"""Grouping of lines into checkouts by id, and detection of checkouts whose lines are not adjacent."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pyarrow.compute as pc

from faregate.batch.columns.offsets import lines_of
from faregate.batch.columns.values import Numbers
from faregate.errors import InvalidInput
from faregate.frames.columns.encoded import Ids, array_of, numbers_of
from faregate.frames.orders.fields import Lines

_ROW = 32


class Groups(NamedTuple):
    """Rows grouped into checkouts, in the order of their first rows.

    ``order`` lists the row indices checkout by checkout, or is None if the rows have that order already.
    """

    order: Numbers | None
    offsets: Numbers
    firsts: Numbers
    """Index of the first row of each checkout."""

    def gathered(self, column: Any) -> Any:
        """Return *column*, reordered so that the rows of each checkout are adjacent."""
        return column if self.order is None else column[self.order]

    def scattered(self, column: Any) -> Any:
        """Return *column*, a result of ``gathered``, with its rows back in their original order."""
        if self.order is None:
            return column
        rows = np.empty_like(column)
        rows[self.order] = column
        return rows


def run_starts(ids: Ids) -> Numbers:
    """Return the index of the first row and of each row whose id differs from that of the row before."""
    if not len(ids):
        return np.zeros(0, np.int64)
    is_other = pc.not_equal(ids.slice(1), ids.slice(0, len(ids) - 1))
    if is_other.null_count:
        is_other = is_other.fill_null(True)
    return np.concatenate([[0], np.flatnonzero(numbers_of(is_other)) + 1])


def groups_of(ids: Ids, lines: Lines, *, column: str, start: int = 0) -> Groups:
    """Group rows by *ids*, none of which is null; errors name *column* and number rows from *start*.

    Raises:
        InvalidInput: lines of a checkout must be adjacent, but are not.
    """
    starts = run_starts(ids)
    offsets = np.append(starts, len(ids))
    run_ids = ids.take(array_of(starts))
    if is_ascending(run_ids):
        return Groups(None, offsets, starts)
    codes = run_ids.dictionary_encode()
    if len(codes.dictionary) == len(starts):
        return Groups(None, offsets, starts)
    if lines is Lines.TOGETHER:
        refuse_returns(run_ids, start + starts, column=column)
    return _brought_together(numbers_of(codes.indices).astype(np.int64), offsets)


def _brought_together(codes: Numbers, run_offsets: Numbers) -> Groups:
    """Group rows by checkout, by sorting runs of equal ids, which is faster than sorting all rows.

    *codes* holds the index of each run's checkout, *run_offsets* the first row of each run and the end.
    """
    runs = np.arange(len(codes))
    order = np.sort((codes << _ROW) | runs) & ((1 << _ROW) - 1)
    sizes = np.bincount(codes, weights=np.diff(run_offsets)).astype(np.int64)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    rows, _ = lines_of(order, run_offsets)
    return Groups(rows, offsets, rows[offsets[:-1]])


def is_ascending(ids: Ids) -> bool:
    """Return True if each id is greater than the one before."""
    if not len(ids):
        return True
    are_less = pc.less(ids.slice(0, len(ids) - 1), ids.slice(1))
    return bool(pc.all(are_less, min_count=0).as_py())


def refuse_returns(run_ids: Ids, starts: Numbers, *, column: str) -> None:
    """Check that each id has only one run of rows; *starts* are the numbers of the first rows of the runs.

    Raises:
        InvalidInput: an id has several runs.
    """
    codes = numbers_of(run_ids.dictionary_encode().indices)
    _, firsts = np.unique(codes, return_index=True)
    again = np.setdiff1d(np.arange(len(codes)), firsts)
    if len(again):
        index = int(again[0])
        more = f", and {len(again) - 1} more" if len(again) > 1 else ""
        shown = f"checkout {run_ids[index].as_py()!r} occurs again in row {starts[index]}{more}"
        raise InvalidInput(
            f"column {column!r}: {shown}: sort the lines by checkout, or read them as scattered"
            " (Lines.SCATTERED)"
        )
