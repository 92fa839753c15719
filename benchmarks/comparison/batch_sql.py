"""B in SQL: DuckDB with in-memory tables, windows for ranks and sums by group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import numpy as np
import polars as pl

from benchmarks.comparison.batch_workload import Answer, Carts, Figures

THREADS = 2
COLUMNS = list(Figures._fields)

SHARED = """
    CREATE OR REPLACE TEMP TABLE shared AS
    WITH listed AS (SELECT line, cart, rate, unit_price * quantity AS list_gross FROM lines),
    carts AS (
        SELECT cart, sum(list_gross)::BIGINT AS whole, (whole * 10 + 50) // 100 AS code
        FROM listed GROUP BY cart
    ),
    floors AS (
        SELECT line, cart, rate, list_gross, code,
            list_gross * code // whole AS floor, list_gross * code % whole AS remainder
        FROM listed JOIN carts USING (cart)
    ),
    shares AS (
        SELECT line, cart, rate, list_gross, floor + (
            row_number() OVER (PARTITION BY cart ORDER BY remainder DESC, line)
                <= code - sum(floor) OVER (PARTITION BY cart)
        )::BIGINT AS discount_gross
        FROM floors
    )
    SELECT *, list_gross - discount_gross AS total_gross FROM shares
"""
TAXED = """
    CREATE OR REPLACE TEMP TABLE priced AS
    WITH sums AS (
        SELECT cart, rate, sum(total_gross)::BIGINT AS total_sum, sum(discount_gross)::BIGINT AS discount_sum,
            sum(total_gross * 1000000 // (1000000 + rate))::BIGINT AS total_floors,
            sum(discount_gross * 1000000 // (1000000 + rate))::BIGINT AS discount_floors
        FROM shared GROUP BY cart, rate
    ),
    short AS (
        SELECT cart, rate,
            total_sum - total_floors
                - (2 * total_sum * rate + 1000000 + rate) // (2 * (1000000 + rate)) AS total_short,
            discount_sum - discount_floors
                - (2 * discount_sum * rate + 1000000 + rate) // (2 * (1000000 + rate)) AS discount_short
        FROM sums
    ),
    nets AS (
        SELECT line, cart, list_gross, discount_gross, total_gross,
            total_gross * 1000000 // (1000000 + rate) + (
                row_number() OVER (
                    PARTITION BY cart, rate ORDER BY total_gross * 1000000 % (1000000 + rate) DESC, line
                ) <= total_short
            )::BIGINT AS total_net,
            discount_gross * 1000000 // (1000000 + rate) + (
                row_number() OVER (
                    PARTITION BY cart, rate ORDER BY discount_gross * 1000000 % (1000000 + rate) DESC, line
                ) <= discount_short
            )::BIGINT AS discount_net
        FROM shared JOIN short USING (cart, rate)
    )
    SELECT *, total_net + discount_net AS list_net FROM nets
"""
SUMMED = f"""
    CREATE OR REPLACE TEMP TABLE summed AS
    SELECT cart, {", ".join(f"sum({name})::BIGINT AS {name}" for name in COLUMNS)} FROM priced GROUP BY cart
"""


def with_duckdb(carts: Carts) -> Callable[[], Any]:
    connection = duckdb.connect()
    connection.execute(f"SET threads = {THREADS}; SET preserve_insertion_order = false")
    connection.register("given", pl.DataFrame(carts.columns()).to_arrow())
    connection.execute("CREATE TABLE lines AS SELECT * FROM given")

    def run() -> Any:
        for statement in (SHARED, TAXED, SUMMED):
            connection.execute(statement)
        return connection

    return run


def read_duckdb(connection: Any) -> Answer:
    tables = (("priced", "line"), ("summed", "cart"))
    parts = []
    for table, key in tables:
        found = connection.execute(f"SELECT * FROM {table}").fetchnumpy()
        order = np.argsort(found[key])
        parts.append(Figures(*(found[name][order] for name in COLUMNS)))
    return Answer(*parts)
