"""Snapshots for audits: one state of a whole database, read while other processes write to it.

A snapshot changes nothing and creates no database, though an empty `-wal` file and a `-shm` file may appear
beside a SQLite file. It is read in pages, so that at most a few hundred checkouts are in memory at a time.
While it is open, SQLite's write-ahead log keeps growing and PostgreSQL keeps deleted rows: close it soon.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

from faregate_http.store.contract import CheckoutRow
from faregate_http.store.records import OrderRow, PaymentRow, TicketRow
from faregate_server.store.locations import location
from faregate_server.store.migrate import HEAD, declared_names, migration_scripts
from faregate_server.store.sql.statements import RECORDS, columns
from faregate_server.store.unusable import NewerDatabase, OlderDatabase

PAGE = 100
"""Number of checkouts read at once; each order has a few kilobytes, at most a megabyte."""


class HeldUnits(NamedTuple):
    """Units of a slot that a checkout holds or has bought."""

    checkout_id: str
    pool: str
    slot: str
    units: int
    is_sold: bool


class History(NamedTuple):
    """A checkout with all related rows; the payments are sorted by creation time."""

    checkout: CheckoutRow
    has_holds: bool
    order: OrderRow | None
    payments: Sequence[PaymentRow]
    tickets: Sequence[TicketRow]
    holds: Sequence[HeldUnits]


class SlotCounts(NamedTuple):
    """The sold and held units of a slot, both as counted by triggers and as the sums of the slot's holds."""

    pool: str
    slot: str
    sold: int
    held: int
    units_sold: int
    units_held: int


class SnapshotReader(Protocol):
    """A reader that queries one state of a database; its methods raise StoreUnavailable on any failure."""

    @property
    def triggers(self) -> frozenset[str]:
        """The names of the triggers that the migrations create to count the units taken in each slot."""
        ...

    def revision(self) -> str | None:
        """Return the revision of the tables, or None if the database has no tables."""
        ...

    def names(self) -> set[str]:
        """Return the names of all indexes, triggers and constraints that are enabled."""
        ...

    def fetch(self, sql: str, *values: object) -> Sequence[Sequence[Any]]:
        """Return all rows of a query at once; meant for small results."""
        ...

    def stream(self, sql: str) -> Iterator[Sequence[Any]]:
        """Yield the rows of a query one by one; meant for large results."""
        ...

    def damage(self) -> Iterator[str]:
        """Yield a description of each fault that the database finds in its own files."""
        ...

    def close(self) -> None:
        """Close the connection to the database."""
        ...


class Snapshot:
    """One state of a database at `HEAD`."""

    def __init__(self, reader: SnapshotReader) -> None:
        self._reader = reader

    def damage(self) -> Iterator[str]:
        """Yield a description of each fault that SQLite finds in its file; yield nothing for PostgreSQL."""
        return self._reader.damage()

    def missing(self) -> list[str]:
        """Return the names of indexes, triggers and constraints that are missing or disabled."""
        return sorted((declared_names() | self._reader.triggers).difference(self._reader.names()))

    def slots(self) -> Iterator[SlotCounts]:
        """Yield the sold and held units of every slot, in any order."""
        return map(SlotCounts._make, self._reader.stream(_SLOTS))

    def histories(self) -> Iterator[History]:
        """Yield every checkout with all related rows, ordered by checkout id."""
        after = ""
        while page := self._reader.fetch(_CHECKOUTS, after, PAGE):
            yield from self._page(page)
            after = page[-1][0]
            if len(page) < PAGE:
                return

    def _page(self, rows: Sequence[Sequence[Any]]) -> Iterator[History]:
        bounds = rows[0][0], rows[-1][0]
        fetch = self._reader.fetch
        orders = {row[0]: OrderRow._make(row) for row in fetch(_ORDERS, *bounds)}
        payments = _grouped(map(PaymentRow._make, fetch(_PAYMENTS, *bounds)), "checkout_id")
        tickets = _grouped(map(TicketRow._make, fetch(_TICKETS, *bounds)), "order_id")
        holds = _grouped(map(HeldUnits._make, fetch(_HOLDS, *bounds)), "checkout_id")
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


# ruff: noqa: S608 - the statements are made of constants and of names of columns


def _of_page(select: str, of: str, *order: str) -> str:
    """Return *select*, limited to rows whose column *of* is between two parameters, inclusive.

    The rows are sorted by *of*, then by the columns *order*.
    """
    return f"{select} WHERE {of} >= ? AND {of} <= ? ORDER BY {', '.join((of, *order))}"


_CHECKOUTS = f"SELECT {columns(CheckoutRow)}, has_holds FROM checkouts WHERE id > ? ORDER BY id LIMIT ?"
_ORDERS = _of_page(RECORDS[OrderRow].select, "id")
_PAYMENTS = _of_page(RECORDS[PaymentRow].select, "checkout_id", "created_at")
_TICKETS = _of_page(RECORDS[TicketRow].select, "order_id", "item_id")
_HOLDS = _of_page("SELECT checkout_id, pool, slot, units, is_sold FROM holds", "checkout_id")

_SLOTS = """
    SELECT pool, slot, capacity.sold, capacity.held, coalesce(taken.sold, 0), coalesce(taken.held, 0)
    FROM capacity LEFT JOIN (
        SELECT pool, slot,
            CAST(sum(CASE WHEN is_sold THEN units ELSE 0 END) AS BIGINT) AS sold,
            CAST(sum(CASE WHEN is_sold THEN 0 ELSE units END) AS BIGINT) AS held
        FROM holds GROUP BY pool, slot
    ) AS taken USING (pool, slot)
"""
"""Query for every slot: its units as counted by triggers, then the sums of its holds."""

_INPUTS = CheckoutRow._fields.index("inputs")

_Row = TypeVar("_Row", PaymentRow, TicketRow, HeldUnits)


def _grouped(rows: Iterable[_Row], of: str) -> dict[str, list[_Row]]:
    return {key: list(group) for key, group in groupby(rows, key=attrgetter(of))}


def _checkout_row(row: Sequence[Any]) -> CheckoutRow:
    found, inputs = CheckoutRow._make(row), row[_INPUTS]
    # A row written by hand may have a different type from the one that its column declares.
    text = inputs if isinstance(inputs, bytes) else str(inputs).encode()
    return found._replace(is_closed=bool(found.is_closed), is_paying=bool(found.is_paying), inputs=text)


@contextmanager
def open_snapshot(url: str) -> Iterator[Snapshot]:
    """Open a snapshot of the database at *url* for the duration of the block; its methods block.

    Raises:
        UnsupportedDatabase: the URL does not refer to a SQLite or PostgreSQL database.
        OlderDatabase: the database is not at `HEAD` yet, or has no tables.
        NewerDatabase: a newer version of faregate has migrated the database.
        StoreUnavailable: the database does not exist or cannot be read.
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
