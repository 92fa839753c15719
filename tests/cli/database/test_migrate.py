"""Manual migrations of tables, and their messages."""

from collections.abc import Iterator
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
