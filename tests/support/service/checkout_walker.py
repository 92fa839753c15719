"""A walk through a checkout over HTTP that checks every response."""

from typing import Any

from starlette.testclient import TestClient

from support.service.checkout_identities import assert_identities
from support.service.explained import assert_explained
from support.service.service import Json, data_of, new_url

THREE_DAYS = {"from": "2026-12-28", "to": "2026-12-30"}


class Walker:
    """The client of one checkout; every request must succeed and match what is read afterwards."""

    def __init__(self, client: TestClient, *, net_prices: bool = False) -> None:
        self.client = client
        self.url = new_url()
        self.net_prices = net_prices
        self.data: Json = {}

    def send(self, method: str, path: str, **content: Any) -> Json:
        """Return the checkout after a request that must succeed."""
        response = self.client.request(method, f"{self.url}{path}", **content)
        self.data = data_of(response)
        assert_identities(self.data, net_prices=self.net_prices)
        again = self.client.get(self.url)
        assert again.content == response.content
        assert again.headers["etag"] == response.headers["etag"]
        explanation = self.client.get(f"{self.url}/explanation")
        assert explanation.headers["etag"] == response.headers["etag"]
        assert_explained(data_of(explanation), self.data)
        return self.data

    def add(self, *items: Json) -> Json:
        return self.send("POST", "/items", json={"items": items})

    def remove(self, *ids: int) -> Json:
        return self.send("DELETE", "/items", params={"itemId": ids})

    def change(self, item_id: int, delta: int) -> Json:
        return self.send("PATCH", f"/items/{item_id}/quantity", json={"delta": delta})

    def enter(self, code: str) -> Json:
        return self.send("POST", "/vouchers", json={"voucherCode": code})

    def drop(self, code: str) -> Json:
        return self.send("DELETE", f"/vouchers/{code}")

    def answer(self, **values: Any) -> Json:
        return self.send("POST", "/checkout-conditions", json={"formValues": values})


def ids(data: Json) -> list[int]:
    """Return the ids of a checkout's items in order."""
    return [entry["id"] for entry in data["items"]]


def entry(data: Json, item_id: int) -> Json:
    """Return one item of a checkout."""
    [found] = [entry for entry in data["items"] if entry["id"] == item_id]
    return found  # type: ignore[no-any-return]
