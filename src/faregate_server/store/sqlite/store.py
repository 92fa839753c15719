"""Checkouts in one SQLite file: reads on the event loop, writes with group commit."""

import asyncio
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, Self

from sqlalchemy.dialects import sqlite

from faregate_http.store.contract import (
    AnswerTaken,
    CheckoutHead,
    CheckoutRow,
    Hold,
    HoldLimits,
    SlotCount,
    Stale,
    StoredAnswer,
    StoreUnavailable,
)
from faregate_http.store.holds import grown_holds
from faregate_http.store.records import Record, RecordType
from faregate_server.store.sql.hold_statements import RELEASED_AT_ONCE, compile_taken, slot_counts
from faregate_server.store.sql.record_statements import compile_find, place_of
from faregate_server.store.sql.statements import PURGED_AT_ONCE, Statement, compile_statements, scopes_of
from faregate_server.store.sql.tables import RECORDS
from faregate_server.store.sqlite.file import connect, opening, truncate_log
from faregate_server.store.sqlite.holds import (
    ExpiredInTheWay,
    HolderStep,
    keep_holds,
    release_expired,
    sell_holds,
)
from faregate_server.store.sqlite.records import due_of, erase_record, put_record, read_records
from faregate_server.store.sqlite.writer import Change, GroupWriter, Step

_DIALECT = sqlite.dialect()
_SQL = compile_statements(_DIALECT)

READ_BUSY_TIMEOUT_MS = 20
"""A read waits on the event loop, so hardly at all; in WAL mode only a recovery locks readers out."""

_PROBE = Change("PRAGMA user_version = 0", ())
"""Writes the first page as it is: a commit that holds nothing else still has to reach the disk."""


class SqliteStore:
    """A `Store` in one file. Other processes may use the same file at the same time."""

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
        """Open the file at *path*, whose tables exist (`migrate` makes them).

        A write waits *busy_timeout_ms* for other processes that write; *waiting_limit* writes may wait for
        the disk; up to *group_limit* of them share one commit.

        Raises:
            UnsupportedDatabase: *path* names a database in memory.
            StoreUnavailable: the file cannot be opened or written, or is no database with these tables.
        """
        with opening(path), ExitStack() as on_failure:
            connection = connect(path, busy_timeout_ms=busy_timeout_ms)
            on_failure.callback(connection.close)
            _prepare_for_writing(connection, busy_timeout_ms=busy_timeout_ms)
            reader = connect(path, busy_timeout_ms=READ_BUSY_TIMEOUT_MS)
            on_failure.callback(reader.close)
            connection.execute("PRAGMA busy_timeout = 0")  # the writer waits without holding up the loop
            reader.execute("PRAGMA query_only = ON")
            reader.execute(_SQL.head.text, ("",)).fetchone()
            on_failure.pop_all()
        writer = GroupWriter(
            connection,
            group_limit=group_limit,
            waiting_limit=waiting_limit,
            busy_seconds=busy_timeout_ms / 1000,
        )
        return cls(path, reader, writer)

    async def head(self, checkout_id: str) -> CheckoutHead | None:
        """See `Store.head`."""
        try:
            row = self._read(_SQL.head.text, (checkout_id,)).fetchone()
        except sqlite3.Error as error:
            raise _unreadable(error) from error
        if row is None:
            return None
        channel, account, is_closed, revision, changed_at, expires_at, is_paying = row
        return CheckoutHead(
            channel, account, is_closed == 1, revision, changed_at, expires_at, is_paying == 1
        )

    async def checkout(self, checkout_id: str) -> CheckoutRow | None:
        """See `Store.checkout`."""
        try:
            row = self._read(_SQL.checkout.text, (checkout_id,)).fetchone()
        except sqlite3.Error as error:
            raise _unreadable(error) from error
        return None if row is None else _checkout_row(row)

    async def checkouts_of(self, account: int, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        """See `Store.checkouts_of`."""
        return self._checkouts(_SQL.checkouts_of, after, account, limit)

    async def walk(self, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        """See `Store.walk`."""
        return self._checkouts(_SQL.walk, after, limit)

    def _checkouts(self, statement: Statement, *values: str | int) -> list[CheckoutRow]:
        try:
            rows = self._read(statement.text, values).fetchall()
        except sqlite3.Error as error:
            raise _unreadable(error) from error
        return [_checkout_row(row) for row in rows]

    async def answer(self, scope: str, key: str) -> StoredAnswer | None:
        """See `Store.answer`."""
        try:
            row = self._read(_SQL.answer.text, (scope, key)).fetchone()
        except sqlite3.Error as error:
            raise _unreadable(error) from error
        if row is None:
            return None
        scope, key, fingerprint, status, headers, body, created_at = row
        return StoredAnswer(scope, key, fingerprint, status, headers.encode(), body, created_at)

    async def find(
        self,
        kind: type[RecordType],
        *,
        limit: int = 1000,
        after: RecordType | None = None,
        **values: str | int,
    ) -> list[RecordType]:
        """See `Store.find`."""
        statement = compile_find(_DIALECT, RECORDS[kind], tuple(values), is_behind=after is not None)
        return self._records(kind, statement.text, (*values.values(), *place_of(after), limit))

    async def due(self, kind: type[RecordType], at: int, *, limit: int = 100) -> list[RecordType]:
        """See `Store.due`."""
        sql = due_of(kind)
        return self._records(kind, sql, (at, limit)) if sql else []

    def _records(self, kind: type[RecordType], sql: str, values: Sequence[str | int]) -> list[RecordType]:
        try:
            rows = self._read(sql, values).fetchall()
        except sqlite3.Error as error:
            raise _unreadable(error) from error
        return read_records(kind, rows)

    async def taken(
        self, pools: Sequence[str], first: str, last: str, *, at: int, without: str | None = None
    ) -> list[SlotCount]:
        """See `Store.taken`."""
        if not pools:
            return []
        asked = (*pools, first, last)
        values = (*asked, at, without, *asked, without, *asked)
        try:
            rows = self._read(_taken(len(pools)).text, values).fetchall()
        except sqlite3.Error as error:
            raise _unreadable(error) from error
        return slot_counts(rows)

    async def save(
        self,
        row: CheckoutRow | None,
        answer: StoredAnswer | None = None,
        holds: Sequence[Hold] | None = None,
        *,
        records: Sequence[Record] = (),
        erased: Sequence[Record] = (),
        limits: HoldLimits | None = None,
    ) -> None:
        """See `Store.save`."""
        steps: list[Step] = []
        if row is not None:
            steps += _checkout_steps(row, holds, limits)
        elif holds is not None:
            raise ValueError("a checkout holds places: save its row with them")
        if answer is not None:
            steps.append(_keep(answer))
        steps += [erase_record(record) for record in erased]
        steps += [put_record(record) for record in records]
        if not steps:
            return
        while True:
            try:
                await self._writer.submit(steps)
            except ExpiredInTheWay:
                await self._release_for(row)
            else:
                return

    async def _release_for(self, row: CheckoutRow | None) -> None:
        if row is not None:
            await self._release(row.changed_at, without=row.id)

    async def version(self) -> int | None:
        """See `Store.version`."""
        try:
            (version,) = self._read("PRAGMA data_version").fetchone()
        except sqlite3.Error as error:
            raise _unreadable(error) from error
        return int(version)

    async def purge_answers(self, before: int) -> int:
        """See `Store.purge_answers`."""
        return await self._in_pieces(Change(_SQL.purge_answers.text, (before,)), PURGED_AT_ONCE)

    async def forget_answers(self, owner: str) -> int:
        """See `Store.forget_answers`."""
        return await self._in_pieces(Change(_SQL.forget_answers.text, scopes_of(owner)), PURGED_AT_ONCE)

    async def release_expired(self, at: int) -> int:
        """See `Store.release_expired`."""
        return await self._release(at, without=None)

    async def _release(self, at: int, *, without: str | None) -> int:
        return await self._in_pieces(release_expired(at, without=without), RELEASED_AT_ONCE)

    async def _in_pieces(self, change: Change, piece: int) -> int:
        """Make *change*, which touches at most *piece* rows, until none is left; saves get their turn."""
        touched = 0
        while True:
            count = await self._writer.submit((change,))
            touched += count
            if count < piece:
                return touched

    async def truncate_log(self) -> bool:
        """See `Store.truncate_log`."""
        try:
            return await asyncio.to_thread(truncate_log, self._path)
        except sqlite3.Error as error:
            raise StoreUnavailable(f"the log cannot be written back: {error}") from error

    async def check(self) -> None:
        """See `Store.check`; writes a page and waits for the disk."""
        await self.head("")
        await self._writer.submit((_PROBE,))

    async def close(self) -> None:
        """See `Store.close`."""
        await self._writer.close()
        self._reader.close()


def _prepare_for_writing(connection: sqlite3.Connection, *, busy_timeout_ms: int) -> None:
    _use_write_ahead_log(connection, deadline=time.monotonic() + busy_timeout_ms / 1000)
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA fullfsync = ON")  # macOS: through the cache of the drive, too
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA secure_delete = ON")  # zeros where something was
    connection.execute(
        "PRAGMA temp_store = MEMORY"
    )  # what a savepoint would undo; from 64 KiB on, else, a file
    # A file that cannot be written says so now; BEGIN IMMEDIATE alone passes on one.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(_PROBE.sql)
    connection.execute("ROLLBACK")


def _use_write_ahead_log(connection: sqlite3.Connection, *, deadline: float) -> None:
    # Here SQLite heeds no busy timeout: of processes that open a new file at once, all but one are told off.
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
            time.sleep(0.01)
            continue
        if mode != "wal":
            raise sqlite3.OperationalError(f"no write-ahead log there, only {mode}")
        return


@cache
def _taken(pools: int) -> Statement:
    return compile_taken(_DIALECT, pools)


def _checkout_row(row: Sequence[Any]) -> CheckoutRow:
    found = CheckoutRow._make(row)
    return found._replace(
        is_closed=found.is_closed == 1, inputs=row[8].encode(), is_paying=found.is_paying == 1
    )


def _checkout_steps(
    row: CheckoutRow, holds: Sequence[Hold] | None, limits: HoldLimits | None
) -> Iterator[Step]:
    yield _put(row) if holds is None else _put_holder(row, has_holds=bool(holds))
    if holds:
        if limits is not None and (grown := grown_holds(row, holds)):
            yield HolderStep(row, grown, limits)
        yield keep_holds(row, holds)
    if row.is_closed:
        yield sell_holds(row)


def _put(row: CheckoutRow) -> Change:
    refusal = (Stale, (row.id, row.revision))
    values = (*row[:8], row.inputs.decode(), *row[9:])
    if row.revision == 1:
        return Change(_SQL.insert_checkout.text, values, refusal)
    return Change(_SQL.replace_checkout.text, (*values[1:], row.id, row.revision - 1), refusal)


def _put_holder(row: CheckoutRow, *, has_holds: bool) -> Change:
    # The tables let go of the holds of a checkout that has none any more.
    put = _put(row)
    if row.revision > 1:
        values = (*row[1:8], row.inputs.decode(), has_holds, *row[9:], row.id, row.revision - 1)
        return put._replace(sql=_SQL.replace_holder.text, values=values)
    return put._replace(sql=_SQL.insert_holder.text) if has_holds else put


def _keep(answer: StoredAnswer) -> Change:
    scope, key, fingerprint, status, headers, body, created_at = answer
    values = (scope, key, fingerprint, status, headers.decode(), body, created_at)
    return Change(_SQL.insert_answer.text, values, (AnswerTaken, (scope, key)))


def _unreadable(error: sqlite3.Error) -> StoreUnavailable:
    return StoreUnavailable(f"the database cannot be read: {error}")
