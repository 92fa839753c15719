"""Stores count failures for all processes, by the clock of the database, and keep a bounded number."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from faregate_http.store.contract import Store
from faregate_http.store.failures import SharesFailures
from support.stores.capacity import ask
from support.stores.rows import opened

Work = Callable[[SharesFailures, SharesFailures], Awaitable[None]]


def check_two(url: str, work: Work) -> None:
    """Run *work* on two stores of one database."""

    async def run() -> None:
        async with opened(url) as one, opened(url) as other:
            await work(shared(one), shared(other))

    asyncio.run(run())


def shared(store: Store) -> SharesFailures:
    assert isinstance(store, SharesFailures)
    return store


def test_failures_in_one_process_count_in_another(database_url: str) -> None:
    async def work(one: SharesFailures, other: SharesFailures) -> None:
        assert await one.failure_wait("code", -7, 2) == 0
        await one.add_failure("code", -7, 60)
        assert await other.failure_wait("code", -7, 2) == 0
        await other.add_failure("code", -7, 600)

        assert 59 < await one.failure_wait("code", -7, 2) <= 60
        assert 599 < await other.failure_wait("code", -7, 1) <= 600
        assert await one.failure_wait("key", -7, 1) == await one.failure_wait("code", 7, 1) == 0

    check_two(database_url, work)


def test_the_clock_of_the_process_does_not_count(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(one: SharesFailures, other: SharesFailures) -> None:
        await one.add_failure("code", 7, 60)
        clock = time.time
        monkeypatch.setattr(time, "time", lambda: clock() - 25)
        assert 59 < await other.failure_wait("code", 7, 1) <= 60

        ask(database_url, "UPDATE failures SET ends_at = ends_at - 60000")
        assert await other.failure_wait("code", 7, 1) == 0

    check_two(database_url, work)


def test_old_failures_are_deleted_by_new_ones(database_url: str) -> None:
    async def work(one: SharesFailures, _other: SharesFailures) -> None:
        for holder in range(60):
            await one.add_failure("key", holder, 60)
        ask(database_url, "UPDATE failures SET ends_at = ends_at - 60000 WHERE holder > 0")

        await one.add_failure("key", 99, 60)
        await one.add_failure("key", 99, 60)
        left = ask(database_url, "SELECT holder FROM failures ORDER BY id")
        assert left == [(0,), (99,), (99,)]

    check_two(database_url, work)


def test_the_number_of_failures_is_bounded(database_url: str) -> None:
    async def work(one: SharesFailures, _other: SharesFailures) -> None:
        for holder in (1, 2):
            await one.add_failure("key", holder, 60)
        ask(database_url, "UPDATE failures SET id = id - 99999 WHERE holder = 1")
        await one.add_failure("key", 3, 60)  # its id is 3, and that of the first -99998

        assert ask(database_url, "SELECT holder FROM failures ORDER BY id") == [(2,), (3,)]

    check_two(database_url, work)


def test_failures_of_many_processes_at_once_are_all_counted(database_url: str) -> None:
    async def work(one: SharesFailures, other: SharesFailures) -> None:
        await asyncio.gather(*(store.add_failure("key", 7, 60) for store in (one, other) for _ in range(40)))
        assert await one.failure_wait("key", 7, 80) > 0
        assert await one.failure_wait("key", 7, 81) == 0

    check_two(database_url, work)
