"""Checkouts in a PostgreSQL database, which several processes can share.

The URL is ``postgresql://user@host:5432/name``, optionally with options, as in
``postgresql://gate@db.example/tickets?pool_size=20&timeout=5&sslmode=verify-full``; `PostgresqlLocation`
lists them. The database must exist, and the user must own the schema of the tables or be allowed to create
it. Keep the password in PGPASSWORD or a password file rather than in the URL. A service migrates the tables
at startup; if several start at once, only one of them does. ``faregate migrate URL`` migrates them by hand.

The store fulfils its contract at the isolation level READ COMMITTED as follows:

- A row is only written at its expected revision. The second of two writers waits for the first, checks again
  and raises `Stale`. Once written, the row, and with it the holds of the checkout, stays locked.
- Then the slots that change are locked, ordered by pool and slot, so that saves never deadlock, and their
  units are counted. A transaction that had to wait therefore sees the units that others took.
- A popular slot is locked only until the commit, not until it is on disk, while carts are filled: the save
  returns, and a stored response is sent again, only once it is. Saves with records, such as payments, keep
  their locks until they are on disk. At most half of the connections serve saves that hold one slot.
- Expired checkouts are checked again once they are locked: a checkout that was settled or prolonged keeps its
  holds.
- Remaining deadlocks and serialisation failures (from manual statements) are retried a few times after a
  random pause.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TypeVar

import asyncpg

from faregate_http.store.contract import (
    CheckoutRow,
    Hold,
    HoldLimits,
    SlotCount,
    StoredAnswer,
    StoreUnavailable,
)
from faregate_http.store.holds import grown_holds
from faregate_server.database_load import DatabaseLoad
from faregate_server.store.postgresql.gate import Slot
from faregate_server.store.postgresql.holds import check_holder, holder_lock, keep_holds, release_expired
from faregate_server.store.postgresql.location import PostgresqlLocation
from faregate_server.store.postgresql.pool import FLUSH, ConnectionPool, transaction
from faregate_server.store.postgresql.session import Session
from faregate_server.store.postgresql.statements import PROBE, TAKEN
from faregate_server.store.sql.statements import HEAD, INSERT_ANSWER, slot_counts
from faregate_server.store.sql.store import SqlStore
from faregate_server.store.sql.writes import Write, checkout_write

Result = TypeVar("Result")


class PostgresqlStore(SqlStore):
    """A `Store` in a PostgreSQL database whose tables exist (see `migrate`), used on one event loop.

    The store connects to the database on first use.
    """

    now = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"

    def __init__(self, location: PostgresqlLocation) -> None:
        self._pool = ConnectionPool(location)
        # A connection of its own, because under load the others are taken although the database is well.
        self._probe = ConnectionPool(replace(location, pool_size=1))

    def load(self) -> DatabaseLoad:
        return self._pool.load()

    async def _fetch(self, sql: str, *values: object) -> list[asyncpg.Record]:
        return await self._pool.run(lambda session: session.fetch(sql, *values))

    async def _change(self, sql: str, *values: object) -> int:
        async def work(session: Session) -> int:
            status = await session.execute(sql, *values)
            return int(status.rpartition(" ")[2])

        return await self._pool.run(work)

    async def answer(self, scope: str, key: str) -> StoredAnswer | None:
        found = await super().answer(scope, key)
        if found is not None:  # it is sent again, so it must be on disk
            await self._pool.run(lambda session: session.execute(FLUSH))
        return found

    async def taken(
        self, pools: Sequence[str], first: str, last: str, *, at: int, without: str | None = None
    ) -> list[SlotCount]:
        if not pools:
            return []
        rows = await self._fetch(TAKEN, at, without, pools, first, last)
        return slot_counts([tuple(row) for row in rows])

    async def _write(
        self,
        checkout: CheckoutRow | None,
        holds: Sequence[Hold] | None,
        others: Sequence[Write],
        limits: HoldLimits | None,
    ) -> None:
        if checkout is None:
            await self._write_all(others)
            return
        # If no holds remain, `has_holds` is updated once the slots are locked.
        writes = [checkout_write(checkout, has_holds=True if holds else None), *others]
        if holds is None and not checkout.is_closed:
            await self._write_all(writes)
        else:
            await self._write_and_hold(writes, checkout, holds, limits)

    async def _write_all(self, writes: Sequence[Write]) -> None:
        match writes:
            case []:
                return
            case [only]:
                await self._pool.run(partial(_run, only))
            case _:
                await self._in_transaction(partial(_run_all, writes))

    async def _write_and_hold(
        self,
        writes: Sequence[Write],
        row: CheckoutRow,
        holds: Sequence[Hold] | None,
        limits: HoldLimits | None,
    ) -> None:
        # Others may read an open checkout before it is on disk, but act outside only on what they save later.
        unlocks_early = not row.is_closed and all(one.sql == INSERT_ANSWER for one in writes[1:])

        grown = [] if limits is None else grown_holds(row, holds or ())

        async def work(session: Session) -> bool:
            await _run_all(writes, session)
            if limits is not None and grown:
                await check_holder(session, row, grown, limits)
            return await keep_holds(session, row, holds)

        slots = [hold[:2] for hold in holds or ()]
        lock = "" if limits is None or not grown else holder_lock(row, limits)
        if await self._in_transaction(work, slots, unlocks_early=unlocks_early, begins_with=lock):
            with suppress(StoreUnavailable):  # the save itself has succeeded
                await self._release_piece(row.changed_at, row.id)

    async def _release_piece(self, at: int, without: str | None) -> int:
        return await self._in_transaction(partial(release_expired, at=at, without=without))

    async def version(self) -> int | None:
        """Return None, because PostgreSQL has no cheap counter that changes with each save."""
        return None

    async def truncate_log(self) -> bool:
        """Return True, because the server manages its write-ahead log itself."""
        return True

    async def check(self) -> None:
        """Check that the database can be read, and that a write reaches the disk; no data is changed."""
        await self._probe.run(_probe)

    async def close(self) -> None:
        await self._probe.close()
        await self._pool.close()

    async def _in_transaction(
        self,
        work: Callable[[asyncpg.Connection], Awaitable[Result]],
        slots: Collection[Slot] = (),
        *,
        unlocks_early: bool = False,
        begins_with: str = "",
    ) -> Result:
        async def whole(session: Session) -> Result:
            async with transaction(session, unlocks_early=unlocks_early, begins_with=begins_with):
                return await work(session)

        return await self._pool.run(whole, slots)


async def _probe(session: Session) -> None:
    await session.fetch(HEAD, "")
    await session.execute(PROBE)


async def _run(write: Write, session: Session) -> None:
    """Run *write*; raise its refusal if it breaks a unique constraint or does not change exactly one row."""
    try:
        status = await session.execute(write.sql, *write.values)
    except asyncpg.UniqueViolationError as error:
        raise write.refusal or error from error
    if write.refusal is not None and not status.endswith(" 1"):
        raise write.refusal


async def _run_all(writes: Sequence[Write], session: Session) -> None:
    for write in writes:
        await _run(write, session)
