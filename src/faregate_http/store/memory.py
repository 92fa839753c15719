"""Store in the memory of one process, for tests and for services that can afford to lose their sales."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from faregate_http.store.contract import (
    AnswerTaken,
    CheckoutHead,
    CheckoutRow,
    Hold,
    HoldLimits,
    SlotCount,
    SoldOut,
    Stale,
    Store,
    StoredAnswer,
)
from faregate_http.store.holds import check_limits, grown_holds, held_of, in_order
from faregate_http.store.records import (
    KINDS,
    AccountRow,
    OrderRow,
    PaymentDetailRow,
    PaymentRow,
    Record,
    RecordType,
)


class _Slot(NamedTuple):
    pool: str
    slot: str


class _Tables(NamedTuple):
    checkouts: dict[str, CheckoutRow]
    holds: dict[str, dict[_Slot, int]]
    answers: dict[tuple[str, str], StoredAnswer]
    records: dict[type[Record], dict[str | int, Record]]

    def copied(self) -> "_Tables":
        """Return a copy of the tables that can be changed without changing the originals."""
        records = {kind: dict(rows) for kind, rows in self.records.items()}
        return _Tables(dict(self.checkouts), dict(self.holds), dict(self.answers), records)


class MemoryStore(Store):
    """`Store` in memory, used on one event loop; closing it does not delete its data.

    It scans all rows where a database has an index, and does not check references between rows.
    """

    def __init__(self) -> None:
        self._tables = _Tables({}, {}, {}, {kind: {} for kind in KINDS})
        self._version = 0

    # ------------------------------------------------------------ reading

    async def head(self, checkout_id: str) -> CheckoutHead | None:
        row = self._tables.checkouts.get(checkout_id)
        if row is None:
            return None
        return CheckoutHead(*(getattr(row, name) for name in CheckoutHead._fields))

    async def checkout(self, checkout_id: str) -> CheckoutRow | None:
        return self._tables.checkouts.get(checkout_id)

    async def checkouts_of(self, account: int, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        rows = await self.walk(after=after, limit=len(self._tables.checkouts))
        return [row for row in rows if row.account == account and not row.is_closed][:limit]

    async def walk(self, *, after: str = "", limit: int = 100) -> list[CheckoutRow]:
        return [self._tables.checkouts[key] for key in sorted(self._tables.checkouts) if key > after][:limit]

    async def answer(self, scope: str, key: str) -> StoredAnswer | None:
        return self._tables.answers.get((scope, key))

    async def find(
        self,
        kind: type[RecordType],
        *,
        limit: int = 1000,
        after: RecordType | None = None,
        **values: str | int,
    ) -> list[RecordType]:
        asked = values.items()
        found = [row for row in self._all(kind) if all(getattr(row, name) == value for name, value in asked)]
        found.sort(key=_age)
        return [row for row in found if after is None or _age(row) > _age(after)][:limit]

    async def due(self, kind: type[RecordType], at: int, *, limit: int = 100) -> list[RecordType]:
        rows = [(getattr(row, "due_at", None), row) for row in self._all(kind)]
        due = [(when, row) for when, row in rows if when is not None and when <= at]
        return [row for _, row in sorted(due, key=lambda pair: (pair[0], pair[1].id))][:limit]

    def _all(self, kind: type[RecordType]) -> list[RecordType]:
        return cast("list[RecordType]", list(self._tables.records[kind].values()))

    async def taken(
        self, pools: Sequence[str], first: str, last: str, *, at: int, without: str | None = None
    ) -> list[SlotCount]:
        counts: defaultdict[_Slot, list[int]] = defaultdict(lambda: [0, 0])
        for row, slot, units in self._held(at, without=without):
            if slot.pool in pools and first <= slot.slot <= last:
                counts[slot][0 if row.is_closed else 1] += units
        return [SlotCount(*slot, sold, held) for slot, (sold, held) in counts.items()]

    def _held(self, at: int, *, without: str | None) -> Iterator[tuple[CheckoutRow, _Slot, int]]:
        """Yield checkout, slot and units of each sale and hold at *at*; holds of *without* are left out."""
        for key, holds in self._tables.holds.items():
            row = self._tables.checkouts[key]
            if row.is_closed or (row.expires_at > at and key != without):
                yield from ((row, slot, units) for slot, units in holds.items())

    # ------------------------------------------------------------ writing

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
            raise ValueError("expected a checkout row with the holds, got None")
        wanted = in_order(holds or ())
        if row is not None and wanted:
            await self._release(row.changed_at, without=row.id)
        tables = self._tables.copied()
        if row is not None:
            _put_checkout(row, tables)
            if limits is not None:
                self._check_limits(row, wanted, limits)
            if holds is not None:
                self._put_holds(row, wanted, tables)
        if answer is not None:
            _put_answer(answer, tables)
        for record in erased:
            _check_revision(record, tables.records[type(record)], follows=False)
            del tables.records[type(record)][record.id]
        for record in records:
            _put_record(record, tables)
        self._write(tables)

    def _write(self, tables: _Tables) -> None:
        self._tables = tables
        self._version += 1

    def _check_limits(self, row: CheckoutRow, holds: Sequence[Hold], limits: HoldLimits) -> None:
        grown = grown_holds(row, holds)
        if not grown:
            return
        anonymous = [
            (other.holder, (*slot, other.id, other.held_units, other.expires_at, units))
            for other, slot, units in self._held(row.changed_at, without=row.id)
            if other.holder is not None and other.expires_at > row.changed_at
        ]
        own = held_of([counted for holder, counted in anonymous if holder == row.holder])
        check_limits(row, grown, limits, own=own, anonymous=held_of([counted for _, counted in anonymous]))

    def _put_holds(self, row: CheckoutRow, holds: Sequence[Hold], tables: _Tables) -> None:
        taken: defaultdict[_Slot, int] = defaultdict(int)
        for other, slot, units in self._held(row.changed_at, without=row.id):
            taken[slot] += units if other.id != row.id else 0
        before = self._tables.holds.get(row.id, {})
        kept: dict[_Slot, int] = {}
        for hold in holds:
            _check_values(hold)
            slot = _Slot(hold.pool, hold.slot)
            own = before.get(slot, 0)
            if hold.units <= own or taken[slot] + hold.units <= hold.size:
                kept[slot] = hold.units
            elif hold.units > hold.before:
                raise SoldOut(hold.pool, hold.slot)
            elif own:
                kept[slot] = own
        if holds:
            tables.holds[row.id] = kept
        else:
            tables.holds.pop(row.id, None)

    async def release_expired(self, at: int) -> int:
        return await self._release(at, without=None)

    async def _release(self, at: int, *, without: str | None) -> int:
        rows = [self._tables.checkouts[key] for key in self._tables.holds if key != without]
        expired = [row for row in rows if not row.is_closed and row.expires_at <= at]
        tables = self._tables.copied()
        for row in expired:
            # A write that was decided before the holds were released is then Stale.
            tables.checkouts[row.id] = row._replace(revision=row.revision + 1, holder=None, held_units=0)
            del tables.holds[row.id]
        self._write(tables)
        return len(expired)

    async def version(self) -> int | None:
        return self._version

    async def purge_answers(self, before: int) -> int:
        return self._forget(lambda answer: answer.created_at < before)

    async def purge_checkouts(self, after: str, last: str, *, before: int) -> int:
        tables = self._tables.copied()
        needed = tables.holds.keys() | {payment.checkout_id for payment in self._all(PaymentRow)}
        purged = {
            row.id
            for row in tables.checkouts.values()
            if after < row.id <= last and row.expires_at < before and not (row.is_closed or row.is_paying)
        } - needed
        for key in purged:
            del tables.checkouts[key]
        for detail in self._all(PaymentDetailRow):
            if detail.checkout_id in purged:
                del tables.records[PaymentDetailRow][detail.id]
        self._write(tables)
        return len(purged)

    async def forget_answers(self, owner: str) -> int:
        return self._forget(lambda answer: answer.scope.startswith(f"{owner} "))

    def _forget(self, is_meant: Callable[[StoredAnswer], bool]) -> int:
        forgotten = [key for key, answer in self._tables.answers.items() if is_meant(answer)]
        for key in forgotten:
            del self._tables.answers[key]
        return len(forgotten)

    async def truncate_log(self) -> bool:
        return True

    async def check(self) -> None:
        """Do nothing: memory is always available."""

    async def close(self) -> None:
        """Do nothing, so that the data is kept."""


_UNIQUE: dict[type[Record], Sequence[Callable[[Any], Hashable]]] = {
    AccountRow: [lambda row: None if row.subject is None else (row.issuer, row.subject)],
    OrderRow: [lambda row: row.reference],
    PaymentDetailRow: [
        lambda row: row.transaction_id,
        lambda row: row.account if row.is_default and row.status == "ACTIVE" else None,
    ],
}
"""Functions of a record, keyed by kind; their values, except None, must be unique within the kind."""


def _put_checkout(row: CheckoutRow, tables: _Tables) -> None:
    _check_values(row)
    row.inputs.decode()
    _check_revision(row, tables.checkouts)
    tables.checkouts[row.id] = row


def _put_answer(answer: StoredAnswer, tables: _Tables) -> None:
    _check_values(answer)
    if (answer.scope, answer.key) in tables.answers:
        raise AnswerTaken(answer.scope, answer.key)
    tables.answers[answer.scope, answer.key] = answer


def _put_record(record: Record, tables: _Tables) -> None:
    table = tables.records[type(record)]
    _check_values(record)
    _check_revision(record, table)
    for unique in _UNIQUE.get(type(record), ()):
        own = unique(record)
        if own is not None and any(unique(row) == own for row in table.values() if row.id != record.id):
            raise Stale(record.id, record.revision)
    table[record.id] = record


def _age(record: Record) -> tuple[int, str | int]:
    return record.created_at, record.id


def _check_revision(row: Any, table: dict[Any, Any], *, follows: bool = True) -> None:
    """Check that *row* has the revision stored in *table* or, with *follows*, the next one."""
    known = table.get(row.id)
    if row.revision - follows != (known.revision if known is not None else 0):
        raise Stale(row.id, row.revision)


def _check_values(row: CheckoutRow | StoredAnswer | Hold | Record) -> None:
    """Check that *row* has only values that databases can store.

    Raises:
        ValueError: text that is not UTF-8, a number beyond 64 bits, a revision below 1.
    """
    for value in row:
        if isinstance(value, str):
            value.encode()
        elif isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise ValueError(f"expected an integer of at most 64 bits, got {value}")
    if not isinstance(row, (StoredAnswer, Hold)) and row.revision < 1:
        raise ValueError(f"expected a revision of at least 1, got {row.revision}")
    if isinstance(row, CheckoutRow) and row.expires_at < row.started_at:
        raise ValueError("expected expires_at to be started_at or later")
