"""Read-only snapshots of a PostgreSQL database."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from faregate_server.store.postgresql.connection import connect, revision_of
from faregate_server.store.postgresql.errors import FAILURES, translated
from faregate_server.store.postgresql.statements import numbered

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator, Sequence

    import asyncpg

    from faregate_server.store.postgresql.location import PostgresqlLocation

_AT_ONCE = 500
"""Rows fetched per round trip."""

# Only tables on the search path, and no triggers that fire only for replication.
_NAMES = """
    SELECT relname::text FROM pg_index JOIN pg_class ON oid = indexrelid
    WHERE indisvalid AND pg_table_is_visible(indrelid)
    UNION ALL
    SELECT conname::text FROM pg_constraint WHERE convalidated AND pg_table_is_visible(conrelid)
    UNION ALL
    SELECT tgname::text FROM pg_trigger WHERE tgenabled IN ('O', 'A') AND pg_table_is_visible(tgrelid)
"""

Result = TypeVar("Result")


class PostgresqlReader:
    """A `SnapshotReader` with its own thread and event loop, so that callers can be on another event loop."""

    triggers = frozenset({"checkouts_released", "holds_counted"})

    def __init__(self, location: PostgresqlLocation) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="faregate-snapshot")
        self._runner = asyncio.Runner()
        try:
            self._connection = self._run(_begun(location))
        except BaseException:
            self._end()
            raise

    def revision(self) -> str | None:
        """See `SnapshotReader.revision`."""
        return self._run(revision_of(self._connection))

    def names(self) -> set[str]:
        """See `SnapshotReader.names`."""
        return {name for (name,) in self.fetch(_NAMES)}

    def fetch(self, sql: str, *values: object) -> Sequence[Sequence[Any]]:
        """See `SnapshotReader.fetch`."""
        return self._run(self._connection.fetch(numbered(sql), *values))

    def stream(self, sql: str) -> Iterator[Sequence[Any]]:
        """See `SnapshotReader.stream`."""
        cursor = self._run(self._opened(sql))
        while rows := self._run(cursor.fetch(_AT_ONCE)):
            yield from rows

    async def _opened(self, sql: str) -> asyncpg.cursor.Cursor:
        return await self._connection.cursor(sql)

    def damage(self) -> Iterator[str]:
        """Yield nothing: use pg_amcheck to check a PostgreSQL database."""
        return iter(())

    def close(self) -> None:
        """Cancel the running query and close the connection."""
        self._runner.get_loop().call_soon_threadsafe(self._connection.terminate)
        self._end()

    def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        try:
            return self._thread.submit(self._runner.run, work).result()
        except (*FAILURES, ValueError) as error:
            raise translated(error) from error

    def _end(self) -> None:
        self._thread.submit(self._runner.close)
        self._thread.shutdown()


async def _begun(location: PostgresqlLocation) -> asyncpg.Connection:
    connection = await connect(location)
    try:
        await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        # No time limit for queries or for pauses between them.
        await connection.execute("SET LOCAL statement_timeout = 0")
        await connection.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
    except BaseException:
        connection.terminate()
        raise
    return connection
