"""The statements that keep the holds of checkouts and count what is taken, compiled like the others."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    BindParameter,
    ColumnElement,
    Select,
    Table,
    Text,
    Update,
    bindparam,
    delete,
    exists,
    false,
    func,
    literal_column,
    null,
    select,
    true,
    union_all,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from faregate_http.store.contract import SlotCount
from faregate_server.store.sql.statements import Statement, compiled
from faregate_server.store.sql.tables import MAY_EXPIRE, capacity, checkouts, holds


class HoldStatements(NamedTuple):
    """What a store says to its database of holds, but for `compile_taken`.

    Capacity counts along by itself: it is a failed check of the tables that tells that nothing is left.
    """

    own: Statement
    drop: Statement
    put_capacity: Statement
    put: Statement
    sell: Statement
    has_expired: Statement
    release_expired: Statement
    held_by: Statement
    held_anonymously: Statement


RELEASED_AT_ONCE = 50
"""So many checkouts, at most, lose their holds per statement, for the reason that limits a purge."""

_has_expired = (
    MAY_EXPIRE,
    checkouts.c.expires_at <= bindparam("at"),
    checkouts.c.id.is_distinct_from(bindparam("without")),
)
"""At the instant *at* these hold nothing any more; *without* is not among them in any case."""


def compile_hold_statements(dialect: Dialect) -> HoldStatements:
    """Compile every statement for *dialect*, whose parameters must be positional."""
    insert = postgresql.insert if dialect.name == "postgresql" else sqlite.insert
    of_checkout = holds.c.checkout_id == bindparam("holder")
    of_slot = (holds.c.pool == bindparam("of_pool"), holds.c.slot == bindparam("of_slot"))
    sized = insert(capacity).values({name: bindparam(name) for name in ("pool", "slot", "size")})
    # Only said where more is to be taken: below what is taken already, it fails the check like the taking.
    sized = sized.on_conflict_do_update(
        index_elements=["pool", "slot"],
        set_={"size": sized.excluded.size},
        where=capacity.c.size != sized.excluded.size,
    )
    held = insert(holds).values({name: bindparam(name) for name in ("checkout_id", "pool", "slot", "units")})
    held = held.on_conflict_do_update(
        index_elements=["checkout_id", "pool", "slot"], set_={"units": held.excluded.units}
    )
    return HoldStatements(
        own=compiled(select(holds.c.pool, holds.c.slot, holds.c.units).where(of_checkout), dialect),
        drop=compiled(delete(holds).where(of_checkout, *of_slot), dialect),
        put_capacity=compiled(sized, dialect),
        put=compiled(held, dialect),
        sell=compiled(update(holds).where(of_checkout).values(is_sold=true()), dialect),
        has_expired=compiled(select(exists(checkouts.c.id).where(*_has_expired)), dialect),
        release_expired=compiled(_release_expired(), dialect),
        held_by=compiled(_held_by_one(), dialect),
        held_anonymously=compiled(_held_anonymously(), dialect),
    )


def _release_expired() -> Update:
    # A write that was decided while the checkout still held its places finds another revision: it is Stale.
    some = select(checkouts.c.id).where(*_has_expired)
    some = some.limit(literal_column(str(RELEASED_AT_ONCE))).offset(literal_column("0"))
    return (
        update(checkouts)
        .where(checkouts.c.id.in_(some))
        .values(
            has_holds=false(),
            revision=checkouts.c.revision + literal_column("1"),
            holder=null(),
            held_units=literal_column("0"),
        )
    )


def _held_by_one() -> Select[Any]:
    """Read what live checkouts of one holder hold, slot by slot; limits keep them few."""
    own = (checkouts.c.id, checkouts.c.held_units, checkouts.c.expires_at)
    return _held(checkouts.c.holder == bindparam("of_holder"), *own, holds.c.units)


def _held_anonymously() -> Select[Any]:
    """Sum what live checkouts of all holders hold, by slot."""
    first, total = func.min(checkouts.c.expires_at), func.sum(holds.c.units)
    nobody, no_units = literal_column("''", Text), literal_column("0", BigInteger)
    sums = _held(checkouts.c.holder.is_not(None), nobody, no_units, first, total)
    return sums.group_by(holds.c.pool, holds.c.slot)


def _held(by: ColumnElement[bool], *found: ColumnElement[Any]) -> Select[Any]:
    rows = select(holds.c.pool, holds.c.slot, *found).join_from(checkouts, holds)
    return rows.where(by, checkouts.c.expires_at > bindparam("at"), checkouts.c.id != bindparam("without"))


def compile_taken(dialect: Dialect, pools: int) -> Statement:
    """Compile for *dialect* the question what is taken of so many pools.

    It is one statement, so that it sees one state of the database: first all that is counted, then, as
    negative places, the holds that do not count.
    """
    names: list[BindParameter[str]] = [bindparam(f"pool_{number}") for number in range(pools)]
    zero = literal_column("0", BigInteger)

    def are_asked_for(table: Table) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
        return table.c.pool.in_(names), table.c.slot.between(bindparam("first"), bindparam("last"))

    taken = capacity.c.sold + capacity.c.held > zero
    counted = select(capacity.c.pool, capacity.c.slot, capacity.c.sold, capacity.c.held)
    uncounted = select(holds.c.pool, holds.c.slot, zero, -holds.c.units)
    expired = uncounted.join_from(checkouts, holds).where(*_has_expired, *are_asked_for(holds))
    own = uncounted.where(
        holds.c.checkout_id == bindparam("without"), holds.c.is_sold.is_(false()), *are_asked_for(holds)
    )
    return compiled(union_all(counted.where(*are_asked_for(capacity), taken), expired, own), dialect)


def slot_counts(rows: Sequence[tuple[str, str, int, int]]) -> list[SlotCount]:
    """Return what the rows of `compile_taken` come to.

    >>> slot_counts([("lift", "2026-12-27", 1, 5), ("lift", "2026-12-27", 0, -3)])
    [SlotCount(pool='lift', slot='2026-12-27', sold=1, held=2)]
    """
    uncounted = [row for row in rows if row[3] < 0]
    if not uncounted:
        return list(map(SlotCount._make, rows))
    counts = {row[:2]: SlotCount._make(row) for row in rows if row[3] >= 0}
    for pool, slot, _, places in uncounted:
        count = counts[pool, slot]
        counts[pool, slot] = count._replace(held=count.held + places)
    return list(counts.values())
