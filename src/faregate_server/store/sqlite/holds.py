"""Holding places in SQLite: a save writes what differs, and the tables refuse what is too much."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.dialects import sqlite

from faregate_http.store.contract import CheckoutRow, Hold, HoldLimits, SoldOut, StoreError
from faregate_http.store.holds import NOTHING_HELD, Held, check_limits, held_of, in_order
from faregate_server.store.sql.hold_statements import compile_hold_statements
from faregate_server.store.sql.statements import Statement
from faregate_server.store.sqlite.writer import Change

_SQL = compile_hold_statements(sqlite.dialect())


class ExpiredInTheWay(StoreError):
    """A slot is full while expired checkouts hold places, there or elsewhere: release them, try again.

    To release them here would be undone with the job if it is refused after all, and done again for the next.
    """


class HoldStep(NamedTuple):
    """The part of a save that makes *holds*, in order of pool and slot, what the checkout holds."""

    checkout_id: str
    holds: Sequence[Hold]
    at: int
    is_new: bool

    def run(self, cursor: sqlite3.Cursor) -> int:
        """See `Step.run`.

        Raises:
            SoldOut: a slot has too few places.
            ExpiredInTheWay: it may have enough when what has expired is released.
        """
        own = {} if self.is_new else self._own(cursor)
        self._let_go(cursor, own)
        for hold in self.holds:
            if hold.units > own.get((hold.pool, hold.slot), 0):
                self._take(cursor, hold)
        cursor.execute(_SQL.release_expired.text, (self.at, self.checkout_id))
        return cursor.rowcount

    def _own(self, cursor: sqlite3.Cursor) -> dict[tuple[str, str], int]:
        rows = cursor.execute(_SQL.own.text, (self.checkout_id,))
        return {(pool, slot): units for pool, slot, units in rows}

    def _let_go(self, cursor: sqlite3.Cursor, own: dict[tuple[str, str], int]) -> None:
        kept = {(hold.pool, hold.slot): hold.units for hold in self.holds}
        for (pool, slot), units in own.items():
            left = kept.get((pool, slot), 0)
            if left == 0:
                cursor.execute(_SQL.drop.text, (self.checkout_id, pool, slot))
            elif left < units:
                cursor.execute(_SQL.put.text, (self.checkout_id, pool, slot, left))

    def _take(self, cursor: sqlite3.Cursor, hold: Hold) -> None:
        try:
            cursor.execute(_SQL.put_capacity.text, (hold.pool, hold.slot, hold.size))
            cursor.execute(_SQL.put.text, (self.checkout_id, hold.pool, hold.slot, hold.units))
        except sqlite3.IntegrityError as error:
            if not _says_full(error):
                raise
            refusal = self._refusal(cursor, hold)
            if hold.units > hold.before or isinstance(refusal, ExpiredInTheWay):
                raise refusal from error

    def _refusal(self, cursor: sqlite3.Cursor, hold: Hold) -> StoreError:
        expired = cursor.execute(_SQL.has_expired.text, (self.at, self.checkout_id)).fetchone()
        return SoldOut(hold.pool, hold.slot) if expired == (0,) else ExpiredInTheWay()


class HolderStep(NamedTuple):
    """The part of a save that refuses the *grown* holds of *row* where they exceed *limits*."""

    row: CheckoutRow
    grown: Sequence[Hold]
    limits: HoldLimits

    def run(self, cursor: sqlite3.Cursor) -> int:
        """See `Step.run`; one transaction writes at a time.

        Raises:
            TooManyHeld: a limit is exceeded.
        """
        own = self._held(cursor, _SQL.held_by)
        counts_all = self.limits.anonymous_share is not None
        anonymous = self._held(cursor, _SQL.held_anonymously) if counts_all else NOTHING_HELD
        check_limits(self.row, self.grown, self.limits, own=own, anonymous=anonymous)
        return 0

    def _held(self, cursor: sqlite3.Cursor, statement: Statement) -> Held:
        known = {"of_holder": self.row.holder, "at": self.row.changed_at, "without": self.row.id}
        values = [known[name] for name in statement.parameters]
        return held_of(cursor.execute(statement.text, values).fetchall())


def keep_holds(row: CheckoutRow, holds: Sequence[Hold]) -> HoldStep:
    """Return the step that makes *holds* the holds of the checkout of *row*, which is saved before it.

    Raises:
        ValueError: a hold of less than one unit, of a size below 0, or of a slot named twice.
    """
    return HoldStep(row.id, in_order(holds), row.changed_at, row.revision == 1)


def sell_holds(row: CheckoutRow) -> Change:
    """Return the change that sells what the checkout of *row* holds."""
    return Change(_SQL.sell.text, (row.id,))


def release_expired(at: int, *, without: str | None) -> Change:
    """Return the change that releases a piece of what has expired at *at*, not that of *without*."""
    return Change(_SQL.release_expired.text, (at, without))


def _says_full(error: sqlite3.IntegrityError) -> bool:
    is_check = error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_CHECK
    return is_check and "ck_capacity_size" in str(error)
