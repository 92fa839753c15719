"""Read-only snapshots of a PostgreSQL database."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from faregate_http.store.contract import StoreError
from faregate_server.store.postgresql.connection import connect
from faregate_server.store.postgresql.errors import FAILURES, translated
from faregate_server.store.postgresql.session import Session, in_schema

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator, Sequence

    import asyncpg

    from faregate_server.store.postgresql.location import PostgresqlLocation

_AT_ONCE = 500
"""Number of rows fetched per round trip to the server."""

# Triggers that fire only for replication do not count.
_NAMES = """
    SELECT relname::text FROM pg_index JOIN pg_class ON oid = indexrelid
    WHERE indisvalid AND relnamespace = to_regnamespace($1::text)
    UNION ALL
    SELECT conname::text FROM pg_constraint WHERE convalidated AND connamespace = to_regnamespace($1::text)
    UNION ALL
    SELECT tgname::text FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE tgenabled IN ('O', 'A') AND relnamespace = to_regnamespace($1::text)
"""

Result = TypeVar("Result")


class PostgresqlReader:
    """A `SnapshotReader` with its own thread and event loop, so that it works while another loop runs."""

    triggers = frozenset({"checkouts_released", "holds_counted"})

    def __init__(self, location: PostgresqlLocation) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="faregate-snapshot")
        self._runner = asyncio.Runner()
        try:
            self._session = self._run(_begun(location))
        except BaseException:
            self._end()
            raise

    def revision(self) -> str | None:
        """See `SnapshotReader.revision`."""
        return self._run(self._session.revision())

    def names(self) -> set[str]:
        """See `SnapshotReader.names`."""
        return {name for (name,) in self.fetch(_NAMES, f'"{self._session.schema}"')}

    def fetch(self, sql: str, *values: object) -> Sequence[Sequence[Any]]:
        """See `SnapshotReader.fetch`."""
        return self._run(self._session.fetch(sql, *values))

    def stream(self, sql: str) -> Iterator[Sequence[Any]]:
        """See `SnapshotReader.stream`."""
        cursor = self._run(self._opened(sql))
        while rows := self._run(cursor.fetch(_AT_ONCE)):
            yield from rows

    async def _opened(self, sql: str) -> asyncpg.cursor.Cursor:
        return await self._session.connection.cursor(in_schema(sql, self._session.schema))

    def damage(self) -> Iterator[str]:
        """Yield nothing; to find damage in a PostgreSQL database, use pg_amcheck."""
        return iter(())

    def close(self) -> None:
        """Cancel the running query and close the connection."""
        self._runner.get_loop().call_soon_threadsafe(self._session.connection.terminate)
        self._end()

    def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        try:
            return self._thread.submit(self._runner.run, work).result()
        except StoreError:
            raise
        except (*FAILURES, ValueError) as error:
            raise translated(error) from error

    def _end(self) -> None:
        self._thread.submit(self._runner.close)
        self._thread.shutdown()


async def _begun(location: PostgresqlLocation) -> Session:
    connection = await connect(location)
    try:
        await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        # No time limit for queries or for pauses between them.
        await connection.execute("SET LOCAL statement_timeout = 0")
        await connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
    except BaseException:
        connection.terminate()
        raise
    return Session(connection, location.schema)
