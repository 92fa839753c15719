"""Backups of a SQLite database in use; failures are explained, and no file is overwritten."""

import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from faregate_server.store.migrate import migrate
from support.cli.running import run


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Return the URL of an empty database."""
    url = f"sqlite:///{tmp_path}/checkouts.db"
    migrate(url)
    return url


def test_the_copy_includes_the_write_ahead_log(url: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(tmp_path / "checkouts.db", isolation_level=None)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO capacity (pool, slot, size) VALUES ('lift', '2026-12-27', 1)")
        result = run("backup", url, copy)

    assert (result.exit_code, result.stdout) == (0, f"{copy}: {copy.stat().st_size} bytes\n")
    with closing(sqlite3.connect(copy)) as reader:
        assert reader.execute("SELECT pool FROM capacity").fetchall() == [("lift",)]
    assert run("check", f"sqlite:///{copy}").exit_code == 0


def test_the_copy_is_one_file_that_others_cannot_read(url: str, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    run("backup", url, folder / "copy.db")

    assert run("check", f"sqlite:///{folder}/copy.db").exit_code == 0
    assert [file.name for file in folder.iterdir()] == ["copy.db"]
    assert stat.S_IMODE((folder / "copy.db").stat().st_mode) == 0o600


def test_nothing_is_overwritten(url: str, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("yesterday's")

    result = run("backup", url, tmp_path / "copy.db")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "copy.db already exists" in result.stderr
    assert (tmp_path / "copy.db").read_text() == "yesterday's"


@pytest.mark.parametrize(
    ("source", "target", "words"),
    [
        ("sqlite:///{folder}/other.db", "copy.db", "no such file"),
        ("sqlite:///{folder}/checkouts.db", "nowhere/copy.db", "No such file or directory"),
        ("sqlite:///{folder}/text.db", "copy.db", "cannot copy"),
        ("postgresql://gate@host/tickets", "copy.db", "pg_dump"),
    ],
    ids=["nothing-to-copy", "nowhere-to-put-it", "no-database", "postgresql"],
)
def test_failed_backup_is_explained_in_one_line(
    url: str, tmp_path: Path, source: str, target: str, words: str
) -> None:
    (tmp_path / "text.db").write_text("To whom it may concern: " * 100)

    result = run("backup", source.format(folder=tmp_path), tmp_path / target)

    assert (result.exit_code, result.stdout) == (1, "")
    assert words in result.stderr
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.glob("copy*"))
