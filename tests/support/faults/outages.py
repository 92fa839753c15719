"""Customers who continue to buy during an outage, and retry until they get a response."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

import httpx2

from support.faults.afterwards import (
    check_books,
    check_file,
    check_places,
    check_swept,
    customers_in,
    headers_for,
)
from support.faults.purchases import Purchase, Told, text_of
from support.faults.runs import client_of
from support.faults.servers import Server, Service
from support.service.hut import LUNCH
from support.service.service import item, new_url

BUYERS = 6
_PATIENCE = 60
_NIGHTS = date(2091, 1, 1)


@dataclass
class Shopping:
    """The purchases in progress at a server during an outage."""

    server: Server
    client: httpx2.AsyncClient
    chance: random.Random
    purchases: list[Purchase] = field(default_factory=list)
    is_over: bool = False

    async def buy(self, who: dict[str, str]) -> None:
        """Make purchases one after another in the name of *who*, with as many retries as necessary."""
        while not self.is_over:
            nights = _NIGHTS + timedelta(days=6 * (len(self.purchases) // 20))
            purchase = Purchase(who, nights)
            self.purchases.append(purchase)
            for wish in purchase.wishes(self.chance):
                told = await purchase.insist(self.client, wish, until=time.monotonic() + _PATIENCE)
                assert told is not Told.NOTHING, f"no response to {wish}"

    async def goes_well(self, *, at_least: int = 5) -> None:
        """Wait until at least *at_least* further requests have succeeded."""
        wanted = self.granted + at_least
        deadline = time.monotonic() + _PATIENCE
        while self.granted < wanted:
            assert time.monotonic() < deadline, "no further request succeeds"
            await asyncio.sleep(0.01)

    @property
    def granted(self) -> int:
        return sum(purchase.granted for purchase in self.purchases)

    @property
    def answers(self) -> Counter[str]:
        return sum((purchase.answers for purchase in self.purchases), Counter[str]())

    async def status(self, path: str = "/health/ready") -> int:
        """Return the status of a request to *path*."""
        return (await self.client.get(path)).status_code

    async def write(self) -> tuple[int, str]:
        """Return the status of a change, and the problem code if it is refused."""
        body = {"items": [item(1, LUNCH)]}
        response = await self.client.post(f"{new_url()}/items", json=body)
        return response.status_code, response.json().get("code", "")

    async def until_ready(self) -> float:
        """Wait until the server is ready and accepts a change; return the seconds."""
        began = time.monotonic()
        while await self.status() != 200 or (await self.write())[0] != 200:
            assert time.monotonic() < began + _PATIENCE, "the server does not recover"
            await asyncio.sleep(0.01)
        return time.monotonic() - began

    async def until_away(self) -> float:
        """Wait until the server reports that it is not ready; return the seconds."""
        began = time.monotonic()
        while await self.status() != 503:
            assert time.monotonic() < began + _PATIENCE, "the server does not notice the outage"
            await asyncio.sleep(0.01)
        return time.monotonic() - began


def live_through(
    service: Service, server: Server, happening: Callable[[Shopping], Awaitable[None]], *, seed: int
) -> Shopping:
    """Run purchases during *happening* and check the invariants afterwards."""
    headers = headers_for(customers_in(service.database, BUYERS))
    shopping = asyncio.run(_shop_through(server, happening, headers, random.Random(seed)))
    check_books(service, shopping.purchases)
    check_places(service.database)
    check_file(service.database)
    check_swept(service.database)
    orders = sum(purchase.is_paid for purchase in shopping.purchases)
    print(f"{shopping.granted} changes, {orders} orders: {text_of(shopping.answers)}")  # noqa: T201
    return shopping


async def _shop_through(
    server: Server,
    happening: Callable[[Shopping], Awaitable[None]],
    headers: Sequence[dict[str, str]],
    chance: random.Random,
) -> Shopping:
    async with client_of(server) as client:
        shopping = Shopping(server, client, chance)
        async with asyncio.TaskGroup() as group:
            for who in headers:
                group.create_task(shopping.buy(who))
            await shopping.goes_well()
            await happening(shopping)
            shopping.is_over = True
        for purchase in shopping.purchases:
            await purchase.check(client)
    return shopping
