"""The base class of the SQLite and PostgreSQL stores, which implements what they have in common."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from faregate_http.store.contract import CheckoutHead, CheckoutRow, Hold, HoldLimits, StoredAnswer
from faregate_http.store.holds import in_order
from faregate_http.store.records import Record, RecordType
from faregate_server.store.sql.statements import (
    ADD_FAILURE,
    ANSWER,
    CHECKOUT,
    CHECKOUTS_OF,
    DROP_FAILURES,
    FAILURE_WAIT,
    FORGET_ANSWERS,
    HEAD,
    PURGE_ANSWERS,
    PURGE_CHECKOUTS,
    PURGE_DETAILS,
    PURGED_AT_ONCE,
    RECORDS,
    RELEASED_AT_ONCE,
    WALK,
    scopes_of,
    where,
)
from faregate_server.store.sql.writes import ExpiredInTheWay, Write, other_writes

Row = Sequence[Any]


class SqlStore(ABC):
    """A `Store` without the methods that differ between the databases."""

    now: str
    """SQL expression for the clock of the database, in epoch milliseconds."""

    @abstractmethod
    async def _fetch(self, sql: str, *values: object) -> Sequence[Row]:
        """Return the rows of the query *sql*."""

    @abstractmethod
    async def _change(self, sql: str, *values: object) -> int:
        """Run the statement *sql* in its own transaction; return the number of changed rows."""

    @abstractmethod
    async def _write(
        self,
        checkout: CheckoutRow | None,
        holds: Sequence[Hold] | None,
        others: Sequence[Write],
        limits: HoldLimits | None,
    ) -> None:
        """Write all arguments in one transaction, or none of them; *holds* are sorted by pool and slot.

        Raises:
            ExpiredInTheWay: there may be enough capacity once expired checkouts are released.
        """

    @abstractmethod
    async def _release_piece(self, at: int, without: str | None) -> int:
        """Release some checkouts expired by *at*, except the one with id *without*; return their number."""

    async def head(self, checkout_id: str) -> CheckoutHead | None:
        rows = await self._fetch(HEAD, checkout_id)
        if not rows:
            return None
        channel, account, is_closed, revision, changed_at, expires_at, is_paying = rows[0]
        return CheckoutHead(
            channel, account, is_closed == 1, revision, changed_at, expires_at, is_paying == 1
        )

    async def checkout(self, checkout_id: str) -> CheckoutRow | None:
        rows = await self._fetch(CHECKOUT, checkout_id)
        return checkout_row(rows[0]) if rows else None

    async def checkouts_of(self, account: int, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        return [checkout_row(row) for row in await self._fetch(CHECKOUTS_OF, after, account, limit)]

    async def walk(self, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        return [checkout_row(row) for row in await self._fetch(WALK, after, limit)]

    async def answer(self, scope: str, key: str) -> StoredAnswer | None:
        rows = await self._fetch(ANSWER, scope, key)
        if not rows:
            return None
        scope, key, fingerprint, status, headers, body, created_at = rows[0]
        return StoredAnswer(scope, key, fingerprint, status, headers.encode(), body, created_at)

    async def find(
        self,
        kind: type[RecordType],
        *,
        limit: int = 1000,
        after: RecordType | None = None,
        **values: str | int,
    ) -> list[RecordType]:
        sql = where(RECORDS[kind].select, tuple(values), is_behind=after is not None)
        position = () if after is None else (after.created_at, after.id)
        return read_records(kind, await self._fetch(sql, *values.values(), *position, limit))

    async def due(self, kind: type[RecordType], at: int, *, limit: int = 100) -> list[RecordType]:
        if "due_at" not in kind._fields:
            return []
        return read_records(kind, await self._fetch(RECORDS[kind].due, at, limit))

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
        if row is None and holds is not None:
            raise ValueError("holds belong to a checkout: save them with its row")
        ordered = None if holds is None else in_order(holds)
        others = list(other_writes(answer, records=records, erased=erased))
        while True:
            try:
                return await self._write(row, ordered, others, limits)
            except ExpiredInTheWay:
                if row is not None:
                    await self._release(row.changed_at, without=row.id)

    async def release_expired(self, at: int) -> int:
        return await self._release(at, without=None)

    async def _release(self, at: int, *, without: str | None) -> int:
        return await _in_pieces(lambda: self._release_piece(at, without), RELEASED_AT_ONCE)

    async def purge_answers(self, before: int) -> int:
        return await _in_pieces(lambda: self._change(PURGE_ANSWERS, before), PURGED_AT_ONCE)

    async def purge_checkouts(self, after: str, last: str, *, before: int) -> int:
        await self._change(PURGE_DETAILS, after, last, before)
        return await self._change(PURGE_CHECKOUTS, after, last, before)

    async def forget_answers(self, owner: str) -> int:
        scopes = scopes_of(owner)
        return await _in_pieces(lambda: self._change(FORGET_ANSWERS, *scopes), PURGED_AT_ONCE)

    async def failure_wait(self, kind: str, holder: int, most: int) -> float:
        """See `SharesFailures.failure_wait`."""
        rows = await self._fetch(FAILURE_WAIT.format(now=self.now), holder, kind, most - 1)
        return rows[0][0] / 1000 if rows else 0.0

    async def add_failure(self, kind: str, holder: int, seconds: float) -> None:
        """See `SharesFailures.add_failure`."""
        added = Write(ADD_FAILURE.format(now=self.now), (kind, holder, int(seconds * 1000)))
        await self._write(None, None, [added, Write(DROP_FAILURES.format(now=self.now), ())], None)


async def _in_pieces(piece: Callable[[], Awaitable[int]], size: int) -> int:
    """Call *piece* until it changes fewer than *size* rows; return the total number of changed rows."""
    touched = 0
    while True:
        count = await piece()
        touched += count
        if count < size:
            return touched


def checkout_row(row: Row) -> CheckoutRow:
    """Return *row* as a checkout, converting SQLite's 0 and 1 to Booleans."""
    return CheckoutRow._make((*row[:3], row[3] == 1, *row[4:8], row[8].encode(), row[9] == 1, *row[10:]))


def read_records(kind: type[RecordType], rows: Sequence[Row]) -> list[RecordType]:
    """Return *rows* as records of *kind*."""
    truths = RECORDS[kind].truths
    if not truths:
        return [kind._make(row) for row in rows]
    return [kind._make([value == 1 if n in truths else value for n, value in enumerate(row)]) for row in rows]
