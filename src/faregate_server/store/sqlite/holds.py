"""Capacity holds in SQLite: a save writes only changed holds; a constraint keeps them within capacity."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from faregate_http.store.contract import CheckoutRow, Hold, HoldLimits, SoldOut, StoreError
from faregate_http.store.holds import NOTHING_HELD, check_limits, held_of
from faregate_server.store.sql.statements import HELD_ANONYMOUSLY, HELD_BY
from faregate_server.store.sql.writes import ExpiredInTheWay
from faregate_server.store.sqlite.statements import (
    DROP_HOLD,
    HAS_EXPIRED,
    OWN_HOLDS,
    PUT_CAPACITY,
    PUT_HOLD,
    RELEASE_EXPIRED,
)


class HoldStep(NamedTuple):
    """The step of a save that replaces the holds of a checkout with *holds*, sorted by pool and slot."""

    checkout_id: str
    holds: Sequence[Hold]
    at: int
    is_new: bool

    def run(self, cursor: sqlite3.Cursor) -> int:
        """See `Step.run`.

        Raises:
            SoldOut: a slot has too little capacity.
            ExpiredInTheWay: a slot may have enough capacity once expired checkouts are released.
        """
        own = {} if self.is_new else self._own(cursor)
        self._let_go(cursor, own)
        for hold in self.holds:
            if hold.units > own.get((hold.pool, hold.slot), 0):
                self._take(cursor, hold)
        cursor.execute(RELEASE_EXPIRED, (self.at, self.checkout_id))
        return cursor.rowcount

    def _own(self, cursor: sqlite3.Cursor) -> dict[tuple[str, str], int]:
        rows = cursor.execute(OWN_HOLDS, (self.checkout_id,))
        return {(pool, slot): units for pool, slot, units in rows}

    def _let_go(self, cursor: sqlite3.Cursor, own: dict[tuple[str, str], int]) -> None:
        kept = {(hold.pool, hold.slot): hold.units for hold in self.holds}
        for (pool, slot), units in own.items():
            left = kept.get((pool, slot), 0)
            if left == 0:
                cursor.execute(DROP_HOLD, (self.checkout_id, pool, slot))
            elif left < units:
                cursor.execute(PUT_HOLD, (self.checkout_id, pool, slot, left))

    def _take(self, cursor: sqlite3.Cursor, hold: Hold) -> None:
        try:
            cursor.execute(PUT_CAPACITY, (hold.pool, hold.slot, hold.size))
            cursor.execute(PUT_HOLD, (self.checkout_id, hold.pool, hold.slot, hold.units))
        except sqlite3.IntegrityError as error:
            if not _says_full(error):
                raise
            refusal = self._refusal(cursor, hold)
            if hold.units > hold.before or isinstance(refusal, ExpiredInTheWay):
                raise refusal from error

    def _refusal(self, cursor: sqlite3.Cursor, hold: Hold) -> StoreError:
        expired = cursor.execute(HAS_EXPIRED, (self.at, self.checkout_id)).fetchone()
        return SoldOut(hold.pool, hold.slot) if expired == (0,) else ExpiredInTheWay()


class HolderStep(NamedTuple):
    """The step of a save that checks *grown*, the increased holds of the checkout *row*, against *limits*."""

    row: CheckoutRow
    grown: Sequence[Hold]
    limits: HoldLimits

    def run(self, cursor: sqlite3.Cursor) -> int:
        """See `Step.run`. No lock is needed, because only one transaction writes at a time.

        Raises:
            TooManyHeld: a limit is exceeded.
        """
        at, checkout_id = self.row.changed_at, self.row.id
        own = held_of(cursor.execute(HELD_BY, (self.row.holder, at, checkout_id)).fetchall())
        anonymous = NOTHING_HELD
        if self.limits.anonymous_share is not None:
            anonymous = held_of(cursor.execute(HELD_ANONYMOUSLY, (at, checkout_id)).fetchall())
        check_limits(self.row, self.grown, self.limits, own=own, anonymous=anonymous)
        return 0


def _says_full(error: sqlite3.IntegrityError) -> bool:
    is_check = error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_CHECK
    return is_check and "ck_capacity_size" in str(error)
