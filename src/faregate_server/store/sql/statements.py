"""SQL that works in both SQLite and PostgreSQL; question marks stand for the parameters, in order."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, get_type_hints

from faregate_http.store.contract import CheckoutHead, CheckoutRow, SlotCount, StoredAnswer
from faregate_http.store.records import (
    AccountRow,
    OrderRow,
    PaymentDetailRow,
    PaymentRow,
    PersonRow,
    Record,
    TicketRow,
)

# ruff: noqa: S608 - the statements consist of constants and names of columns

PURGED_AT_ONCE = 50
"""Maximum number of stored responses deleted per statement, so that other writes need not wait long."""

RELEASED_AT_ONCE = 50
"""Maximum number of checkouts released per statement, so that other writes need not wait long."""


def columns(row: type[CheckoutRow | CheckoutHead | StoredAnswer | Record]) -> str:
    """Return the column names of a row type, separated by commas, in the order of its fields."""
    return ", ".join(row._fields)


def _assigned(names: Sequence[str]) -> str:
    return ", ".join(f"{name} = ?" for name in names)


def _insert(table: str, names: Sequence[str]) -> str:
    """Return a statement that inserts a row into *table*, unless a row with the same key exists."""
    marks = ", ".join("?" for _ in names)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks}) ON CONFLICT DO NOTHING"


_AT_REVISION = "WHERE id = ? AND revision = ?"

# ---------------------------------------------------------------- checkouts and responses

HEAD = f"SELECT {columns(CheckoutHead)} FROM checkouts WHERE id = ?"
CHECKOUT = f"SELECT {columns(CheckoutRow)} FROM checkouts WHERE id = ?"
WALK = f"SELECT {columns(CheckoutRow)} FROM checkouts WHERE id > ? ORDER BY id LIMIT ?"
CHECKOUTS_OF = f"""
    SELECT {columns(CheckoutRow)} FROM checkouts
    WHERE id > ? AND account = ? AND account IS NOT NULL AND NOT is_closed ORDER BY id LIMIT ?
"""
INSERT_CHECKOUT = _insert("checkouts", (*CheckoutRow._fields, "has_holds"))
REPLACE_CHECKOUT = f"UPDATE checkouts SET {_assigned(CheckoutRow._fields[1:])} {_AT_REVISION}"
REPLACE_HOLDER = f"UPDATE checkouts SET {_assigned((*CheckoutRow._fields[1:], 'has_holds'))} {_AT_REVISION}"

ANSWER = f"SELECT {columns(StoredAnswer)} FROM answers WHERE scope = ? AND key = ?"
INSERT_ANSWER = _insert("answers", StoredAnswer._fields)
_SOME_ANSWERS = f"""
    DELETE FROM answers
    WHERE (scope, key) IN (SELECT scope, key FROM answers WHERE {{}} LIMIT {PURGED_AT_ONCE})
"""
PURGE_ANSWERS = _SOME_ANSWERS.format("created_at < ?")
FORGET_ANSWERS = _SOME_ANSWERS.format("scope >= ? AND scope < ?")

_PURGED = """
    id > ? AND id <= ? AND expires_at < ? AND NOT (is_closed OR has_holds OR is_paying)
        AND NOT EXISTS (SELECT 1 FROM payments WHERE checkout_id = checkouts.id)
"""
PURGE_CHECKOUTS = f"DELETE FROM checkouts WHERE {_PURGED}"
PURGE_DETAILS = f"DELETE FROM payment_details WHERE checkout_id IN (SELECT id FROM checkouts WHERE {_PURGED})"


# ---------------------------------------------------------------- failures

FAILURES_KEPT = 100_000
"""Maximum number of failures of all clients; beyond it, the oldest are deleted."""

FAILURE_WAIT = """
    SELECT ends_at - {now} FROM failures WHERE holder = ? AND kind = ? AND ends_at > {now}
    ORDER BY ends_at DESC LIMIT 1 OFFSET ?
"""
"""Milliseconds until a failure no longer counts; ``now`` is an expression for the clock of the database."""

ADD_FAILURE = "INSERT INTO failures (kind, holder, ends_at) VALUES (?, ?, {now} + ?)"

# Each new failure deletes several old ones, so that the table shrinks whenever something is written.
DROP_FAILURES = f"""
    DELETE FROM failures WHERE id IN (SELECT id FROM failures ORDER BY id LIMIT {PURGED_AT_ONCE})
        AND (ends_at <= {{now}} OR id <= (SELECT max(id) FROM failures) - {FAILURES_KEPT})
"""


def scopes_of(owner: str) -> tuple[str, str]:
    """Return the start and the exclusive end of the range of scopes that begin with *owner* and a space.

    >>> scopes_of("account 7")
    ('account 7 ', 'account 7!')
    """
    return f"{owner} ", f"{owner}!"


# ---------------------------------------------------------------- holds

HELD_BY = """
    SELECT pool, slot, id, held_units, expires_at, units FROM checkouts JOIN holds ON checkout_id = id
    WHERE holder = ? AND expires_at > ? AND id <> ?
"""
"""Query for the holds of a holder in all open checkouts except one; limits keep them few."""

HELD_ANONYMOUSLY = """
    SELECT pool, slot, '', 0, min(expires_at), sum(units) FROM checkouts JOIN holds ON checkout_id = id
    WHERE holder IS NOT NULL AND expires_at > ? AND id <> ? GROUP BY pool, slot
"""
"""Query for the units that anonymous holders hold in each slot, in all open checkouts except one."""


def slot_counts(rows: Iterable[Sequence[Any]]) -> list[SlotCount]:
    """Return one count per slot; negative units in later *rows* are deducted from its earlier row.

    >>> slot_counts([("lift", "2026-12-27", 1, 5), ("lift", "2026-12-27", 0, -3)])
    [SlotCount(pool='lift', slot='2026-12-27', sold=1, held=2)]
    """
    found = list(map(SlotCount._make, rows))
    uncounted = [count for count in found if count.held < 0]
    if not uncounted:
        return found
    counts = {count[:2]: count for count in found if count.held >= 0}
    for pool, slot, _, places in uncounted:
        count = counts[pool, slot]
        counts[pool, slot] = count._replace(held=count.held + places)
    return list(counts.values())


# ---------------------------------------------------------------- records


class RecordStatements(NamedTuple):
    """The SQL statements for one type of record; columns have the names of its fields.

    The parameters of `insert` are all fields; those of `replace` are the fields after the id, then the id and
    the replaced revision; those of `erase` are the id and the revision; those of `due` are the instant and
    the limit. `truths` contains the indexes of Boolean columns.
    """

    select: str
    insert: str
    replace: str
    erase: str
    due: str
    truths: frozenset[int]


def _record_statements(kind: type[Record], table: str) -> RecordStatements:
    select = f"SELECT {columns(kind)} FROM {table}"
    hints = get_type_hints(kind)
    return RecordStatements(
        select=select,
        insert=_insert(table, kind._fields),
        replace=f"UPDATE {table} SET {_assigned(kind._fields[1:])} {_AT_REVISION}",
        erase=f"DELETE FROM {table} {_AT_REVISION}",
        due=f"{select} WHERE due_at IS NOT NULL AND due_at <= ? ORDER BY due_at, id LIMIT ?",
        truths=frozenset(n for n, name in enumerate(kind._fields) if hints[name] is bool),
    )


RECORDS: dict[type[Record], RecordStatements] = {
    kind: _record_statements(kind, table)
    for kind, table in (
        (AccountRow, "accounts"),
        (PersonRow, "persons"),
        (PaymentDetailRow, "payment_details"),
        (PaymentRow, "payments"),
        (OrderRow, "orders"),
        (TicketRow, "tickets"),
    )
}


@lru_cache(maxsize=256)
def where(select: str, names: tuple[str, ...], *, is_behind: bool) -> str:
    """Return *select*, limited to rows with given values in the columns *names*, oldest first.

    The parameters are the values; then, if *is_behind*, the creation instant and the id of the record after
    which to start; then the maximum number of rows.
    """
    conditions = [f"{name} = ?" for name in names]
    if is_behind:
        conditions.append("(created_at, id) > (?, ?)")
    return f"{select} WHERE {' AND '.join(conditions) or 'true'} ORDER BY created_at, id LIMIT ?"
