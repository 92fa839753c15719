"""Records in SQLite: they are saved as checkouts are, each at a revision."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy.dialects import sqlite

from faregate_http.store.contract import Stale
from faregate_http.store.records import KINDS, Record, RecordType
from faregate_server.store.sql.record_statements import compile_record_statements
from faregate_server.store.sqlite.writer import Change

_SQL = {kind: compile_record_statements(sqlite.dialect(), kind) for kind in KINDS}


class UniqueChange(NamedTuple):
    """A change of a record, refused as stale where another has what only one may have."""

    change: Change
    record: Record

    def run(self, cursor: sqlite3.Cursor) -> int:
        """See `Step.run`."""
        try:
            return self.change.run(cursor)
        except sqlite3.IntegrityError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
                raise
            raise Stale(self.record.id, self.record.revision) from error


def put_record(record: Record) -> UniqueChange:
    """Return the step that inserts *record* at revision 1, or replaces the revision before it."""
    sql = _SQL[type(record)]
    refusal = (Stale, (record.id, record.revision))
    if record.revision == 1:
        return UniqueChange(Change(sql.insert.text, record, refusal), record)
    values = (*record[1:], record.id, record.revision - 1)
    return UniqueChange(Change(sql.replace.text, values, refusal), record)


def erase_record(record: Record) -> Change:
    """Return the step that erases *record*, which must be at its revision."""
    refusal = (Stale, (record.id, record.revision))
    return Change(_SQL[type(record)].erase.text, (record.id, record.revision), refusal)


def due_of(kind: type[Record]) -> str:
    """Return the question what is due of *kind*, as SQL."""
    return _SQL[kind].due.text


def read_records(
    kind: type[RecordType], rows: Sequence[tuple[str | int | bytes | None, ...]]
) -> list[RecordType]:
    """Return *rows* as records of *kind*; SQLite has no truth values, only 0 and 1."""
    truths = _SQL[kind].truths
    if not truths:
        return [kind._make(row) for row in rows]
    return [kind._make([value == 1 if n in truths else value for n, value in enumerate(row)]) for row in rows]
