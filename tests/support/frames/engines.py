"""Every installed frame engine: conversion from an Arrow table, and reading of its frames.

The environment of ``make test`` has all but Spark; that of ``make engines`` has Spark and pandas 2.
"""

import os
import sys
import warnings
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest


class Engine(NamedTuple):
    """An engine: ``take`` makes a frame of a table; ``owns`` checks the type of a frame."""

    name: str
    take: Callable[[pa.Table], Any]
    owns: Callable[[Any], bool]

    def __str__(self) -> str:
        return self.name


def arrow(frame: Any) -> pa.Table:
    """Return the contents of a frame of any engine as Arrow, with one type for texts."""
    found = nw.from_native(frame)
    table = (found.collect() if isinstance(found, nw.LazyFrame) else found).to_arrow()
    return table.cast(pa.schema([(field.name, _plain(field.type)) for field in table.schema]))


def rows(frame: Any) -> list[dict[str, Any]]:
    """Return the rows of a frame of any engine in order."""
    found: list[dict[str, Any]] = arrow(frame).to_pylist()
    return found


def _plain(dtype: pa.DataType) -> pa.DataType:
    is_text = pa.types.is_large_string(dtype) or pa.types.is_string_view(dtype) or pa.types.is_null(dtype)
    return pa.string() if is_text else dtype


def chunked(table: pa.Table) -> pa.Table:
    """Split a table into chunks of two rows."""
    pieces = [table.slice(start, 2) for start in range(0, len(table), 2)]
    return pa.concat_tables(pieces) if pieces else table


def taken_by_nullable_pandas(table: pa.Table) -> Any:
    with np.errstate(invalid="ignore"):  # pandas 2 casts infinity to check whether it is an integer
        return table.to_pandas().convert_dtypes()


def taken_by_polars(table: pa.Table) -> Any:
    import polars as pl

    return pl.from_arrow(table)


def taken_by_duckdb(table: pa.Table) -> Any:
    import duckdb

    return duckdb.connect().from_arrow(table)


def taken_by_dask(table: pa.Table) -> Any:
    import dask.dataframe as dd

    take: Any = dd.from_pandas
    return take(table.to_pandas(types_mapper=_dask_type), npartitions=2)


def _dask_type(dtype: pa.DataType) -> Any:
    """Return the pandas type of a column: Dask would convert objects to texts."""
    return None if pa.types.is_dictionary(dtype) else pd.ArrowDtype(dtype)


@cache
def spark_session() -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # the workers use the packages installed here
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        builder = SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", 2)
        return builder.config("spark.ui.enabled", "false").getOrCreate()


def taken_by_spark(table: pa.Table) -> Any:
    return spark_session().createDataFrame(table)


def is_a(kind: str) -> Callable[[Any], bool]:
    """Return a check of the type name of an object."""
    return lambda frame: f"{type(frame).__module__}.{type(frame).__qualname__}".startswith(kind)


KNOWN = {
    "pandas": [
        Engine("pandas", lambda table: table.to_pandas(), is_a("pandas")),
        Engine("pandas-arrow", lambda table: table.to_pandas(types_mapper=pd.ArrowDtype), is_a("pandas")),
        Engine("pandas-nullable", taken_by_nullable_pandas, is_a("pandas")),
    ],
    "pyarrow": [
        Engine("pyarrow", lambda table: table, is_a("pyarrow")),
        Engine("pyarrow-chunked", chunked, is_a("pyarrow")),
    ],
    "polars": [
        Engine("polars", taken_by_polars, is_a("polars.dataframe")),
        Engine("polars-lazy", lambda table: taken_by_polars(table).lazy(), is_a("polars.lazyframe")),
    ],
    "duckdb": [Engine("duckdb", taken_by_duckdb, is_a("duckdb"))],
    "dask": [Engine("dask", taken_by_dask, is_a("dask"))],
    "pyspark": [Engine("pyspark", taken_by_spark, is_a("pyspark"))],
}
ENGINES = [engine for package, own in KNOWN.items() if find_spec(package) for engine in own]
EAGER = [engine for engine in ENGINES if engine.name.startswith(("pandas", "polars", "pyarrow"))]
EAGER = [engine for engine in EAGER if engine.name != "polars-lazy"]
LAZY = [engine for engine in ENGINES if engine not in EAGER]
QUICK = [engine for engine in ENGINES if engine.name in {"pandas", "polars", "pyarrow-chunked", "duckdb"}]
"""Engines for laws: a query of the others takes tens of milliseconds."""


def each_of(engines: list[Engine]) -> pytest.MarkDecorator:
    """Dask takes two seconds to start."""
    slow = [pytest.mark.slow]
    return pytest.mark.parametrize(
        "engine", [pytest.param(own, marks=slow * (own.name == "dask"), id=own.name) for own in engines]
    )


every_engine, eager_engines, lazy_engines = each_of(ENGINES), each_of(EAGER), each_of(LAZY)
quick_engines = each_of(QUICK)
