"""Customers who take and release units of a small pool, and remember the responses."""

import asyncio
import random
import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.held_units import units_held_by
from faregate.files import load_catalogue
from faregate_http.checkouts.stored_inputs import read_inputs
from support.service.service import Json, item

HUT = Path(__file__).with_name("hut.yaml")
LUNCH = 411
NIGHT = 1
BED, ROOM, HALF_BOARD = 10, 11, 12
BEDS = 10
_FIRST_COPY = 2**31
_FIRST_NIGHT = date(2090, 1, 1)

Contents = tuple[frozenset[int], int]
"""The ids of items that the customer chose, and the number of copies of the first item."""


class Wish(NamedTuple):
    """A request that can be repeated, and the contents of the checkout if it is granted."""

    method: str
    path: str
    granted: Contents
    body: Json | None = None
    key: str | None = None


@dataclass
class Trip:
    """A checkout of one customer, who waits for each response before the next request."""

    nights: date
    url: str = field(default_factory=lambda: f"/api/checkout/{uuid4()}")
    contents: Contents = (frozenset(), 0)
    unanswered: Wish | None = None
    granted: int = 0
    refused: int = 0

    def next_wish(self, chance: random.Random) -> Wish:
        """Return the next request: take beds for some nights, or release some."""
        ids, copies = self.contents
        kind = chance.random()
        if 1 not in ids or kind < 0.4:
            item_id = 1 if 1 not in ids else chance.randrange(2, 10**6)
            return self.taking(item_id, chance)
        if len(ids) > 1 and kind < 0.65:
            item_id = chance.choice(sorted(ids - {1}))
            return Wish("DELETE", f"{self.url}/items?itemId={item_id}", (ids - {item_id}, copies))
        delta = -1 if copies and kind < 0.85 else 1
        path = f"{self.url}/items/1/quantity"
        return Wish("PATCH", path, (ids, copies + delta), {"delta": delta}, str(uuid4()))

    def taking(self, item_id: int, chance: random.Random) -> Wish:
        """Return a request for one more copy."""
        ids, copies = self.contents
        first = self.nights + timedelta(days=chance.randrange(3))
        last = first + timedelta(days=chance.randrange(3))
        validity = {"from": str(first), "to": str(last)}
        body = {"items": [item(item_id, chance.choice((BED, ROOM, HALF_BOARD)), validity=validity)]}
        return Wish("POST", f"{self.url}/items", (ids | {item_id}, copies), body)

    async def ask(self, client: httpx2.AsyncClient, wish: Wish) -> None:
        """Send *wish* and remember the response."""
        self.unanswered = wish
        headers = {"idempotency-key": wish.key} if wish.key else {}
        response = await client.request(wish.method, wish.path, json=wish.body, headers=headers)
        self.unanswered = None
        if response.status_code == 200:
            self.contents = contents(response)
            assert self.contents == wish.granted, "something else was granted"
            self.granted += 1
            return
        assert (response.status_code, response.json()["code"]) == (409, "sold-out"), response.text
        self.refused += 1

    async def check(self, client: httpx2.AsyncClient) -> None:
        """Check acknowledged changes; repeat the unanswered one and check that it applies at most once."""
        wish = self.unanswered
        possible = {self.contents} | ({wish.granted} if wish else set())
        found = contents(await client.get(self.url))
        assert found in possible, f"expected one of {possible}, found {found}: a place was lost or kept"
        if wish is None:
            return
        if found == wish.granted and wish.method == "DELETE":
            self.contents, self.unanswered = found, None  # a repeated removal would be 404
            return
        self.contents = found
        await self.ask(client, wish)
        assert contents(await client.get(self.url)) == self.contents, "a request was applied twice or refused"


def contents(response: Any) -> Contents:
    """Return the contents of the checkout in a response, empty if it was never opened."""
    if response.status_code == 404:
        return frozenset(), 0
    assert response.status_code == 200, response.text
    ids = [entry["id"] for entry in response.json()["data"]["items"]]
    copies = sum(item_id >= _FIRST_COPY for item_id in ids)
    return frozenset(item_id for item_id in ids if item_id < _FIRST_COPY), copies


async def travel(
    client: httpx2.AsyncClient, trips: list[Trip], chance: random.Random, *, season: int
) -> None:
    """Make one trip after another until the server is gone; all of one *season* want the same nights."""
    nights = _FIRST_NIGHT + season * timedelta(days=6)
    try:
        while True:
            trip = Trip(nights)
            trips.append(trip)
            for _ in range(chance.randrange(2, 25)):
                await trip.ask(client, trip.next_wish(chance))
                await asyncio.sleep(chance.random() * 0.005)
            for item_id in sorted(trip.contents[0] - {1}):  # leave room for others
                ids, copies = trip.contents
                path = f"{trip.url}/items?itemId={item_id}"
                await trip.ask(client, Wish("DELETE", path, (ids - {item_id}, copies)))
    except httpx2.TransportError:
        return


def check_holds(database: Path, catalogue: Path = HUT) -> None:
    """Check that each checkout holds exactly what its items need, and that nothing is oversold.

    Expired checkouts lose their holds: run this within half an hour.
    """
    core = load_catalogue(catalogue)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("BEGIN")
        checkouts = connection.execute("SELECT id, channel, inputs FROM checkouts").fetchall()
        holds = connection.execute("SELECT checkout_id, pool, slot, units, is_sold FROM holds").fetchall()
        capacity = connection.execute("SELECT pool, slot, size, sold, held FROM capacity").fetchall()
    pools = {pool.identifier for pool in core.pools}  # limits of codes are in the same tables
    holds = [hold for hold in holds if hold[1] in pools]
    held = {(uuid, pool, slot): units for uuid, pool, slot, units, _ in holds}
    wanted = {
        (uuid, *slot): units
        for uuid, channel, inputs in checkouts
        for slot, units in _demand(channel, inputs, core).items()
    }
    assert held == wanted, "the holds are not what the items take"
    sums: Counter[tuple[str, str, bool]] = Counter()
    for _, pool, slot, units, is_sold in holds:
        sums[pool, slot, is_sold == 1] += units
    for pool, slot, size, sold, counted in capacity:
        if pool in pools:
            found = sums.pop((pool, slot, True), 0), sums.pop((pool, slot, False), 0)
            assert (sold, counted) == found, f"{pool} {slot}: the holds are miscounted"
            assert sold + counted <= size == core.pool(pool).size, f"{pool} {slot} is oversold"
    assert not sums


def _demand(channel: str, inputs: str, catalogue: Catalogue) -> dict[tuple[str, str], int]:
    checkout = read_inputs(inputs.encode(), channel=channel, account=None, catalogue=catalogue)
    return {
        (pool, f"{day}T{start:%H:%M}" if start else str(day)): units
        for (pool, day, start), units in units_held_by(checkout, catalogue=catalogue).items()
    }
