"""Stores report the connections in use and the operations that wait for one."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from faregate_server.store.locations import location
from faregate_server.store.postgresql.location import PostgresqlLocation
from faregate_server.store.postgresql.session import Session
from faregate_server.store.postgresql.store import PostgresqlStore
from faregate_server.store.sqlite.store import SqliteStore


async def test_writes_that_wait_for_the_file_are_reported(path: Path) -> None:
    store = SqliteStore.open(path)
    assert store.load() == (0, 1, 0)
    purges = [asyncio.create_task(store.purge_answers(0)) for _ in range(3)]
    await asyncio.sleep(0)
    assert store.load() == (1, 1, 3)
    await asyncio.gather(*purges)
    assert store.load() == (0, 1, 0)
    await store.close()


@pytest.mark.slow
async def test_operations_that_wait_for_a_connection_are_reported(postgresql_url: str) -> None:
    there = location(postgresql_url)
    assert isinstance(there, PostgresqlLocation)
    store = PostgresqlStore(replace(there, pool_size=1))
    assert store.load() == (0, 1, 0)
    release = asyncio.Event()

    async def hold(_session: Session) -> None:
        await release.wait()

    holding = asyncio.create_task(store._pool.run(hold))
    while not store.load().in_use or store.load().waiting:
        await asyncio.sleep(0.01)
    reads = [asyncio.create_task(store.head("")) for _ in range(2)]
    await asyncio.sleep(0.05)
    assert store.load() == (1, 1, 2)
    release.set()
    await asyncio.gather(holding, *reads)
    assert store.load() == (0, 1, 0)
    await store.close()
