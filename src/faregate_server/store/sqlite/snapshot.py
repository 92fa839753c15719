"""Read-only snapshots of a SQLite file."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from faregate_http.store.contract import StoreUnavailable
from faregate_server.store.sqlite.file import names_of, opening, revision_of

BUSY_SECONDS = 5.0
"""Maximum time in seconds to wait while another process recovers the write-ahead log."""

_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class SqliteReader:
    """A `SnapshotReader` that never writes to the file; it neither blocks writers nor sees their changes."""

    triggers = frozenset({"checkouts_released", "holds_deleted", "holds_inserted", "holds_updated"})

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise StoreUnavailable(f"cannot open {path}: no such file")
        address = f"{path.absolute().as_uri()}?mode=ro"
        with opening(path):
            self._connection = sqlite3.connect(
                address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
            )
        # Invalid text is read anyway, so that the report can name the row.
        self._connection.text_factory = lambda text: text.decode(errors="replace")
        with _reading():
            self._connection.execute("BEGIN")

    def revision(self) -> str | None:
        """See `SnapshotReader.revision`."""
        with _reading():
            return revision_of(self._connection)

    def names(self) -> set[str]:
        """See `SnapshotReader.names`."""
        with _reading():
            return names_of(self._connection)

    def fetch(self, sql: str, *values: object) -> Sequence[Sequence[Any]]:
        """See `SnapshotReader.fetch`."""
        return list(self.stream(sql, *values))

    def stream(self, sql: str, *values: object) -> Iterator[Sequence[Any]]:
        """See `SnapshotReader.stream`."""
        with _reading():
            yield from self._connection.execute(sql, values)

    def damage(self) -> Iterator[str]:
        """Yield a description of each fault in the whole file, including its indexes and foreign keys.

        Foreign keys are checked because connections that do not enforce them may have violated them.
        """
        try:
            for (line,) in self._connection.execute("PRAGMA integrity_check"):
                if line != "ok":
                    yield line.removeprefix("*** in database main ***\n")
            for table, _, parent, _ in self._connection.execute("PRAGMA foreign_key_check"):
                yield f"a row of {table} refers to a missing row of {parent}"
        except sqlite3.Error as error:
            if error.sqlite_errorcode & 0xFF not in _DAMAGED:
                raise StoreUnavailable(f"the database cannot be read: {error}") from error
            yield str(error)

    def close(self) -> None:
        """See `SnapshotReader.close`."""
        self._connection.close()


@contextmanager
def _reading() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreUnavailable(f"the database cannot be read: {error}") from error
