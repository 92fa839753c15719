"""Columns to group by: their coding for the group-by, and the order and type of their values in results."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw

from faregate.frames.columns.encoded import Encoded, encoded_column
from faregate.frames.engines import Column, Frame

CATEGORIES = {nw.Categorical, nw.Enum}
_OWN_ARRAYS = ("category", "period[", "interval[")
"""Beginnings of the names of pandas types that Arrow or narwhals cannot represent with their order."""


class GroupColumn(NamedTuple):
    """A column to group by; results have the Arrow type ``dtype`` or the type ``own`` of their engine.

    ``ranks`` has the rank of each value, None if values are compared with each other. If the column was
    replaced by codes, ``values`` has the value of each; the code -1 stands for null, the last of them.
    """

    values: Sequence[Any] | None = None
    ranks: Mapping[Any, int] | None = None
    own: Any = None
    dtype: Any = "null"

    def encoded(self, frame: nw.DataFrame[Any], name: str) -> Encoded:
        """Return the column *name* of *frame*, dictionary-encoded."""
        column = encoded_column(frame, name)
        if self.values is None:
            return column
        return column._replace(values=[self.values[code] for code in column.values])

    def order(self, value: Any) -> tuple[bool, Any]:
        """Return the place of *value* among all values: null is last."""
        return value is None, value if self.ranks is None or value is None else self.ranks[value]

    def column(self, name: str, values: Sequence[Any]) -> Column:
        """Return *values* as the column *name* of a result."""
        return Column(name, values, self.dtype, self.own)


def is_own_array(frame: Frame, name: str) -> bool:
    """Return True if the column *name* is a pandas column of categories, periods or intervals."""
    engine: nw.Implementation = frame.implementation
    if engine is not nw.Implementation.PANDAS:
        return False
    return str(frame.to_native()[name].dtype).startswith(_OWN_ARRAYS)


def groupable(frame: Frame, names: Sequence[str]) -> tuple[Frame, list[GroupColumn]]:
    """Return *frame* with groups that every engine finds in the same way, and the columns *names*.

    Categories become strings, or codes in pandas; NaN becomes null, and -0.0 becomes 0.0.
    """
    columns = [_group_column(frame, name) for name in names]
    schema = frame.collect_schema()
    coded = [name for name, own in zip(names, columns, strict=True) if own.values is not None]
    if coded:
        native = frame.to_native()
        frame = nw.from_native(native.assign(**{name: _codes(native[name]) for name in coded}))
    # Cast before grouping: pandas 2 puts nulls of Arrow categories into another group.
    texts = [
        nw.col(name).cast(nw.String)
        for name, dtype in schema.items()
        if dtype.base_type() in CATEGORIES and name not in coded
    ]
    floats = [_plain_float(name) for name in names if schema[name].is_float()]
    casts = [*texts, *floats]
    return frame.with_columns(*casts) if casts else frame, columns


def _plain_float(name: str) -> nw.Expr:
    given = nw.col(name).fill_nan(None)
    return nw.when(given == 0).then(nw.lit(0, nw.Float64)).otherwise(given).alias(name)


def _group_column(frame: Frame, name: str) -> GroupColumn:
    dtype = frame.collect_schema()[name]
    if is_own_array(frame, name):
        return _of_pandas(frame.to_native()[name])
    if dtype.base_type() not in CATEGORIES:
        return GroupColumn()
    engine: nw.Implementation = frame.implementation
    if engine is nw.Implementation.PYARROW:
        return _of_arrow(frame.to_native()[name])
    ranks = _ranks(dtype.categories) if isinstance(dtype, nw.Enum) else None
    return GroupColumn(None, ranks, dtype if engine in _CASTING else None)


_CASTING = {nw.Implementation.POLARS, nw.Implementation.DUCKDB}


def _of_pandas(series: Any) -> GroupColumn:
    values = list(_distinct(series))
    is_category = str(series.dtype) == "category"
    is_ranked = is_category and (series.cat.ordered or not all(isinstance(own, str) for own in values))
    return GroupColumn([*values, None], _ranks(values) if is_ranked else None, series.dtype)


def _distinct(series: Any) -> Any:
    return series.cat.categories if str(series.dtype) == "category" else series.array.factorize()[1]


def _codes(series: Any) -> Any:
    """Return the index of each value among the distinct values, -1 for null."""
    if str(series.dtype) == "category":
        return series.cat.codes.to_numpy()
    return series.array.factorize()[0]


def _of_arrow(column: Any) -> GroupColumn:
    categories = column.unify_dictionaries()
    values = categories.chunk(0).dictionary.to_pylist() if categories.num_chunks else []
    return GroupColumn(None, _ranks(values) if column.type.ordered else None, (column.type, values))


def _ranks(values: Sequence[Any]) -> dict[Any, int]:
    return {value: rank for rank, value in enumerate(values)}
