"""Durable saves per second of each database through the store contract: 64 tasks, one process.

``PYTHONPATH=tests python -m benchmarks.store_saves [SECONDS]``. Both databases wait for the disk at each
commit: SQLite with a write-ahead log and synchronous = FULL, PostgreSQL with its defaults, on a Unix socket.
Unfair to PostgreSQL: its processes share the machine with the measuring one. Unfair to SQLite: in production
PostgreSQL serves several such processes at once.
"""

from __future__ import annotations

import asyncio
import gc
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from itertools import count
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple

from faregate_http.store.contract import CheckoutRow, Hold, Store, StoredAnswer
from faregate_server.store.opening import open_store
from support.stores.postgresql import Server

TASKS = 64
DAYS = [f"2026-12-{day:02}" for day in range(1, 31)]
INPUTS = b'"' + b"x" * 4_000 + b'"'
BODY = b"y" * 6_000

Save = Callable[[Store, str, int], Awaitable[None]]


class Measured(NamedTuple):
    """Saves per second, and the median and 99th percentile of their time in milliseconds."""

    per_second: float
    median: float
    slow: float


def a_row(name: str) -> CheckoutRow:
    return CheckoutRow(name, "c", None, False, 1, 1, 1, 10**13, INPUTS)


def an_answer(name: str) -> StoredAnswer:
    return StoredAnswer("POST /items", name, b"f" * 32, 200, b"{}", BODY, 1)


async def save_row(store: Store, name: str, _number: int) -> None:
    await store.save(a_row(name))


async def save_answer(store: Store, name: str, _number: int) -> None:
    await store.save(a_row(name), an_answer(name))


async def save_holds(store: Store, name: str, number: int) -> None:
    """Save holds for three days of one of twenty pools."""
    days = DAYS[number % 28 :][:3]
    await store.save(
        a_row(name), an_answer(name), [Hold(f"pool {number % 20}", day, 2, 10**9) for day in days]
    )


async def save_contested(store: Store, name: str, _number: int) -> None:
    """Save a hold for the same day as all other tasks."""
    await store.save(a_row(name), an_answer(name), [Hold("lift", DAYS[0], 1, 10**9)])


SAVES: dict[str, Save] = {
    "row of 4 kB": save_row,
    "row and answer": save_answer,
    "row, answer, 3 holds": save_holds,
    "all in one slot": save_contested,
}


async def measure(store: Store, save: Save, *, seconds: float) -> Measured:
    """Save with all tasks for *seconds*, after a warm-up."""
    lasted: list[float] = []
    start = time.perf_counter() + seconds / 4
    end = start + seconds

    async def task(first: int) -> None:
        number = first
        while (begun := time.perf_counter()) < end:
            await save(store, f"{save.__name__} {number}", number)
            if begun >= start:
                lasted.append(time.perf_counter() - begun)
            number += TASKS

    await asyncio.gather(*(task(first) for first in range(TASKS)))
    hundredths = quantiles(lasted, n=100)
    return Measured(len(lasted) / seconds, hundredths[49] * 1000, hundredths[98] * 1000)


def compare(databases: dict[str, Callable[[], str]], *, seconds: float) -> None:
    """Print a table; each line is measured with a new database."""
    print("| saved | database | saves/s | median ms | slowest of 100, ms |")
    print("|---|---|--:|--:|--:|")
    for what, save in SAVES.items():
        for database, new_url in databases.items():
            found = asyncio.run(_measured(new_url(), save, seconds))
            figures = f"{found.per_second:,.0f} | {found.median:.1f} | {found.slow:.1f}"
            print(f"| {what} | {database} | {figures} |", flush=True)


async def _measured(url: str, save: Save, seconds: float) -> Measured:
    store = await asyncio.to_thread(open_store, url)
    gc.collect()
    try:
        return await measure(store, save, seconds=seconds)
    finally:
        await store.close()


def main() -> None:
    seconds = float(sys.argv[1]) if sys.argv[1:] else 10.0
    numbers = count()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), settings="")
        try:
            compare(
                {
                    "SQLite": lambda: f"sqlite:///{folder}/{next(numbers)}.db",
                    "PostgreSQL, 10 connections": lambda: server.url(server.create()),
                    "PostgreSQL, 32 connections": lambda: server.url(server.create(), pool_size=32),
                },
                seconds=seconds,
            )
        finally:
            server.end()


if __name__ == "__main__":
    main()
