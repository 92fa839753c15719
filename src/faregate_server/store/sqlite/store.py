"""Checkouts in one SQLite file, which is read on the event loop and written in groups of saves."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Self

from faregate_http.store.contract import CheckoutRow, Hold, HoldLimits, SlotCount, StoreUnavailable
from faregate_http.store.holds import grown_holds
from faregate_server.database_load import DatabaseLoad
from faregate_server.store.sql.statements import HEAD, slot_counts
from faregate_server.store.sql.store import Row, SqlStore
from faregate_server.store.sql.writes import Write, checkout_write
from faregate_server.store.sqlite.file import connect, opening, truncate_log
from faregate_server.store.sqlite.holds import HolderStep, HoldStep
from faregate_server.store.sqlite.statements import PROBE, RELEASE_EXPIRED, SELL, taken
from faregate_server.store.sqlite.writer import GroupWriter, Step

READ_BUSY_TIMEOUT_MS = 20
"""Maximum time that a read blocks the event loop while another process recovers the log."""

_taken = cache(taken)


class SqliteStore(SqlStore):
    """A `Store` in one file, which other processes may use at the same time."""

    now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"

    def __init__(self, path: str | Path, reader: sqlite3.Connection, writer: GroupWriter) -> None:
        self._path = path
        self._reader = reader
        self._read = reader.cursor().execute
        self._writer = writer

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        busy_timeout_ms: int = 5_000,
        waiting_limit: int = 10_000,
        group_limit: int = 256,
    ) -> Self:
        """Open the file at *path*, whose tables must exist (see `migrate`).

        A write waits up to *busy_timeout_ms* for other processes to finish writing. At most *waiting_limit*
        writes wait for the disk, and up to *group_limit* of them share one commit.

        Raises:
            UnsupportedDatabase: *path* is an in-memory database.
            StoreUnavailable: the file cannot be opened or written, or lacks the tables.
        """
        with opening(path), ExitStack() as on_failure:
            connection = connect(path, busy_timeout_ms=busy_timeout_ms)
            on_failure.callback(connection.close)
            _prepare_for_writing(connection, busy_timeout_ms=busy_timeout_ms)
            reader = connect(path, busy_timeout_ms=READ_BUSY_TIMEOUT_MS)
            on_failure.callback(reader.close)
            connection.execute("PRAGMA busy_timeout = 0")  # the writer waits without blocking the event loop
            reader.execute("PRAGMA query_only = ON")
            reader.execute(HEAD, ("",)).fetchone()
            on_failure.pop_all()
        writer = GroupWriter(
            connection,
            group_limit=group_limit,
            waiting_limit=waiting_limit,
            busy_seconds=busy_timeout_ms / 1000,
        )
        return cls(path, reader, writer)

    def load(self) -> DatabaseLoad:
        return self._writer.load()

    async def _fetch(self, sql: str, *values: object) -> list[Row]:
        try:
            return self._read(sql, values).fetchall()
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the database cannot be read: {error}") from error

    async def _change(self, sql: str, *values: object) -> int:
        return await self._writer.submit((Write(sql, values),))

    async def _write(
        self,
        checkout: CheckoutRow | None,
        holds: Sequence[Hold] | None,
        others: Sequence[Write],
        limits: HoldLimits | None,
    ) -> None:
        steps = [*(_checkout_steps(checkout, holds, limits) if checkout else ()), *others]
        if steps:
            await self._writer.submit(steps)

    async def _release_piece(self, at: int, without: str | None) -> int:
        return await self._change(RELEASE_EXPIRED, at, without)

    async def taken(
        self, pools: Sequence[str], first: str, last: str, *, at: int, without: str | None = None
    ) -> list[SlotCount]:
        if not pools:
            return []
        return slot_counts(await self._fetch(_taken(len(pools)), at, without, first, last, *pools))

    async def version(self) -> int | None:
        rows = await self._fetch("PRAGMA data_version")
        return int(rows[0][0])

    async def truncate_log(self) -> bool:
        try:
            return await asyncio.to_thread(truncate_log, self._path)
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the write-ahead log cannot be written back: {error}") from error

    async def check(self) -> None:
        """Check that the database can be read, and that a write reaches the disk; no data is changed."""
        await self.head("")
        # A connection of its own would only compete with the writer for the one lock of the file.
        await self._writer.submit((Write(PROBE, ()),), is_first=True)

    async def close(self) -> None:
        await self._writer.close()
        self._reader.close()


def _prepare_for_writing(connection: sqlite3.Connection, *, busy_timeout_ms: int) -> None:
    _use_write_ahead_log(connection, deadline=time.monotonic() + busy_timeout_ms / 1000)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: also flush the drive's cache
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # overwrite deleted content with zeros
    connection.execute("PRAGMA temp_store = MEMORY")  # the savepoint journal, otherwise a file from 64 KiB on
    # A file that cannot be written fails here; BEGIN IMMEDIATE alone would succeed.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(PROBE)
    connection.execute("ROLLBACK")


def _use_write_ahead_log(connection: sqlite3.Connection, *, deadline: float) -> None:
    # SQLite ignores the busy timeout here: of processes that open a new file at once, all but one get an
    # error.
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
            time.sleep(0.01)
            continue
        if mode != "wal":
            raise sqlite3.OperationalError(f"cannot enable write-ahead logging: the journal mode is {mode!r}")
        return


def _checkout_steps(
    row: CheckoutRow, holds: Sequence[Hold] | None, limits: HoldLimits | None
) -> Iterator[Write | Step]:
    # If `has_holds` becomes false, a trigger deletes the holds of the checkout.
    yield checkout_write(row, has_holds=None if holds is None else bool(holds))
    if holds:
        if limits is not None and (grown := grown_holds(row, holds)):
            yield HolderStep(row, grown, limits)
        yield HoldStep(row.id, holds, row.changed_at, row.revision == 1)
    if row.is_closed:
        yield Write(SELL, (row.id,))
