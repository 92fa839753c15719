"""Connections to a SQLite file, and queries about the file itself."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from faregate_http.store.contract import StoreUnavailable
from faregate_server.store.unusable import UnsupportedDatabase

LOG_BUSY_SECONDS = 0.5
"""Maximum time in seconds that truncating the log waits for writers, or makes them wait."""


def connect(path: str | Path, *, busy_timeout_ms: int) -> sqlite3.Connection:
    """Return a connection to the file at *path*; the caller must begin transactions explicitly.

    If the file does not exist, it is created, but its directory must exist. Only the owner can read the new
    file, because it will contain personal data.

    Raises:
        UnsupportedDatabase: *path* is an in-memory database, which no other connection can see.
        StoreUnavailable: the directory does not exist, or the file cannot be opened.
    """
    if str(path) in {"", ":memory:"}:
        raise UnsupportedDatabase("an in-memory database is neither shared nor durable: name a file")
    path = Path(path)
    if not path.parent.is_dir():
        raise StoreUnavailable(f"cannot open {path}: the directory {path.parent} does not exist")
    _make(path)
    with opening(path):
        return sqlite3.connect(
            path, timeout=busy_timeout_ms / 1000, isolation_level=None, check_same_thread=False
        )


def _make(path: Path) -> None:
    """Create *path*, readable only by its owner, unless it exists; SQLite's log files get the same mode."""
    # An existing file is left alone: closing it would release the locks of every connection in this process.
    with suppress(OSError):  # SQLite reports the cause
        os.close(os.open(os.path.realpath(path), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def truncate_log(path: str | Path) -> bool:
    """Write the write-ahead log back to the file at *path* and truncate it; return False if it is in use.

    The log is not truncated while a reader uses an older state, so that writers need not wait for readers.

    Raises:
        sqlite3.Error: the file cannot be read or written.
    """
    address = f"{Path(path).absolute().as_uri()}?mode=rw"  # do not create a file that was removed
    with closing(sqlite3.connect(address, uri=True, timeout=LOG_BUSY_SECONDS)) as connection:
        connection.execute("PRAGMA fullfsync = ON")
        _, pages, written = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if written < pages:
            return False
        is_busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    return bool(is_busy == 0)


def revision_of(connection: sqlite3.Connection) -> str | None:
    """Return the revision of the tables, or None if the file has no tables."""
    # The schema is read first: a plain SELECT fails the same way for a missing table and a damaged file.
    tables = "SELECT count(*) FROM sqlite_master WHERE name = 'alembic_version'"
    if connection.execute(tables).fetchone() == (0,):
        return None
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])


def names_of(connection: sqlite3.Connection) -> set[str]:
    """Return the names of all indexes, triggers and constraints in the file."""
    schema = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    constraints = {name for _, _, sql in schema for name in re.findall(r"CONSTRAINT (\w+)", sql)}
    return constraints.union(name for kind, name, _ in schema if kind != "table")


@contextmanager
def opening(path: str | Path) -> Iterator[None]:
    """Convert SQLite errors in the block to StoreUnavailable, with a message that names the file *path*."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreUnavailable(f"cannot open {path}: {error}") from error
