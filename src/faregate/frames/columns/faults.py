"""Error messages for faulty values in a column: the fault, the number of faulty rows, and the first few."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw

from faregate.errors import InvalidAmount
from faregate.frames.columns.prices import BELOW_0, NULL, FaultyValue, PriceReader
from faregate.frames.engines import Frame

MAX_ROWS = 1000
"""Maximum number of faulty rows that an error holds for each fault."""

_MAX_SHOWN = 5
"""Maximum number of faulty rows that an error message shows for each fault."""

_CHUNK = 65_536
_WAYS_OUT = {
    BELOW_0: "; if these are refunds, allow them: negatives=Negatives.ALLOWED",
    NULL: "; if these rows have no price, leave them out: nulls=Nulls.LEFT_OUT",
}


class FaultyCount(NamedTuple):
    """A faulty price in the group ``key``, and the number of times that it occurs there."""

    key: tuple[object, ...]
    fault: FaultyValue
    times: int


class FaultyCell(NamedTuple):
    """A faulty value and its location in words; ``row`` is the row number, None if rows have no order."""

    where: str
    fault: FaultyValue
    row: int | None = None

    def __str__(self) -> str:
        detail = self.fault.detail
        return f"{self.where} ({detail})" if self.where and detail else self.where or detail


def faulty_amounts(
    faulty: Sequence[FaultyCount], frame: Frame, reader: PriceReader, *, by: Sequence[str]
) -> InvalidAmount:
    """Return an error that describes every fault in *frame* and the first rows in which it occurs.

    Rows are counted from 0. Rows of a lazy frame have no order, so the error names groups instead.
    """
    counts: Counter[tuple[str, str]] = Counter()
    for _, fault, times in faulty:
        counts[fault.column, fault.what] += times
    faulty_cells = (
        faulty_rows(frame, reader) if isinstance(frame, nw.DataFrame) else (_group(by, own) for own in faulty)
    )
    first_cells = _first_cells(faulty_cells, counts)
    sentences = [
        sentence(*what, count=count, faulty_cells=first_cells[what])
        + (_WAYS_OUT.get(what[1], "") if what[0] == reader.column.name else "")
        for what, count in sorted(counts.items())
    ]
    rows = [cell.row for named in first_cells.values() for cell in named if cell.row is not None]
    return InvalidAmount(*sentences, rows=rows)


def _first_cells(
    faulty_cells: Iterable[FaultyCell], counts: Counter[tuple[str, str]]
) -> dict[tuple[str, str], list[FaultyCell]]:
    first_cells: dict[tuple[str, str], list[FaultyCell]] = {what: [] for what in counts}
    missing = sum(min(count, MAX_ROWS) for count in counts.values())
    for cell in faulty_cells:
        own = first_cells[cell.fault.column, cell.fault.what]
        if len(own) < MAX_ROWS:
            own.append(cell)
            missing -= 1
        if not missing:
            break
    return first_cells


def faulty_rows(frame: nw.DataFrame[Any], reader: PriceReader) -> Iterator[FaultyCell]:
    """Yield the faulty cells of *frame*, which is read in chunks, so that the caller can stop early."""
    starts = range(0, len(frame), _CHUNK)
    return chain.from_iterable(_rows_from(start, frame[start : start + _CHUNK], reader) for start in starts)


def _rows_from(start: int, part: nw.DataFrame[Any], reader: PriceReader) -> Iterator[FaultyCell]:
    column = reader.column
    values = cells(part, column.name)
    codes = cells(part, column.currency_column) if column.currency_column is not None else repeat(None)
    counts = cells(part, column.count) if column.count is not None else repeat(1)
    for row, observed in enumerate(map(reader.observed, values, codes, counts), start):
        if isinstance(observed, FaultyValue):
            yield FaultyCell(f"row {row}", observed, row)


def _group(by: Sequence[str], faulty: FaultyCount) -> FaultyCell:
    key = ", ".join(f"{name} {value!r}" for name, value in zip(by, faulty.key, strict=True))
    return FaultyCell(key, faulty.fault)


def sentence(column: str, what: str, *, count: int, faulty_cells: Sequence[FaultyCell]) -> str:
    """Return the message that *count* rows of *column* have the fault *what*, with some *faulty_cells*."""
    named = faulty_cells[:_MAX_SHOWN]
    shown = ", ".join(filter(None, map(str, named)))
    more = ", …" if count > len(named) and shown else ""
    return f"column {column!r}: {what} in {count} row{'s' * (count > 1)}{shown and ': '}{shown}{more}"


def cells(frame: nw.DataFrame[Any], name: str) -> list[Any]:
    """Return the values of a column as Python objects, None for null.

    Objects in pandas columns are returned as they are; Arrow would convert them.
    """
    series = frame.get_column(name)
    if series.dtype == nw.Object:
        is_null = series.is_null().to_list()
        return [None if null else value for value, null in zip(series.to_list(), is_null, strict=True)]
    values: list[Any] = series.to_arrow().to_pylist()
    return values
