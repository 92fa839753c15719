"""The statements that find and keep records of every kind, compiled like the others."""

from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import (
    BindParameter,
    Boolean,
    Column,
    ColumnElement,
    Select,
    Table,
    bindparam,
    delete,
    literal_column,
    select,
    tuple_,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from faregate_http.store.records import Record
from faregate_server.store.sql.statements import Statement, compiled
from faregate_server.store.sql.tables import RECORDS


class RecordStatements(NamedTuple):
    """What a store says to its database of one kind of record.

    The parameters of `insert` are the fields in their order, those of `replace` the fields after the key,
    then the key and the revision that is replaced; `erase` takes both as well. `truths` are the places of
    fields that are truth values, which not every database gives back as such.
    """

    insert: Statement
    replace: Statement
    erase: Statement
    due: Statement
    truths: tuple[int, ...]


def compile_record_statements(dialect: Dialect, kind: type[Record]) -> RecordStatements:
    """Compile for *dialect*, whose parameters must be positional, what is said of *kind*."""
    table = RECORDS[kind]
    insert = postgresql.insert if dialect.name == "postgresql" else sqlite.insert
    at_revision = (table.c.id == bindparam("row_id"), table.c.revision == bindparam("found_revision"))
    fields: dict[Column[Any], BindParameter[Any]] = {column: bindparam(column.name) for column in table.c}
    inserted = insert(table).values(fields)
    del fields[table.c.id]
    replaced = update(table).where(*at_revision).values(fields)
    return RecordStatements(
        insert=compiled(inserted.on_conflict_do_nothing(), dialect),
        replace=compiled(replaced, dialect),
        erase=compiled(delete(table).where(*at_revision), dialect),
        due=_due(dialect, table),
        truths=tuple(n for n, column in enumerate(table.c) if isinstance(column.type, Boolean)),
    )


def _due(dialect: Dialect, table: Table) -> Statement:
    if "due_at" not in table.c:
        return Statement("", ())  # nothing is ever to be done about one
    found = select(table).where(table.c.due_at.is_not(None), table.c.due_at <= bindparam("at"))
    return compiled(_limited(found.order_by(table.c.due_at, table.c.id)), dialect)


def _limited(found: Select[tuple[object, ...]]) -> Select[tuple[object, ...]]:
    # Written out: SQLite has no limit without an offset, which would become a parameter.
    return found.limit(bindparam("most")).offset(literal_column("0"))


@lru_cache(maxsize=256)
def compile_find(
    dialect: Dialect, table: Table, columns: tuple[str, ...], *, is_behind: bool = False
) -> Statement:
    """Compile for *dialect* the question which rows of *table* have given values in *columns*.

    The parameters are the columns in their order, then when the row was made, and its id, that those asked
    for are behind, if they are, then the most of them.

    Raises:
        KeyError: there is no such column.
    """
    have: list[ColumnElement[bool]] = [table.c[name] == bindparam(f"of_{name}") for name in columns]
    place = tuple_(table.c.created_at, table.c.id)
    if is_behind:
        have.append(place > tuple_(*(bindparam(f"after_{c.name}", type_=c.type) for c in place)))
    found = select(table).where(*have).order_by(*place)
    return compiled(_limited(found), dialect)


def place_of(record: Record | None) -> tuple[int, str | int] | tuple[()]:
    """Return the position of *record* among those found, as values of the query's parameters."""
    return () if record is None else (record.created_at, record.id)
