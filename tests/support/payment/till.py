"""A shop service in which customers pay through a fake gateway.

No background tasks run: tests start them explicitly.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from unittest.mock import patch

import pytest
from httpx2 import AsyncClient, Response
from starlette.testclient import TestClient

import faregate_http.app
import faregate_server.app
from faregate.discounts import PromoCodes
from faregate_http.accounts.accounts import new_id
from faregate_http.ordering.ticketing import TicketIssuer
from faregate_http.payment.detail_rows import RegistrationRequest
from faregate_http.services import Services
from faregate_http.store.contract import Store
from faregate_http.store.records import (
    AccountRow,
    PaymentDetailRow,
    PaymentRow,
    PersonRow,
    Record,
)
from faregate_server.app import create_app
from faregate_server.identity.access_tokens import AccessTokens
from faregate_server.settings import Settings
from faregate_server.store.opening import open_store
from support.payment.audit import Books, audit
from support.payment.fake_gateway import FakeGateway
from support.service.async_service import running_app
from support.service.service import HEADERS, KEYS, Clock, Json, data_of, item, new_url
from support.service.unlimited import FREE_HOLDS
from support.specification.openapi_conformity import Conformity
from support.stores.sqlite import new_database

CATALOGUE = Path(__file__).with_name("till.yaml")
SECRET = "-" * 32
HOTELS = "00000000-0000-4000-8000-0000000000c0"
STRICT = "c4a8e913-27f5-4d6a-b0c1-8e5d3f7a9264"

RIDE, CROSSING, MEAL, WATER, PASS = 10, 20, 30, 31, 40
SUNDAY = {"from": "2026-12-27", "to": "2026-12-27"}
MONDAY = {"from": "2026-12-28", "to": "2026-12-28"}

_CONFORMITY = Conformity()
REGISTERED = RegistrationRequest(
    methods=("VIS",),
    channel="",
    language="en",
    success_url="https://shop.example/success",
    error_url="https://shop.example/error",
    cancel_url="https://shop.example/cancel",
    form_token="",
)
_NUMBERS = count(1)

DATABASES = ["sqlite", "postgresql"]


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """Yield the URL of a new database of that kind."""
    if kind == "sqlite":
        yield new_database(folder / f"till-{next(_NUMBERS)}.db")
    else:
        from support.stores.postgresql import migrated_database

        with migrated_database() as url:
            yield url


def settings_of(url: str, **others: Any) -> Settings:
    """Return the settings of the shop."""
    return Settings(
        database=url,
        catalogue=others.pop("catalogue", CATALOGUE),
        identity_issuer="https://login.example",
        identity_audience="tickets",
        token_secret=SECRET,
        **{"channel_keys": KEYS, **FREE_HOLDS, **others},
    )


def ride(item_id: int, **overrides: Any) -> Json:
    """Return a request for a unit of the cabin, which has three a day."""
    return item(item_id, RIDE, **{"validity": SUNDAY, **overrides})


def crossing(item_id: int) -> Json:
    """Return a request for a product that becomes dearer after two sales."""
    return item(item_id, CROSSING, validity=SUNDAY)


def meal(item_id: int, **overrides: Any) -> Json:
    """Return a request for a product with unlimited capacity."""
    return item(item_id, MEAL, **overrides)


class Customer(NamedTuple):
    """A customer with an account, a default payment detail and optionally persons."""

    account: int
    detail: int
    headers: dict[str, str]
    persons: tuple[int, ...] = ()


def new_customer(
    clock: Callable[[], Any], *, method: str = "VIS", persons: tuple[Json, ...] = ()
) -> tuple[Customer, list[Record]]:
    """Return a customer and the rows to save for it."""
    number = next(_NUMBERS)
    account = AccountRow(
        new_id(), 1, 0, "https://login.example", f"till-{number}-{new_id()}", "", "CUSTOMER", "en", "{}"
    )
    detail = PaymentDetailRow(
        id=new_id(),
        revision=1,
        created_at=0,
        account=account.id,
        checkout_id=None,
        transaction_id=f"{new_id()}",
        status="ACTIVE",
        is_default=True,
        method=method,
        brand="Visa",
        code="**** 4242",
        alias="an-alias",
        request=REGISTERED.encode(),
    )
    rows = [
        PersonRow(new_id(), 1, n, account.id, is_owner=n == 0, answers=json.dumps(answers))
        for n, answers in enumerate(persons)
    ]
    ids = tuple(row.id for row in rows)
    return Customer(account.id, detail.id, headers_of(account.id, clock), ids), [account, detail, *rows]


def headers_of(account: int, clock: Callable[[], Any]) -> dict[str, str]:
    """Return the headers that authenticate an account for an hour."""
    return {"authorization": f"Bearer {AccessTokens(SECRET.encode(), clock).issue(account)}"}


@dataclass(frozen=True, slots=True)
class Shop:
    """A client of a running service with a controlled gateway and clock."""

    client: TestClient
    gateway: FakeGateway
    clock: Clock

    @property
    def services(self) -> Services:
        services: Services = self.client.app_state["services"]
        return services

    def call(self, function: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Return the result of an asynchronous *function* of the service."""
        assert self.client.portal is not None
        return self.client.portal.call(lambda: function(*arguments, **named))

    def customer(self, *persons: Json, method: str = "VIS") -> Customer:
        """Return a new customer."""
        customer, rows = new_customer(self.clock, method=method, persons=persons)
        self.call(self.services.store.save, None, records=rows)
        return customer

    def token(self, customer: Customer) -> dict[str, str]:
        """Return the headers of *customer* for another hour."""
        return headers_of(customer.account, self.clock)

    def rows(self, kind: Any, **values: Any) -> list[Any]:
        """Return the records of *kind*, oldest first."""
        found: list[Any] = self.call(self.services.store.find, kind, **values)
        return found

    def payments(self, url: str) -> list[PaymentRow]:
        """Return the attempts to pay the checkout at *url*."""
        return self.rows(PaymentRow, checkout_id=url.rpartition("/")[2])

    def work(self) -> int:
        """Process the payments that are due."""
        done: int = self.call(self.services.payments.work)
        return done

    def issue(self) -> int:
        """Process the tickets that are due."""
        done: int = self.call(self.services.ticketing.work)
        return done

    def opened(self, *items: Json, **headers: str) -> str:
        """Return the path of a new checkout with *items*."""
        url = new_url()
        data_of(self.client.post(f"{url}/items", json={"items": items}, headers=headers))
        return url

    def enter(self, url: str, code: str, **headers: str) -> Json:
        """Enter a code; return the checkout."""
        response = self.client.post(f"{url}/vouchers", json={"voucherCode": code}, headers=headers)
        return data_of(response)

    def pay(self, url: str, total: object, headers: dict[str, str] | None = None, **body: Any) -> Any:
        """Return the response to a payment, through the gateway with an account, otherwise on site."""
        provider = "GATEWAY" if headers and "authorization" in headers else "ON_SITE"
        asked = {"expectedTotal": total, "provider": provider, **body}
        return self.client.post(f"{url}/payment", json=asked, headers=headers)

    def status(self, url: str, headers: dict[str, str] | None = None) -> Json:
        """Return the payment status of the checkout."""
        return data_of(self.client.get(f"{url}/payment/status", headers=headers))

    def shown(self, url: str, headers: dict[str, str] | None = None) -> Json:
        """Return the checkout as it is read."""
        return data_of(self.client.get(url, headers=headers))


@contextmanager
def shop(
    url: str,
    *,
    gateway: FakeGateway | None = None,
    clock: Clock | None = None,
    issuer: TicketIssuer | None = None,
    promo_codes: PromoCodes | None = None,
    **others: Any,
) -> Iterator[Shop]:
    """Yield a shop on the database at *url* whose responses are checked against the OpenAPI document."""
    told, turned = gateway or FakeGateway(), clock or Clock()
    app = create_app(
        settings_of(url, **others),
        clock=turned,
        gateway=told,
        ticket_issuer=issuer,
        promo_codes=promo_codes,
    )
    with ExitStack() as stack:
        stack.enter_context(patch.object(faregate_http.app, "works_of", lambda *_: ()))
        client = stack.enter_context(TestClient(app, base_url="http://localhost", headers=HEADERS))
        client.event_hooks = {"response": [_CONFORMITY]}
        yield Shop(client, told, turned)


class Branch(NamedTuple):
    """One of several service processes, simulated on the event loop of the test."""

    client: AsyncClient
    services: Services

    async def customer(self, *persons: Json) -> Customer:
        """Return a new customer."""
        customer, rows = new_customer(self.services.clock, persons=persons)
        await self.services.store.save(None, records=rows)
        return customer

    async def opened(
        self, *items: Json, codes: tuple[str, ...] = (), headers: dict[str, str] | None = None
    ) -> str:
        """Return the path of a new checkout with *items* and *codes*."""
        url = new_url()
        data_of(await self.client.post(f"{url}/items", json={"items": items}, headers=headers))
        for code in codes:
            entered = await self.client.post(f"{url}/vouchers", json={"voucherCode": code}, headers=headers)
            data_of(entered)
        return url

    async def pay(
        self, url: str, total: object, headers: dict[str, str] | None = None, **body: Any
    ) -> Response:
        """Return the response to a payment, through the gateway with an account, otherwise on site."""
        provider = "GATEWAY" if headers and "authorization" in headers else "ON_SITE"
        asked = {"expectedTotal": total, "provider": provider, **body}
        return await self.client.post(f"{url}/payment", json=asked, headers=headers)


Wrap = Callable[[Store], Store]
Result = TypeVar("Result")


@asynccontextmanager
async def branches(
    url: str,
    number: int = 1,
    *,
    gateway: FakeGateway,
    clock: Clock,
    wrap: Wrap = lambda store: store,
    issuer: TicketIssuer | None = None,
) -> AsyncIterator[list[Branch]]:
    """Yield *number* service processes on one database, with one gateway and one clock."""
    async with AsyncExitStack() as stack:
        with (
            patch.object(faregate_http.app, "works_of", lambda *_: ()),
            patch.object(faregate_server.app, "open_store", lambda url: wrap(open_store(url))),
        ):
            started = [
                await stack.enter_async_context(_branch(url, gateway=gateway, clock=clock, issuer=issuer))
                for _ in range(number)
            ]
        yield started


@asynccontextmanager
async def _branch(
    url: str, *, gateway: FakeGateway, clock: Clock, issuer: TicketIssuer | None
) -> AsyncIterator[Branch]:
    app = create_app(settings_of(url), clock=clock, gateway=gateway, ticket_issuer=issuer)
    async with running_app(app) as running:
        yield Branch(running.client, running.services)


async def finish(branch: Branch | Shop, clock: Clock) -> None:
    """Advance the clock until all payments have ended, whatever the gateway's responses."""
    for _ in range(60):
        await branch.services.payments.work()
        if not await branch.services.store.due(PaymentRow, 2**62):
            return
        clock.turn(seconds=35)
    pytest.fail("a payment does not end")


class Scene(NamedTuple):
    """Several processes of a service with their shared state."""

    branches: list[Branch]
    gateway: FakeGateway
    clock: Clock

    def branch(self, number: int) -> Branch:
        """Return the branch with that number, modulo their number."""
        return self.branches[number % len(self.branches)]

    async def customers(self, number: int) -> list[Customer]:
        """Return *number* new customers."""
        return [await self.branches[0].customer() for _ in range(number)]

    async def settle_up(self) -> Books:
        """End all payments and audit the books."""
        await finish(self.branches[-1], self.clock)
        return await audit(self.branches[-1].services.store, self.gateway, self.clock)


def play(
    url: str,
    behaviour: Callable[[Scene], Awaitable[Result]],
    *,
    number: int = 2,
    gateway: FakeGateway | None = None,
    wrap: Wrap = lambda store: store,
) -> Result:
    """Return the result of *behaviour* in a scene of *number* processes on the database at *url*."""
    told, clock = gateway or FakeGateway(), Clock()

    async def run() -> Result:
        async with branches(url, number, gateway=told, clock=clock, wrap=wrap) as started:
            return await behaviour(Scene(started, told, clock))

    return asyncio.run(run())
