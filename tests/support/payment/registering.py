"""Test customers with accounts, who register payment details on the sandbox page."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any

from httpx2 import AsyncClient
from starlette.testclient import TestClient

from faregate_http.accounts.accounts import new_id
from faregate_http.payment.detail_rows import request_of
from faregate_http.payment.gateway import PaymentGateway
from faregate_http.services import Services
from faregate_http.store.records import AccountRow, PaymentDetailRow
from faregate_server.app import create_app
from faregate_server.demo.sandbox.gateway import page_path
from faregate_server.settings import Settings
from support.service.async_service import running_app
from support.service.customers import rows_of, save
from support.service.service import HEADERS, KEYS, Clock, Json, data_of
from support.service.unlimited import FREE_HOLDS
from support.specification.openapi_conformity import Conformity
from support.stores.sqlite import new_database

DETAILS = "/api/payments/payment-details"
PAGES = "/sandbox/registrations"
SHOP = "https://shop.example/checkout"

FORM = "application/x-www-form-urlencoded"

_CONFORMITY = Conformity()
_SUBJECTS = count(1)


def settings_of(folder: Path, **others: Any) -> Settings:
    """Return settings under which customers can log in."""
    return Settings(
        database=new_database(folder / "paying.db"),
        identity_issuer="https://login.example",
        identity_audience="tickets",
        token_secret="-" * 32,
        **{"sandbox": True, "channel_keys": KEYS, **FREE_HOLDS, **others},
    )


@contextmanager
def paying(
    folder: Path,
    *,
    clock: Callable[[], datetime] | None = None,
    gateway: PaymentGateway | None = None,
    **settings: Any,
) -> Iterator[TestClient]:
    """Yield a client of a service with accounts, in English on the webshop, without redirects."""
    app = create_app(settings_of(folder, **settings), clock=clock or Clock(), gateway=gateway)
    with TestClient(app, base_url="http://localhost", headers=HEADERS, follow_redirects=False) as client:
        client.event_hooks = {"response": [_CONFORMITY]}
        yield client


@asynccontextmanager
async def service_on(folder: Path) -> AsyncIterator[AsyncClient]:
    """Yield a client of another service process that shares only the file of *folder*."""
    async with running_app(create_app(settings_of(folder), clock=Clock())) as running:
        yield running.client


def services_of(client: TestClient) -> Services:
    """Return the services behind *client*."""
    services: Services = client.app_state["services"]
    return services


def new_account(**overrides: Any) -> AccountRow:
    """Return a row of a new account."""
    subject = f"subject-{next(_SUBJECTS)}"
    account = AccountRow(new_id(), 1, 0, "https://login.example", subject, "", "CUSTOMER", "en", "{}")
    return account._replace(**overrides)


def body_of(**overrides: Any) -> Json:
    """Return a valid registration body; *overrides* use the JSON names."""
    urls = {name: f"{SHOP}/{name}" for name in ("success", "error", "cancel")}
    return {"redirectUrls": urls, "isDefault": False, "paymentMethods": ["VIS"], **overrides}


@dataclass(frozen=True, slots=True)
class Customer:
    """A customer with an account, at a client of the service."""

    client: TestClient
    account: int

    @classmethod
    def new(cls, client: TestClient) -> "Customer":
        """Return a new customer."""
        account = new_account()
        save(client, account)
        return cls(client, account.id)

    @property
    def headers(self) -> dict[str, str]:
        """The headers that authenticate the customer for an hour."""
        token = services_of(self.client).accounts.gatekeeper.issue(self.account).text
        return {"authorization": f"Bearer {token}"}

    def post(self, body: Any = None, **headers: str) -> Any:
        """Return the response to a registration."""
        return self.client.post(
            f"{DETAILS}/register", json=body or body_of(), headers={**self.headers, **headers}
        )

    def register(self, **overrides: Any) -> str:
        """Begin a registration; return its transaction id."""
        transaction: str = data_of(self.post(body_of(**overrides)))["transactionId"]
        return transaction

    def listed(self, **query: Any) -> list[Json]:
        """Return the account's payment details, oldest first."""
        found: Any = data_of(self.client.get(DETAILS, params=query, headers=self.headers))
        return list(found)

    def one(self, transaction: str) -> Json:
        """Return the payment detail of a registration."""
        [found] = [detail for detail in self.listed() if detail["transactionId"] == transaction]
        return found

    def unset_default(self, detail_id: object) -> Any:
        """Return the response to unsetting the default."""
        return self.client.delete(f"{DETAILS}/{detail_id}/default", headers=self.headers)

    def activate(self, *, method: str = "VIS", instrument: str = "pays", **overrides: Any) -> Json:
        """Return an ACTIVE payment detail."""
        transaction = self.register(**{"paymentMethods": [method], **overrides})
        assert submit(self.client, transaction, instrument=instrument).status_code == 303
        return self.one(transaction)

    def page(self, transaction: str) -> str:
        """Return the path of the page of a registration."""
        return path_of(self.client, transaction)

    def stored(self, transaction: str) -> PaymentDetailRow:
        """Return the row of a registration."""
        return row_of(self.client, transaction)


def row_of(client: TestClient, transaction: str) -> PaymentDetailRow:
    """Return the row of a registration."""
    row: PaymentDetailRow
    [row] = rows_of(client, PaymentDetailRow, transaction_id=transaction)
    return row


def path_of(client: TestClient, transaction: str) -> str:
    """Return the path of the page of a registration from its link."""
    return page_path(transaction, request_of(row_of(client, transaction)).form_token)


class Page(HTMLParser):
    """A parsed page: initial values of form fields, choices, links and texts."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.choices: dict[str, list[str]] = {}
        self.buttons: list[str] = []
        self.links: list[str] = []
        self.attributes: list[tuple[str, dict[str, str | None]]] = []
        self.language: str | None = None
        self.action: str | None = None
        self.texts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.attributes.append((tag, found))
        name, value = found.get("name") or "", found.get("value") or ""
        match tag:
            case "html":
                self.language = found["lang"]
            case "form":
                self.action = found["action"]
            case "input" if found["type"] == "radio":
                self.choices.setdefault(name, []).append(value)
                if "checked" in found:
                    self.fields[name] = value
            case "input":
                self.fields[name] = value
            case "button":
                self.buttons.append(value)
            case "a":
                self.links.append(found["href"] or "")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def page_of(client: TestClient, transaction: str, **query: str) -> Page:
    """Return the page of a registration as a browser loads it."""
    response = client.get(path_of(client, transaction), params=query)
    assert response.status_code == 200, response.text
    return Page(response.text)


def submit(client: TestClient, transaction: str, action: str = "succeed", **choices: str) -> Any:
    """Submit the form with these choices; return the response."""
    page = page_of(client, transaction)
    return client.post(page.action or "", data={**page.fields, "action": action, **choices})
