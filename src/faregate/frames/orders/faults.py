"""What is wrong with the values of orders: columns, rows and how many, all told together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from faregate.errors import InvalidLines
from faregate.frames.columns.faults import MOST_ROWS, Place, sentence
from faregate.frames.columns.prices import FaultyValue

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from faregate.batch.columns.values import Mask, Numbers


class FaultyOrders(Exception):
    """Rows are at fault; whoever reads them piece by piece goes on and tells all of them together."""

    def __init__(self, faults: Faults) -> None:
        super().__init__(faults)
        self.faults = faults


class Faults:
    """Keeps what is wrong. *where* says what a row is called, *start* where its piece begins.

    Rows that are not *numbered* have no order that the caller could find them by.
    """

    def __init__(self, where: Callable[[int], str], *, start: int = 0, numbered: bool = True) -> None:
        self._where = where
        self._start = start
        self._numbered = numbered
        self._found: dict[tuple[str, str], tuple[int, list[tuple[int, Place]]]] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def note(self, column: str, what: str, rows: Mask | Numbers, values: Numbers | None = None) -> None:
        """Something is the case in *rows* of a column, whose *values* may say more."""
        faulty = np.flatnonzero(rows) if rows.dtype == bool else rows
        places = [
            (row, FaultyValue(column, what, "" if values is None else str(values[row])))
            for row in faulty[:MOST_ROWS].tolist()
        ]
        self._keep((column, what), len(faulty), self._placed(places))

    def note_value(self, fault: FaultyValue, rows: Numbers) -> None:
        """One value of a column is at fault, and these *rows* have it."""
        places = [(row, fault) for row in rows[:MOST_ROWS].tolist()]
        self._keep((fault.column, fault.what), len(rows), self._placed(places))

    def add(self, other: Faults) -> None:
        """Those of another piece."""
        for what, (count, places) in other._found.items():
            self._keep(what, count, places)

    def error(self) -> InvalidLines:
        """Return all of them in one."""
        return InvalidLines(
            *(
                sentence(column, what, count=count, places=[place for _, place in places])
                for (column, what), (count, places) in sorted(self._found.items())
            ),
            rows=[
                place.row
                for _, places in self._found.values()
                for _, place in places
                if place.row is not None
            ],
        )

    def _placed(self, faults: Sequence[tuple[int, FaultyValue]]) -> list[tuple[int, Place]]:
        start, numbered = self._start, self._numbered
        return [
            (start + row, Place(self._where(row), fault, start + row if numbered else None))
            for row, fault in faults
        ]

    def _keep(self, what: tuple[str, str], count: int, places: list[tuple[int, Place]]) -> None:
        if count:
            before, kept = self._found.get(what, (0, []))
            self._found[what] = before + count, sorted([*kept, *places])[:MOST_ROWS]
