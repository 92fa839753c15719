"""Consistent backups of a SQLite database while other processes write to it.

Copying the file itself is not enough, because the latest writes are in the write-ahead log beside the file.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from faregate_http.store.contract import StoreUnavailable
from faregate_server.store.locations import location
from faregate_server.store.unusable import UnsupportedDatabase

BUSY_SECONDS = 5.0


def back_up(url: str, file: Path) -> int:
    """Copy the database at *url* to a new *file*, and return its size in bytes.

    The copy contains every write acknowledged before the call, is flushed to disk, and is readable only by
    its owner.

    Raises:
        UnsupportedDatabase: *url* is not a SQLite database.
        StoreUnavailable: the database cannot be read, or *file* already exists or cannot be written.
    """
    source = location(url)
    if not isinstance(source, Path):
        raise UnsupportedDatabase("PostgreSQL is backed up with pg_dump: see docs/guides/operation.md")
    if not source.is_file():
        raise StoreUnavailable(f"cannot open {source}: no such file")
    if file.exists():
        raise StoreUnavailable(f"{file} already exists: name another file")
    with _written(file) as partial:
        try:
            _copy(source, partial)
        except sqlite3.Error as error:
            raise StoreUnavailable(f"cannot copy {source}: {error}") from error
    return file.stat().st_size


def _copy(source: Path, target: Path) -> None:
    address = f"{source.absolute().as_uri()}?mode=ro"
    with (
        closing(sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS)) as reader,
        closing(sqlite3.connect(target)) as copy,
    ):
        reader.backup(copy)  # in one step, so that no commit restarts it
        copy.execute("PRAGMA journal_mode = DELETE")  # a single file, readable on a read-only file system


@contextmanager
def _written(file: Path) -> Iterator[Path]:
    """Yield a temporary file; flush it and rename it to *file* after the block, or delete it on failure."""
    partial = file.with_name(f"{file.name}.partial")
    try:
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        try:
            yield partial
            partial.rename(file)
        finally:
            partial.unlink(missing_ok=True)
        _sync(file.absolute().parent)
    except OSError as error:
        raise StoreUnavailable(f"cannot write {partial}: {error.strerror}") from error


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
