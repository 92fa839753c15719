"""Columns as numbers: each value once, and which of them is in each row. What follows is arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt

from faregate.frames.columns.faults import cells

if TYPE_CHECKING:
    from collections.abc import Sequence

Codes = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """``values``, each once, and for each row the index of its own: int64 ``[rows]``."""

    values: list[Any]
    codes: Codes


def encoded(frame: nw.DataFrame[Any], name: str) -> Encoded:
    """The column *name*, as Python has its values; None for null."""
    series = frame.get_column(name)
    if series.dtype == nw.Object:
        return _of_objects(cells(frame, name))
    found = _in_one_piece(series.to_arrow()).dictionary_encode(null_encoding="encode")
    return Encoded(found.dictionary.to_pylist(), found.indices.to_numpy().astype(np.int64))


def _in_one_piece(column: Any) -> Any:
    """Of some engines it comes in pieces, perhaps none."""
    import pyarrow as pa  # only where it is used

    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _of_objects(values: list[Any]) -> Encoded:
    index = {value: code for code, value in enumerate(dict.fromkeys(values))}
    return Encoded(list(index), np.array([index[value] for value in values], np.int64))


def combined(columns: Sequence[Encoded], rows: int) -> Encoded:
    """Columns of *rows* as one column of tuples."""
    start = Encoded([()], np.zeros(rows, np.int64))
    return reduce(_paired, columns, start)


def _paired(tuples: Encoded, column: Encoded) -> Encoded:
    size = max(len(column.values), 1)
    pairs, codes = np.unique(tuples.codes * size + column.codes, return_inverse=True)
    values = [
        (*tuples.values[one], column.values[other])
        for one, other in zip(*map(np.ndarray.tolist, divmod(pairs, size)), strict=True)
    ]
    return Encoded(values, codes)
