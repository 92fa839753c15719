"""One state of a SQLite file, for reading only."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING, Any

from sqlalchemy.dialects import sqlite

from faregate_http.store.contract import StoreUnavailable
from faregate_server.store.sqlite.file import opening

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from sqlalchemy.engine import Dialect


BUSY_SECONDS = 5.0
"""So long a recovery of the write-ahead log by somebody else is waited for."""

_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class SqliteReader:
    """See `SnapshotReader`. Writers are neither kept waiting nor seen; the file itself is not written."""

    dialect: Dialect = sqlite.dialect()

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise StoreUnavailable(f"cannot open {path}: there is no such file")
        address = f"{path.absolute().as_uri()}?mode=ro"
        with opening(path):
            self._connection = sqlite3.connect(
                address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        # What is no text any more is still read, so that it is told which row it is in.
        self._connection.text_factory = lambda text: text.decode(errors="replace")
        self._execute("BEGIN")

    def revision(self) -> str | None:
        """See `SnapshotReader.revision`."""
        tables = "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"
        if self._execute(tables).fetchone() == (0,):
            return None
        row = self._execute("SELECT version_num FROM alembic_version").fetchone()
        return None if row is None else str(row[0])

    def names(self) -> Sequence[str]:
        """See `SnapshotReader.names`."""
        schema = list(self._rows("SELECT name, coalesce(sql, '') FROM sqlite_master"))
        constraints = [name for _, sql in schema for name in re.findall(r"CONSTRAINT (\w+)", sql)]
        return [*constraints, *(name for name, _ in schema)]

    def fetch(self, sql: str, *values: object) -> Sequence[Sequence[Any]]:
        """See `SnapshotReader.fetch`."""
        return list(self._rows(sql, values))

    def stream(self, sql: str) -> Iterator[Sequence[Any]]:
        """See `SnapshotReader.stream`."""
        return self._rows(sql)

    def damage(self) -> Iterator[str]:
        """See `SnapshotReader.damage`; it reads the whole file, indexes too.

        Foreign keys are checked as well: a connection that does not ask for them may break them.
        """
        try:
            for (line,) in self._connection.execute("PRAGMA integrity_check"):
                if line != "ok":
                    yield line.removeprefix("*** in database main ***\n")
            for table, _, parent, _ in self._connection.execute("PRAGMA foreign_key_check"):
                yield f"a row of {table} belongs to a row of {parent} that is not there"
        except sqlite3.Error as error:
            if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                raise _unreadable(error) from error
            yield str(error)

    def close(self) -> None:
        """See `SnapshotReader.close`."""
        self._connection.close()

    def _rows(self, sql: str, values: Sequence[object] = ()) -> Iterator[Sequence[Any]]:
        try:
            yield from self._connection.execute(sql, values)
        except sqlite3.Error as error:
            raise _unreadable(error) from error

    def _execute(self, sql: str) -> sqlite3.Cursor:
        try:
            return self._connection.execute(sql)
        except sqlite3.Error as error:
            raise _unreadable(error) from error


def _unreadable(error: sqlite3.Error) -> StoreUnavailable:
    return StoreUnavailable(f"the database cannot be read: {error}")
