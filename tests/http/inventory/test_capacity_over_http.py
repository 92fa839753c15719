"""Capacity over HTTP: two processes sell the last units once, and a new catalogue may have less capacity."""

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx2 import AsyncClient, Response

from faregate.list_prices.price import VariantPrices
from support.processes.real_server import serving
from support.service.hut import BED, BEDS, HUT, NIGHT, check_holds
from support.service.piste import (
    BOOK,
    CAR,
    CAR_PARK,
    CATALOGUE,
    MORNING,
    SUNDAY,
    piste,
    places,
    ticket,
    validities,
)
from support.service.service import HEADERS, Clock, Json, item, new_url, open_checkout, running

CUSTOMERS = 50

Work = Callable[[list[AsyncClient]], Any]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the database of a mountain hut that two servers share."""
    return tmp_path_factory.mktemp("hut") / "checkouts.db"


@pytest.fixture(scope="module")
def both(database: Path) -> Iterator[Callable[[Work], None]]:
    """Return a function that runs work with a client of each server."""
    with serving(database, catalogue=HUT) as one, serving(database, catalogue=HUT) as other:

        async def with_clients(work: Work) -> None:
            clients = [
                AsyncClient(base_url=server.address, headers=HEADERS, timeout=60, trust_env=False)
                for server in (one, other)
            ]
            async with clients[0], clients[1]:
                await work(clients)

        yield lambda work: asyncio.run(with_clients(work))


def bed(item_id: int, night: str, last: str = "", variant: int = BED) -> Json:
    return item(item_id, variant, validity={"from": night, "to": last or night})


async def take(client: AsyncClient, *items: Json, url: str = "") -> Response:
    return await client.post(f"{url or new_url()}/items", json={"items": items})


async def free_beds(client: AsyncClient, night: str) -> int:
    query = f"dateFrom={night}&dateTo={night}&duration=P1D&productVariantId={BED}"
    response = await client.get(f"/api/booking/products/{NIGHT}/journey/validities?{query}")
    return int(response.json()["data"]["options"][0]["availableCapacity"]["max"])


@pytest.mark.parametrize("night", ["2090-07-01", "2090-07-02", "2090-07-03"])
def test_two_processes_sell_the_last_beds_once(
    both: Callable[[Work], None], database: Path, night: str
) -> None:
    async def race(clients: list[AsyncClient]) -> None:
        answers = await asyncio.gather(*(take(clients[n % 2], bed(1, night)) for n in range(CUSTOMERS)))

        assert sorted(answer.status_code for answer in answers) == [200] * BEDS + [409] * (CUSTOMERS - BEDS)
        assert {answer.json().get("code") for answer in answers} == {None, "sold-out"}
        assert [await free_beds(client, night) for client in clients] == [0, 0]

    both(race)
    check_holds(database)


def test_sales_of_one_process_are_seen_by_the_other_at_once(both: Callable[[Work], None]) -> None:
    async def take_turns(clients: list[AsyncClient]) -> None:
        for n in range(BEDS):
            assert [await free_beds(client, "2090-09-01") for client in clients] == [BEDS - n] * 2
            assert (await take(clients[n % 2], bed(1, "2090-09-01"))).status_code == 200
        assert [await free_beds(client, "2090-09-01") for client in clients] == [0, 0]

    both(take_turns)


# ---------------------------------------------------------------- regressions

FEW = CATALOGUE.read_text(encoding="utf-8")
UNLIMITED = FEW.replace("car-park, size: 3", "car-park, size: unlimited")
ONE_PLACE = FEW.replace("car-park, size: 3", "car-park, size: 1")
TWO_PLACES_EACH = FEW.replace("name: Car, vatRate: 8.1,", "name: Car, vatRate: 8.1, uses: {car-park: 2},")
NO_POOL = re.sub(r"(?<=durations: \[P1D\]\n)    pools: \[{pool: car-park}\]\n", "", FEW)


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [(UNLIMITED, ONE_PLACE, 1), (NO_POOL, FEW, 3), (FEW, TWO_PLACES_EACH, 0), (FEW, ONE_PLACE, 0)],
    ids=["limited since", "counted since", "larger since", "fewer since"],
)
def test_a_checkout_can_shrink_when_a_new_catalogue_has_too_few_places(
    tmp_path: Path, old: str, new: str, left: int
) -> None:
    """Every change returned 503 until the checkout expired, even one that gave units back."""
    clock = Clock(MORNING)
    for name, text in (("old", old), ("new", new)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with running(tmp_path, catalogue=tmp_path / "old.yaml", clock=clock) as client:
        url, _ = open_checkout(client, ticket(1, CAR), ticket(2, CAR), item(3, BOOK))
    with running(tmp_path, catalogue=tmp_path / "new.yaml", clock=clock) as client:
        assert places(client, SUNDAY, CAR_PARK, CAR) == left
        open_checkout(client, *(ticket(n + 1, CAR) for n in range(left)))

        grown = client.post(f"{url}/items", json={"items": [ticket(4)]})
        more = client.post(f"{url}/items", json={"items": [ticket(5, CAR)]})
        fewer = client.delete(f"{url}/items", params={"itemId": 1})

    assert (grown.status_code, more.status_code, fewer.status_code) == (200, 409, 200)
    assert more.json()["code"] == "sold-out"


def test_units_in_a_new_pool_are_held_up_to_its_capacity(tmp_path: Path) -> None:
    for name, text in (("old", NO_POOL), ("new", FEW)):
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    with running(tmp_path, catalogue=tmp_path / "old.yaml", clock=Clock(MORNING)) as client:
        url, _ = open_checkout(client, ticket(1, CAR), ticket(2, CAR))
    with running(tmp_path, catalogue=tmp_path / "new.yaml", clock=Clock(MORNING)) as client:
        assert places(client, SUNDAY, CAR_PARK, CAR) == 3
        assert client.post(f"{url}/items", json={"items": [ticket(3)]}).status_code == 200

        assert places(client, SUNDAY, CAR_PARK, CAR) == 1


def test_sold_out_items_are_not_priced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pricing a year of a product with many variants took half a minute and blocked all other requests."""
    asked: list[object] = []

    def counted(*_args: object, **_options: object) -> Any:
        asked.append(_args)
        raise AssertionError("the product cannot be booked")

    monkeypatch.setattr(VariantPrices, "price", counted)
    with piste(tmp_path) as client:
        answer = validities(client, dateTo="2027-11-30", quantity=11, onlyAvailable="true", limit=366)

    assert (answer["data"]["options"], asked) == ([], [])
