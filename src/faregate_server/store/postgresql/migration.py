"""Migrations of a PostgreSQL database in one transaction under an advisory lock."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from faregate_http.store.contract import StoreError, StoreUnavailable
from faregate_server.store.postgresql.clock import ClockGuard
from faregate_server.store.postgresql.connection import connect
from faregate_server.store.postgresql.errors import FAILURES, first_line
from faregate_server.store.postgresql.location import PostgresqlLocation
from faregate_server.store.postgresql.session import Session

if TYPE_CHECKING:  # loaded only to migrate, because it takes a while
    from sqlalchemy.ext.asyncio import AsyncConnection

LOCK_KEY = 0x6661_7265_6761_7465
"""The key of the advisory lock that a migration takes: "faregate" in ASCII."""


def migrate_postgresql(
    location: PostgresqlLocation, *, head: str, upgrade: Callable[[Connection], None], lock_timeout_ms: int
) -> str | None:
    """Migrate the database at *location* to *head* by calling *upgrade*; return its previous revision.

    The call blocks. It uses its own event loop, so it also works while another loop is running.

    Raises:
        NewerDatabase: the database is at an unknown revision.
        StoreUnavailable: the database cannot be reached or changed, or contains another application's tables.
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
    except StoreError:
        raise
    except DBAPIError as error:
        raise _unavailable(error.orig or error) from error
    except (*FAILURES, ValueError) as error:
        raise _unavailable(error) from error
    return found


async def _revision(location: PostgresqlLocation) -> str | None:
    session = Session(await connect(location), location.schema)
    try:
        await ClockGuard().check(session.connection)
        return await session.revision()
    finally:
        session.connection.terminate()


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
        await _enter_schema(connection, location.schema)
        await connection.run_sync(upgrade)


async def _enter_schema(connection: "AsyncConnection", schema: str) -> None:
    """Create *schema* if it is missing, and put it on the search path, so that tables are created in it."""
    found = await connection.exec_driver_sql(f"SELECT to_regnamespace('\"{schema}\"')")
    if found.scalar() is None:  # IF NOT EXISTS would need the right to create schemas even if it exists
        await connection.exec_driver_sql(f'CREATE SCHEMA "{schema}"')
    await connection.exec_driver_sql(f'SET LOCAL search_path = "{schema}", pg_temp')


def _unavailable(error: BaseException) -> StoreUnavailable:
    """Return a StoreUnavailable whose message contains only the first line of *error*."""
    line = first_line(error)
    if "unsupported startup parameter" in line:  # from PgBouncer
        line += (
            "; in pgbouncer.ini, set ignore_startup_parameters = "
            "statement_timeout,idle_in_transaction_session_timeout, and add statement_cache=0 to the URL"
        )
    return StoreUnavailable(f"cannot open the database: {line}")
