"""Customers who fill a checkout, enter codes and pay, and remember the responses."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2

from support.service.hut import BED, HALF_BOARD, LUNCH, ROOM
from support.service.service import Json, decoded, item, new_url

CODES = ("FEW", "POT", "ALWAYS", "PURSE-1", "PURSE-2", "PURSE-3")

REFUSALS = {(409, "sold-out"), (409, "total-changed"), (503, "gateway-unavailable")}
"""Refusals that may occur in a working shop."""

OUTAGES = {(503, "storage-unavailable"), (503, "payment-unclear"), (503, "busy")}
"""Statuses that may occur during an outage, after which the outcome is unknown."""

_FIRST_NIGHT = date(2091, 1, 1)
_PATIENCE = 30


class Wish(NamedTuple):
    """A request that can be repeated under its key, and the number of items once it succeeds."""

    method: str
    path: str
    body: Json | None
    items: int
    key: str

    @property
    def is_payment(self) -> bool:
        return self.path.endswith("/payment")


class Told(Enum):
    """A customer's knowledge about a request."""

    GRANTED = "granted"
    REFUSED = "refused"
    NOTHING = "nothing"


@dataclass
class Purchase:
    """A checkout of one customer, who waits for each response.

    ``shown`` is the last acknowledged state; it ``is_known`` if nothing can have changed since.
    """

    headers: dict[str, str]
    nights: date
    url: str = field(default_factory=new_url)
    shown: Json | None = None
    revision: int = 0
    is_known: bool = True
    unanswered: Wish | None = None
    granted: int = 0
    answers: Counter[str] = field(default_factory=Counter)

    @property
    def id(self) -> str:
        return self.url.rpartition("/")[2]

    @property
    def is_paid(self) -> bool:
        return self.shown is not None and self.shown["status"] == "CLOSED"

    @property
    def items(self) -> int:
        return len(self.shown["items"]) if self.shown else 0

    # ------------------------------------------------------------ wishes

    def wishes(self, chance: random.Random) -> Iterator[Wish]:
        """Yield all requests of the customer; each depends on the previous responses."""
        yield self._items(chance)
        if self.shown is None:
            return
        if chance.random() < 0.5:
            path = f"{self.url}/items/1/quantity"
            yield self._wish(path, {"delta": 1}, self.items + 1, method="PATCH")
        if self.items > 2 and chance.random() < 0.5:
            yield self._wish(f"{self.url}/items?itemId=2", None, self.items - 1, method="DELETE")
        for code in chance.sample(CODES, chance.choice((0, 1, 1, 2, 3))):
            yield self._wish(f"{self.url}/vouchers", {"voucherCode": code}, self.items)
        if chance.random() < 0.4:
            values = {"donation": chance.randrange(1, 9)}
            yield self._wish(f"{self.url}/checkout-conditions", {"formValues": values}, self.items)
        for _ in range(2):  # the price may have changed
            if not self.is_paid:
                yield self.paying()

    def _items(self, chance: random.Random) -> Wish:
        first = self.nights + timedelta(days=chance.randrange(3))
        validity = {"from": str(first), "to": str(first + timedelta(days=chance.randrange(2)))}
        items = [item(1, LUNCH)]
        for number in range(2, chance.randrange(2, 5)):
            variant = chance.choice((BED, BED, ROOM, HALF_BOARD))
            items.append(item(number, variant, validity=validity))
        return self._wish(f"{self.url}/items", {"items": items}, len(items))

    def paying(self) -> Wish:
        """Return the request to pay the price as far as it is known."""
        assert self.shown is not None
        body: Json = {"expectedTotal": float(self.shown["totalGross"])}
        body["provider"] = "GATEWAY" if "authorization" in self.headers else "ON_SITE"
        return self._wish(f"{self.url}/payment", body, self.items)

    def _wish(self, path: str, body: Json | None, items: int, *, method: str = "POST") -> Wish:
        return Wish(method, path, body, items, str(uuid4()))

    # ------------------------------------------------------------ requests

    async def ask(self, client: httpx2.AsyncClient, wish: Wish) -> Told:
        """Send *wish* and remember the response."""
        self.unanswered = wish
        headers = {**self.headers, "idempotency-key": wish.key}
        response = await client.request(wish.method, wish.path, json=wish.body, headers=headers)
        if response.status_code == 200:
            self.unanswered = None
            self._remember(response)
            assert self.items == wish.items, f"expected {wish.items} items, got {self.items}: {wish}"
            self.granted += 1
            self.answers["granted"] += 1
            return Told.GRANTED
        refusal = response.status_code, response.json()["code"]
        self.answers[refusal[1]] += 1
        if refusal in OUTAGES:
            return Told.NOTHING
        assert refusal in REFUSALS, response.text
        self.unanswered = None
        if wish.is_payment:
            self.is_known = False
            await self.look(client)
        return Told.REFUSED

    async def look(self, client: httpx2.AsyncClient) -> None:
        """Read the checkout as soon as the server responds."""
        deadline = time.monotonic() + _PATIENCE
        while (response := await client.get(self.url, headers=self.headers)).status_code != 200:
            assert response.status_code == 503, response.text
            assert time.monotonic() < deadline, "no response with the purchase"
            await asyncio.sleep(0.05)
        self._remember(response)

    def _remember(self, response: Any) -> None:
        self.shown, self.revision = decoded(response)["data"], revision_of(response)
        # A payment, pending or made, continues without the customer.
        self.is_known = not response.request.url.path.endswith("/payment") or self.is_paid

    async def insist(self, client: httpx2.AsyncClient, wish: Wish, *, until: float) -> Told:
        """Send *wish* under its key until there is a response; return NOTHING without one by *until*."""
        while True:
            try:
                told = await self.ask(client, wish)
            except httpx2.TransportError as error:
                self.answers[type(error).__name__] += 1
                told = Told.NOTHING
            if told is not Told.NOTHING or time.monotonic() > until:
                break
            await asyncio.sleep(0.05)
        if wish.is_payment and told is Told.GRANTED and not self.is_paid:
            await self.await_payment(client)
        return told

    # ------------------------------------------------------------ checks

    async def check(self, client: httpx2.AsyncClient) -> None:
        """Check acknowledged changes; repeat unanswered ones and check that they were applied once."""
        response = await client.get(self.url, headers=self.headers)
        if self.shown is None and self.unanswered is None:
            return
        if response.status_code == 404:
            assert self.shown is None, "a whole purchase is gone"
        else:
            assert response.status_code == 200, response.text
            self._check_shown(decoded(response)["data"], revision_of(response))
        if self.unanswered is not None:
            await self._repeat(client, self.unanswered)

    def _check_shown(self, found: Json, revision: int) -> None:
        if self.unanswered is None and self.is_known:
            assert found == self.shown, f"the acknowledged state is gone: {found} is not {self.shown}"
        elif self.unanswered is not None and not self.unanswered.is_payment and self.is_known:
            assert revision in {self.revision, self.revision + 1}, "a change is lost or was applied twice"
            assert len(found["items"]) in {self.items, self.unanswered.items}, "a change is incomplete"
        else:
            assert revision >= self.revision, "a change is lost"
            assert len(found["items"]) == self.items

    async def _repeat(self, client: httpx2.AsyncClient, wish: Wish) -> None:
        before = self.revision if self.is_known else None
        told = await self.insist(client, wish, until=time.monotonic() + _PATIENCE)
        assert told is not Told.NOTHING, f"no response to {wish}"
        if told is Told.GRANTED and not wish.is_payment and before is not None:
            assert self.revision <= before + 1, "a change was applied twice"
        again = await client.get(self.url, headers=self.headers)
        if self.shown is not None and self.is_known:
            assert decoded(again)["data"] == self.shown, "the repeated change is gone"

    async def await_payment(self, client: httpx2.AsyncClient) -> None:
        """Wait until a pending payment has ended, and read its result."""
        deadline = time.monotonic() + _PATIENCE
        while True:
            response = await client.get(f"{self.url}/payment/status", headers=self.headers)
            assert response.status_code in {200, 503}, response.text
            if response.status_code == 200 and not _is_under_way(decoded(response)["data"]):
                break
            assert time.monotonic() < deadline, "a payment does not end"
            await asyncio.sleep(0.05)
        await self.look(client)


def _is_under_way(status: Json) -> bool:
    return status["status"] == "PENDING" and status["primaryPaymentProvider"] is not None


def revision_of(response: Any) -> int:
    """Return the checkout revision in a response."""
    return int(response.headers["etag"].strip('"').partition(".")[0])


async def buy(
    client: httpx2.AsyncClient,
    purchases: list[Purchase],
    who: dict[str, str],
    chance: random.Random,
    *,
    season: int,
) -> None:
    """Make purchases one after another in the name of *who* until the server is gone."""
    nights = _FIRST_NIGHT + season * timedelta(days=6)
    try:
        while True:
            purchase = Purchase(who, nights)
            purchases.append(purchase)
            for wish in purchase.wishes(chance):
                if await purchase.ask(client, wish) is Told.NOTHING:
                    break
    except httpx2.TransportError:
        return


def text_of(counts: Counter[str]) -> str:
    """Return counts as printable text."""
    return json.dumps(dict(counts.most_common()))


def total_of(purchase: Purchase) -> Decimal:
    """Return the price of a paid purchase."""
    assert purchase.shown is not None
    return Decimal(purchase.shown["totalGross"])
