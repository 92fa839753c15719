"""Opening an unusable database fails with a message of one line."""

import asyncio
import os
import pickle
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from faregate_http.store.contract import AnswerTaken, SoldOut, Stale, StoreError, StoreUnavailable
from faregate_server.store.migrate import migrate
from faregate_server.store.opening import open_store
from faregate_server.store.sqlite.file import connect
from faregate_server.store.sqlite.store import SqliteStore, _use_write_ahead_log
from faregate_server.store.unusable import NewerDatabase, OlderDatabase, UnsupportedDatabase


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", "sqlite:///relative.db or sqlite:////absolute.db"),
        ("checkouts.db", "sqlite:///relative.db or sqlite:////absolute.db"),
        ("mysql://root:secret@db/faregate", "mysql"),
        ("sqlite+aiosqlite:///x.db", "aiosqlite"),
        ("sqlite://checkouts.db", "host"),
        ("sqlite:///x.db?mode=ro", "options"),
        ("sqlite://", "memory"),
        ("sqlite:///:memory:", "memory"),
    ],
)
def test_an_unsupported_url_is_refused_with_the_supported_ones(url: str, told: str) -> None:
    with pytest.raises(UnsupportedDatabase, match=told) as caught:
        open_store(url)
    assert isinstance(caught.value, ValueError)
    message = str(caught.value)
    assert "sqlite:///relative.db" in message
    assert "secret" not in message
    assert "\n" not in message


def test_a_database_in_memory_is_refused() -> None:
    with pytest.raises(UnsupportedDatabase, match="memory"):
        SqliteStore.open(":memory:")


def refusal(path: Path) -> str:
    with pytest.raises(StoreUnavailable) as caught:
        open_store(f"sqlite:///{path}")
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_missing_directory_is_named(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "checkouts.db"

    assert refusal(path) == f"cannot open {path}: the directory {path.parent} does not exist"
    assert not path.parent.exists()


def test_a_directory_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == f"cannot open {tmp_path}: unable to open database file"


def test_a_file_that_is_not_a_database_is_named_and_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database " * 100)

    assert refusal(path) == f"cannot open {path}: file is not a database"
    assert path.read_text() == "not a database " * 100


def test_tables_of_another_program_are_not_mistaken_for_ours(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE checkouts (mine TEXT)")

    assert "checkouts already exists" in refusal(path)
    with pytest.raises(StoreUnavailable, match="no such column"):
        SqliteStore.open(path)


@pytest.mark.parametrize("is_new", [False, True])
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path, is_new: bool) -> None:
    path = tmp_path / "checkouts.db"
    if is_new:
        path.touch()
    else:
        asyncio.run(open_store(f"sqlite:///{path}").close())
    path.chmod(0o444)
    if os.access(path, os.W_OK):
        pytest.skip("the superuser may write to every file")

    assert refusal(path) == f"cannot open {path}: attempt to write a readonly database"


POSIX = pytest.mark.skipif(os.name == "nt", reason="modes and locks are those of POSIX")


@POSIX
def test_only_the_owner_can_access_a_new_file_and_its_log(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    store = open_store(f"sqlite:///{path}")

    modes = {
        file.name.removeprefix("checkouts.db"): file.stat().st_mode & 0o777 for file in tmp_path.iterdir()
    }
    asyncio.run(store.close())

    assert modes == {"": 0o600, "-wal": 0o600, "-shm": 0o600}


@POSIX
def test_only_the_owner_can_access_a_new_file_behind_a_link(tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to("checkouts.db")

    migrate(f"sqlite:///{tmp_path}/link.db")

    assert (tmp_path / "checkouts.db").stat().st_mode & 0o777 == 0o600


@POSIX
def test_an_existing_file_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    path.touch()
    path.chmod(0o640)

    migrate(f"sqlite:///{path}")

    assert path.stat().st_mode & 0o777 == 0o640


@POSIX
def test_opening_a_file_keeps_the_locks_of_this_process(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    other = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        connect(path, busy_timeout_ms=0).close()

        done = subprocess.run([sys.executable, "-c", other, str(path)], capture_output=True, check=False)

    assert b"database is locked" in done.stderr


def test_a_file_that_others_are_reading_is_opened_when_they_are_done(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    migrate(f"sqlite:///{path}")
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN")
        other.execute("SELECT * FROM checkouts").fetchall()

        with pytest.raises(StoreUnavailable, match="locked"):
            SqliteStore.open(path, busy_timeout_ms=50)
        end = Timer(0.2, other.execute, ["COMMIT"])
        end.start()
        store = SqliteStore.open(path, busy_timeout_ms=30_000)
        end.join()

    asyncio.run(store.close())


def test_the_write_ahead_log_is_requested_again_while_the_file_is_locked(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "checkouts.db", factory=ToldOffTwice)) as connection:
        _use_write_ahead_log(connection, deadline=time.monotonic() + 30)

        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    with (
        closing(sqlite3.connect(tmp_path / "other.db", factory=ToldOffTwice)) as connection,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        _use_write_ahead_log(connection, deadline=time.monotonic())


class ToldOffTwice(sqlite3.Connection):
    """A connection that finds the file locked at first, as when processes open a new file at once."""

    left = 2

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        self.left -= 1
        if self.left >= 0:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return super().execute(sql, parameters)


def test_a_relative_path_starts_at_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asyncio.run(open_store("sqlite:///checkouts.db").close())

    assert (tmp_path / "checkouts.db").exists()


@pytest.mark.parametrize(
    "error",
    [
        Stale("c1", 2),
        AnswerTaken("scope", "key"),
        SoldOut("lift", "2026-12-27"),
        NewerDatabase("9", "1"),
        OlderDatabase("1", "9"),
        StoreUnavailable("full"),
    ],
)
def test_errors_survive_pickling(error: StoreError) -> None:
    copy = pickle.loads(pickle.dumps(error))

    assert type(copy) is type(error)
    assert (str(copy), copy.__dict__) == (str(error), error.__dict__)
