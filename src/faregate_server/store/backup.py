"""A copy of a SQLite database as it is at one moment, while others go on writing.

To copy the file itself is not enough: what was written last is in its write-ahead log beside it.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from faregate_http.store.contract import StoreUnavailable, UnsupportedDatabase
from faregate_server.store.locations import location

if TYPE_CHECKING:
    from collections.abc import Iterator

BUSY_SECONDS = 5.0


def back_up(url: str, file: Path) -> int:
    """Copy the database at *url* to the new *file*; return the size of the copy in bytes.

    It has all that was acknowledged before, and is on disk when this returns; only its owner may read it.

    Raises:
        UnsupportedDatabase: it is none of SQLite.
        StoreUnavailable: it cannot be read, *file* exists already or cannot be written.
    """
    source = location(url)
    if not isinstance(source, Path):
        raise UnsupportedDatabase("PostgreSQL is backed up with pg_dump: see docs/guides/operation.md")
    if not source.is_file():
        raise StoreUnavailable(f"cannot open {source}: there is no such file")
    if file.exists():
        raise StoreUnavailable(f"{file} exists already: name another file")
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
        reader.backup(copy)  # in one step, so that nobody's commit makes it begin anew
        copy.execute(
            "PRAGMA journal_mode = DELETE"
        )  # one file, which can be read where nothing can be written


@contextmanager
def _written(file: Path) -> Iterator[Path]:
    """A file beside *file*, which takes its name once all is on disk; it is gone if that fails."""
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
