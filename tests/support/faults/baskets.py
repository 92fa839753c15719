"""Checkouts that several customers fill at once, remembering what was acknowledged."""

import asyncio
import json
import random
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from uuid import uuid4

import httpx2

from support.faults.purchases import revision_of
from support.service.service import Json, item
from support.service.trips import LUNCH


@dataclass(frozen=True)
class Request:
    """A repeatable change: an item with a given id, or one more copy under an idempotency key."""

    method: str
    path: str
    body: Json
    key: str | None = None

    @property
    def item_id(self) -> int | None:
        return None if self.key else self.body["items"][0]["id"]


@dataclass
class Basket:
    """A checkout with its acknowledged and unanswered requests."""

    url: str = field(default_factory=lambda: f"/api/checkout/{uuid4()}")
    acknowledged: list[Request] = field(default_factory=list)
    unanswered: list[Request] = field(default_factory=list)

    def adding(self, item_id: int) -> Request:
        return Request("POST", f"{self.url}/items", {"items": [item(item_id, LUNCH)]})

    def copying(self) -> Request:
        return Request("PATCH", f"{self.url}/items/1/quantity", {"delta": 1}, key=str(uuid4()))

    async def send(self, client: httpx2.AsyncClient, request: Request) -> None:
        """Send *request*; it remains unanswered unless it succeeds."""
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
        # No task is cancelled: its request would be left open.
        is_there = all(await asyncio.gather(*(fill(basket, *requests) for requests in wishes)))


async def check_basket(client: httpx2.AsyncClient, basket: Basket) -> None:
    """Check that acknowledged changes exist; repeat the others and check that they exist once."""
    response = await client.get(basket.url)
    if response.status_code == 404:
        assert not basket.acknowledged, "the whole basket is gone"
    else:
        sure, possible = basket.acknowledged, basket.acknowledged + basket.unanswered
        copies, ids, revision = contents(response)
        assert added_ids(sure) <= ids <= added_ids(possible), "an acknowledged item is gone"
        assert count_copies(sure) <= copies <= count_copies(possible), "an acknowledged copy is gone"
        assert len(sure) <= revision <= len(possible), "the revision differs from the number of changes"
        assert revision == copies + len(ids), "a change is incomplete"
    for request in list(basket.unanswered):
        await basket.send(client, request)
    copies, ids, revision = contents(await client.get(basket.url))
    assert ids == added_ids(basket.acknowledged)
    assert copies == count_copies(basket.acknowledged), "a change was applied twice"
    assert revision == len(basket.acknowledged)
    assert not basket.unanswered


def contents(response: Any) -> tuple[int, set[int], int]:
    """Return the number of copies, the item ids and the revision; check the totals against the items."""
    assert response.status_code == 200, response.text
    checkout = json.loads(response.content, parse_float=Decimal)["data"]
    entries = checkout["items"]
    ids = [entry["id"] for entry in entries]
    assert len(set(ids)) == len(ids)
    for amount in ("listPriceGross", "listPriceNet", "totalDiscountGross", "totalGross", "totalNet"):
        assert sum(entry[amount] for entry in entries) == checkout[amount]
    return sum(i >= 2**31 for i in ids), {i for i in ids if i < 2**31}, revision_of(response)
