"""Distributions as tables that other libraries accept directly."""

from __future__ import annotations

import pandas as pd
import pyarrow as pa
import pytest

from faregate.frames import counts_table
from faregate.insights.distribution import PriceDistribution

WINTER = PriceDistribution.from_prices([6900, 5900, 6900])


def test_arrow_accepts_prices_and_counts() -> None:
    table = pa.table(counts_table(WINTER))

    assert table.schema == pa.schema([("price", pa.int64()), ("count", pa.int64())])
    assert table.to_pydict() == {"price": [5900, 6900], "count": [1, 2]}


def test_a_requested_schema_is_followed() -> None:
    wanted = pa.schema([("price", pa.int32()), ("count", pa.int32())])

    assert pa.table(counts_table(WINTER), schema=wanted).schema == wanted


def test_an_empty_distribution_is_a_table_without_rows() -> None:
    assert len(pa.table(counts_table(PriceDistribution()))) == 0


@pytest.mark.slow
def test_polars_accepts_the_table() -> None:
    polars = pytest.importorskip("polars")

    assert polars.DataFrame(counts_table(WINTER)).rows() == [(5900, 1), (6900, 2)]


@pytest.mark.slow
def test_duckdb_accepts_the_table() -> None:
    duckdb = pytest.importorskip("duckdb")
    winter = counts_table(WINTER)

    assert duckdb.sql("SELECT sum(price * count) FROM winter").fetchall() == [(WINTER.total,)]
    assert winter.distribution is WINTER


@pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 reads no Arrow stream")
def test_pandas_accepts_the_table() -> None:
    assert pd.DataFrame.from_arrow(counts_table(WINTER)).to_dict("list") == {
        "price": [5900, 6900],
        "count": [1, 2],
    }
