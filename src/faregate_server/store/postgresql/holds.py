"""Capacity holds in PostgreSQL: slots are locked, their units counted, and only units that fit are held."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from faregate_http.store.contract import CheckoutRow, Hold, HoldLimits, SoldOut
from faregate_http.store.holds import NOTHING_HELD, Held, check_limits, held_of
from faregate_server.store.postgresql.session import Session
from faregate_server.store.postgresql.statements import (
    ALL_HOLDERS,
    DROP_HOLDS,
    HAS_EXPIRED,
    HOLD_NOTHING,
    LOCK_EXPIRED,
    LOCK_HOLDER,
    LOCK_SLOTS,
    OWN_HOLDS,
    RELEASE,
    SELL,
    SLOTS_HELD,
    TAKE_SLOTS,
)
from faregate_server.store.sql.statements import HELD_ANONYMOUSLY, HELD_BY
from faregate_server.store.sql.writes import ExpiredInTheWay

Slot = tuple[str, str]


class SlotChange(NamedTuple):
    """A change in the number of units that a checkout holds in a slot, from ``own`` to ``units``.

    ``size`` is the capacity of the slot, or 0 if the units do not increase. If additional units do not fit,
    the save raises `SoldOut` if ``units`` exceeds ``before``, the units held earlier, and otherwise keeps
    ``own``.
    """

    pool: str
    slot: str
    size: int
    units: int
    own: int
    before: int

    def is_short(self, taken: Mapping[Slot, int]) -> bool:
        """Return True if the change exceeds the capacity; *taken* maps each slot to the units in use."""
        return self.units > self.own and taken[self[:2]] - self.own + self.units > self.size


def holder_lock(row: CheckoutRow, limits: HoldLimits) -> str:
    """Return the statement that locks the holder of *row*, to whom *limits* apply, until the commit."""
    return LOCK_HOLDER.format(holder=row.holder if limits.anonymous_share is None else ALL_HOLDERS)


async def check_holder(session: Session, row: CheckoutRow, grown: Sequence[Hold], limits: HoldLimits) -> None:
    """Check *grown*, the increased holds of *row*, against *limits*; its holder is locked.

    Raises:
        TooManyHeld: a limit is exceeded.
    """
    own = await _held(session, HELD_BY, row.holder, row.changed_at, row.id)
    anonymous = NOTHING_HELD
    if limits.anonymous_share is not None:
        anonymous = await _held(session, HELD_ANONYMOUSLY, row.changed_at, row.id)
    check_limits(row, grown, limits, own=own, anonymous=anonymous)


async def _held(session: Session, sql: str, *values: object) -> Held:
    return held_of([tuple(found) for found in await session.fetch(sql, *values)])


async def keep_holds(session: Session, row: CheckoutRow, holds: Sequence[Hold] | None) -> bool:
    """Replace the holds of *row* with *holds*, if given; if the checkout is closed, mark them as sold.

    The row was written earlier in the same transaction, so no other transaction changes these holds. Returns
    True if there are expired checkouts to release afterwards.

    Raises:
        SoldOut: a slot has too little capacity.
        ExpiredInTheWay: a slot may have enough capacity once expired checkouts are released.
    """
    own = {} if row.revision == 1 else await _own(session, row.id)
    wanted = [Hold(*slot, units, 0) for slot, units in own.items()] if holds is None else holds
    changes = [one for one in _changes(own, wanted) if row.is_closed or one.units != one.own]
    if not changes:
        return False
    asked = zip(*(change[:5] for change in changes), strict=True)
    rows = await session.fetch(TAKE_SLOTS, row.changed_at, row.id, *asked)
    taken = {(pool, slot): count for pool, slot, count, _ in rows}
    short = [change for change in changes if change.is_short(taken)]
    if short:
        await _refuse_new_claims(session, row, short)
    await _let_go(session, row.id, own, [change for change in changes if change not in short])
    if row.is_closed:
        await session.execute(SELL, row.id)
    return any(found["has_expired"] for found in rows)


async def _own(session: Session, checkout_id: str) -> dict[Slot, int]:
    rows = await session.fetch(OWN_HOLDS, checkout_id)
    return {(pool, slot): units for pool, slot, units in rows}


def _changes(own: Mapping[Slot, int], holds: Sequence[Hold]) -> Iterator[SlotChange]:
    """Yield the change from *own* to *holds* in each slot, in the order in which slots are locked."""
    wanted = {hold[:2]: hold for hold in holds}
    for slot in sorted(own.keys() | wanted.keys()):
        hold = wanted.get(slot, Hold(*slot, 0, 0))
        held = own.get(slot, 0)
        yield SlotChange(*slot, hold.size if hold.units > held else 0, hold.units, held, hold.before)


async def _refuse_new_claims(session: Session, row: CheckoutRow, short: Sequence[SlotChange]) -> None:
    """Raise `ExpiredInTheWay` if a checkout has expired, or `SoldOut` if a change exceeds ``before``."""
    if await session.fetchval(HAS_EXPIRED, row.changed_at, row.id):
        raise ExpiredInTheWay
    for change in short:
        if change.units > change.before:
            raise SoldOut(change.pool, change.slot)


async def _let_go(
    session: Session, checkout_id: str, own: Collection[Slot], made: Sequence[SlotChange]
) -> None:
    """Delete those holds of a checkout that the changes in *made* reduce to 0 units."""
    dropped = [change[:2] for change in made if not change.units]
    if not {*own, *(change[:2] for change in made)}.difference(dropped):
        await session.execute(HOLD_NOTHING, checkout_id)  # a trigger deletes the holds
    elif dropped:
        await session.execute(DROP_HOLDS, checkout_id, *zip(*dropped, strict=True))


async def release_expired(session: Session, at: int, *, without: str | None) -> int:
    """Release up to 50 checkouts expired by *at*, except the one with id *without*; return their number.

    A checkout that another transaction is changing is checked again once that transaction has ended.
    """
    ids = [checkout_id for (checkout_id,) in await session.fetch(LOCK_EXPIRED, at, without)]
    if not ids:
        return 0
    slots = sorted((pool, slot) for pool, slot in await session.fetch(SLOTS_HELD, ids))
    if slots:
        await session.execute(LOCK_SLOTS, *zip(*slots, strict=True))
    await session.execute(RELEASE, ids)
    return len(ids)
