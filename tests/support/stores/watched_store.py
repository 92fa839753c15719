"""A store that records queries and fails on request, and a direct way to sell units."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from faregate_http.store.contract import SlotCount, Store, StoreUnavailable
from support.stores.wrapped_store import WrappedStore


class Timer:
    """A timer that is advanced by the test."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


class WatchedStore(WrappedStore):
    """A store that records queries of units taken, and raises ``error`` if set."""

    def __init__(self, inner: Store) -> None:
        super().__init__(inner)
        self.asked: list[tuple[tuple[str, ...], str, str]] = []
        self.error: Exception | None = None

    async def taken(self, pools: Sequence[str], first: str, last: str, **asked: Any) -> list[SlotCount]:
        self.asked.append((tuple(pools), first, last))
        if self.error is not None:
            raise self.error
        return await self.inner.taken(pools, first, last, **asked)


def away() -> StoreUnavailable:
    """Return the error of a store whose database is unavailable."""
    return StoreUnavailable("the database cannot be read: gone")


def sell(database: Path, pool: str, slot: str, places: int) -> None:
    """Store in the tables that *places* units of a pool are sold in a slot."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "INSERT INTO capacity (pool, slot, size, sold) VALUES (?, ?, 100000, ?)"
            " ON CONFLICT (pool, slot) DO UPDATE SET sold = excluded.sold",
            (pool, slot, places),
        )
