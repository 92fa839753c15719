"""A start brings any database to what the code knows, or refuses."""

import json
import logging
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import inspect

from faregate.discounts.kinds import normalize_code
from faregate_http.store.contract import NewerDatabase, SoldOut, Store, StoreUnavailable
from faregate_server.store.migrate import HEAD, migrate, migration_scripts
from faregate_server.store.opening import open_store
from support.processes.forked import FORKS
from support.stores.capacity import a_hold, ask, held, in_engine
from support.stores.rows import a_row, an_answer, check, start_and_save


def the_revisions(database: str | Path) -> list[tuple[object, ...]]:
    return ask(database, "SELECT version_num FROM alembic_version")


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
        "import sys; from faregate_server.store.opening import open_store; open_store(sys.argv[1]);"
        "print('alembic' in sys.modules, 'sqlalchemy.ext.asyncio' in sys.modules)"
    )

    assert subprocess.check_output([sys.executable, "-c", code, database_url], text=True) == "False False\n"


def test_a_migration_configures_no_logging(empty_database_url: str) -> None:
    handlers, level = list(logging.root.handlers), logging.root.level
    migrate(empty_database_url)

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
        patch.setattr(sys.modules["faregate_server.store.migrate"], "HEAD", revision)
        migrate(url)


def test_a_database_of_the_first_revision_keeps_its_rows(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_revision(empty_database_url, "0001", monkeypatch)
    rows = [a_row(f"c{number}", revision=3, inputs=b'"' + b"x" * 9000 + b'"') for number in range(50)]
    answer = an_answer()
    marks = ", ".join("?" * 9)
    for row in rows:
        values = (*row[:8], row.inputs.decode())
        ask(empty_database_url, f"INSERT INTO checkouts VALUES ({marks})", *values)
    in_text = (*answer[:4], answer.headers.decode(), *answer[5:])
    ask(empty_database_url, "INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", *in_text)

    async def behaviour(store: Store) -> None:
        assert [await store.checkout(row.id) for row in rows] == rows
        assert await store.answer(answer.scope, answer.key) == answer
        assert await store.taken(["lift"], "", "~", at=0) == []
        await store.save(a_row("c0", revision=4))
        await store.save(a_row("c1", revision=4), None, [a_hold(10)])
        assert await held(store) == 10
        with pytest.raises(SoldOut):
            await store.save(a_row("c2", revision=4), None, [a_hold(1)])

    check(empty_database_url, behaviour)
    assert the_revisions(empty_database_url) == [(HEAD,)]
    assert ask(empty_database_url, "SELECT id FROM checkouts WHERE has_holds") == [("c1",)]
    if empty_database_url.startswith("sqlite:"):
        assert ask(empty_database_url, "PRAGMA integrity_check") == [("ok",)]


# ---------------------------------------------------------------- codes in their normal form

WIDE, HIDDEN, PLAIN = "\uff33KI", "S\u200bKI", "SKI"
"""Three codes that were three, and now compare as one."""


def add_checkout(url: str, checkout_id: str, inputs: str) -> None:
    marks = ", ".join("?" * 9)
    columns = "id, channel, account, is_closed, revision, started_at, changed_at, expires_at, inputs"
    values = (*a_row(checkout_id)[:8], inputs)
    ask(url, f"INSERT INTO checkouts ({columns}) VALUES ({marks})", *values)


def add_held(url: str, pool: str, slot: str, *, checkout_id: str = "c1", sold: bool = False) -> None:
    ask(url, "INSERT INTO capacity (pool, slot, size) VALUES (?, ?, 9) ON CONFLICT DO NOTHING", pool, slot)
    columns = "checkout_id, pool, slot, units, is_sold"
    ask(url, f"INSERT INTO holds ({columns}) VALUES (?, ?, ?, 2, ?)", checkout_id, pool, slot, sold)


def add_payment(url: str, vouchers: str) -> None:
    ask(
        url,
        "INSERT INTO payments (id, revision, created_at, checkout_id, status, amount, currency, vouchers,"
        " errors, deadline) VALUES ('p1', 1, 1, 'c1', 'PENDING', 0, 'CHF', ?, '[]', 1)",
        vouchers,
    )


def the_codes(url: str) -> dict[str, list[tuple[object, ...]]]:
    queries = {
        "inputs": "SELECT id, inputs FROM checkouts ORDER BY id",
        "vouchers": "SELECT vouchers FROM payments",
        "capacity": "SELECT pool, slot, size, CAST(sold AS INT), CAST(held AS INT) FROM capacity"
        " ORDER BY slot, pool",
        "holds": "SELECT checkout_id, pool, slot, units FROM holds ORDER BY slot, checkout_id, pool",
    }
    return {name: ask(url, query) for name, query in queries.items()}


def test_stored_codes_are_rewritten_to_their_normal_form(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = empty_database_url
    at_revision(url, "0004", monkeypatch)
    address = '"billingAddress":["\uff21",null,"\\u0007/",null,null,null]'
    spent = f'"spent":[["uses","{WIDE}",3],["balance","GR\u00dcN",9007199254740993]]'
    add_checkout(url, "c1", f'{{"items":[],"codes":["Z","{WIDE}"],{address},"nextId":7,{spent}}}')
    add_checkout(url, "c2", "{}")
    add_held(url, WIDE, "uses")
    add_held(url, WIDE, "uses", checkout_id="c2", sold=True)
    add_held(url, WIDE, "budget", sold=True)
    for pool in (WIDE, "ski"):  # of places, whatever their names
        add_held(url, pool, "2026-12-27")
    add_payment(url, f'[["{WIDE}",500],["Z",20]]')
    migrate(url)

    spent = '"spent":[["uses","SKI",3],["balance","GR\u00dcN",9007199254740993]]'
    assert the_codes(url) == {
        "inputs": [
            ("c1", f'{{"items":[],"codes":["Z","SKI"],{address},"nextId":7,{spent}}}'),
            ("c2", "{}"),
        ],
        "vouchers": [('[["SKI",500],["Z",20]]',)],
        "capacity": [
            ("ski", "2026-12-27", 9, 0, 2),
            (WIDE, "2026-12-27", 9, 0, 2),
            ("SKI", "budget", 9, 2, 0),
            ("SKI", "uses", 9, 2, 2),
        ],
        "holds": [
            ("c1", "ski", "2026-12-27", 2),
            ("c1", WIDE, "2026-12-27", 2),
            ("c1", "SKI", "budget", 2),
            ("c1", "SKI", "uses", 2),
            ("c2", "SKI", "uses", 2),
        ],
    }


def test_checkouts_whose_codes_are_in_their_normal_form_are_not_written(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_revision(empty_database_url, "0004", monkeypatch)
    spaced = '{ "codes": ["SKI", "GR\u00dcN"] }'  # nobody writes it so: it would be closed up
    add_checkout(empty_database_url, "c1", spaced)
    add_checkout(empty_database_url, "c2", f'{{"codes":["{WIDE}2"]}}')
    migrate(empty_database_url)

    assert the_codes(empty_database_url)["inputs"] == [("c1", spaced), ("c2", '{"codes":["SKI2"]}')]


@pytest.mark.parametrize("first", ["checkouts", "payments", "capacity"])
@pytest.mark.parametrize("second", ["checkouts", "capacity"])
def test_codes_that_would_become_one_stop_the_migration(
    empty_database_url: str, first: str, second: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = empty_database_url
    at_revision(url, "0004", monkeypatch)
    add_checkout(url, "c1", f'{{"codes":["{WIDE if first == "checkouts" else "Z"}","\uff35P"]}}')
    add_checkout(url, "c2", f'{{"codes":["{PLAIN if second == "checkouts" else "Z"}"]}}')
    if first == "payments":
        add_payment(url, f'[["{WIDE}",500]]')
    for source, code in ((first, WIDE), (second, PLAIN)):
        if source == "capacity":
            add_held(url, code, "uses")
    before = the_codes(url)

    with pytest.raises(StoreUnavailable, match=r"become one: 'SKI' and '\\uff33KI'; write another"):
        migrate(url)
    assert the_codes(url) == before
    assert the_revisions(url) == [("0004",)]


def test_all_codes_that_would_become_one_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path}/checkouts.db"
    at_revision(url, "0004", monkeypatch)
    add_checkout(url, "c1", json.dumps({"codes": [WIDE, HIDDEN, "A"], "spent": [["uses", "\uff21", 1]]}))

    with pytest.raises(StoreUnavailable, match=r"one: 'A' and '\\uff21', 'S\\u200bKI' and '\\uff33KI';"):
        migrate(url)


@given(
    st.text(st.characters(codec="utf-8"), max_size=6) | st.sampled_from([WIDE, HIDDEN, "\u0390", "\ufb01"])
)
def test_the_normal_form_of_the_migration_is_that_of_codes(text: str) -> None:
    script = migration_scripts().get_revision("0005")
    assert script is not None

    assert script.module.normal_form(text) == normalize_code(text)


def the_tables(url: str) -> list[str]:
    return in_engine(url, lambda connection: sorted(inspect(connection).get_table_names()))


def test_a_newer_database_is_refused_naming_both_revisions(database_url: str) -> None:
    migrate(database_url)
    ask(database_url, "UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(NewerDatabase, match=f"9999.*{HEAD}"):
        open_store(database_url)
    assert the_revisions(database_url) == [("9999",)]


def test_a_migration_that_fails_leaves_the_database_as_it_was(empty_database_url: str) -> None:
    ask(empty_database_url, "CREATE TABLE answers (mine TEXT)")  # in the way of the second table

    with pytest.raises(StoreUnavailable, match=r'answers"? already exists'):
        migrate(empty_database_url)
    assert the_tables(empty_database_url) == ["answers"]
    assert ask(empty_database_url, "SELECT mine FROM answers") == []


def test_a_later_migration_that_fails_leaves_the_revision_before_it(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_revision(empty_database_url, "0001", monkeypatch)
    ask(empty_database_url, "CREATE TABLE holds (mine TEXT)")  # in the way of the second table

    with pytest.raises(StoreUnavailable, match=r'holds"? already exists'):
        migrate(empty_database_url)
    assert the_tables(empty_database_url) == ["alembic_version", "answers", "checkouts", "holds"]
    assert the_revisions(empty_database_url) == [("0001",)]


def test_a_migration_says_from_where_it_came_to_where(
    empty_database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys.modules["faregate_server.store.migrate"], "HEAD", "0001")
        assert migrate(empty_database_url) == (None, "0001")

    assert migrate(empty_database_url) == ("0001", HEAD)
    assert migrate(empty_database_url) == (HEAD, HEAD)


def test_processes_that_start_at_once_all_find_the_tables(empty_database_url: str) -> None:
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
