"""Groups in their own order and type: categories, cuts, periods, floats."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pandas.testing
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.errors import InvalidInput
from faregate.frames import distributions, insights, price_counts, quantiles, ranks
from support.frames.engines import ENGINES, Engine, each_of, every_engine, quick_engines, rows

SIZES = ["S", "L", "L", "M", None]
ORDER = ["S", "M", "L", "XL"]
ORDERED = pa.DictionaryArray.from_arrays(pa.array([0, 2, 2, 1, None]), pa.array(ORDER), ordered=True)
PRICES = [5, 15, 25, 15, 7]

with_categories = each_of([engine for engine in ENGINES if engine.name not in {"pyspark", "pandas-arrow"}])


def pandas_groups() -> pd.DataFrame:
    periods = pd.PeriodIndex(["2026-03", "2026-01", "2026-02", None, "2026-01"], freq="M")
    return pd.DataFrame(
        {
            "price": PRICES,
            "cut": pd.cut([5, 25, 15, 15, np.nan], [0, 10, 20, 30, 40]),
            "month": periods,
            "size": pd.Categorical(SIZES, categories=ORDER, ordered=True),
            "name": pd.Categorical(SIZES, categories=ORDER),
            "days": pd.Categorical([30, 7, 7, None, 30], categories=[30, 7]),
            "span": pd.arrays.IntervalArray.from_tuples([(2, 3), (0, 1), (0, 1), None, (1, 2)]),
        },
        index=[3, 3, 2, 1, 0],
    )


@with_categories
def test_ordered_categories_keep_their_order(engine: Engine) -> None:
    frame = engine.take(pa.table({"size": pa.array(ORDERED), "price": PRICES}))
    if engine.name.startswith("polars"):
        import polars as pl

        frame = frame.with_columns(pl.col("size").cast(pl.String).cast(pl.Enum(ORDER)))
    elif engine.name == "duckdb":
        frame = frame.project("size::ENUM('S', 'M', 'L', 'XL') AS size, price")

    for function in (insights, quantiles):
        assert [row["size"] for row in rows(function(frame, by="size"))] == ["S", "M", "L", None]
    assert [*distributions(frame, by="size")] == [("S",), ("M",), ("L",), (None,)]


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("cut", [0, 2, 1, 4]),
        ("month", [1, 2, 0, 3]),
        ("size", [0, 3, 1, 4]),
        ("name", [1, 3, 0, 4]),
        ("days", [0, 1, 3]),
        ("span", [1, 4, 0, 3]),
    ],
)
def test_pandas_groups_keep_their_order_and_type(name: str, order: list[int]) -> None:
    frame = pandas_groups()

    found = insights(frame, by=name)

    expected = frame[name].iloc[order].reset_index(drop=True)
    pandas.testing.assert_series_equal(found[name], expected)
    assert quantiles(frame.iloc[:0], by=name)[name].dtype == frame[name].dtype
    assert ranks(frame, by=name)[name].equals(frame[name])


def test_pandas_groups_are_keys_of_their_own() -> None:
    frame = pandas_groups()

    assert distributions(frame, by="month")[pd.Period("2026-02", "M")].prices == (25,)
    assert distributions(frame, by="cut")[pd.Interval(0, 10)].prices == (5,)
    judged = insights(frame, by="size", benchmark=dict.fromkeys([*ORDER, None], 1))
    assert judged["n"].tolist() == [1, 1, 2, 1]


def test_pandas_groups_can_be_combined() -> None:
    found = price_counts(pandas_groups(), by=["size", "month"])

    assert found["size"].tolist()[:4] == ["S", "M", "L", "L"]
    months = ["2026-03", None, "2026-01", "2026-02", "2026-01"]
    assert found["month"].equals(pd.Series(months, dtype="period[M]"))
    assert found["size"].dtype == pandas_groups()["size"].dtype


def test_categories_of_other_engines_keep_their_type() -> None:
    table = pa.table({"size": ORDERED, "price": PRICES})

    found = price_counts(table, by="size")

    assert found.schema.field("size").type == ORDERED.type
    assert found["size"].combine_chunks().dictionary.to_pylist() == ORDER
    assert price_counts(table.slice(0, 0), by="size").schema.field("size").type == ORDERED.type


def test_polars_categories_keep_their_type() -> None:
    pl = pytest.importorskip("polars")
    for dtype in (pl.Enum(ORDER), pl.Categorical()):
        frame = pl.DataFrame({"size": pl.Series(SIZES, dtype=dtype), "price": PRICES})

        assert price_counts(frame, by="size").schema["size"] == dtype
        assert price_counts(frame.lazy(), by="size").collect_schema()["size"] == dtype


def test_duckdb_enums_keep_their_type() -> None:
    duckdb = pytest.importorskip("duckdb")
    frame = duckdb.connect().sql("SELECT 'b'::ENUM('b', 'a') AS size, 5 AS price")

    found = price_counts(frame, by="size")

    assert found.types == [frame.types[0], "BIGINT", "BIGINT"]


@every_engine
def test_floats_are_groups_and_nan_is_null(engine: Engine) -> None:
    ids = pa.array([2.0, 1.5, float("nan"), None, -0.0, 0.0, float("-inf")])
    frame = engine.take(pa.table({"id": ids, "price": [1, 2, 3, 4, 5, 6, 7]}))

    found = rows(insights(frame, by="id"))

    shown = [None if row["id"] is None or row["id"] != row["id"] else str(row["id"]) for row in found]
    assert shown == ["-inf", "0.0", "1.5", "2.0", None]
    assert [row["n"] for row in found] == [1, 2, 1, 1, 2]


@quick_engines
@given(drawn=st.lists(st.tuples(st.none() | st.sampled_from(ORDER), st.integers(0, 9)), max_size=12))
def test_categories_are_counted_like_their_names(engine: Engine, drawn: list[tuple[Any, int]]) -> None:
    names, prices = ([own[index] for own in drawn] for index in (0, 1))
    plain = pa.table({"size": pa.array(names, pa.string()), "price": pa.array(prices, pa.int64())})
    indices = pa.array([None if name is None else ORDER.index(str(name)) for name in names], pa.int32())
    coded = pa.DictionaryArray.from_arrays(indices, pa.array(ORDER), ordered=True)

    found = distributions(engine.take(plain.set_column(0, "size", coded)), by="size")

    assert found == distributions(plain, by="size")


def test_other_pandas_types_cannot_be_grouped() -> None:
    frame = pd.DataFrame({"price": [1], "list": pd.Series([[1]], dtype=pd.ArrowDtype(pa.list_(pa.int64())))})

    with pytest.raises(InvalidInput, match=r"^column 'list': cannot group by List"):
        insights(frame, by="list")
