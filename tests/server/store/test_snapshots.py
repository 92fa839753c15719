"""A snapshot is one state of a database: it changes and creates nothing, and later writes are invisible."""

import asyncio
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from faregate_http.store.contract import StoreUnavailable
from faregate_server.store.migrate import migrate
from faregate_server.store.snapshots import SlotCounts, open_snapshot
from faregate_server.store.unusable import NewerDatabase, OlderDatabase
from support.stores.capacity import a_hold, a_holder, ask
from support.stores.rows import a_row, opened


def save(database_url: str, *ids: str) -> None:
    """Open checkouts with those ids, each with a hold."""

    async def behaviour() -> None:
        async with opened(database_url) as store:
            for checkout_id in ids:
                await store.save(a_holder(checkout_id), None, [a_hold()])

    asyncio.run(behaviour())


def test_later_writes_are_not_visible(database_url: str) -> None:
    save(database_url, "c1")

    with open_snapshot(database_url) as snapshot:
        before = [*snapshot.slots()]
        save(database_url, "c2")

        assert [history.checkout.id for history in snapshot.histories()] == ["c1"]
        assert [*snapshot.slots()] == before == [SlotCounts("lift", "2026-12-27", 0, 1, 0, 1)]
    with open_snapshot(database_url) as snapshot:
        assert [history.checkout.id for history in snapshot.histories()] == ["c1", "c2"]


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 7])
def test_pages_neither_miss_nor_repeat_a_checkout(
    database_url: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("faregate_server.store.snapshots.PAGE", 2)
    # A linguistic collation would sort them differently from their bytes.
    ids = [f"{letter}{n}" for n in range(number) for letter in "aB-ä"][:number]
    migrate(database_url)
    save(database_url, *ids)

    with open_snapshot(database_url) as snapshot:
        histories = [*snapshot.histories()]

    assert sorted(history.checkout.id for history in histories) == sorted(ids)
    assert all(len(history.holds) == 1 for history in histories)


def test_it_can_be_read_inside_a_running_event_loop(database_url: str) -> None:
    save(database_url, "c1")

    async def behaviour() -> int:
        with open_snapshot(database_url) as snapshot:
            return len([*snapshot.histories()])

    assert asyncio.run(behaviour()) == 1


def test_a_row_is_read_as_it_was_saved(database_url: str) -> None:
    save(database_url, "c1")

    with open_snapshot(database_url) as snapshot:
        [history] = snapshot.histories()

    assert history.checkout == a_row("c1")._replace(changed_at=history.checkout.changed_at)
    assert history.has_holds is True
    assert [hold[1:] for hold in history.holds] == [("lift", "2026-12-27", 1, False)]


def test_missing_tables_are_reported(empty_database_url: str, tmp_path: Path) -> None:
    if empty_database_url.startswith("sqlite:"):
        (tmp_path / "checkouts.db").touch()

    with pytest.raises(OlderDatabase, match=r"has no faregate tables, .* run faregate migrate first"):
        _open(empty_database_url)


def test_tables_of_a_newer_revision_are_refused(database_url: str) -> None:
    migrate(database_url)
    ask(database_url, "UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(NewerDatabase, match="is at revision 9999"):
        _open(database_url)


def test_a_file_that_is_not_a_database_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    (tmp_path / "checkouts.db").write_text("To whom it may concern: " * 100)

    with pytest.raises(StoreUnavailable, match="file is not a database"):
        _open(sqlite_url)


def _open(url: str) -> None:
    with open_snapshot(url):
        pass


def test_the_file_stays_the_same_byte_for_byte(sqlite_url: str, tmp_path: Path) -> None:
    save(sqlite_url, "c1", "c2")
    file = tmp_path / "checkouts.db"
    before = file.read_bytes()

    with open_snapshot(sqlite_url) as snapshot:
        assert len([*snapshot.histories()]) == 2

    assert file.read_bytes() == before


def test_a_writer_need_not_wait_and_the_log_is_read(sqlite_url: str, tmp_path: Path) -> None:
    migrate(sqlite_url)
    with ExitStack() as stack:
        writer = stack.enter_context(closing(sqlite3.connect(tmp_path / "checkouts.db", timeout=0)))
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("INSERT INTO capacity (pool, slot, size) VALUES ('lift', '2026-12-27', 1)")
        writer.commit()
        with open_snapshot(sqlite_url) as snapshot:
            assert len([*snapshot.slots()]) == 1
            writer.execute("DELETE FROM capacity")
            writer.commit()
            assert len([*snapshot.slots()]) == 1


@pytest.mark.parametrize("sql", ["DELETE FROM checkouts", "UPDATE capacity SET size = 0"])
def test_nothing_can_be_written_through_it(database_url: str, sql: str) -> None:
    save(database_url, "c1")

    with (
        open_snapshot(database_url) as snapshot,
        pytest.raises(StoreUnavailable, match=r"read-?only"),
    ):
        snapshot._reader.fetch(sql)
