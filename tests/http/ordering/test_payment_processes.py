"""Payments on several servers with one database, some of which are killed."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from httpx2 import AsyncClient, Response, TransportError

from faregate_http.store.contract import Store
from faregate_http.store.records import PaymentRow
from faregate_server.store.opening import open_store
from support.payment.audit import Books, audit
from support.payment.fake_gateway import Act, BooksInFile, FakeGateway, Plan
from support.payment.till import Customer, meal, new_customer, ride
from support.processes.real_server import RealServer
from support.processes.till_server import servers
from support.service.service import HEADERS, Json, data_of, decoded, new_url

pytestmark = pytest.mark.long


def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture
def books(tmp_path: Path) -> Path:
    path = tmp_path / "books.jsonl"
    path.touch()
    return path


@asynccontextmanager
async def store_at(url: str) -> AsyncIterator[Store]:
    store = await asyncio.to_thread(open_store, url)
    try:
        yield store
    finally:
        await store.close()


async def customers_in(store: Store, number: int) -> list[Customer]:
    """Return *number* new customers."""
    made = [new_customer(now) for _ in range(number)]
    for _, rows in made:
        await store.save(None, records=rows)
    return [customer for customer, _ in made]


def client_of(server: RealServer, customer: Customer) -> AsyncClient:
    headers = {**HEADERS, **customer.headers}
    return AsyncClient(base_url=server.address, headers=headers, timeout=60, trust_env=False)


async def opened(client: AsyncClient, *items: Json, code: str | None = None) -> str:
    path = new_url()
    data_of(await client.post(f"{path}/items", json={"items": items}))
    if code is not None:
        data_of(await client.post(f"{path}/vouchers", json={"voucherCode": code}))
    return path


async def pay(client: AsyncClient, path: str, total: int, **headers: str) -> Response:
    body = {"expectedTotal": total, "provider": "GATEWAY"}
    return await client.post(f"{path}/payment", json=body, headers=headers)


async def settled_up(store: Store, books: Path) -> Books:
    """Return the audited books once no work is due."""
    deadline = time.monotonic() + 20
    while await store.due(PaymentRow, 2**62):
        assert time.monotonic() < deadline, "a payment does not end"
        await asyncio.sleep(0.05)
    return await audit(store, FakeGateway(BooksInFile(books)), now)


def codes(answers: Sequence[Response]) -> list[str]:
    return sorted(decoded(answer)["code"] for answer in answers if answer.status_code != 200)


def test_servers_never_use_a_code_a_payment_or_a_place_twice(till_url: str, books: Path) -> None:
    """Twenty use one code; one checkout is paid six times at once; five want three units."""
    day = f"{now() + timedelta(days=20):%Y-%m-%d}"

    async def run(both: list[RealServer], store: Store) -> None:
        customers = await customers_in(store, 26)
        clients = [client_of(both[n % 2], customer) for n, customer in enumerate(customers)]
        paths = [await opened(client, meal(1), code="ONCE") for client in clients[:20]]
        answers = await asyncio.gather(*(pay(clients[n], paths[n], 15) for n in range(20)))
        assert codes(answers) == ["total-changed"] * 19

        path = await opened(clients[20], meal(1))
        twins = [client_of(both[n % 2], customers[20]) for n in range(6)]
        answers = await asyncio.gather(
            *(pay(twin, path, 20, **{"idempotency-key": f"key-{n}"}) for n, twin in enumerate(twins))
        )
        assert len(codes(answers)) == 5
        assert set(codes(answers)) <= {"payment-in-progress", "checkout-closed"}

        async def buy(client: AsyncClient) -> Response:
            """Buy one unit."""
            wanted = {"items": [ride(1, validity={"from": day, "to": day})]}
            path = new_url()
            added = await client.post(f"{path}/items", json=wanted)
            return added if added.status_code != 200 else await pay(client, path, 40)

        answers = await asyncio.gather(*map(buy, clients[21:]))
        assert codes(answers) == ["sold-out"] * 2

        assert (
            sorted(order.total for order in (await settled_up(store, books)).orders)
            == [1500, 2000] + [4000] * 3
        )
        for client in (*clients, *twins):
            await client.aclose()

    async def whole() -> None:
        async with store_at(till_url) as store:
            await run(both, store)

    with servers(till_url, books, Plan.SETTLE, Plan.SETTLE) as both:
        asyncio.run(whole())


@pytest.mark.parametrize(
    ("plan", "status", "act"),
    [(Plan.HANG_BEFORE, "FAILED", Act.CANCELLED), (Plan.HANG_AFTER, "SETTLED", Act.SETTLED)],
    ids=["before the gateway", "between gateway and order"],
)
def test_another_server_completes_the_payment_of_a_killed_one(
    till_url: str, books: Path, plan: Plan, status: str, act: Act
) -> None:
    async def run(doomed: RealServer, other: RealServer) -> None:
        async with store_at(till_url) as store:
            [customer] = await customers_in(store, 1)
            async with client_of(doomed, customer) as client, client_of(other, customer) as elsewhere:
                path = await opened(client, meal(1), code="ONCE")
                paying = asyncio.create_task(pay(client, path, 15, **{"idempotency-key": "k"}))
                while not await store.find(PaymentRow):
                    await asyncio.sleep(0.005)
                if plan is Plan.HANG_AFTER:
                    while not BooksInFile(books).read():
                        await asyncio.sleep(0.005)
                doomed.kill()
                with pytest.raises(TransportError):
                    await paying

                found = await settled_up(store, books)

                assert [payment.status for payment in found.payments] == [status]
                assert [*FakeGateway(BooksInFile(books)).charges().values()] == [act]
                again = data_of(await pay(elsewhere, path, 15, **{"idempotency-key": "k"}))
                assert again["status"] == "CLOSED"
                assert [code["valid"] for code in again["promoCodes"]] == [True]
            assert len((await settled_up(store, books)).orders) == 1

    with servers(till_url, books, plan, Plan.SETTLE) as (doomed, other):
        asyncio.run(run(doomed, other))
