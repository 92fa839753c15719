"""What a save says to PostgreSQL, each part with what refuses the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import asyncpg
from sqlalchemy import make_url

from faregate_http.store.contract import AnswerTaken, CheckoutRow, Hold, Stale, StoredAnswer, StoreError
from faregate_http.store.records import KINDS, Record
from faregate_server.store.sql.record_statements import compile_record_statements
from faregate_server.store.sql.statements import compile_statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy.engine import Dialect

DIALECT: Dialect = make_url("postgresql+asyncpg://").get_dialect()()

SQL = compile_statements(DIALECT)

RECORD_SQL = {kind: compile_record_statements(DIALECT, kind) for kind in KINDS}


class Write(NamedTuple):
    """One statement that must change one row; else, or where only one may have a value, it is refused."""

    sql: str
    values: Sequence[object]
    refusal: StoreError

    async def run(self, connection: asyncpg.Connection) -> None:
        """Do it, or raise the refusal."""
        try:
            status = await connection.execute(self.sql, *self.values)
        except asyncpg.UniqueViolationError as error:
            raise self.refusal from error
        if not status.endswith(" 1"):
            raise self.refusal


def writes_of(
    row: CheckoutRow | None,
    answer: StoredAnswer | None,
    holds: Sequence[Hold] | None,
    *,
    records: Sequence[Record],
    erased: Sequence[Record],
) -> Iterator[Write]:
    """Return what is to be written, but for the holds, in the order in which rows are locked.

    Raises:
        ValueError: inputs or headers that are not UTF-8.
    """
    if row is not None:
        yield _checkout(row, holds)
    if answer is not None:
        scope, key, fingerprint, status, headers, body, created_at = answer
        values = (scope, key, fingerprint, status, headers.decode(), body, created_at)
        yield Write(SQL.insert_answer.text, values, AnswerTaken(scope, key))
    for record in erased:
        sql = RECORD_SQL[type(record)].erase.text
        yield Write(sql, (record.id, record.revision), Stale(record.id, record.revision))
    yield from map(_record, records)


def _checkout(row: CheckoutRow, holds: Sequence[Hold] | None) -> Write:
    """Write *row*; that it holds something, if it is to, and not yet that it does not."""
    stale = Stale(row.id, row.revision)
    values = (*row[:8], row.inputs.decode(), *row[9:])
    if row.revision == 1:
        return Write((SQL.insert_holder if holds else SQL.insert_checkout).text, values, stale)
    key = (row.id, row.revision - 1)
    if holds:
        return Write(SQL.replace_holder.text, (*values[1:9], True, *values[9:], *key), stale)
    return Write(SQL.replace_checkout.text, (*values[1:], *key), stale)


def _record(record: Record) -> Write:
    sql = RECORD_SQL[type(record)]
    stale = Stale(record.id, record.revision)
    if record.revision == 1:
        return Write(sql.insert.text, record, stale)
    return Write(sql.replace.text, (*record[1:], record.id, record.revision - 1), stale)
