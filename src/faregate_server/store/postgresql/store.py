"""Checkouts in a PostgreSQL database, which several services share.

``postgresql://user@host:5432/name`` is its URL; options stand behind it, as in
``postgresql://gate@db.example/tickets?pool_size=20&timeout=5&sslmode=verify-full``. `PostgresqlLocation`
lists them. The database must exist, empty or as an earlier version left it; the role creates tables in it.
A password is better kept in PGPASSWORD or a password file than in a URL. ``faregate migrate URL`` brings the
tables up to date by hand; a service does it at its start, one of several that start at once.

How it keeps the contract, in READ COMMITTED:

- A row is written on condition of its revision. Who comes second waits for the first, looks again and is
  `Stale`. From then on the row is locked, and with it what the checkout holds.
- Then the capacity of the slots that change is locked, in order of pool and slot, which is why saves do not
  wait for one another in a circle; and counted, after that. Whoever waits does not see too few places taken.
- Expired checkouts are locked before they are released, and looked at once more when they are: one that was
  settled or prolonged meanwhile keeps what it holds.
- What still ends in a deadlock or a serialisation failure (others may write by hand) is tried again, a few
  times, after a pause of random length.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from faregate_http.store.contract import (
    CheckoutHead,
    CheckoutRow,
    Hold,
    HoldLimits,
    SlotCount,
    StoredAnswer,
    StoreUnavailable,
)
from faregate_http.store.holds import grown_holds, in_order
from faregate_server.store.postgresql.holds import ExpiredInTheWay, check_holder, keep_holds, release_expired
from faregate_server.store.postgresql.pool import ConnectionPool, transaction
from faregate_server.store.postgresql.statements import PROBE, TAKEN
from faregate_server.store.postgresql.writes import DIALECT, RECORD_SQL, SQL, Write, writes_of
from faregate_server.store.sql.hold_statements import RELEASED_AT_ONCE, slot_counts
from faregate_server.store.sql.record_statements import compile_find, place_of
from faregate_server.store.sql.statements import PURGED_AT_ONCE, scopes_of
from faregate_server.store.sql.tables import RECORDS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    import asyncpg

    from faregate_http.store.records import Record, RecordType
    from faregate_server.store.postgresql.location import PostgresqlLocation

Result = TypeVar("Result")


class PostgresqlStore:
    """A `Store` in a PostgreSQL database whose tables exist (`migrate` makes them), used on one event loop.

    It connects when it is asked for something.
    """

    def __init__(self, location: PostgresqlLocation) -> None:
        self._pool = ConnectionPool(location)

    async def head(self, checkout_id: str) -> CheckoutHead | None:
        """See `Store.head`."""
        rows = await self._fetch(SQL.head.text, checkout_id)
        return CheckoutHead._make(rows[0]) if rows else None

    async def checkout(self, checkout_id: str) -> CheckoutRow | None:
        """See `Store.checkout`."""
        rows = await self._fetch(SQL.checkout.text, checkout_id)
        return _checkout_row(rows[0]) if rows else None

    async def checkouts_of(self, account: int, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        """See `Store.checkouts_of`."""
        return [_checkout_row(row) for row in await self._fetch(SQL.checkouts_of.text, after, account, limit)]

    async def walk(self, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        """See `Store.walk`."""
        return [_checkout_row(row) for row in await self._fetch(SQL.walk.text, after, limit)]

    async def answer(self, scope: str, key: str) -> StoredAnswer | None:
        """See `Store.answer`."""
        rows = await self._fetch(SQL.answer.text, scope, key)
        if not rows:
            return None
        answer = StoredAnswer._make(rows[0])
        return answer._replace(headers=rows[0]["headers"].encode())

    async def find(
        self,
        kind: type[RecordType],
        *,
        limit: int = 1000,
        after: RecordType | None = None,
        **values: str | int,
    ) -> list[RecordType]:
        """See `Store.find`."""
        statement = compile_find(DIALECT, RECORDS[kind], tuple(values), is_behind=after is not None)
        asked = (*values.values(), *place_of(after), limit)
        return [kind._make(row) for row in await self._fetch(statement.text, *asked)]

    async def due(self, kind: type[RecordType], at: int, *, limit: int = 100) -> list[RecordType]:
        """See `Store.due`."""
        sql = RECORD_SQL[kind].due.text
        return [kind._make(row) for row in await self._fetch(sql, at, limit)] if sql else []

    async def taken(
        self, pools: Sequence[str], first: str, last: str, *, at: int, without: str | None = None
    ) -> list[SlotCount]:
        """See `Store.taken`."""
        if not pools:
            return []
        rows = await self._fetch(TAKEN, at, without, pools, first, last)
        return slot_counts([tuple(row) for row in rows])

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
        writes = list(writes_of(row, answer, holds, records=records, erased=erased))
        if row is None:
            if holds is not None:
                raise ValueError("a checkout holds places: save its row with them")
            await self._write(writes)
        elif holds is None and not row.is_closed:
            await self._write(writes)
        else:
            await self._write_and_hold(writes, row, None if holds is None else in_order(holds), limits)

    async def _write(self, writes: Sequence[Write]) -> None:
        match writes:
            case []:
                return
            case [only]:
                await self._pool.run(only.run)
            case _:
                await self._in_transaction(partial(_run, writes))

    async def _write_and_hold(
        self,
        writes: Sequence[Write],
        row: CheckoutRow,
        holds: Sequence[Hold] | None,
        limits: HoldLimits | None,
    ) -> None:
        async def work(connection: asyncpg.Connection) -> bool:
            await _run(writes, connection)
            if limits is not None and (grown := grown_holds(row, holds or ())):
                await check_holder(connection, row, grown, limits)
            return await keep_holds(connection, row, holds)

        if await self._when_there_is_room(row, work):
            with suppress(StoreUnavailable):  # saved is saved
                await self._release_piece(row.changed_at, row.id)

    async def _when_there_is_room(
        self, row: CheckoutRow, work: Callable[[asyncpg.Connection], Awaitable[Result]]
    ) -> Result:
        while True:
            try:
                return await self._in_transaction(work)
            except ExpiredInTheWay:
                await self._release(row.changed_at, without=row.id)

    async def release_expired(self, at: int) -> int:
        """See `Store.release_expired`."""
        return await self._release(at, without=None)

    async def _release(self, at: int, *, without: str | None) -> int:
        return await _in_pieces(partial(self._release_piece, at, without), RELEASED_AT_ONCE)

    async def _release_piece(self, at: int, without: str | None) -> int:
        return await self._in_transaction(partial(release_expired, at=at, without=without))

    async def version(self) -> int | None:
        """See `Store.version`: PostgreSQL has none that is cheap and sees what others save."""
        return None

    async def purge_answers(self, before: int) -> int:
        """See `Store.purge_answers`."""
        return await _in_pieces(partial(self._deleted, SQL.purge_answers.text, before), PURGED_AT_ONCE)

    async def forget_answers(self, owner: str) -> int:
        """See `Store.forget_answers`."""
        piece = partial(self._deleted, SQL.forget_answers.text, *scopes_of(owner))
        return await _in_pieces(piece, PURGED_AT_ONCE)

    async def _deleted(self, sql: str, *values: str | int) -> int:
        async def work(connection: asyncpg.Connection) -> int:
            status: str = await connection.execute(sql, *values)
            return int(status.removeprefix("DELETE "))

        return await self._pool.run(work)

    async def truncate_log(self) -> bool:
        """See `Store.truncate_log`: the server looks after its own."""
        return True

    async def check(self) -> None:
        """See `Store.check`; writes a row as it is and waits for the disk."""
        await self.head("")
        await self._pool.run(lambda connection: connection.execute(PROBE))

    async def close(self) -> None:
        """See `Store.close`."""
        await self._pool.close()

    async def _fetch(self, sql: str, *values: object) -> list[asyncpg.Record]:
        return await self._pool.run(lambda connection: connection.fetch(sql, *values))

    async def _in_transaction(self, work: Callable[[asyncpg.Connection], Awaitable[Result]]) -> Result:
        async def whole(connection: asyncpg.Connection) -> Result:
            async with transaction(connection):
                return await work(connection)

        return await self._pool.run(whole)


def _checkout_row(row: asyncpg.Record) -> CheckoutRow:
    return CheckoutRow._make(row)._replace(inputs=row["inputs"].encode())


async def _run(writes: Sequence[Write], connection: asyncpg.Connection) -> None:
    for write in writes:
        await write.run(connection)


async def _in_pieces(piece: Callable[[], Awaitable[int]], size: int) -> int:
    """Do pieces, which touch at most *size* rows each, until none is left; return how many were touched."""
    touched = 0
    while True:
        count = await piece()
        touched += count
        if count < size:
            return touched
