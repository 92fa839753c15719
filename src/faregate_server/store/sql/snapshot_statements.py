"""The statements of a snapshot: pages of checkouts with all that hangs on them, and sums of holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import (
    BigInteger,
    Column,
    Select,
    Table,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    select,
)

from faregate_http.store.contract import CheckoutRow
from faregate_server.store.sql.tables import (
    capacity,
    checkouts,
    holds,
    metadata,
    orders,
    payments,
    tickets,
)

if TYPE_CHECKING:
    from sqlalchemy.engine import Dialect


def _of_page(table: Table, of: Column[str], *order: Column[int]) -> Select[tuple[object, ...]]:
    """Select the rows of *table* that belong to a page, from its first id to its last.

    Both ends are compared as the page is sorted.
    """
    return select(table).where(of >= bindparam("first"), of <= bindparam("last")).order_by(of, *order)


def _slots() -> Select[tuple[object, ...]]:
    """Select every slot with what is counted of it, and with the sums of the holds that are counted there."""
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
        capacity.c.sold,
        capacity.c.held,
        func.coalesce(taken.c.sold, zero),
        func.coalesce(taken.c.held, zero),
    ).select_from(capacity.outerjoin(taken, same))


PAGE_OF_CHECKOUTS = (
    select(*(checkouts.c[name] for name in CheckoutRow._fields), checkouts.c.has_holds)
    .where(checkouts.c.id > bindparam("after"))
    .order_by(checkouts.c.id)
    .limit(bindparam("most"))
    .offset(literal_column("0"))
)
ORDERS = _of_page(orders, orders.c.id)
PAYMENTS = _of_page(payments, payments.c.checkout_id, payments.c.created_at)
TICKETS = _of_page(tickets, tickets.c.order_id, tickets.c.item_id)
HOLDS = _of_page(holds, holds.c.checkout_id)
SLOTS = _slots()


_TRIGGERS = {
    "sqlite": {"checkouts_released", "holds_deleted", "holds_inserted", "holds_updated"},
    "postgresql": {"checkouts_released", "holds_counted"},
}
"""Those of the migrations, which keep the counts of capacity."""


def needed_names(dialect: Dialect) -> set[str]:
    """Return the names of the indexes, triggers and constraints that keep wrong rows out."""
    tables = metadata.tables.values()
    indexes = {str(index.name) for table in tables for index in table.indexes}
    constraints = {str(constraint.name) for table in tables for constraint in table.constraints}
    return indexes | constraints | _TRIGGERS[dialect.name]
