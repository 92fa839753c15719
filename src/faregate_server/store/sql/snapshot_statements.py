"""The questions of a snapshot, compiled like the others.

They ask for pages of checkouts with all that hangs on them, for sums of holds, and for the rows that break
what the tables declare.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ColumnElement,
    ForeignKeyConstraint,
    Index,
    Select,
    Table,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    select,
    text,
)
from sqlalchemy.sql.expression import ClauseElement

from faregate_http.store.contract import CheckoutRow
from faregate_server.store.sql.statements import Statement, compiled
from faregate_server.store.sql.tables import (
    answers,
    capacity,
    checkouts,
    holds,
    metadata,
    orders,
    payments,
    tickets,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine import Dialect

PAGE = 100
"""So many checkouts are read at once, each with an order of some kilobytes, or of a megabyte."""


class DeclaredKind(Enum):
    """What kind of thing the tables declare."""

    CHECK = "check"
    FOREIGN_KEY = "foreign key"
    UNIQUE = "unique"


class Declared(NamedTuple):
    """What a table declares, in ``words``, and the question which of its rows break that.

    Of such a row the primary key is told; of answers, whose keys are the clients', nothing.
    """

    table: str
    name: str
    kind: DeclaredKind
    words: str
    broken: Statement


class SnapshotStatements(NamedTuple):
    """What a snapshot asks; but for `page`, the parameters are the first and the last id of a page."""

    page: Statement
    orders: Statement
    payments: Statement
    tickets: Statement
    holds: Statement
    slots: Statement
    declared: tuple[Declared, ...]


def compile_snapshot_statements(dialect: Dialect) -> SnapshotStatements:
    """Compile every question for *dialect*, whose parameters must be positional."""
    row = [checkouts.c[name] for name in CheckoutRow._fields]
    page = select(*row, checkouts.c.has_holds).where(checkouts.c.id > bindparam("after"))
    page = page.order_by(checkouts.c.id).limit(literal_column(str(PAGE))).offset(literal_column("0"))
    return SnapshotStatements(
        page=compiled(page, dialect),
        orders=compiled(_of_page(orders, orders.c.id), dialect),
        payments=compiled(_of_page(payments, payments.c.checkout_id, payments.c.created_at), dialect),
        tickets=compiled(_of_page(tickets, tickets.c.order_id, tickets.c.item_id), dialect),
        holds=compiled(_of_page(holds, holds.c.checkout_id), dialect),
        slots=compiled(_slots(), dialect),
        declared=tuple(
            Declared(table, name, kind, words, compiled(broken, dialect))
            for table, name, kind, words, broken in _all_declared()
        ),
    )


def _of_page(table: Table, of: Column[str], *order: Column[int]) -> Select[tuple[object, ...]]:
    """The rows of *table* that belong to a page; both ends are compared as the page is sorted."""
    return select(table).where(of >= bindparam("first"), of <= bindparam("last")).order_by(of, *order)


def _slots() -> Select[tuple[object, ...]]:
    """Every slot with what is counted of it, and with the sums of the holds that are counted there."""
    zero = literal_column("0", BigInteger)
    taken = (
        select(
            holds.c.pool,
            holds.c.slot,
            cast(func.sum(case((holds.c.is_sold, holds.c.units), else_=zero)), BigInteger).label("sold"),
            cast(func.sum(case((holds.c.is_sold, zero), else_=holds.c.units)), BigInteger).label("held"),
        )
        .group_by(holds.c.pool, holds.c.slot)
        .subquery()
    )
    same = and_(capacity.c.pool == taken.c.pool, capacity.c.slot == taken.c.slot)
    return select(
        capacity.c.pool,
        capacity.c.slot,
        capacity.c.size,
        capacity.c.sold,
        capacity.c.held,
        func.coalesce(taken.c.sold, zero),
        func.coalesce(taken.c.held, zero),
    ).select_from(capacity.outerjoin(taken, same))


# ---------------------------------------------------------------- what the tables declare

_TRIGGERS = {
    "sqlite": {"checkouts_released", "holds_deleted", "holds_inserted", "holds_updated"},
    "postgresql": {"checkouts_released", "holds_counted"},
}
"""Those of the migrations, which keep the counts of capacity."""


def needed_names(dialect: Dialect) -> frozenset[str]:
    """What keeps wrong rows out: indexes, triggers, and of PostgreSQL constraints.

    A table of SQLite has its constraints within it.
    """
    indexes = {str(index.name) for table in metadata.tables.values() for index in table.indexes}
    if dialect.name == "sqlite":
        return frozenset(indexes | _TRIGGERS["sqlite"])
    constraints = {str(one.name) for table in metadata.tables.values() for one in table.constraints}
    return frozenset(indexes | constraints | _TRIGGERS["postgresql"])


_Broken: TypeAlias = tuple[str, str, DeclaredKind, str, ClauseElement]


def _all_declared() -> Iterator[_Broken]:
    for table in metadata.sorted_tables:
        for constraint in sorted(table.constraints, key=lambda one: str(one.name)):
            # Of capacity the counts themselves are told, with their sums.
            if isinstance(constraint, CheckConstraint) and table is not capacity:
                yield _check(table, constraint)
            if isinstance(constraint, ForeignKeyConstraint):
                yield _foreign_key(table, constraint)
        for index in sorted(table.indexes, key=lambda one: str(one.name)):
            if index.unique:
                yield _unique(table, index)


def _key_of(table: Table) -> list[ColumnElement[object]]:
    return [literal_column("''")] if table is answers else list(table.primary_key.columns)


def _check(table: Table, constraint: CheckConstraint) -> _Broken:
    broken = select(*_key_of(table)).select_from(table).where(text(f"NOT ({constraint.sqltext})"))
    return table.name, str(constraint.name), DeclaredKind.CHECK, str(constraint.sqltext), broken


def _foreign_key(table: Table, constraint: ForeignKeyConstraint) -> _Broken:
    other = constraint.referred_table.alias("referred")
    pairs = [(element.parent, other.c[element.column.name]) for element in constraint.elements]
    found = and_(*(mine == theirs for mine, theirs in pairs))
    broken = select(*_key_of(table)).select_from(table.outerjoin(other, found))
    broken = broken.where(pairs[0][1].is_(None), *(mine.is_not(None) for mine, _ in pairs))
    return table.name, str(constraint.name), DeclaredKind.FOREIGN_KEY, constraint.referred_table.name, broken


def _unique(table: Table, index: Index) -> _Broken:
    columns = list(index.columns)
    rows = select(*(func.min(column) for column in table.primary_key.columns))
    rows = rows.where(*(column.is_not(None) for column in columns))
    where = index.dialect_options["sqlite"]["where"]
    if where is not None:
        rows = rows.where(text(str(where)))
    rows = rows.group_by(*columns).having(func.count() > literal_column("1"))
    words = " and ".join(column.name for column in columns)
    return table.name, str(index.name), DeclaredKind.UNIQUE, words, rows
