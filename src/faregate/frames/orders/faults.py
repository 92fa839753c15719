"""Faults in the values of orders, collected by column and reported together."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from faregate.batch.columns.values import Mask, Numbers
from faregate.errors import InvalidLines
from faregate.frames.columns.faults import MAX_ROWS, FaultyCell, sentence
from faregate.frames.columns.prices import FaultyValue


class FaultyOrders(Exception):
    """An error for faulty rows in one piece of a frame; callers collect such errors from all pieces."""

    def __init__(self, faults: Faults) -> None:
        super().__init__(faults)
        self.faults = faults


class Faults:
    """Collects the faults in a piece of a frame; *start* is the number of its first row.

    *where* returns the location of a row in words. If rows are not *numbered*, they have no order, and the
    error does not list their numbers.
    """

    def __init__(self, where: Callable[[int], str], *, start: int = 0, numbered: bool = True) -> None:
        self._where = where
        self._start = start
        self._numbered = numbered
        self._cells: dict[tuple[str, str], tuple[int, list[tuple[int, FaultyCell]]]] = {}

    def __bool__(self) -> bool:
        return bool(self._cells)

    def note(self, column: str, what: str, rows: Mask | Numbers, values: Numbers | None = None) -> None:
        """Add the fault *what* in *rows* (a mask or indices) of *column*, showing its *values* if given."""
        faulty = np.flatnonzero(rows) if rows.dtype == bool else rows
        faulty_cells = [
            (row, FaultyValue(column, what, "" if values is None else str(values[row])))
            for row in faulty[:MAX_ROWS].tolist()
        ]
        self._keep((column, what), len(faulty), self._located(faulty_cells))

    def note_value(self, fault: FaultyValue, rows: Numbers) -> None:
        """Add the faulty value *fault*, which occurs in each of *rows* (indices)."""
        faulty_cells = [(row, fault) for row in rows[:MAX_ROWS].tolist()]
        self._keep((fault.column, fault.what), len(rows), self._located(faulty_cells))

    def add(self, other: Faults) -> None:
        """Add the faults collected from another piece of the frame."""
        for what, (count, faulty_cells) in other._cells.items():
            self._keep(what, count, faulty_cells)

    def error(self) -> InvalidLines:
        """Return one error that reports all collected faults."""
        return InvalidLines(
            *(
                sentence(column, what, count=count, faulty_cells=[cell for _, cell in faulty_cells])
                for (column, what), (count, faulty_cells) in sorted(self._cells.items())
            ),
            rows=[
                cell.row
                for _, faulty_cells in self._cells.values()
                for _, cell in faulty_cells
                if cell.row is not None
            ],
        )

    def _located(self, faults: Sequence[tuple[int, FaultyValue]]) -> list[tuple[int, FaultyCell]]:
        start, numbered = self._start, self._numbered
        return [
            (start + row, FaultyCell(self._where(row), fault, start + row if numbered else None))
            for row, fault in faults
        ]

    def _keep(self, what: tuple[str, str], count: int, faulty_cells: list[tuple[int, FaultyCell]]) -> None:
        if count:
            before, former = self._cells.get(what, (0, []))
            self._cells[what] = before + count, sorted([*former, *faulty_cells])[:MAX_ROWS]
