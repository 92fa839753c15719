"""The statements of the guide to stored counts give the quantiles of faregate in DuckDB and PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.insights.distribution import PriceDistribution
from faregate.insights.percentiles import QuantileMethod
from support.documentation.pages import ROOT, Page

STATEMENTS = {
    block.name: block.text
    for block in Page(ROOT / "docs" / "guides" / "stored_counts.md").blocks
    if block.language == "sql"
}
PERCENTS = (10, 25, 50, 75, 90)
LATEST = date(2026, 12, 27)
INSERT = "INSERT INTO sales VALUES ({0}1, {0}2, {0}3, {0}4)"

Sale: TypeAlias = tuple[date, int, str, int]
Row: TypeAlias = tuple[int, str, int, int, int, int]
"""Product, currency, percentage, number of sales, nearest rank, interpolated quantile in hundredths."""

sales = st.tuples(
    st.integers(0, 40).map(lambda ago: LATEST - timedelta(days=ago)),
    st.integers(1, 2),
    st.sampled_from(["CHF", "EUR"]),
    st.integers(-3, 9) | st.integers(-(10**12), 10**12),
)


def in_duckdb(batches: Sequence[Sequence[Sale]]) -> list[Row]:
    """Merge each batch of sales, and return the quantiles of the last 28 days."""
    with duckdb.connect() as database:
        database.execute(STATEMENTS["tables.sql"])
        for batch in batches:
            if batch:
                database.executemany(INSERT.format("$"), [list(sale) for sale in batch])
            database.execute(STATEMENTS["merge.sql"])
        database.execute(STATEMENTS["window.sql"])
        return database.execute(STATEMENTS["quantiles.sql"]).fetchall()


def in_postgresql(batches: Sequence[Sequence[Sale]]) -> list[Row]:
    """Do the same as ``in_duckdb``."""
    from support.stores.postgresql import empty_database, in_session

    async def work(connection: Any) -> list[Row]:
        await connection.execute("CREATE SCHEMA faregate;" + STATEMENTS["tables.sql"])
        for batch in batches:
            await connection.executemany(INSERT.format("$"), batch)
            await connection.execute(STATEMENTS["merge.sql"])
        await connection.execute(STATEMENTS["window.sql"])
        return [tuple(row) for row in await connection.fetch(STATEMENTS["quantiles.sql"])]

    with empty_database() as url:
        return in_session(url, work)


def expected(batches: Sequence[Sequence[Sale]]) -> list[tuple[Any, ...]]:
    """Return the same rows from the prices of each product and currency in the window."""
    given_sales = [sale for batch in batches for sale in batch]
    first = max((day for day, *_ in given_sales), default=LATEST) - timedelta(days=27)
    recent = [sale[1:] for sale in given_sales if sale[0] >= first]
    rows: list[tuple[Any, ...]] = []
    for product, currency in sorted({(product, currency) for product, currency, _ in recent}):
        prices = PriceDistribution.from_prices(
            price for *group, price in recent if group == [product, currency]
        )
        for percent in PERCENTS:
            nearest = prices.quantile(percent, method=QuantileMethod.INVERTED_CDF)
            rows.append((product, currency, percent, prices.n, nearest, prices.quantile(percent)))
    return rows


def exact(rows: Sequence[Row]) -> list[tuple[Any, ...]]:
    """Return *rows* with the interpolated quantile in minor units."""
    return [(*row[:5], Fraction(int(row[5]), 100)) for row in rows]


@given(st.lists(st.lists(sales, max_size=12), max_size=3))
def test_quantiles_from_counts_in_duckdb_are_exact(batches: list[list[Sale]]) -> None:
    assert exact(in_duckdb(batches)) == expected(batches)


@pytest.mark.parametrize("run", [in_duckdb, in_postgresql])
def test_a_thousand_sales_have_the_same_quantiles_in(run: Callable[..., list[Row]]) -> None:
    draw = Random(28)
    drawn = [
        (
            LATEST - timedelta(draw.randrange(40)),
            draw.choice((11, 41)),
            "CHF",
            draw.choice((69, 70, 79, 10**12)),
        )
        for _ in range(1_000)
    ]

    assert exact(run([drawn[:600], drawn[600:], drawn[:7]])) == expected([drawn, drawn[:7]])
