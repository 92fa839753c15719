"""Distributions as tables that other libraries accept directly."""

from __future__ import annotations

from datetime import date
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from faregate.errors import FaregateError
from faregate.frames import Negatives, PriceUnit, counts_table, distributions
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
    assert winter.groups[()] is WINTER


@pytest.mark.skipif(pd.__version__ < "3", reason="pandas 2 reads no Arrow stream")
def test_pandas_accepts_the_table() -> None:
    assert pd.DataFrame.from_arrow(counts_table(WINTER)).to_dict("list") == {
        "price": [5900, 6900],
        "count": [1, 2],
    }


# ---------------------------------------------------------------- groups

GROUPS = {("w", date(2026, 12, 27)): WINTER, ("w", None): WINTER + WINTER, (None, None): WINTER}


def test_groups_and_their_currency_are_columns_that_can_be_read_back() -> None:
    table = pa.table(counts_table(GROUPS, by=["season", "day"], currency="CHF"))

    read = distributions(
        table, by=["season", "day"], count="count", currency_column="currency", unit=PriceUnit.MINOR
    )

    assert table.column_names == ["season", "day", "price", "count", "currency"]
    assert set(table["currency"].to_pylist()) == {"CHF"}
    assert read == GROUPS


def test_keys_of_one_column_may_be_plain_and_empty_groups_have_no_row() -> None:
    table = pa.table(counts_table({"w": WINTER, "s": PriceDistribution()}, by="season"))

    assert distributions(table, by="season", count="count") == {("w",): WINTER}


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ([WINTER], {}, "distribution: expected one or a mapping of several, got list"),
        ({"w": [69]}, {"by": "season"}, r"group \('w',\): expected a price distribution, got list"),
        (WINTER, {"by": "season"}, r"by: expected 0 names of columns, for keys such as \(\), got"),
        ({("w", 1): WINTER}, {"by": "season"}, "by: expected 2 names of columns, for keys such as"),
        ({"w": WINTER}, {"by": "count"}, "column 'count': another column has the same name; rename it"),
        (
            {"w": WINTER},
            {"by": "currency", "currency": "CHF"},
            "column 'currency': another column has the same name; rename it",
        ),
        (WINTER, {"currency": "CHX"}, "unknown currency 'CHX'"),
        (PriceDistribution((-(10**12) - 1,), (1,)), {}, "price -1000000000001: beyond 1000000000000 minor"),
        (PriceDistribution((1,), (2**63,)), {}, f"expected counts of at most {2**63 - 1}, got {2**63}"),
    ],
)
def test_counts_that_cannot_be_stored_are_refused(given: Any, options: Any, message: str) -> None:
    with pytest.raises(FaregateError, match=f"^{message}"):
        counts_table(given, **options)


def test_the_largest_price_and_count_can_be_stored() -> None:
    largest = PriceDistribution((-(10**12), 10**12), (1, 2**63 - 2))
    table = pa.table(counts_table(largest))

    assert distributions(table, count="count", negatives=Negatives.ALLOWED) == {(): largest}
