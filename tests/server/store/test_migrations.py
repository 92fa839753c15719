"""Opening a store migrates any older database, or refuses it."""

import asyncio
import logging
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import inspect

from faregate_http.store.contract import CheckoutRow, SoldOut, StoreUnavailable
from faregate_server.store.migrate import HEAD, migrate, migration_scripts
from faregate_server.store.opening import open_migrated_store, open_store
from faregate_server.store.unusable import NewerDatabase, OlderDatabase
from support.processes.forked import FORKS
from support.stores.capacity import a_hold, ask, held, in_engine
from support.stores.later_migration import LATER, LATER_SCRIPT, add_later_migration
from support.stores.rows import a_row, an_answer, opened, start_and_save

VERSIONS = Path(migration_scripts().versions)


def the_revisions(database: str | Path) -> list[tuple[object, ...]]:
    return ask(database, "SELECT version_num FROM alembic_version")


def test_the_newest_script_is_the_head_named_in_the_code() -> None:
    assert migration_scripts().get_heads() == [HEAD]


def test_a_second_migration_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    migrate(f"sqlite:///{path}")
    before = path.read_bytes()
    migrate(f"sqlite:///{path}")

    assert path.read_bytes() == before


@pytest.mark.slow
def test_a_database_at_head_is_started_without_alembic(database_url: str) -> None:
    migrate(database_url)
    code = (
        "import sys; from faregate_server.store.opening import open_store; open_store(sys.argv[1]);"
        "print('alembic' in sys.modules, 'sqlalchemy.ext.asyncio' in sys.modules)"
    )

    assert subprocess.check_output([sys.executable, "-c", code, database_url], text=True) == "False False\n"


def test_a_migration_configures_no_logging(empty_database_url: str) -> None:
    handlers, level = list(logging.root.handlers), logging.root.level
    migrate(empty_database_url)

    assert (logging.root.handlers, logging.root.level) == (handlers, level)


def test_a_database_without_a_revision_is_upgraded_to_head(tmp_path: Path) -> None:
    path = tmp_path / "checkouts.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("CREATE TABLE of_the_operator (note TEXT)")
        connection.execute("INSERT INTO of_the_operator VALUES ('kept')")
    migrate(f"sqlite:///{path}")

    assert the_revisions(path) == [(HEAD,)]
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT note FROM of_the_operator").fetchone() == ("kept",)


async def test_a_database_of_an_older_revision_keeps_its_rows(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = empty_database_url
    rows = [a_row(f"c{number}", revision=3, inputs=b'"' + b"x" * 9000 + b'"') for number in range(50)]
    answer = an_answer()
    migrate(url)
    for row in rows:
        add_checkout(url, row)
    in_text = (*answer[:4], answer.headers.decode(), *answer[5:])
    ask(url, "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", *in_text)
    add_later_migration(tmp_path, monkeypatch)

    async with opened(url) as store:
        assert [await store.checkout(row.id) for row in rows] == rows
        assert await store.answer(answer.scope, answer.key) == answer
        assert await store.taken(["lift"], "", "~", at=0) == []
        await store.save(a_row("c0", revision=4))
        await store.save(a_row("c1", revision=4), None, [a_hold(10)])
        assert await held(store) == 10
        with pytest.raises(SoldOut):
            await store.save(a_row("c2", revision=4), None, [a_hold(1)])
    assert the_revisions(url) == [(LATER,)]
    assert ask(url, "SELECT id FROM checkouts WHERE has_holds") == [("c1",)]
    assert ask(url, "SELECT count(*) FROM checkouts WHERE is_later") == [(0,)]
    if url.startswith("sqlite:"):
        assert ask(url, "PRAGMA integrity_check") == [("ok",)]


def add_checkout(url: str, row: CheckoutRow) -> None:
    marks = ", ".join("?" * 9)
    columns = "id, channel, account, is_closed, revision, started_at, changed_at, expires_at, inputs"
    ask(url, f"INSERT INTO checkouts ({columns}) VALUES ({marks})", *row[:8], row.inputs.decode())


def the_tables(url: str) -> list[str]:
    return in_engine(url, lambda connection: sorted(inspect(connection).get_table_names()))


def test_a_newer_database_is_refused_naming_both_revisions(database_url: str) -> None:
    migrate(database_url)
    ask(database_url, "UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(NewerDatabase, match=f"9999.*{HEAD}"):
        open_store(database_url)
    assert the_revisions(database_url) == [("9999",)]


def test_a_store_is_opened_without_migrating_only_at_the_latest_revision(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises((OlderDatabase, StoreUnavailable), match=r"faregate migrate|no such file"):
        open_migrated_store(empty_database_url)
    assert list(tmp_path.iterdir()) == []
    migrate(empty_database_url)
    asyncio.run(open_migrated_store(empty_database_url).close())

    add_later_migration(tmp_path, monkeypatch)

    with pytest.raises(OlderDatabase, match=f"revision {HEAD}, expected revision {LATER}: run faregate migr"):
        open_migrated_store(empty_database_url)
    assert the_revisions(empty_database_url) == [(HEAD,)]


async def test_a_running_process_continues_after_a_migration_that_expands(
    database_url: str, tmp_path: Path
) -> None:
    async with opened(database_url) as store:
        await store.save(a_row("before"), an_answer("before"), [a_hold(1)])
        with pytest.MonkeyPatch.context() as patch:
            add_later_migration(tmp_path, patch)
            await asyncio.to_thread(migrate, database_url)

        await store.save(a_row("before", revision=2), None, [a_hold(2)])
        await store.save(a_row("after"), an_answer("after"), [a_hold(1)])
        assert [row.id for row in await store.walk()] == ["after", "before"]
        assert await held(store) == 3
    assert the_revisions(database_url) == [(LATER,)]


@pytest.mark.parametrize("script", [LATER_SCRIPT, *map(Path.read_text, VERSIONS.glob("000[!1]*.py"))])
def test_migrations_only_add_so_that_the_previous_release_can_still_run(script: str) -> None:
    """Expand first: removing, renaming or tightening belongs to a later release."""
    calls = set(re.findall(r"\bop\.(\w+)", script))
    columns = re.findall(r"add_column\(.*\)", script)

    assert calls <= {"add_column", "create_table", "create_index", "execute", "get_context", "get_bind"}
    assert not re.search(r"\b(DROP|RENAME|SET NOT NULL|ADD CONSTRAINT)\b", script)
    assert all("nullable=True" in column or "server_default" in column for column in columns)


def test_a_migration_that_fails_leaves_the_database_as_it_was(empty_database_url: str) -> None:
    if empty_database_url.startswith("postgresql:"):
        ask(empty_database_url, "CREATE SCHEMA faregate")
    ask(empty_database_url, "CREATE TABLE answers (mine TEXT)")  # conflicts with the second table

    with pytest.raises(StoreUnavailable, match=r"answers already exists|another application \(answers\)"):
        migrate(empty_database_url)
    assert the_tables(empty_database_url) == ["answers"]
    assert ask(empty_database_url, "SELECT mine FROM answers") == []


def test_a_later_migration_that_fails_can_be_repeated(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = empty_database_url
    migrate(url)
    before = the_tables(url)
    ask(url, "CREATE TABLE later (mine TEXT)")  # conflicts with the table, after the column
    add_later_migration(tmp_path, monkeypatch)

    with pytest.raises(StoreUnavailable, match=r'later"? already exists'):
        migrate(url)
    assert the_tables(url) == sorted([*before, "later"])
    assert the_revisions(url) == [(HEAD,)]

    ask(url, "DROP TABLE later")
    assert migrate(url) == (HEAD, LATER)
    assert ask(url, "SELECT id FROM later") == ask(url, "SELECT is_later FROM checkouts") == []


def test_a_migration_returns_both_revisions(
    empty_database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert migrate(empty_database_url) == (None, HEAD)
    assert migrate(empty_database_url) == (HEAD, HEAD)

    add_later_migration(tmp_path, monkeypatch)
    assert migrate(empty_database_url) == (HEAD, LATER)


@pytest.mark.slow
def test_processes_that_start_at_the_same_time_all_find_the_tables(empty_database_url: str) -> None:
    barrier = FORKS.Barrier(4)
    processes = [
        FORKS.Process(target=start_and_save, args=(empty_database_url, f"c{number}", barrier))
        for number in range(4)
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)

    assert [process.exitcode for process in processes] == [0] * 4
    assert the_revisions(empty_database_url) == [(HEAD,)]
    assert ask(empty_database_url, "SELECT count(*) FROM checkouts") == [(4,)]
