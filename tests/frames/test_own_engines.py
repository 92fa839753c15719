"""Features of single engines: connections, nullable dtypes, names."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest

from faregate.frames import insights, price_counts


def test_duckdb_results_use_the_connection_of_the_frame() -> None:
    duckdb = pytest.importorskip("duckdb")
    connection = duckdb.connect()
    connection.execute("CREATE TABLE results AS SELECT range % 3 AS price, 'Piste' AS name FROM range(7)")

    found = price_counts(connection.table("results"), price="price")

    joined = found.set_alias("found").join(connection.table("results"), "price").distinct().order("price")
    assert joined.fetchall() == [(0, 3, "Piste"), (1, 2, "Piste"), (2, 2, "Piste")]
    assert connection.sql("SHOW TABLES").fetchall() == [("results",)]


def test_duckdb_sums_of_128_bits_are_minor_units() -> None:
    duckdb = pytest.importorskip("duckdb")
    frame = duckdb.connect().sql("SELECT sum(price) AS price FROM (VALUES (6900), (4900)) prices (price)")

    assert price_counts(frame, price="price").fetchall() == [(11800, 1)]


def test_pandas_keeps_ints_and_booleans_with_nulls() -> None:
    frame = pd.DataFrame(
        {
            "days": pd.array([1, None], "Int64"),
            "is_open": pd.array([True, None], "boolean"),
            "price": [5, 6],
        }
    )

    found = price_counts(frame, price="price", by=["days", "is_open"])

    assert found.dtypes.astype(str).to_dict() == {
        "days": "Int64",
        "is_open": "boolean",
        "price": "int64",
        "count": "int64",
    }


def test_large_pandas_ints_stay_exact_with_nulls() -> None:
    order = 2**53 + 1  # no float64
    frame = pd.DataFrame({"order": pd.array([order, None], "Int64"), "price": [5, 6]})

    found = price_counts(frame, price="price", by="order")

    assert found["order"].tolist() == [order, pd.NA]


def test_the_frame_is_not_changed() -> None:
    frame = pd.DataFrame({"season": pd.Categorical(["w", None, "s"]), "price": [3, 1, 2]})
    before = frame.copy()

    insights(frame, price="price", by="season", benchmark=2)

    pd.testing.assert_frame_equal(frame, before)


def test_other_pandas_columns_may_have_any_name() -> None:
    frame = pd.DataFrame({"season": ["w"], 7: [1], "price": [5]})

    found = price_counts(frame, price="price", by="season")

    assert found.to_dict("list") == {"season": ["w"], "price": [5], "count": [1]}


def test_only_the_requested_columns_of_a_wide_table_are_read() -> None:
    table = pa.table({"price": [5], "lists": [[1, 2]], "structs": [{"a": 1}]})

    assert price_counts(table, price="price").to_pylist() == [{"price": 5, "count": 1}]
