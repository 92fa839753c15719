"""Supported engines, and conversion of results to the caller's kind of frame."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import narwhals.stable.v2 as nw
import pyarrow as pa
from narwhals.exceptions import DuplicateError

from faregate.errors import InvalidInput

Frame: TypeAlias = nw.DataFrame[Any] | nw.LazyFrame[Any]

_ENGINES = {
    nw.Implementation.PANDAS: "pandas",
    nw.Implementation.POLARS: "Polars",
    nw.Implementation.PYARROW: "PyArrow",
    nw.Implementation.DUCKDB: "DuckDB",
    nw.Implementation.DASK: "Dask",
    nw.Implementation.PYSPARK: "PySpark",
    nw.Implementation.PYSPARK_CONNECT: "PySpark",
}
_SPARK = {nw.Implementation.PYSPARK, nw.Implementation.PYSPARK_CONNECT}


class Column(NamedTuple):
    """A column of results: its name, its values, and an Arrow type or the name of one.

    ``own`` is the type of categories, periods and intervals in the engine: a dtype of pandas or narwhals, or
    for PyArrow the type and the categories. The values of a pandas type may be unknown to Arrow.
    """

    name: str
    values: Any
    """Python objects, or an array of NumPy or Arrow."""
    dtype: Any
    own: Any = None


def frame_of(native: object) -> Frame:
    """Return *native* as a narwhals frame."""
    try:
        frame: Frame = nw.from_native(native)
    except TypeError:
        raise _no_frame(type(native).__name__) from None
    except DuplicateError as twice:
        raise InvalidInput(f"expected columns with different names: {' '.join(str(twice).split())}") from None
    if frame.implementation not in _ENGINES:
        raise _no_frame(frame.implementation.value)
    return frame


def renamed(frame: Frame, names: Mapping[str, str]) -> Frame:
    """Return only the columns of *frame* listed in *names*, which maps their new names to their old ones."""
    own = frame.collect_schema().names()
    if frame.implementation in _SPARK:  # pragma: no cover - run by `make engines`
        # By position: Spark reads names as expressions, dots as fields, and ignores case.
        safe = [f"column{index}" for index in range(len(own))]
        frame = nw.from_native(frame.to_native().toDF(*safe))
        names = {alias: safe[own.index(name)] for alias, name in names.items()}
    return frame.select(*(nw.col(name).alias(alias) for alias, name in names.items()))


def _no_frame(what: str) -> InvalidInput:
    return InvalidInput(f"expected a frame of {', '.join(dict.fromkeys(_ENGINES.values()))}, got {what}")


def in_kind_of(frame: Frame, columns: Sequence[Column]) -> Any:
    """Return *columns* as a frame of the same kind as *frame*, in its DuckDB connection or Spark session."""
    engine: nw.Implementation = frame.implementation
    own = [column for column in columns if column.own is not None]
    hidden = {column.name for column in own if engine is nw.Implementation.PANDAS}
    results = pa.table(
        {
            column.name: pa.nulls(len(column.values))
            if column.name in hidden
            else pa.array(column.values, column.dtype)
            for column in columns
        }
    )
    return _with_own_types(engine, table_in_kind_of(frame, results), own)


def _with_own_types(engine: nw.Implementation, result: Any, columns: Sequence[Column]) -> Any:
    """Return *result*, a frame of *engine*, with the columns that have a type of their own."""
    if not columns:
        return result
    match engine:
        case nw.Implementation.PANDAS:
            series = type(result[columns[0].name])
            return result.assign(
                **{name: series(values, result.index, dtype=own) for name, values, _, own in columns}
            )
        case nw.Implementation.PYARROW:
            for column in columns:
                index = result.column_names.index(column.name)
                result = result.set_column(index, column.name, _dictionary(column))
            return result
        case _:
            casts = [nw.col(column.name).cast(column.own) for column in columns]
            return nw.from_native(result).with_columns(*casts).to_native()


def _dictionary(column: Column) -> Any:
    dtype, categories = column.own
    ranks = {value: rank for rank, value in enumerate(categories)}
    indices = pa.array([ranks.get(value) for value in column.values], dtype.index_type)
    dictionary = pa.array(categories, dtype.value_type)
    return pa.DictionaryArray.from_arrays(indices, dictionary, ordered=dtype.ordered)


def table_in_kind_of(frame: Frame, results: Any) -> Any:
    """Return the Arrow table *results* as the same kind of frame as *frame*, in its connection or session."""
    engine: nw.Implementation = frame.implementation
    match engine:
        case nw.Implementation.PYARROW:
            return results
        case nw.Implementation.PANDAS:
            return pandas_of(results)
        case nw.Implementation.POLARS:
            eager = nw.from_arrow(results, backend=nw.Implementation.POLARS)
            return eager.to_native() if isinstance(frame, nw.DataFrame) else eager.lazy().to_native()
        case nw.Implementation.DASK:
            return nw.from_native(_without_objects(results)).lazy(nw.Implementation.DASK).to_native()
        case nw.Implementation.DUCKDB:
            return _duckdb(frame.to_native(), results)
        case _:  # pragma: no cover - Spark, run by `make engines`
            return frame.to_native().sparkSession.createDataFrame(results)


def _duckdb(relation: Any, faregate_results: Any) -> Any:
    """Return results as a relation in the connection of *relation*, so that the two can be joined.

    DuckDB looks up ``faregate_results`` among its tables first, then among local Python variables.
    """
    return relation.query("faregate_frame", "SELECT * FROM faregate_results")


def pandas_of(results: Any) -> Any:
    """Return an Arrow table as a pandas DataFrame; ints and booleans with nulls get nullable dtypes."""
    frame = results.to_pandas(integer_object_nulls=True)
    nullable = [field.name for field in results.schema if results[field.name].null_count]
    types = {name: _NULLABLE.get(str(results.schema.field(name).type)) for name in nullable}
    return frame.astype({name: dtype for name, dtype in types.items() if dtype})


def _without_objects(results: Any) -> Any:
    """Return results as a DataFrame with Arrow types in place of objects, which Dask would turn into text."""
    frame = pandas_of(results)
    objects = [name for name, dtype in frame.dtypes.items() if str(dtype) == "object"]
    return frame.astype({name: f"{results.schema.field(name).type}[pyarrow]" for name in objects})


_NULLABLE = {"bool": "boolean"} | {
    f"{sign}int{width}": f"{sign.upper()}Int{width}" for sign in ("", "u") for width in (8, 16, 32, 64)
}
