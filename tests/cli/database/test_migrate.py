"""Manual migrations of tables, and their messages."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from faregate_server.store.migrate import HEAD
from support.cli.running import run
from support.stores.postgresql import empty_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/checkouts.db"
        return
    with empty_database() as url:
        yield url


def test_migration_reports_both_revisions(database: str) -> None:
    first, second = run("migrate", database), run("migrate", database)

    assert (first.exit_code, second.exit_code) == (0, 0)
    assert first.stdout == f"migrated from an empty database to revision {HEAD}\n"
    assert second.stdout == f"the tables are already at revision {HEAD}\n"


def test_a_newer_database_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    run("migrate", f"sqlite:///{path}")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    result = run("migrate", f"sqlite:///{path}")

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"sqlite:///{path}: the database is at revision 9999")
    assert result.stderr.count("\n") == 1


def test_a_url_is_required() -> None:
    assert run("migrate").exit_code == 2
