"""A process that dies between a commit and its response: repeated with its key, a request has one effect.

Each kind of write is made by a process that is killed exactly there: after the first save of the request,
then after the second one, until it survives. Another process gets the repeated request.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest

from faregate_http.store.contract import Store
from faregate_http.store.records import AccountRow, PaymentDetailRow, PaymentRow, PersonRow
from faregate_server.store.opening import open_store
from support.faults.afterwards import books_of, check_file, check_swept, customers_in, headers_for
from support.faults.runs import caught, client_of, long_form
from support.faults.servers import Service, serving
from support.payment.audit import check_money
from support.payment.fake_gateway import BooksInFile, FakeGateway
from support.payment.registering import DETAILS, body_of
from support.payment.till import DATABASES, database
from support.service.hut import LUNCH
from support.service.service import Json, item, new_url

KINDS = DATABASES if long_form("FAREGATE_KILLS", 0) else DATABASES[:1]

PERSONS = "/api/accounts/current/persons"
_CUSTOMERS = 2
_PATIENCE = 40
_MOST_SAVES = 9


class Request(NamedTuple):
    """A request; ``{url}`` is the checkout, ``{person}`` the person that an earlier request created."""

    method: str
    path: str
    body: Json | None = None


class Write(NamedTuple):
    """A request with earlier ones that prepare it; ``effects`` counts its effects."""

    request: Request
    effects: Callable[[Store, str], Awaitable[int]]
    before: Sequence[Request] = ()


async def _revisions(store: Store, checkout_id: str) -> int:
    row = await store.checkout(checkout_id)
    return 0 if row is None else row.revision


async def _changes(store: Store, checkout_id: str) -> int:
    """Return the number of changes since it was opened."""
    return await _revisions(store, checkout_id) - 1


async def _payments(store: Store, checkout_id: str) -> int:
    paid = await store.find(PaymentRow, checkout_id=checkout_id)
    return sum(row.status in {"SETTLED", "AUTHORIZED"} for row in paid)


async def _registrations(store: Store, _checkout_id: str) -> int:
    return len(await store.find(PaymentDetailRow)) - _CUSTOMERS


async def _persons(store: Store, _checkout_id: str) -> int:
    return len(await store.find(PersonRow))


async def _answers(store: Store, _checkout_id: str) -> int:
    [person] = await store.find(PersonRow)
    return person.revision - 1


async def _deletions(store: Store, _checkout_id: str) -> int:
    return sum(account.due_at is not None for account in await store.find(AccountRow))


_LUNCH = Request("POST", "{url}/items", {"items": [item(1, LUNCH)]})
_PERSON = Request("POST", PERSONS, {"values": {"firstName": "Ada", "lastName": "Byron"}})
_CHANGED = Request("PATCH", f"{PERSONS}/{{person}}", {"values": {"firstName": "Grace"}})
_ON_SITE = {"expectedTotal": 22.5, "provider": "ON_SITE"}
_AT_THE_GATEWAY = {"expectedTotal": 22.5, "provider": "GATEWAY"}
_DONATION = {"formValues": {"donation": 5}}

WRITES = {
    "items": Write(_LUNCH, _revisions),
    "quantity": Write(Request("PATCH", "{url}/items/1/quantity", {"delta": 1}), _changes, [_LUNCH]),
    "conditions": Write(Request("POST", "{url}/checkout-conditions", _DONATION), _changes, [_LUNCH]),
    "code": Write(Request("POST", "{url}/vouchers", {"voucherCode": "FEW"}), _changes, [_LUNCH]),
    "payment on site": Write(Request("POST", "{url}/payment", _ON_SITE), _payments, [_LUNCH]),
    "payment": Write(Request("POST", "{url}/payment", _AT_THE_GATEWAY), _payments, [_LUNCH]),
    "registration": Write(Request("POST", f"{DETAILS}/register", body_of()), _registrations),
    "person": Write(_PERSON, _persons),
    "answers of a person": Write(_CHANGED, _answers, [_PERSON]),
    "deletion": Write(Request("POST", "/api/accounts/current/schedule-deletion"), _deletions),
}


class Customer:
    """A customer who sends the same request to one process of a service after another."""

    def __init__(self, service: Service, write: Write) -> None:
        self._service, self._write = service, write
        _, headers = headers_for(customers_in(service.database, _CUSTOMERS))
        self._headers = {**headers, "idempotency-key": "the-same"}
        self._names = {"url": new_url(), "person": ""}

    def at(self, store: str, work: Callable[[httpx2.AsyncClient], Awaitable[Any]]) -> Any:
        """Return the result of *work* at a process with that store."""

        async def run() -> Any:
            async with client_of(server) as client:
                return await work(client)

        with serving(replace(self._service, store=store)) as server:
            return asyncio.run(run())

    async def prepare(self, client: httpx2.AsyncClient) -> None:
        """Send the preparing requests."""
        for request in self._write.before:
            response = await self._send(client, request, key=str(request))
            if request is _PERSON:
                self._names["person"] = str(response.json()["data"]["id"])

    async def ask(self, client: httpx2.AsyncClient) -> httpx2.Response:
        """Send the request, always with the same key."""
        return await self._send(client, self._write.request)

    async def _send(self, client: httpx2.AsyncClient, request: Request, **others: str) -> httpx2.Response:
        path = request.path.format_map(self._names)
        headers = self._headers | ({"idempotency-key": f"{hash(others['key'])}"} if others else {})
        response = await client.request(request.method, path, json=request.body, headers=headers)
        assert response.status_code == 200, response.text
        return response

    async def ask_again(self, client: httpx2.AsyncClient) -> None:
        """Repeat the request until it is done, and once more: the response must be the same."""
        deadline = time.monotonic() + _PATIENCE
        while self._is_under_way(answer := await self.ask(client)):
            assert time.monotonic() < deadline, "the request does not end"
            await asyncio.sleep(0.05)
        assert (await self.ask(client)).content == answer.content, "the repeated response differs"

    def _is_under_way(self, answer: httpx2.Response) -> bool:
        is_payment = self._write.effects is _payments
        return is_payment and answer.json()["data"]["status"] != "CLOSED"

    def effects(self) -> int:
        """Return the number of effects."""

        async def look() -> int:
            store = await asyncio.to_thread(open_store, self._service.database)
            try:
                return await self._write.effects(store, self._names["url"].rpartition("/")[2])
            finally:
                await store.close()

        return asyncio.run(look())


def die_after(service: Service, write: Write, store: str) -> bool:
    """Return whether the process died; then repeat the request elsewhere and check for one effect."""
    Path(service.books).write_text("")
    customer = Customer(service, write)
    customer.at("real", customer.prepare)
    try:
        customer.at(store, customer.ask)
    except httpx2.TransportError:
        customer.at("real", customer.ask_again)
        assert customer.effects() == 1, "it was not done exactly once"
        check_file(service.database)
        with serving(service):
            check_money(books_of(service), FakeGateway(BooksInFile(Path(service.books))).kept())
        check_swept(service.database)
        return True
    return False


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", WRITES)
def test_another_process_answers_for_what_a_killed_one_saved(tmp_path: Path, kind: str, name: str) -> None:
    died = 0
    for after in count(1):
        assert after < _MOST_SAVES
        with database(kind, tmp_path) as url:
            service = Service(database=url, books=str(tmp_path / "books"), plans=("settle",))
            if not die_after(service, WRITES[name], f"dying:{after}"):
                break
        died = after

    print(f"{kind}: {name} dies after each of {died} saves")  # noqa: T201
    assert died > 0


def test_a_response_saved_after_its_change_is_caught(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as url, caught("not done exactly once"):
        service = Service(database=url, books=str(tmp_path / "books"), plans=("settle",))
        die_after(service, WRITES["quantity"], "dying-halfway:1")
