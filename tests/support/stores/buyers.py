"""Processes that buy places in one database at once, and what must hold when they are done."""

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
"""Of each process."""

AT_ONCE = 25
"""They share a commit; five times each process has to get its turn at the file."""

CONNECTIONS = 3
"""Of each process to a server."""

PATIENCE_SECONDS = 120

CONTESTED = ("lift", "2026-12-27")
SOLD_BEFORE = 500
PLACES = 1_000
"""Left on the contested day. The days around it have some more, and too few gondolas for all baskets."""

_SIZES = {"lift": SOLD_BEFORE + PLACES, "gondola": 300}
_DAYS = [f"2026-12-{day}" for day in range(25, 31)]

Taken = Counter[tuple[str, str]]


class Orders(NamedTuple):
    """What a process is sent: where to buy, and the seed of what."""

    url: str
    seed: int


class Account(NamedTuple):
    """What a process answers: the places it was given, and how often it was given none."""

    accepted: Taken
    refused: int


def basket(chance: random.Random) -> list[Hold]:
    """One day or several of one pool or both, mostly with the contested day among them."""
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
    """Make all attempts, a few at once."""
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
    """The store at *url*, whose tables exist, however long others are before it."""
    match location(url):
        case Path() as path:
            return SqliteStore.open(path, busy_timeout_ms=PATIENCE_SECONDS * 1_000)
        case server:
            return PostgresqlStore(replace(server, timeout=PATIENCE_SECONDS, pool_size=CONNECTIONS))


def buyer(process: int, orders: Connection, barrier: Barrier) -> None:
    """The body of a process: buy as ordered, again and again."""

    async def run(order: Orders) -> Account:
        store = patient_store(order.url)
        barrier.wait(PATIENCE_SECONDS)
        account = await buy(store, process, random.Random(f"{order.seed} {process}"))
        await store.close()
        return account

    while True:
        orders.send(asyncio.run(run(orders.recv())))


class Buyers:
    """The processes, to be sent to one database after another."""

    def __init__(self, pipes: list[Connection]) -> None:
        self._pipes = pipes

    def race(self, url: str, seed: int) -> list[Account]:
        """Let all buy at *url* at once; return what each says it was given."""
        for pipe in self._pipes:
            pipe.send(Orders(url, seed))
        accounts = []
        for pipe in self._pipes:
            if not pipe.poll(PATIENCE_SECONDS):
                raise TimeoutError("a process does not finish")
            accounts.append(pipe.recv())
        return accounts


@contextmanager
def started_buyers() -> Iterator[Buyers]:
    """Start the processes; in the end they have nothing left to do, and are killed."""
    barrier = FORKS.Barrier(PROCESSES)
    pairs = [FORKS.Pipe() for _ in range(PROCESSES)]
    processes = [
        FORKS.Process(target=buyer, args=(number, theirs, barrier), daemon=True)
        for number, (_, theirs) in enumerate(pairs)
    ]
    for process, (_, theirs) in zip(processes, pairs, strict=True):
        process.start()
        theirs.close()  # so that a process that fails is heard of at once
    try:
        yield Buyers([ours for ours, _ in pairs])
    finally:
        for process, (ours, _) in zip(processes, pairs, strict=True):
            process.kill()
            process.join(PATIENCE_SECONDS)
            ours.close()


def a_sale(url: str) -> None:
    """Make the tables, half a contested day sold already."""
    migrate(url)
    values = (*CONTESTED, _SIZES["lift"], SOLD_BEFORE)
    ask(url, "INSERT INTO capacity (pool, slot, size, sold) VALUES (?, ?, ?, ?)", *values)


def faults(url: str, accounts: list[Account]) -> list[str]:
    """All that is wrong with what was sold at *url*."""
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
