"""Overwritten and erased data disappears from the files of SQLite once the log is truncated."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from faregate_http.store.contract import Store, StoreUnavailable
from faregate_server.store.sqlite import file as sqlite_file
from support.stores.rows import CHECKOUT_ID, a_row, an_answer, opened

NAME = b"Nightingale"


@pytest.fixture
def database_url(sqlite_url: str) -> str:
    return sqlite_url


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


@contextmanager
def reading(path: Path) -> Iterator[None]:
    """Keep reading the current state of the database during the block."""
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM checkouts").fetchone()
        yield


@pytest.mark.parametrize("length", [20, 20_000], ids=["in-its-page", "in-pages-of-its-own"])
async def test_overwritten_and_deleted_data_is_in_no_file(store: Store, path: Path, length: int) -> None:
    long = NAME + b"." * length
    await store.save(a_row(inputs=long), an_answer(body=long))
    before = log_of(path).read_bytes().count(NAME)
    await store.save(a_row(revision=2))
    await store.purge_answers(before=6)

    assert await store.truncate_log()

    assert before == 2
    assert log_of(path).stat().st_size == 0
    assert NAME not in path.read_bytes()
    assert await store.checkout(CHECKOUT_ID) == a_row(revision=2)


async def test_the_log_is_not_truncated_during_a_read_and_nobody_waits(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "LOG_BUSY_SECONDS", 60)

    await store.save(a_row(inputs=NAME))
    with reading(path):
        await store.save(a_row(revision=2))
        began = time.monotonic()
        is_cut = await store.truncate_log()
        await store.save(a_row(revision=3))
        took = time.monotonic() - began

    assert not is_cut
    assert took < 20
    assert await store.truncate_log()
    assert NAME not in log_of(path).read_bytes() + path.read_bytes()


async def test_the_log_is_not_truncated_during_a_write_and_can_be_later(store: Store, path: Path) -> None:
    await store.save(a_row())
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        is_cut = await store.truncate_log()
        other.execute("ROLLBACK")

    assert (is_cut, await store.truncate_log()) == (False, True)


async def test_a_log_without_its_file_is_unavailable(store: Store, path: Path) -> None:
    path.rename(path.with_suffix(".moved"))
    path.mkdir()

    with pytest.raises(StoreUnavailable):
        await store.truncate_log()


async def test_on_postgresql_there_is_no_log_to_truncate(postgresql_url: str) -> None:
    async with opened(postgresql_url) as store:
        assert await store.truncate_log()
