"""What was acknowledged survives a server that is killed at any moment, and nothing is half done.

Places of small pools are taken and given back meanwhile: after every kill is held what the items take.

``FAREGATE_KILLS=200`` kills so often; ``FAREGATE_SEED`` repeats a run.
"""

import asyncio
import json
import os
import random
import sqlite3
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from serving.async_service import HEADERS
from serving.real_server import RealServer, serving
from serving.service import Json, item
from serving.trips import HUT, LUNCH, Trip, check_holds, travel

KILLS = int(os.environ.get("FAREGATE_KILLS", "8"))
SEED = int(os.environ.get("FAREGATE_SEED", random.randrange(10**9)))


@dataclass(frozen=True)
class Request:
    """A change that may be sent again: an item with an id of its own, or one more copy under a key."""

    method: str
    path: str
    body: Json
    key: str | None = None

    @property
    def item_id(self) -> int | None:
        return None if self.key else self.body["items"][0]["id"]


@dataclass
class Basket:
    """A checkout, and what its customers know of it: what was acknowledged, and what was not."""

    url: str = field(default_factory=lambda: f"/api/checkout/{uuid4()}")
    acknowledged: list[Request] = field(default_factory=list)
    unanswered: list[Request] = field(default_factory=list)

    def adding(self, item_id: int) -> Request:
        return Request("POST", f"{self.url}/items", {"items": [item(item_id, LUNCH)]})

    def copying(self) -> Request:
        return Request("PATCH", f"{self.url}/items/1/quantity", {"delta": 1}, key=str(uuid4()))

    async def send(self, client: httpx2.AsyncClient, request: Request) -> None:
        """Send *request*; it stays among the unanswered unless a success comes back."""
        if request not in self.unanswered:
            self.unanswered.append(request)
        headers = {} if request.key is None else {"idempotency-key": request.key}
        response = await client.request(request.method, request.path, json=request.body, headers=headers)
        assert response.status_code == 200, response.text
        self.unanswered.remove(request)
        self.acknowledged.append(request)


def count_copies(requests: list[Request]) -> int:
    return sum(request.key is not None for request in requests)


def added_ids(requests: list[Request]) -> set[int]:
    return {request.item_id for request in requests if request.item_id is not None}


async def shop(client: httpx2.AsyncClient, baskets: list[Basket], chance: random.Random) -> None:
    """Fill one basket after another, each by three customers at once, until the server is gone."""

    async def fill(basket: Basket, *requests: Request) -> bool:
        try:
            for request in requests:
                await basket.send(client, request)
        except httpx2.TransportError:
            return False
        return True

    is_there = True
    while is_there:
        basket = Basket()
        baskets.append(basket)
        if not await fill(basket, basket.adding(1)):
            return
        wishes = [
            [basket.adding(item_id) if chance.random() < 0.5 else basket.copying() for item_id in ids]
            for ids in (range(100, 112), range(200, 212), range(300, 312))
        ]
        # None is cancelled: what it had sent would be left open.
        is_there = all(await asyncio.gather(*(fill(basket, *requests) for requests in wishes)))


@dataclass
class Customers:
    """All that was asked for between two kills."""

    baskets: list[Basket] = field(default_factory=list)
    trips: list[Trip] = field(default_factory=list)

    def meet(self, others: "Customers") -> None:
        """Count *others* as well."""
        self.baskets += others.baskets
        self.trips += others.trips

    async def check(self, server: RealServer) -> None:
        """Find what was acknowledged; send the rest again, and find it there once."""
        async with client_of(server) as client:
            for basket in self.baskets:
                await check_basket(client, basket)
            for trip in self.trips:
                await trip.check(client)


async def serve_until_killed(server: RealServer, chance: random.Random, *, season: int) -> Customers:
    """The customers that there were until *server* was killed."""
    customers = Customers()
    async with client_of(server) as client:
        everybody = asyncio.gather(
            *(shop(client, customers.baskets, chance) for _ in range(3)),
            *(travel(client, customers.trips, chance, season=season) for _ in range(6)),
        )
        await asyncio.sleep(chance.uniform(0.02, 0.5))
        server.kill()
        await everybody
    return customers


def client_of(server: RealServer) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=server.address, headers=HEADERS, timeout=30, trust_env=False)


async def check_basket(client: httpx2.AsyncClient, basket: Basket) -> None:
    response = await client.get(basket.url)
    if response.status_code == 404:
        assert not basket.acknowledged, "the whole basket is gone"
    else:
        sure, possible = basket.acknowledged, basket.acknowledged + basket.unanswered
        copies, ids, revision = contents(response)
        assert added_ids(sure) <= ids <= added_ids(possible), "an acknowledged item is gone"
        assert count_copies(sure) <= copies <= count_copies(possible), "an acknowledged copy is gone"
        assert len(sure) <= revision <= len(possible), "the revision is not that of its changes"
        assert revision == copies + len(ids), "a change is half done"
    for request in list(basket.unanswered):
        await basket.send(client, request)
    copies, ids, revision = contents(await client.get(basket.url))
    assert ids == added_ids(basket.acknowledged)
    assert copies == count_copies(basket.acknowledged), "a change was made twice"
    assert revision == len(basket.acknowledged)
    assert not basket.unanswered


def contents(response: Any) -> tuple[int, set[int], int]:
    """How many copies, which items and which revision there are; the totals must be those of the items."""
    assert response.status_code == 200, response.text
    checkout = json.loads(response.content, parse_float=Decimal)["data"]
    entries = checkout["items"]
    ids = [entry["id"] for entry in entries]
    assert len(set(ids)) == len(ids)
    for amount in ("listPriceGross", "listPriceNet", "totalDiscountGross", "totalGross", "totalNet"):
        assert sum(entry[amount] for entry in entries) == checkout[amount]
    revision = int(response.headers["etag"].strip('"').partition(".")[0])
    return sum(i >= 2**31 for i in ids), {i for i in ids if i < 2**31}, revision


def check_file(database: Path) -> None:
    connection = sqlite3.connect(database)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    finally:
        connection.close()


def kill_again_and_again(database: Path, *, kills: int, seed: int, store: str = "real") -> Customers:
    """Kill a server *kills* times under load, and look each time; return all customers there were."""
    chance = random.Random(seed)
    everybody, lately = Customers(), Customers()
    for number in range(kills + 1):
        with serving(database, store=store, catalogue=HUT) as server:
            check_holds(database)
            asyncio.run(lately.check(server))
            check_holds(database)
            everybody.meet(lately)
            if number < kills:
                lately = asyncio.run(serve_until_killed(server, chance, season=number))
            else:
                asyncio.run(everybody.check(server))
        if chance.random() < 0.5:
            check_file(database)
    check_file(database)
    return everybody


@pytest.fixture
def seed() -> int:
    print(f"FAREGATE_SEED={SEED}")  # noqa: T201  # shown when the test fails
    return SEED


def test_what_is_acknowledged_survives_every_kill(tmp_path: Path, seed: int) -> None:
    customers = kill_again_and_again(tmp_path / "checkouts.db", kills=KILLS, seed=seed)

    survived = sum(len(basket.acknowledged) for basket in customers.baskets)
    granted = sum(trip.granted for trip in customers.trips)
    refused = sum(trip.refused for trip in customers.trips)
    print(f"{KILLS} kills, {survived} changes, {granted} of places, {refused} refused")  # noqa: T201
    assert survived > KILLS  # or it was not under load
    assert granted > KILLS
    assert refused > KILLS  # or there were places for all


@pytest.mark.parametrize(
    ("store", "what"),
    [
        ("eager", "is gone|was lost"),
        ("halving", "was made twice|something else"),
        ("splitting", "the holds are"),
    ],
    ids=[
        "acknowledges-before-it-saves",
        "saves-the-answer-after-the-change",
        "saves-the-holds-after-the-change",
    ],
)
def test_a_store_that_loses_something_is_caught(tmp_path: Path, seed: int, store: str, what: str) -> None:
    with pytest.raises(AssertionError, match=what):
        kill_again_and_again(tmp_path / "checkouts.db", kills=20, seed=seed, store=store)
