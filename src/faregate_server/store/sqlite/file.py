"""Opening a SQLite file, and one plain sentence when that fails."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from faregate_http.store.contract import StoreUnavailable, UnsupportedDatabase

LOG_BUSY_SECONDS = 0.5
"""Longest wait for a writer, and of a writer, while the log is cut."""


def connect(path: str | Path, *, busy_timeout_ms: int) -> sqlite3.Connection:
    """Open the file at *path*; transactions are begun by hand.

    Where there is none, but its directory, one is made that only its owner can read: it is about persons.

    Raises:
        UnsupportedDatabase: *path* names a database in memory, which no second connection would see.
        StoreUnavailable: the directory does not exist, or the file cannot be opened.
    """
    if str(path) in {"", ":memory:"}:
        raise UnsupportedDatabase("a database in memory cannot be shared or survive: name a file")
    path = Path(path)
    if not path.parent.is_dir():
        raise StoreUnavailable(f"cannot open {path}: there is no directory {path.parent}")
    _make(path)
    with opening(path):
        return sqlite3.connect(
            path, timeout=busy_timeout_ms / 1000, isolation_level=None, check_same_thread=False
        )


def _make(path: Path) -> None:
    """Make the file, if it is none yet; SQLite gives its mode to those that it puts beside it."""
    # None that there is already: to close it would take the locks from under all who have it open here.
    with suppress(OSError):  # SQLite says what is in the way
        os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def truncate_log(path: str | Path) -> bool:
    """Write the log of the file at *path* back and cut it to nothing; False: others use it now.

    Nobody who writes waits for those who read: while there is one of an older state, nothing is cut.

    Raises:
        sqlite3.Error: the file cannot be read or written.
    """
    address = f"{Path(path).absolute().as_uri()}?mode=rw"  # none is made where it was taken away
    with closing(sqlite3.connect(address, uri=True, timeout=LOG_BUSY_SECONDS)) as connection:
        connection.execute("PRAGMA fullfsync = ON")
        _, pages, written = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if written < pages:
            return False
        is_busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return bool(is_busy == 0)


def revision_of(connection: sqlite3.Connection) -> str | None:
    """Return the revision of the tables; None: there are none."""
    # The schema is read by name first: a missing table and a broken file are both errors to a plain select.
    tables = "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"
    if connection.execute(tables).fetchone() == (0,):
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])


def names_of(connection: sqlite3.Connection) -> set[str]:
    """Return the names of all indexes, triggers and constraints."""
    schema = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    constraints = {name for _, _, sql in schema for name in re.findall(r"CONSTRAINT (\w+)", sql)}
    return constraints.union(name for kind, name, _ in schema if kind != "table")


@contextmanager
def opening(path: str | Path) -> Iterator[None]:
    """Raise what SQLite finds wrong as StoreUnavailable, with the name of the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreUnavailable(f"cannot open {path}: {error}") from error
