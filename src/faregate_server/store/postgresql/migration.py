"""Migrations of a PostgreSQL database in one transaction under an advisory lock."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from faregate_http.store.contract import StoreUnavailable
from faregate_server.store.postgresql.connection import connect, revision_of
from faregate_server.store.postgresql.errors import FAILURES

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from faregate_server.store.postgresql.location import PostgresqlLocation

LOCK_KEY = 0x6661_7265_6761_7465
"""The advisory lock of migrations: "faregate" in ASCII."""


def migrate_postgresql(
    location: PostgresqlLocation, *, head: str, upgrade: Callable[[Connection], None], lock_timeout_ms: int
) -> str | None:
    """Migrate the database at *location* to *head* by calling *upgrade*; return its previous revision.

    The call blocks, and uses its own event loop, so it can also be made while another one runs.

    Raises:
        NewerDatabase: the database is at an unknown revision.
        StoreUnavailable: the database cannot be reached or changed.
    """
    work = partial(_migrate, location, head, upgrade, lock_timeout_ms)
    with ThreadPoolExecutor(1, thread_name_prefix="faregate-migration") as thread:
        return thread.submit(lambda: asyncio.run(work())).result()


async def _migrate(
    location: PostgresqlLocation, head: str, upgrade: Callable[[Connection], None], lock_timeout_ms: int
) -> str | None:
    from sqlalchemy.exc import DBAPIError

    try:
        async with asyncio.timeout(location.timeout):
            found = await _revision(location)
        if found != head:
            await _upgrade(location, upgrade, lock_timeout_ms)
    except DBAPIError as error:
        raise _unavailable(error.orig or error) from error
    except (*FAILURES, ValueError) as error:
        raise _unavailable(error) from error
    return found


async def _revision(location: PostgresqlLocation) -> str | None:
    connection = await connect(location)
    try:
        return await revision_of(connection)
    finally:
        connection.terminate()


async def _upgrade(
    location: PostgresqlLocation, upgrade: Callable[[Connection], None], lock_timeout_ms: int
) -> None:
    from sqlalchemy.ext.asyncio import create_async_engine
    from sqlalchemy.pool import NullPool

    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=partial(connect, location), poolclass=NullPool
    )
    async with engine.begin() as connection:
        # Statements have no time limit, since tables may be large; only the wait for another service is
        # limited.
        await connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
        await connection.exec_driver_sql("SET LOCAL idle_in_transaction_session_timeout = 0")
        await connection.exec_driver_sql(f"SET LOCAL lock_timeout = {lock_timeout_ms}")
        await connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK_KEY})")
        await connection.run_sync(upgrade)


def _unavailable(error: BaseException) -> StoreUnavailable:
    """Return *error* as a StoreUnavailable with a message of one line."""
    line = next(iter(str(error).splitlines()), "") or type(error).__name__
    return StoreUnavailable(f"cannot open the database: {line}")
