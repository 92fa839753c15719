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
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from sqlalchemy import NullPool, create_engine

from faregate_http.store import (
    NewerDatabase,
    SoldOut,
    Store,
    StoreUnavailable,
    migrate,
    open_store,
)
from faregate_http.store.locations import sqlite_path
from faregate_http.store.migrate import HEAD, migration_scripts
from faregate_http.store.tables import metadata
from store.capacity import a_hold, held
from store.rows import a_row, an_answer, check, start_and_save


def the_schema(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        query = (
            "SELECT sql FROM sqlite_master WHERE name NOT LIKE 'alembic%' AND sql IS NOT NULL"
            " AND type <> 'trigger' ORDER BY name"
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


def at_revision(url: str, revision: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules["faregate_http.store.migrate"], "HEAD", revision)
        migrate(url)


def test_a_database_of_the_first_revision_keeps_its_rows(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_revision(database_url, "0001", monkeypatch)
    path = sqlite_path(database_url)
    rows = [a_row(f"c{number}", revision=3, inputs=b'"' + b"x" * 9000 + b'"') for number in range(50)]
    answer = an_answer()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        marks = ", ".join("?" * 9)
        values = [(*row[:8], row.inputs.decode()) for row in rows]
        connection.executemany(f"INSERT INTO checkouts VALUES ({marks})", values)
        in_text = (*answer[:4], answer.headers.decode(), *answer[5:])
        connection.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", in_text)

    async def behaviour(store: Store) -> None:
        assert [await store.checkout(row.id) for row in rows] == rows
        assert await store.answer(answer.scope, answer.key) == answer
        assert await store.taken(["lift"], "", "~", at=0) == []
        await store.save(a_row("c0", revision=4))
        await store.save(a_row("c1", revision=4), None, [a_hold(10)])
        assert await held(store) == 10
        with pytest.raises(SoldOut):
            await store.save(a_row("c2", revision=4), None, [a_hold(1)])

    check(database_url, behaviour)
    assert the_revisions(path) == [(HEAD,)]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("SELECT id FROM checkouts WHERE has_holds").fetchall() == [("c1",)]


def test_every_migration_can_be_taken_back(database_url: str) -> None:
    migrate(database_url)
    scripts = [script.module for script in migration_scripts().walk_revisions()]

    engine = create_engine(database_url, poolclass=NullPool)
    with engine.begin() as connection, Operations.context(MigrationContext.configure(connection)):
        for script in scripts:
            script.downgrade()
    assert the_schema(sqlite_path(database_url)) == []


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


def test_a_later_migration_that_fails_leaves_the_revision_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "checkouts.db"
    at_revision(f"sqlite:///{path}", "0001", monkeypatch)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE holds (mine TEXT)")  # in the way of the second table
    before = the_schema(path)

    with pytest.raises(StoreUnavailable, match="holds already exists"):
        migrate(f"sqlite:///{path}")
    assert the_schema(path) == before
    assert the_revisions(path) == [("0001",)]


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
