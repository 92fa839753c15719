"""Concurrent changes, in one process and in two: none is lost, none is made twice."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from uuid import uuid4

import pytest
from httpx2 import AsyncClient, Limits, Response

from support.processes.real_server import serving
from support.service.async_service import running_here
from support.service.service import HEADERS, Json, data_of, item, new_url

Clients = Sequence[AsyncClient]


@pytest.fixture(scope="module")
def two_servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    database = tmp_path_factory.mktemp("shared") / "checkouts.db"
    with serving(database) as one, serving(database) as other:
        yield [one.address, other.address]


@pytest.fixture(params=["one process", "two processes on one file"])
async def clients(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Clients]:
    """Yield clients that take turns."""
    async with AsyncExitStack() as stack:
        if request.param == "one process":
            client, _ = await stack.enter_async_context(running_here(tmp_path))
            yield [client]
            return
        limits = Limits(max_connections=50)
        yield [
            await stack.enter_async_context(
                AsyncClient(base_url=address, headers=HEADERS, timeout=60, trust_env=False, limits=limits)
            )
            for address in request.getfixturevalue("two_servers")
        ]


Ask = Callable[[AsyncClient], Awaitable[Response]]


async def at_once(clients: Clients, asks: Sequence[Ask]) -> list[Response]:
    """Return the responses to all of *asks*, sent by the clients in turn."""
    return await asyncio.gather(*(ask(clients[n % len(clients)]) for n, ask in enumerate(asks)))


async def opened(clients: Clients, *items: Json) -> str:
    url = new_url()
    data_of(await clients[0].post(f"{url}/items", json={"items": list(items) or [item(1, 411)]}))
    return url


def quantity(url: str, delta: int, key: str | None = None) -> Ask:
    headers = {} if key is None else {"idempotency-key": key}
    return lambda client: client.patch(f"{url}/items/1/quantity", json={"delta": delta}, headers=headers)


def adding(url: str, *ids: int) -> Ask:
    items = [item(item_id, 411) for item_id in ids]
    return lambda client: client.post(f"{url}/items", json={"items": items})


def entering(url: str, code: str) -> Ask:
    return lambda client: client.post(f"{url}/vouchers", json={"voucherCode": code})


def answering(url: str, **values: object) -> Ask:
    return lambda client: client.post(f"{url}/checkout-conditions", json={"formValues": values})


def removing(url: str, item_id: int) -> Ask:
    return lambda client: client.delete(f"{url}/items?itemId={item_id}")


def revision_of(response: Response) -> int:
    return int(response.headers["etag"].strip('"').partition(".")[0])


def statuses(answers: Sequence[Response]) -> set[int]:
    return {answer.status_code for answer in answers}


async def shown(clients: Clients, url: str) -> Response:
    """Return the checkout, which all servers must show in the same way."""
    answers = [await client.get(url) for client in clients]
    assert len({answer.content for answer in answers}) == 1
    return answers[0]


async def test_fifty_concurrent_requests_open_a_checkout_once(clients: Clients) -> None:
    url = new_url()

    answers = await at_once(clients, [adding(url, 1, 2) for _ in range(50)])

    assert statuses(answers) == {200}
    # startedAt included: there is one checkout, and every response shows it.
    assert len({(answer.content, answer.headers["etag"]) for answer in answers}) == 1
    assert revision_of(await shown(clients, url)) == 1


async def test_concurrent_changes_of_every_kind_are_all_kept(clients: Clients) -> None:
    url = await opened(clients, *(item(n, 411) for n in range(1, 11)))
    asks = [quantity(url, 1) for _ in range(12)]
    asks += [adding(url, n) for n in range(20, 32)]
    asks += [removing(url, n) for n in range(4, 10)]
    asks += [entering(url, code) for code in ("LUNCH4", "NEWS5", "GIFT-100", "WINTER10") * 2]
    asks += [answering(url, hotel="Edelweiss"), answering(url, guests=4), answering(url, donation=5)]

    answers = await at_once(clients, asks)

    assert statuses(answers) == {200}
    checkout = data_of(await shown(clients, url))
    ids = {entry["id"] for entry in checkout["items"]}
    assert ids == {1, 2, 3, 10, *range(20, 32), *range(2**31, 2**31 + 12)}
    assert {code["code"] for code in checkout["promoCodes"]} == {"LUNCH4", "NEWS5", "WINTER10"}
    assert [voucher["code"] for voucher in checkout["vouchers"]] == ["GIFT-100"]
    assert checkout["checkoutConditions"]["values"] == {"hotel": "Edelweiss", "guests": 4, "donation": 5}
    assert revision_of(await shown(clients, url)) == 1 + 12 + 12 + 6 + 4 + 3


async def test_two_bodies_under_one_key_have_one_effect(clients: Clients) -> None:
    url, key = await opened(clients), str(uuid4())

    deltas = [1, 1, 2, 2] * 10
    answers = await at_once(clients, [quantity(url, delta, key) for delta in deltas])

    assert sorted(answer.status_code for answer in answers) == [200] * 20 + [422] * 20
    effect = len(data_of(await shown(clients, url))["items"]) - 1
    winners = [deltas[n] for n, answer in enumerate(answers) if answer.status_code == 200]
    assert winners == [effect] * 20


async def test_concurrent_reads_see_consistent_checkouts(clients: Clients) -> None:
    url = await opened(clients)

    def reading(client: AsyncClient) -> Awaitable[Response]:
        return client.get(url)

    asks: list[Ask] = [ask for _ in range(24) for ask in (quantity(url, 1), reading, reading)]
    answers = await at_once(clients, asks)

    assert statuses(answers) == {200}
    bodies: dict[str, bytes] = {}
    for answer in answers:
        assert bodies.setdefault(answer.headers["etag"], answer.content) == answer.content
        assert len(data_of(answer)["items"]) == revision_of(answer)
