"""Holds for the tests of stores, and direct access to the tables."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import Connection, NullPool, create_engine

from faregate_http.store.contract import CheckoutRow, Hold, Store
from support.stores.rows import a_row
from support.stores.spoiling import sqlite_path

Result = TypeVar("Result")

POOL = "lift"
DAY = "2026-12-27"
NOW = a_row().changed_at
LATER = a_row().expires_at

TABLES = (
    "checkouts",
    "holds",
    "capacity",
    "answers",
    "accounts",
    "persons",
    "payment_details",
    "payments",
    "orders",
    "tickets",
)


def a_hold(units: int = 1, *, pool: str = POOL, slot: str = DAY, size: int = 10) -> Hold:
    return Hold(pool, slot, units, size)


def a_holder(
    checkout_id: str, *, revision: int = 1, at: int = NOW, expires_at: int = LATER, is_closed: bool = False
) -> CheckoutRow:
    row = a_row(checkout_id, revision=revision)
    return row._replace(changed_at=at, expires_at=expires_at, is_closed=is_closed)


async def held(
    store: Store, *, pool: str = POOL, slot: str = DAY, at: int = NOW, without: str | None = None
) -> int:
    """Return the held units of one slot."""
    counts = await store.taken([pool], slot, slot, at=at, without=without)
    return sum(count.held for count in counts)


def ask(database: str | Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """Run a hand-written statement; *database* is a URL or a file, ``?`` stands for a value."""
    if not isinstance(database, Path) and database.startswith("postgresql:"):
        from support.stores import postgresql

        return postgresql.ask(database, sql, *values)
    path = database if isinstance(database, Path) else sqlite_path(database)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        return connection.execute(sql, values).fetchall()


def in_engine(url: str, work: Callable[[Connection], Result]) -> Result:
    """Run *work* in a transaction of SQLAlchemy."""
    if url.startswith("postgresql:"):
        from support.stores.postgresql import in_sqlalchemy

        return in_sqlalchemy(url, work)
    with create_engine(url, poolclass=NullPool).begin() as connection:
        return work(connection)


def drop_size_check(database: str) -> None:
    """Remove the check against overselling from the capacity table."""
    if database.startswith("postgresql:"):
        ask(database, "ALTER TABLE capacity DROP CONSTRAINT ck_capacity_size")
        return
    path = sqlite_path(database)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        (version,) = connection.execute("PRAGMA schema_version").fetchone()
        connection.execute("PRAGMA writable_schema = ON")
        changed = connection.execute(
            "UPDATE sqlite_master SET sql = replace(sql, 'sold + held <= size', 'size >= 0')"
            " WHERE name = 'capacity' AND sql LIKE '%sold + held <= size%'"
        )
        assert changed.rowcount == 1
        connection.execute(f"PRAGMA schema_version = {version + 1}")
