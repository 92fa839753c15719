"""Writes to a database that bypass its constraints."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import asyncpg

from faregate_server.store.locations import location
from support.service.service import Json
from support.stores.postgresql import in_session

_CHECKS = """
    SELECT conrelid::regclass::text, conname::text, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE contype = 'c' AND connamespace = current_schema()::regnamespace
"""


def edit(url: str, *statements: str) -> None:
    """Run *statements* normally: triggers count, and constraints apply."""
    if url.startswith("postgresql:"):
        in_session(url, lambda connection: connection.execute(";".join(statements)))
        return
    with _sqlite(url) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        for statement in statements:
            connection.execute(statement)


def spoil(url: str, *statements: str) -> None:
    """Run *statements* without triggers, checks and foreign keys, which are restored afterwards."""
    if url.startswith("postgresql:"):
        in_session(url, lambda connection: _spoil_postgresql(connection, statements))
        return
    with _sqlite(url) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        triggers = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
        for _, sql in triggers:
            connection.execute(sql)


async def _spoil_postgresql(connection: asyncpg.Connection, statements: tuple[str, ...]) -> None:
    checks = await connection.fetch(_CHECKS)
    await connection.execute("SET session_replication_role = replica")
    for table, name, _ in checks:
        await connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    for statement in statements:
        await connection.execute(statement)
    for table, name, words in checks:
        added = f"ALTER TABLE {table} ADD CONSTRAINT {name} {words}"
        try:
            await connection.execute(added)
        except asyncpg.CheckViolationError:
            await connection.execute(f"{added} NOT VALID")


def edit_figures(url: str, order: str, change: Callable[[Json], Any]) -> None:
    """Apply *change* to the stored figures of an order."""
    rewrite(
        url, f"SELECT figures FROM orders WHERE id = '{order}'", "UPDATE orders SET figures", order, change
    )


def edit_inputs(url: str, checkout: str, change: Callable[[Json], Any]) -> None:
    """Apply *change* to the stored inputs of a checkout."""
    found = f"SELECT inputs FROM checkouts WHERE id = '{checkout}'"
    rewrite(url, found, "UPDATE checkouts SET inputs", checkout, change)


def rewrite(url: str, found: str, put: str, row: str, change: Callable[[Json], Any]) -> None:
    """Apply *change* to the JSON that was *found*."""
    data = json.loads(value_of(url, found))
    change(data)
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False).replace("'", "''")
    edit(url, f"{put} = '{text}' WHERE id = '{row}'")


def value_of(url: str, question: str) -> Any:
    """Return the only value that *question* selects."""
    if url.startswith("postgresql:"):
        return in_session(url, lambda connection: connection.fetchval(question))
    with _sqlite(url) as connection:
        ((value,),) = connection.execute(question)
        return value


def sqlite_path(url: str) -> Path:
    """Return the file of a SQLite database."""
    file = location(url)
    assert isinstance(file, Path)
    return file


@contextmanager
def _sqlite(url: str) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(sqlite_path(url), isolation_level=None)) as connection:
        yield connection
