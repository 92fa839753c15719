"""Stores report the connections in use and the operations that wait for one."""

import asyncio
from dataclasses import replace

import pytest

from faregate_http.store.load import DatabaseLoad
from faregate_server.store.locations import location
from faregate_server.store.opening import open_store
from faregate_server.store.postgresql.location import PostgresqlLocation
from faregate_server.store.postgresql.session import Session
from faregate_server.store.postgresql.store import PostgresqlStore
from faregate_server.store.sqlite.store import SqliteStore


def test_writes_that_wait_for_the_file_are_reported(sqlite_url: str) -> None:
    async def loads() -> list[DatabaseLoad]:
        store = open_store(sqlite_url)
        assert isinstance(store, SqliteStore)
        found = [store.load()]
        purges = [asyncio.create_task(store.purge_answers(0)) for _ in range(3)]
        await asyncio.sleep(0)
        found.append(store.load())
        await asyncio.gather(*purges)
        found.append(store.load())
        await store.close()
        return found

    assert asyncio.run(loads()) == [(0, 1, 0), (1, 1, 3), (0, 1, 0)]


@pytest.mark.slow
def test_operations_that_wait_for_a_connection_are_reported(postgresql_url: str) -> None:
    async def loads() -> list[DatabaseLoad]:
        there = location(postgresql_url)
        assert isinstance(there, PostgresqlLocation)
        store = PostgresqlStore(replace(there, pool_size=1))
        found = [store.load()]
        release = asyncio.Event()

        async def hold(_session: Session) -> None:
            await release.wait()

        holding = asyncio.create_task(store._pool.run(hold))
        while not store.load().in_use or store.load().waiting:
            await asyncio.sleep(0.01)
        reads = [asyncio.create_task(store.head("")) for _ in range(2)]
        await asyncio.sleep(0.05)
        found.append(store.load())
        release.set()
        await asyncio.gather(holding, *reads)
        found.append(store.load())
        await store.close()
        return found

    assert asyncio.run(loads()) == [(0, 1, 0), (1, 1, 2), (0, 1, 0)]
