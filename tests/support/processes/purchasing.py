"""A customer of several shop processes, and a basket that is mirrored in the core."""

import time
from collections.abc import Callable, Sequence
from datetime import datetime
from decimal import Decimal
from itertools import cycle
from typing import Any, TypeAlias
from uuid import uuid4

import httpx2

from faregate import Checkout, price_checkout
from faregate.files import demo_catalogue
from support.processes.shop import id_token
from support.service.checkout_identities import assert_identities
from support.service.service import HEADERS, WEBSHOP, Json, data_of

RESORT = demo_catalogue()

InCore: TypeAlias = Callable[[Checkout, datetime], Checkout]
"""The same change in the core, at that instant."""

_PATIENCE = 30

AMOUNTS = {
    "listPriceGross": "list_price_gross",
    "listPriceNet": "list_price_net",
    "promoCodeDiscount": "promo_code_discount",
    "autoDiscountAmount": "auto_discount_amount",
    "totalDiscountGross": "total_discount_gross",
    "totalDiscountNet": "total_discount_net",
    "totalGross": "total_gross",
    "totalNet": "total_net",
}
"""Figures of a checkout in responses, and of totals in the core."""


class Customer:
    """A customer who sends requests to the processes in turn; every request must succeed."""

    def __init__(self, addresses: Sequence[str]) -> None:
        self.clients = [
            httpx2.Client(base_url=address, headers=HEADERS, timeout=_PATIENCE, trust_env=False)
            for address in addresses
        ]
        self._next = cycle(self.clients)

    def close(self) -> None:
        """Close the connections."""
        for client in self.clients:
            client.close()

    def ask(self, method: str, path: str, **content: Any) -> httpx2.Response:
        """Return the next process's response to an API request."""
        response = next(self._next).request(method, path, **content)
        assert response.status_code == 200, response.text
        return response

    def data(self, method: str, path: str, **content: Any) -> Any:
        """Return the data of a response, with numbers unchanged to the last digit."""
        return data_of(self.ask(method, path, **content))

    def until(self, path: str, is_enough: Callable[[Any], bool]) -> Any:
        """Repeat a request, as the service advises, until the data is sufficient."""
        deadline = time.monotonic() + _PATIENCE
        while not is_enough(found := self.data("GET", path)):
            assert time.monotonic() < deadline, found
            time.sleep(0.1)
        return found

    def log_in(self, provider: str) -> Json:
        """Log in, creating the account if necessary; later requests are authenticated."""
        body = {"idToken": id_token(provider, "ada@byron.example"), "language": "en"}
        response = self.ask("POST", "/api/accounts/authenticate", json=body)
        for client in self.clients:
            client.headers["authorization"] = f"Bearer {response.headers['access-token']}"
        return data_of(response)


class Basket:
    """A checkout changed both over HTTP and in the core; both must agree after each change."""

    def __init__(self, customer: Customer) -> None:
        self.customer = customer
        self.id = str(uuid4())
        self.path = f"/api/checkout/{self.id}"
        self.core = Checkout(WEBSHOP)
        self.data: Json = {}
        self.due = 0

    def change(self, method: str, path: str, in_core: InCore, **body: Any) -> None:
        """Make a change in both and compare them."""
        self.data = self.customer.data(method, f"{self.path}{path}", **body)
        self.core = in_core(self.core, self.changed_at)
        self.compare()

    @property
    def changed_at(self) -> datetime:
        """Return the instant of the last change."""
        return datetime.fromisoformat(self.data["lastUpdateAt"])

    def compare(self) -> None:
        """Compare every amount of the checkout and its items with the core."""
        assert_identities(self.data)
        priced = price_checkout(self.core, catalogue=RESORT, at=self.changed_at)
        totals = priced.totals
        assert amounts(self.data) == {name: getattr(totals, of) for name, of in AMOUNTS.items()}
        assert len(self.data["items"]) == len(priced.items)
        for shown, of_core in zip(self.data["items"], priced.items, strict=True):
            assert amounts(shown) == {name: getattr(of_core, of) for name, of in AMOUNTS.items()}
        vouchers = [(entry["code"], cents(entry["amount"])) for entry in self.data["vouchers"]]
        assert vouchers == [(paid.voucher.code, paid.amount) for paid in totals.vouchers]
        self.due = totals.amount_due

    def show(self) -> Json:
        """Return the checkout as it is read."""
        self.data = self.customer.data("GET", self.path)
        return self.data


def amounts(data: Json) -> dict[str, int]:
    """Return every amount of a checkout or an item in minor units."""
    return {name: cents(data[name]) for name in AMOUNTS}


def cents(amount: int | Decimal) -> int:
    """Return an amount in minor units, which it must be an integer of."""
    assert amount * 100 == int(amount * 100)
    return int(amount * 100)
