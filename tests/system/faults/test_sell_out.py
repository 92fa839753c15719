"""A night is sold out at two processes by more customers than there are beds: each bed once.

``FAREGATE_SELL_OUTS=20`` sells 4,000 beds to 1,000 customers, twenty times.
"""

import asyncio
import itertools
import random
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2
import pytest

from support.faults.afterwards import check_swept
from support.faults.runs import client_of, long_form, seeded
from support.faults.servers import INN, Service, serving
from support.payment.till import database
from support.service.hut import BED
from support.service.service import Json, decoded, item, new_url
from support.stores.postgresql import ask

ROUNDS = long_form("FAREGATE_SELL_OUTS", 0)
BEDS, CUSTOMERS = (4_000, 1_000) if ROUNDS else (100, 25)
NIGHT = {"from": "2091-01-01", "to": "2091-01-01"}


async def insist(client: httpx2.AsyncClient, url: str, body: Json) -> Any:
    """Send a request under one key until it is neither refused for overload nor cut off."""
    headers = {"idempotency-key": str(uuid4())}
    while True:
        with suppress(httpx2.TransportError):
            response = await client.post(url, json=body, headers=headers)
            if response.status_code != 503:
                return response
        await asyncio.sleep(0.1)


async def buy(client: httpx2.AsyncClient, units: int) -> int:
    """Buy *units* beds again and again, and half as many if too few are left; return the number sold."""
    sold = 0
    while units:
        url, items = new_url(), [item(number, BED, validity=NIGHT) for number in range(1, units + 1)]
        added = await insist(client, f"{url}/items", {"items": items})
        if added.status_code == 409:
            assert added.json()["code"] == "sold-out"
            units //= 2
            continue
        assert added.status_code == 200, added.text
        total = float(decoded(added)["data"]["totalGross"])
        paid = await insist(client, f"{url}/payment", {"expectedTotal": total, "provider": "ON_SITE"})
        assert paid.status_code == 200, paid.text
        sold += units
    return sold


def sell_out(url: str, folder: Path, *, seed: int, store: str = "real") -> int:
    """Return the number of beds sold until all customers were refused a single one."""
    catalogue, books = folder / "inn.yaml", folder / "books"
    catalogue.write_text(INN.read_text("utf-8").replace("size: 10}", f"size: {BEDS}}}"), "utf-8")
    books.touch()
    service = Service(database=url, books=str(books), store=store, catalogue=str(catalogue))
    chance = random.Random(seed)
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(service)) for _ in range(2)]

        async def sell() -> list[int]:
            async with client_of(servers[0]) as first, client_of(servers[1]) as second:
                shops = itertools.cycle((first, second))
                wishes = [chance.randrange(1, 7) for _ in range(CUSTOMERS)]
                return await asyncio.gather(*(buy(next(shops), units) for units in wishes))

        sold = sum(asyncio.run(sell()))
    check_swept(url, catalogue)
    return sold


@pytest.mark.parametrize("part", range(max(ROUNDS, 1)))
def test_each_bed_is_sold_once(tmp_path: Path, part: int) -> None:
    with database("postgresql", tmp_path) as url:
        sold = sell_out(url, tmp_path, seed=seeded(part))
        counted = ask(url, "SELECT sold, held FROM capacity WHERE pool = 'beds'")
        tickets = ask(url, "SELECT count(*) FROM tickets")

    assert (sold, counted, tickets) == (BEDS, [(BEDS, 0)], [(BEDS,)])


def test_a_store_that_overbooks_is_noticed(tmp_path: Path) -> None:
    with database("postgresql", tmp_path) as url:
        assert sell_out(url, tmp_path, seed=seeded(0), store="overbooking") == BEDS + 1
