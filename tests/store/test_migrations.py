"""Migrations and tables agree, and a start brings any database to what the code knows, or refuses."""

import logging
import multiprocessing
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import NullPool, create_engine

from faregate_http.store import NewerDatabase, StoreUnavailable, migrate, open_store
from faregate_http.store.migrate import HEAD, migration_scripts
from faregate_http.store.tables import metadata
from store.rows import start_and_save


def the_schema(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        query = (
            "SELECT sql FROM sqlite_master WHERE name NOT LIKE 'alembic%' AND sql IS NOT NULL ORDER BY name"
        )
        return ["".join(sql.split()) for (sql,) in connection.execute(query)]


def the_revisions(path: Path) -> list[tuple[str]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("SELECT version_num FROM alembic_version").fetchall()


def test_migrations_and_tables_agree(database_url: str) -> None:
    migrate(database_url)

    engine = create_engine(database_url, poolclass=NullPool)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_migrated_and_created_schemas_are_the_same_to_the_letter(tmp_path: Path) -> None:
    migrated, created = tmp_path / "migrated.db", tmp_path / "created.db"
    migrate(f"sqlite:///{migrated}")
    metadata.create_all(create_engine(f"sqlite:///{created}", poolclass=NullPool))

    assert the_schema(migrated) == the_schema(created) != []


def test_the_newest_script_is_the_head_the_code_names() -> None:
    assert migration_scripts().get_heads() == [HEAD]


def test_a_second_migration_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    migrate(f"sqlite:///{path}")
    before = path.read_bytes()
    migrate(f"sqlite:///{path}")

    assert path.read_bytes() == before


def test_a_database_at_head_is_started_without_alembic(database_url: str) -> None:
    migrate(database_url)
    code = (
        "import sys; from faregate_http.store import open_store; open_store(sys.argv[1]);"
        "print('alembic' in sys.modules)"
    )

    assert subprocess.check_output([sys.executable, "-c", code, database_url], text=True) == "False\n"


def test_a_migration_configures_no_logging(database_url: str) -> None:
    handlers, level = list(logging.root.handlers), logging.root.level
    migrate(database_url)

    assert (logging.root.handlers, logging.root.level) == (handlers, level)


def test_a_database_of_before_the_first_migration_is_brought_to_head(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("CREATE TABLE of_the_operator (note TEXT)")
        connection.execute("INSERT INTO of_the_operator VALUES ('kept')")
    migrate(f"sqlite:///{path}")

    assert the_revisions(path) == [(HEAD,)]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT note FROM of_the_operator").fetchone() == ("kept",)


def test_a_newer_database_is_refused_naming_both_revisions(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    migrate(f"sqlite:///{path}")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(NewerDatabase, match=f"9999.*{HEAD}"):
        open_store(f"sqlite:///{path}")
    assert the_revisions(path) == [("9999",)]


def test_a_migration_that_fails_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE answers (mine TEXT)")  # in the way of the second table

    with pytest.raises(StoreUnavailable, match="answers already exists"):
        migrate(f"sqlite:///{path}")
    assert the_schema(path) == ["CREATETABLEanswers(mineTEXT)"]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone() == (1,)


@pytest.mark.parametrize("attempt", range(3))
def test_processes_that_start_at_once_all_find_the_tables(tmp_path: Path, attempt: int) -> None:
    path = tmp_path / "checkouts.db"
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(4)
    processes = [
        spawn.Process(target=start_and_save, args=(f"sqlite:///{path}", f"c{number}", barrier))
        for number in range(4)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)

    assert [process.exitcode for process in processes] == [0] * 4
    assert the_revisions(path) == [(HEAD,)]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM checkouts").fetchone() == (4,)
