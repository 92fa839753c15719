"""Processes that buy from one database at once, and the invariants afterwards."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import NamedTuple

from faregate_http.store.contract import Hold, SoldOut, Store
from faregate_server.store.locations import location
from faregate_server.store.migrate import migrate
from faregate_server.store.postgresql.store import PostgresqlStore
from faregate_server.store.sqlite.store import SqliteStore
from support.processes.forked import FORKS
from support.stores.capacity import ask
from support.stores.rows import a_row

PROCESSES = 32
ATTEMPTS = 125
"""Attempts per process."""

AT_ONCE = 25
"""Attempts that share a commit; each process gets its turn at the file five times."""

CONNECTIONS = 3
"""Attempts per process with a server."""

PATIENCE_SECONDS = 120

CONTESTED = ("lift", "2026-12-27")
SOLD_BEFORE = 500
PLACES = 1_000
"""Units left on the contested day; other days have more, but too few gondolas for all baskets."""

_SIZES = {"lift": SOLD_BEFORE + PLACES, "gondola": 300}
_DAYS = [f"2026-12-{day}" for day in range(25, 31)]

Taken = Counter[tuple[str, str]]


class Orders(NamedTuple):
    """The instructions to a process: the database and the seed."""

    url: str
    seed: int


class Account(NamedTuple):
    """The report of a process: the units it got, and the number of refusals."""

    accepted: Taken
    refused: int


def basket(chance: random.Random) -> list[Hold]:
    """Draw one or more days of one or both pools, mostly including the contested day."""
    kind = chance.random()
    if kind < 0.5:
        wanted = {CONTESTED: chance.choice([1, 1, 1, 2, 3])}
    elif kind < 0.6:
        wanted = {("lift", chance.choice(_DAYS)): 1}
    else:
        first = chance.randrange(len(_DAYS) - 2)
        days = _DAYS[first : first + chance.randint(2, 3)]
        wanted = {(pool, day): chance.randint(1, 2) for pool in _SIZES for day in days}
    return [Hold(pool, slot, units, _SIZES[pool]) for (pool, slot), units in wanted.items()]


async def buy(store: Store, process: int, chance: random.Random) -> Account:
    """Make all attempts, a few concurrently."""
    accepted: Taken = Counter()
    refused = 0

    async def one(number: int) -> None:
        nonlocal refused
        holds = basket(chance)
        try:
            await store.save(a_row(f"{process}-{number}"), None, holds)
        except SoldOut:
            refused += 1
        else:
            accepted.update({hold[:2]: hold.units for hold in holds})

    for start in range(0, ATTEMPTS, AT_ONCE):
        await asyncio.gather(*(one(start + number) for number in range(AT_ONCE)))
    return Account(accepted, refused)


def patient_store(url: str) -> Store:
    """Return the store at *url*, whose tables exist, with long timeouts."""
    match location(url):
        case Path() as path:
            return SqliteStore.open(path, busy_timeout_ms=PATIENCE_SECONDS * 1_000)
        case server:
            return PostgresqlStore(replace(server, timeout=PATIENCE_SECONDS, pool_size=CONNECTIONS))


def buyer(process: int, orders: Connection, barrier: Barrier) -> None:
    """Buy as ordered, again and again: the body of a process."""

    async def run(order: Orders) -> Account:
        store = patient_store(order.url)
        barrier.wait(PATIENCE_SECONDS)
        account = await buy(store, process, random.Random(f"{order.seed} {process}"))
        await store.close()
        return account

    while True:
        orders.send(asyncio.run(run(orders.recv())))


class Buyers:
    """The processes, for one database after another."""

    def __init__(self, pipes: list[Connection]) -> None:
        self._pipes = pipes

    def race(self, url: str, seed: int) -> list[Account]:
        """Let all processes buy at *url* at once; return their reports."""
        for pipe in self._pipes:
            pipe.send(Orders(url, seed))
        accounts = []
        for pipe in self._pipes:
            if not pipe.poll(PATIENCE_SECONDS):
                raise TimeoutError("a process does not end")
            accounts.append(pipe.recv())
        return accounts


@contextmanager
def started_buyers() -> Iterator[Buyers]:
    """Start the processes; kill them at the end, when they are idle."""
    barrier = FORKS.Barrier(PROCESSES)
    pairs = [FORKS.Pipe() for _ in range(PROCESSES)]
    processes = [
        FORKS.Process(target=buyer, args=(number, theirs, barrier), daemon=True)
        for number, (_, theirs) in enumerate(pairs)
    ]
    for process, (_, theirs) in zip(processes, pairs, strict=True):
        process.start()
        theirs.close()  # so that a failed process is noticed at once
    try:
        yield Buyers([ours for ours, _ in pairs])
    finally:
        for process, (ours, _) in zip(processes, pairs, strict=True):
            process.kill()
            process.join(PATIENCE_SECONDS)
            ours.close()


def a_sale(url: str) -> None:
    """Create the tables, with half the contested day already sold."""
    migrate(url)
    values = (*CONTESTED, _SIZES["lift"], SOLD_BEFORE)
    ask(url, "INSERT INTO capacity (pool, slot, size, sold) VALUES (?, ?, ?, ?)", *values)


def faults(url: str, accounts: list[Account]) -> list[str]:
    """Return everything that is wrong with the sales at *url*."""
    accepted = sum((account.accepted for account in accounts), Counter())
    rows = ask(url, "SELECT pool, slot, size, sold, held FROM capacity")
    held = ask(url, "SELECT pool, slot, sum(units) FROM holds GROUP BY pool, slot")
    holds = {(pool, slot): units for pool, slot, units in held}
    found = []
    for pool, slot, size, sold, counted in rows:
        key = pool, slot
        if not holds.get(key, 0) == counted == accepted[key]:
            found.append(f"{key}: {holds.get(key, 0)} held, {counted} counted, {accepted[key]} accepted")
        if sold + max(accepted[key], holds.get(key, 0)) > _SIZES[pool] or size != _SIZES[pool]:
            found.append(f"{key}: oversold, {sold} + {accepted[key]} of {_SIZES[pool]}, or {size}")
    if accepted[CONTESTED] != PLACES:
        found.append(f"{accepted[CONTESTED]} of the last {PLACES} places were sold")
    return found
