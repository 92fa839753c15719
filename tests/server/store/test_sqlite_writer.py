"""Group commit, and interference by the disk and other processes."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from faregate_http.store.contract import Stale, StoreUnavailable
from faregate_server.store.sql.writes import Write
from faregate_server.store.sqlite import writer
from faregate_server.store.sqlite.store import SqliteStore
from support.stores.rows import CHECKOUT_ID, SCOPE, a_row, an_answer


@asynccontextmanager
async def opened(path: Path, **options: int) -> AsyncIterator[SqliteStore]:
    store = SqliteStore.open(path, **options)
    try:
        yield store
    finally:
        await store.close()


@pytest.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    async with opened(path) as store:
        yield store


def traced(store: SqliteStore) -> list[str]:
    statements: list[str] = []
    store._writer._connection.set_trace_callback(statements.append)
    return statements


async def test_concurrent_saves_share_commits(store: SqliteStore) -> None:
    statements = traced(store)
    await asyncio.gather(*(store.save(a_row(f"c{number}")) for number in range(640)))

    assert sum(statement.startswith("INSERT") for statement in statements) == 640
    assert statements.count("COMMIT") <= 4


async def test_a_group_is_no_larger_than_its_limit(path: Path) -> None:
    async with opened(path, group_limit=10) as store:
        statements = traced(store)
        await asyncio.gather(*(store.save(a_row(f"c{number}")) for number in range(100)))

        assert statements.count("COMMIT") == 10


async def test_every_commit_waits_for_the_disk(store: SqliteStore) -> None:
    connection = store._writer._connection
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


async def test_a_save_returns_only_once_others_can_see_it(path: Path, store: SqliteStore) -> None:
    with closing(sqlite3.connect(path)) as other:
        for revision in range(1, 30):
            await store.save(a_row(revision=revision))
            assert other.execute("SELECT revision FROM checkouts").fetchone() == (revision,)


async def test_reading_cannot_write(store: SqliteStore) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        store._reader.execute("DELETE FROM checkouts")


async def test_a_read_leaves_no_transaction_open(path: Path, store: SqliteStore) -> None:
    await store.save(a_row(), an_answer())
    await store.head(CHECKOUT_ID)
    await store.checkout(CHECKOUT_ID)
    await store.answer(SCOPE, "k1")

    with closing(sqlite3.connect(path)) as other:  # 0: no reader prevents a full checkpoint
        assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)


async def test_operators_read_inputs_as_json(path: Path, store: SqliteStore) -> None:
    await store.save(a_row(inputs=b'{"items":[1,2,3]}'))

    with closing(sqlite3.connect(path)) as other:
        query = "SELECT typeof(inputs), json_array_length(inputs, '$.items') FROM checkouts"
        assert other.execute(query).fetchone() == ("text", 3)


async def test_a_full_disk_acknowledges_nothing_and_recovers(store: SqliteStore) -> None:
    large = b'"' + b"x" * 20_000 + b'"'

    await store.save(a_row())
    connection = store._writer._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages + 12}")
    saves = [store.save(a_row(f"c{n}", inputs=large), an_answer(f"c{n}")) for n in range(20)]
    outcomes = await asyncio.gather(*saves, return_exceptions=True)

    assert {type(outcome) for outcome in outcomes} == {StoreUnavailable}
    assert "full" in str(outcomes[0])
    for number in range(20):
        assert await store.head(f"c{number}") is None
        assert await store.answer(SCOPE, f"c{number}") is None

    connection.execute("PRAGMA max_page_count = 100000")
    await store.save(a_row("c1", inputs=large), an_answer("c1"))
    await store.save(a_row(revision=2))
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def test_a_locked_file_is_unavailable_in_bounded_time_but_still_readable(path: Path) -> None:
    async with opened(path, busy_timeout_ms=50) as store:
        await store.save(a_row())
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            started = time.monotonic()
            saves = [store.save(a_row(f"c{number}")) for number in range(5)]
            outcomes = await asyncio.gather(*saves, return_exceptions=True)
            took = time.monotonic() - started

            assert {type(outcome) for outcome in outcomes} == {StoreUnavailable}
            assert "locked" in str(outcomes[0])
            assert took < 10
            with pytest.raises(StoreUnavailable):
                await store.check()
            assert await store.checkout(CHECKOUT_ID) == a_row()
            other.execute("ROLLBACK")
        await store.save(a_row(revision=2))
        await store.check()


async def test_the_check_does_not_wait_behind_other_writes(path: Path) -> None:
    async with opened(path, group_limit=2, waiting_limit=20) as store:
        finished: list[str] = []
        saves = [asyncio.ensure_future(store.save(a_row(f"c{number}"))) for number in range(20)]
        for save in saves:
            save.add_done_callback(lambda _: finished.append("save"))
        await asyncio.sleep(0)
        await store.check()
        before = len(finished)
        await asyncio.gather(*saves)

        assert before <= 4  # the group that was being written, and that of the check


async def test_a_write_waits_for_a_quick_write_of_another_process(path: Path) -> None:
    async with opened(path, busy_timeout_ms=10000) as store:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            save = asyncio.create_task(store.save(a_row()))
            await asyncio.sleep(0.1)
            assert not save.done()
            other.execute("ROLLBACK")
            await save


async def test_tables_that_cannot_be_read_are_unavailable(path: Path, store: SqliteStore) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("DROP TABLE checkouts")
        other.execute("DROP TABLE answers")

        other.execute("DROP TABLE capacity")

    reads = (
        store.head("a"),
        store.checkout("a"),
        store.answer("a", "b"),
        store.taken(["a"], "b", "c", at=1),
        store.check(),
    )
    for read in reads:
        with pytest.raises(StoreUnavailable, match="no such table"):
            await read
    with pytest.raises(StoreUnavailable, match="no such table"):
        await store.save(a_row())


async def test_writes_beyond_the_queue_limit_are_refused(path: Path) -> None:
    async with opened(path, waiting_limit=20) as store:
        saves = [store.save(a_row(f"c{number}")) for number in range(30)]
        outcomes = await asyncio.gather(*saves, return_exceptions=True)

        assert outcomes[:20] == [None] * 20
        assert {type(outcome) for outcome in outcomes[20:]} == {StoreUnavailable}
        await store.save(a_row())


async def test_a_failed_commit_fails_its_whole_group(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = store._writer._cursor
    monkeypatch.setattr(store._writer, "_cursor", FailingCursor(real, "COMMIT"))
    saves = [store.save(a_row("a")), store.save(a_row(revision=2)), store.save(a_row("b"))]
    outcomes = await asyncio.gather(*saves, return_exceptions=True)

    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 3
    assert len({id(outcome) for outcome in outcomes}) == 3
    assert await store.head("a") is None
    monkeypatch.setattr(store._writer, "_cursor", real)
    await store.save(a_row("a"))
    with pytest.raises(Stale):
        await store.save(a_row(revision=2))


async def test_an_unexpected_error_fails_its_group_and_spares_the_thread(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(_cursor: sqlite3.Cursor, _write: Write) -> int:
        raise KeyError("unexpected")

    with monkeypatch.context() as patch:
        patch.setattr(writer, "run_write", breaks)
        with pytest.raises(StoreUnavailable) as caught:
            await store.save(a_row(), an_answer())
    assert isinstance(caught.value.__cause__, KeyError)
    await store.save(a_row(), an_answer())


def test_a_loop_that_ended_does_not_end_the_writer(path: Path) -> None:
    store = SqliteStore.open(path)

    async def leave_before_it_is_done() -> None:
        store._writer.submit((Write("SELECT 1", ()),))
        await asyncio.sleep(0)

    asyncio.run(leave_before_it_is_done())
    asyncio.run(store.save(a_row()))
    asyncio.run(store.close())


def test_a_loop_that_ends_while_the_disk_works_does_not_end_the_writer(path: Path) -> None:
    store = SqliteStore.open(path)

    async def leave() -> None:
        store._writer.submit((Write("SELECT 1", ()),))
        await asyncio.sleep(0)  # the group has begun, and its commit is in progress

    for number in range(20):
        asyncio.run(leave())
        asyncio.run(asyncio.wait_for(store.save(a_row(f"c{number}")), 10))
    asyncio.run(store.close())


class FailingCursor:
    """A cursor that fails on one statement."""

    def __init__(self, cursor: sqlite3.Cursor, fails_on: str) -> None:
        self._cursor = cursor
        self._fails_on = fails_on

    @property
    def rowcount(self) -> int:
        return self._cursor.rowcount

    def execute(self, sql: str, values: tuple[object, ...] = ()) -> None:
        if sql == self._fails_on:
            raise sqlite3.OperationalError("disk I/O error")
        self._cursor.execute(sql, values)


async def test_callers_get_a_result_even_if_memory_runs_out(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = writer._resolve
    failures = iter([True, False, True])

    def forgetful(done: "asyncio.Future[int]", outcome: writer.Outcome) -> None:
        """Resolve the future, unless memory has just run out."""
        if next(failures, False):
            raise MemoryError
        tell(done, outcome)

    monkeypatch.setattr(writer, "_resolve", forgetful)

    for number in range(3):
        await asyncio.wait_for(store.save(a_row(f"c{number}")), 10)
