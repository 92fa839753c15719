"""Three ways to make a checkout durable in SQLite (write-ahead log, synchronous = FULL)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, Self, TypeAlias

import aiosqlite
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    LargeBinary,
    MetaData,
    Table,
    Text,
    event,
    insert,
    select,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from faregate_http.store.contract import CheckoutRow, Store
from faregate_server.store.opening import open_store

Decision: TypeAlias = "Callable[[CheckoutRow | None], tuple[CheckoutRow, bytes]]"
"""Function from the current row to the new row and the response."""


class RowStore(Protocol):
    """Interface of a contender."""

    async def save(self, row: CheckoutRow) -> None:
        """Insert one row in its own transaction; it is on disk afterwards."""

    async def change(self, checkout_id: str, decide: Decision) -> bytes:
        """Read the row, decide, and insert in one transaction; the result is on disk afterwards."""

    async def close(self) -> None: ...


class OwnStore:
    """Store of faregate: one writing thread that commits waiting changes together."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @classmethod
    async def open(cls, path: Path) -> Self:
        return cls(open_store(f"sqlite:///{path}"))

    async def save(self, row: CheckoutRow) -> None:
        await self._store.save(row)

    async def change(self, checkout_id: str, decide: Decision) -> bytes:
        row, answer = decide(await self._store.checkout(checkout_id))
        await self._store.save(row)
        return answer

    async def close(self) -> None:
        await self._store.close()


# ---------------------------------------------------------------- SQLAlchemy async


_METADATA = MetaData()
_CHECKOUTS = Table(
    "checkouts",
    _METADATA,
    Column("id", Text, primary_key=True),
    Column("channel", Text, nullable=False),
    Column("account", BigInteger),
    Column("is_closed", Boolean, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("inputs", LargeBinary, nullable=False),
)


class SqlalchemyStore:
    """Store with SQLAlchemy Core on aiosqlite, a transaction per request; its ORM took 1.4 times the CPU.

    It has one connection: more writers would wait for each other by sleeping (SQLite's busy handler).
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    @classmethod
    async def open(cls, path: Path) -> Self:
        engine = create_async_engine(
            f"sqlite+aiosqlite:///{path}", pool_size=1, max_overflow=0, pool_timeout=60
        )
        event.listen(engine.sync_engine, "connect", _make_durable)
        async with engine.begin() as connection:
            await connection.run_sync(_METADATA.create_all)
        return cls(engine)

    async def save(self, row: CheckoutRow) -> None:
        async with self._engine.begin() as connection:
            await connection.execute(insert(_CHECKOUTS), row._asdict())

    async def change(self, checkout_id: str, decide: Decision) -> bytes:
        async with self._engine.begin() as connection:
            found = await connection.execute(select(_CHECKOUTS).where(_CHECKOUTS.c.id == checkout_id))
            stored = found.first()
            row, answer = decide(None if stored is None else CheckoutRow(*stored))
            await connection.execute(insert(_CHECKOUTS), row._asdict())
        return answer

    async def close(self) -> None:
        await self._engine.dispose()


def _make_durable(connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.close()


# ---------------------------------------------------------------- aiosqlite alone

_CREATE = f"CREATE TABLE checkouts ({', '.join(CheckoutRow._fields)}, PRIMARY KEY (id))"
_INSERT = f"INSERT INTO checkouts VALUES ({', '.join('?' * len(CheckoutRow._fields))})"
_SELECT = "SELECT * FROM checkouts WHERE id = ?"


class AiosqliteStore:
    """Store with one connection, and a lock between the transactions of requests."""

    def __init__(self, connection: aiosqlite.Connection) -> None:
        self._connection = connection
        self._lock = asyncio.Lock()

    @classmethod
    async def open(cls, path: Path) -> Self:
        connection = await aiosqlite.connect(path)
        await connection.execute("PRAGMA journal_mode = WAL")
        await connection.execute("PRAGMA synchronous = FULL")
        await connection.execute(_CREATE)
        await connection.commit()
        return cls(connection)

    async def save(self, row: CheckoutRow) -> None:
        async with self._lock:
            await self._connection.execute(_INSERT, row)
            await self._connection.commit()

    async def change(self, checkout_id: str, decide: Decision) -> bytes:
        async with self._lock:
            async with self._connection.execute(_SELECT, (checkout_id,)) as cursor:
                stored = await cursor.fetchone()
            row, answer = decide(None if stored is None else CheckoutRow(*stored))
            await self._connection.execute(_INSERT, row)
            await self._connection.commit()
        return answer

    async def close(self) -> None:
        await self._connection.close()
