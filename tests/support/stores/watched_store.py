"""A store that tells what was asked of it and fails when it is told to; and places sold behind its back."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from faregate_http.store.contract import SlotCount, Store, StoreUnavailable
from support.stores.wrapped_store import WrappedStore


class Timer:
    """Seconds that pass when they are told to."""

    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


class WatchedStore(WrappedStore):
    """Remembers each question what is taken, and fails with ``error`` while there is one."""

    def __init__(self, inner: Store) -> None:
        super().__init__(inner)
        self.asked: list[tuple[tuple[str, ...], str, str]] = []
        self.error: Exception | None = None

    async def taken(
        self, pools: Sequence[str], first: str, last: str, *, at: int, without: str | None = None
    ) -> list[SlotCount]:
        self.asked.append((tuple(pools), first, last))
        if self.error is not None:
            raise self.error
        return await super().taken(pools, first, last, at=at, without=without)


def away() -> StoreUnavailable:
    """What a store raises whose database is away."""
    return StoreUnavailable("the database cannot be read: gone")


def sell(database: Path, pool: str, slot: str, places: int) -> None:
    """Note in the tables that so many places of a pool are sold in a slot."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(
            "INSERT INTO capacity (pool, slot, size, sold) VALUES (?, ?, 100000, ?)"
            " ON CONFLICT (pool, slot) DO UPDATE SET sold = excluded.sold",
            (pool, slot, places),
        )
