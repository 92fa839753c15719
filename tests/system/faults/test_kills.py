"""Acknowledged data survives a server that is killed at any moment, and no change is incomplete.

Several customers fill baskets, take and release units, and pay for purchases. After every kill a new server
is asked for everything acknowledged, unanswered requests are repeated, and holds are compared with items. At
the end orders, money, tickets and codes agree, and the sweep finds nothing.

``FAREGATE_KILLS=1000`` sets the number of kills; ``FAREGATE_SEED`` reproduces a run.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from support.faults.afterwards import (
    check_books,
    check_file,
    check_places,
    check_swept,
    customers_in,
    headers_for,
)
from support.faults.baskets import Basket, check_basket, shop
from support.faults.purchases import Purchase, buy, text_of
from support.faults.runs import client_of, long_form, seeded
from support.faults.servers import Nursery, Server, Service
from support.payment.till import database
from support.service.trips import Trip, travel

KILLS = long_form("FAREGATE_KILLS", 8)
AT_ONE_DATABASE = 50
"""Kills per database file, since the checks afterwards take longer with each."""

OF = {"sqlite": KILLS, "postgresql": max(KILLS // 4, 2)}
PARTS = [
    (kind, part, min(AT_ONE_DATABASE, kills - part * AT_ONE_DATABASE))
    for kind, kills in OF.items()
    for part in range(-(-kills // AT_ONE_DATABASE))
]


@dataclass
class Customers:
    """All customers and requests between two kills."""

    baskets: list[Basket] = field(default_factory=list)
    trips: list[Trip] = field(default_factory=list)
    purchases: list[Purchase] = field(default_factory=list)

    def meet(self, others: "Customers") -> None:
        """Add the counts of *others*."""
        self.baskets += others.baskets
        self.trips += others.trips
        self.purchases += others.purchases

    async def check(self, server: Server) -> None:
        """Check acknowledged changes; repeat the others and check that they exist once."""
        async with client_of(server) as client:
            for basket in self.baskets:
                await check_basket(client, basket)
            for trip in self.trips:
                await trip.check(client)
            await asyncio.gather(*(purchase.check(client) for purchase in self.purchases))

    @property
    def granted(self) -> int:
        """Return the number of granted requests of buyers and travellers."""
        return sum(trip.granted for trip in self.trips) + sum(one.granted for one in self.purchases)

    @property
    def figures(self) -> dict[str, int]:
        """Return the counts as figures."""
        answers = sum((purchase.answers for purchase in self.purchases), Counter[str]())
        print(f"purchases: {text_of(answers)}")  # noqa: T201
        return {
            "changes": sum(len(basket.acknowledged) for basket in self.baskets)
            + sum(purchase.granted for purchase in self.purchases),
            "places": sum(trip.granted for trip in self.trips),
            "refused": sum(trip.refused for trip in self.trips),
            "orders": sum(purchase.is_paid for purchase in self.purchases),
        }


async def serve_until_killed(
    server: Server, headers: Sequence[dict[str, str]], chance: random.Random, *, season: int
) -> Customers:
    """Return the customers served until *server* was killed; nobody buys without *headers*."""
    customers = Customers()
    async with client_of(server) as client:
        everybody = asyncio.gather(
            *(shop(client, customers.baskets, chance) for _ in range(2)),
            *(travel(client, customers.trips, chance, season=season) for _ in range(4)),
            *(buy(client, customers.purchases, who, chance, season=season) for who in headers),
        )
        await _until_busy(customers, at_least=chance.choice((0, 20, 40)))
        await asyncio.sleep(chance.uniform(0.01, 0.3))
        server.kill()
        await everybody
    return customers


async def _until_busy(customers: Customers, *, at_least: int) -> None:
    """Wait until enough requests were granted, on a machine that may be slow."""
    deadline = time.monotonic() + 10
    while customers.granted < at_least and time.monotonic() < deadline:
        await asyncio.sleep(0.005)


def kill_again_and_again(
    servers: Nursery, url: str, books: Path, *, kills: int, seed: int, store: str = "real", buyers: int = 6
) -> Customers:
    """Kill a server *kills* times under load and check each time; return all customers."""
    chance = random.Random(seed)
    books.touch()
    service = Service(database=url, books=str(books), store=store, seed=seed)
    headers = headers_for(customers_in(url, buyers))
    everybody, lately = Customers(), Customers()
    for number in range(kills + 1):
        with servers.serving(service) as server:
            check_places(url)
            asyncio.run(lately.check(server))
            everybody.meet(lately)
            if number == kills:
                asyncio.run(everybody.check(server))
                check_books(service, everybody.purchases)
            else:
                lately = asyncio.run(serve_until_killed(server, headers, chance, season=number))
        if number % 10 == 0:
            check_swept(url)
            check_file(url)
    check_places(url)
    check_file(url)
    check_swept(url)
    return everybody


@pytest.mark.parametrize(("kind", "part", "kills"), PARTS, ids=str)
def test_acknowledged_data_survives_every_kill(
    servers: Nursery, tmp_path: Path, kind: str, part: int, kills: int
) -> None:
    seed = seeded(part)
    with database(kind, tmp_path) as url:
        customers = kill_again_and_again(servers, url, tmp_path / "books", kills=kills, seed=seed)

    figures = customers.figures
    print(f"{kind}: {kills} kills, {figures}")  # noqa: T201
    assert figures["changes"] > kills  # otherwise there was no load
    assert figures["places"] > kills
    assert figures["orders"] + figures["refused"] > kills / 4  # otherwise no customer paid


@pytest.mark.parametrize(
    ("store", "buyers", "what"),
    [
        ("eager", 0, "is gone|was lost"),
        ("halving", 0, "was applied twice|something else"),
        ("splitting", 0, "the holds are|items need"),
        ("ordering-later", 6, "an order|no order|internal"),
    ],
    ids=[
        "acknowledges-before-it-saves",
        "saves-the-answer-after-the-change",
        "saves-the-holds-after-the-change",
        "saves-the-order-after-the-payment",
    ],
)
def test_a_store_that_loses_data_is_caught(
    servers: Nursery, tmp_path: Path, store: str, buyers: int, what: str
) -> None:
    seed, books = seeded(0), tmp_path / "books"
    with database("sqlite", tmp_path) as url, pytest.raises(AssertionError, match=what):
        kill_again_and_again(servers, url, books, kills=40, seed=seed, store=store, buyers=buyers)
