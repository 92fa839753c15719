"""The SQL statements of a save, each with the error to raise if the database refuses it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from faregate_http.store.contract import AnswerTaken, CheckoutRow, Stale, StoredAnswer, StoreError
from faregate_http.store.records import Record
from faregate_server.store.sql.statements import (
    INSERT_ANSWER,
    INSERT_CHECKOUT,
    RECORDS,
    REPLACE_CHECKOUT,
    REPLACE_HOLDER,
)


class Write(NamedTuple):
    """An SQL statement with the values of its parameters.

    *refusal* is the error to raise if the statement violates a unique constraint or does not change exactly
    one row; without it, any number of rows may change.
    """

    sql: str
    values: Sequence[object]
    refusal: StoreError | None = None


class ExpiredInTheWay(StoreError):
    """A slot is full, but expired checkouts still hold units of this or other slots: release them and retry.

    A save does not release them itself: in SQLite a refused save would undo the release each time, and in
    PostgreSQL checkouts must be locked before slots.
    """


def checkout_write(row: CheckoutRow, *, has_holds: bool | None) -> Write:
    """Return the statement that saves *row*; *has_holds* is None if the holds stay as they are.

    Raises:
        ValueError: the inputs of the checkout are not UTF-8.
    """
    stale = Stale(row.id, row.revision)
    values = (*row[:8], row.inputs.decode(), *row[9:])
    if row.revision == 1:
        return Write(INSERT_CHECKOUT, (*values, bool(has_holds)), stale)
    key = (row.id, row.revision - 1)
    if has_holds is None:
        return Write(REPLACE_CHECKOUT, (*values[1:], *key), stale)
    return Write(REPLACE_HOLDER, (*values[1:], has_holds, *key), stale)


def other_writes(
    answer: StoredAnswer | None, *, records: Sequence[Record], erased: Sequence[Record]
) -> Iterator[Write]:
    """Yield the statements that save *answer* and *records* and delete the records in *erased*.

    Raises:
        ValueError: the headers of the response are not UTF-8.
    """
    if answer is not None:
        values = (*answer[:4], answer.headers.decode(), *answer[5:])
        yield Write(INSERT_ANSWER, values, AnswerTaken(answer.scope, answer.key))
    for record in erased:
        refusal = Stale(record.id, record.revision)
        yield Write(RECORDS[type(record)].erase, (record.id, record.revision), refusal)
    yield from map(_record_write, records)


def _record_write(record: Record) -> Write:
    stale = Stale(record.id, record.revision)
    if record.revision == 1:
        return Write(RECORDS[type(record)].insert, record, stale)
    values = (*record[1:], record.id, record.revision - 1)
    return Write(RECORDS[type(record)].replace, values, stale)
