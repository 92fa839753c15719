"""One state of a database, read from end to end while others go on writing: for whoever audits it.

A snapshot changes nothing and makes no database; beside a SQLite file an empty `-wal` and a `-shm` may
appear. It is read in pieces, so that no more than some hundred checkouts are in memory at a time. While it is
open, SQLite cannot start its write-ahead log anew, which grows, and PostgreSQL keeps what is deleted: close
it soon.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from faregate_http.store.contract import CheckoutRow, NewerDatabase, OlderDatabase
from faregate_http.store.records import OrderRow, PaymentRow, TicketRow
from faregate_server.store.locations import location
from faregate_server.store.migrate import HEAD, migration_scripts
from faregate_server.store.sql.snapshot_statements import (
    PAGE,
    DeclaredKind,
    compile_snapshot_statements,
    needed_names,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from sqlalchemy.engine import Dialect

    from faregate_server.store.sql.statements import Statement


class HeldUnits(NamedTuple):
    """A row of the holds: units of a slot that a checkout holds, or that are sold to it."""

    checkout_id: str
    pool: str
    slot: str
    units: int
    is_sold: bool


class History(NamedTuple):
    """A checkout and all that hangs on it; payments are in the order in which they were begun."""

    checkout: CheckoutRow
    has_holds: bool
    order: OrderRow | None
    payments: Sequence[PaymentRow]
    tickets: Sequence[TicketRow]
    holds: Sequence[HeldUnits]


class SlotCounts(NamedTuple):
    """What is counted as sold and held of a slot of that size, and the sums of the holds of each kind."""

    pool: str
    slot: str
    size: int
    sold: int
    held: int
    units_sold: int
    units_held: int


class Breach(NamedTuple):
    """A row, by its key, that breaks what its table declares under ``name``.

    ``words`` are the condition, the table that is referred to, or the columns that are to be unique.
    """

    table: str
    key: tuple[object, ...]
    kind: DeclaredKind
    name: str
    words: str


class SnapshotReader(Protocol):
    """How one database is asked within one state of it; whatever fails is a StoreUnavailable."""

    dialect: Dialect

    def revision(self) -> str | None:
        """Return the revision of its tables; None: there are none."""
        ...

    def names(self) -> Sequence[str]:
        """Return the names of all indexes, triggers and constraints that are in force."""
        ...

    def fetch(self, statement: Statement, *values: object) -> Sequence[Sequence[Any]]:
        """Return all rows at once: there are few."""
        ...

    def stream(self, statement: Statement) -> Iterator[Sequence[Any]]:
        """Yield row after row: there may be many."""
        ...

    def damage(self) -> Iterator[str]:
        """Yield what the database finds broken in its own files."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...


class Snapshot:
    """One state of a database that is at `HEAD`."""

    def __init__(self, reader: SnapshotReader) -> None:
        self._reader = reader
        self._sql = compile_snapshot_statements(reader.dialect)

    def damage(self) -> Iterator[str]:
        """Yield what the database finds broken in its own files; PostgreSQL does not look."""
        return self._reader.damage()

    def missing(self) -> list[str]:
        """Return the names of indexes, triggers and constraints that the tables lack, or do not heed."""
        return sorted(needed_names(self._reader.dialect).difference(self._reader.names()))

    def breaches(self) -> Iterator[Breach]:
        """Yield the rows that break what their tables declare: written past the constraints."""
        for table, name, kind, words, broken in self._sql.declared:
            for row in self._reader.stream(broken):
                yield Breach(table, tuple(row), kind, name, words)

    def slots(self) -> Iterator[SlotCounts]:
        """Yield every slot, in any order."""
        return map(SlotCounts._make, self._reader.stream(self._sql.slots))

    def histories(self) -> Iterator[History]:
        """Yield every checkout with all that hangs on it, in the order of their ids."""
        after = ""
        while page := self._reader.fetch(self._sql.page, after):
            yield from self._page(page)
            after = page[-1][0]
            if len(page) < PAGE:
                return

    def _page(self, rows: Sequence[Sequence[Any]]) -> Iterator[History]:
        bounds = rows[0][0], rows[-1][0]
        fetch, sql = self._reader.fetch, self._sql
        orders = {row[0]: OrderRow._make(row) for row in fetch(sql.orders, *bounds)}
        payments = _grouped(map(PaymentRow._make, fetch(sql.payments, *bounds)), "checkout_id")
        tickets = _grouped(map(TicketRow._make, fetch(sql.tickets, *bounds)), "order_id")
        holds = _grouped(map(HeldUnits._make, fetch(sql.holds, *bounds)), "checkout_id")
        for *row, has_holds in rows:
            key = row[0]
            yield History(
                _checkout_row(row),
                bool(has_holds),
                orders.get(key),
                payments.get(key, ()),
                tickets.get(key, ()),
                holds.get(key, ()),
            )


_INPUTS = CheckoutRow._fields.index("inputs")

_Row = TypeVar("_Row", PaymentRow, TicketRow, HeldUnits)


def _grouped(rows: Iterable[_Row], of: str) -> dict[str, list[_Row]]:
    return {key: list(group) for key, group in groupby(rows, key=attrgetter(of))}


def _checkout_row(row: Sequence[Any]) -> CheckoutRow:
    found, inputs = CheckoutRow._make(row), row[_INPUTS]
    # Written by hand it may be of another type than the column says.
    text = inputs if isinstance(inputs, bytes) else str(inputs).encode()
    return found._replace(is_closed=bool(found.is_closed), is_paying=bool(found.is_paying), inputs=text)


@contextmanager
def open_snapshot(url: str) -> Iterator[Snapshot]:
    """Open the state that the database at *url* is in now; it blocks, and is closed after the block.

    Raises:
        UnsupportedDatabase: the URL names a database no store is written for.
        OlderDatabase: its tables are not at `HEAD` yet, or there are none.
        NewerDatabase: a newer version of this code has migrated it.
        StoreUnavailable: there is no such database, or it cannot be read.
    """
    reader = _reader(url)
    try:
        found = reader.revision()
        if found != HEAD:
            raise _other_revision(found)
        yield Snapshot(reader)
    finally:
        reader.close()


def _reader(url: str) -> SnapshotReader:
    match location(url):
        case Path() as path:
            from faregate_server.store.sqlite.snapshot import SqliteReader

            return SqliteReader(path)
        case server:
            from faregate_server.store.postgresql.connection import demand_driver

            demand_driver()
            from faregate_server.store.postgresql.snapshot import PostgresqlReader

            return PostgresqlReader(server)


def _other_revision(found: str | None) -> OlderDatabase | NewerDatabase:
    known = {script.revision for script in migration_scripts().walk_revisions()}
    return OlderDatabase(found, HEAD) if found in {None, *known} else NewerDatabase(str(found), HEAD)
