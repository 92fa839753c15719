"""Dictionary encoding of columns: the distinct values, and the index of each row's value."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from faregate.batch.insights.prices import Integers
from faregate.frames.columns.faults import cells

Ids = Any
"""A PyArrow array; ``Any``, since PyArrow has no type annotations."""

_MAX_TEXT = 2**31 - 1


class Encoded(NamedTuple):
    """A column as its distinct ``values``, None for null, and ``codes``, the index of each row's value."""

    values: list[Any]
    codes: Integers


def one_array(column: Any) -> Ids:
    """Return *column* as one array of a plain Arrow type: no chunks, categories, views or extension types."""
    if isinstance(column, pa.ChunkedArray):
        if column.nbytes > _MAX_TEXT and pa.types.is_string(column.type):
            column = column.cast(pa.large_string())
        column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
    if isinstance(column.type, pa.BaseExtensionType):
        column = column.storage
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column


def numbers_of(column: Ids) -> npt.NDArray[Any]:
    """Return an Arrow array of numbers or booleans without nulls; ``to_numpy`` would import pandas."""
    if pa.types.is_boolean(column.type):
        return np.from_dlpack(column.cast(pa.uint8())).view(np.bool_)
    return np.from_dlpack(column)


def array_of(numbers: npt.NDArray[np.int64], known: npt.NDArray[np.bool_] | None = None) -> Ids:
    """Return an Arrow array, null where not *known*; ``pa.array`` would import pandas."""
    valid = None if known is None else pa.py_buffer(np.packbits(known, bitorder="little"))
    return pa.Array.from_buffers(
        pa.int64(), len(numbers), [valid, pa.py_buffer(np.ascontiguousarray(numbers))]
    )


def encoded(column: Ids) -> Encoded:
    """Return *column* dictionary-encoded; distinct values become Python objects, None for null.

    Of a column of categories, the values also list categories without rows.
    """
    if pa.types.is_dictionary(column.type) and isinstance(column, pa.ChunkedArray):
        return _of_categories(column.combine_chunks())
    column = one_array(column)
    if pa.types.is_decimal32(column.type) or pa.types.is_decimal64(column.type):
        column = column.cast(pa.decimal128(18, column.type.scale))
    if pa.types.is_null(column.type):
        column = column.cast(pa.string())
    encoding = column.dictionary_encode(null_encoding="encode")
    return Encoded(encoding.dictionary.to_pylist(), numbers_of(encoding.indices))


def _of_categories(column: Ids) -> Encoded:
    values, codes = encoded(column.dictionary)  # a category may be null, or occur twice
    indices = column.indices
    if indices.null_count:
        values = values if None in values else [*values, None]
        indices = indices.cast(pa.int64()).fill_null(len(codes))
        codes = np.append(codes, values.index(None))
    return Encoded(values, codes[numbers_of(indices)])


def encoded_column(frame: nw.DataFrame[Any], name: str) -> Encoded:
    """Return the column *name* of *frame*, dictionary-encoded."""
    series = frame.get_column(name)
    if series.dtype == nw.Object:
        return _of_objects(cells(frame, name))
    column = series.to_native() if series.implementation is nw.Implementation.PYARROW else series.to_arrow()
    if not (isinstance(column, pa.ChunkedArray) and len(column) and pa.types.is_primitive(column.type)):
        return encoded(one_array(column))
    chunks = column.dictionary_encode(null_encoding="encode").chunks  # without a copy of the column
    codes = np.concatenate([chunk.indices.to_numpy() for chunk in chunks])
    return Encoded(chunks[0].dictionary.to_pylist(), codes)


def _of_objects(values: list[Any]) -> Encoded:
    index = {value: code for code, value in enumerate(dict.fromkeys(values))}
    return Encoded(list(index), np.array([index[value] for value in values], np.int64))


def combined(columns: Sequence[Encoded], rows: int) -> Encoded:
    """Return *columns*, each with *rows* rows, combined into one encoded column of tuples."""
    if not columns:
        return Encoded([()], np.zeros(rows, np.int64))
    first = Encoded([(value,) for value in columns[0].values], columns[0].codes)
    return reduce(_paired, columns[1:], first)


def _paired(tuples: Encoded, column: Encoded) -> Encoded:
    size = max(len(column.values), 1)
    pairs = encoded(pa.array(tuples.codes.astype(np.int64) * size + column.codes))
    values = [(*tuples.values[pair // size], column.values[pair % size]) for pair in pairs.values]
    return pairs._replace(values=values)
