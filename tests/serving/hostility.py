"""Requests that must be refused: what each is, how it is refused, and that it changes nothing."""

import json
from typing import Any, NamedTuple

from starlette.testclient import TestClient

from serving.raw_requests import JSON, Headers, Reply, ask, places, problem_of, snapshot
from serving.service import SUNDAY, Json, data_of, day_ticket, item, open_checkout

STATUS = {
    "invalid-json": 400,
    "body-too-large": 413,
    "unsupported-media-type": 415,
    "invalid-body": 422,
    "invalid-checkout": 422,
    "invalid-validity": 422,
    "validity-required": 422,
    "validity-not-wanted": 422,
    "not-bookable": 422,
    "needs-parent": 422,
    "not-sold-here": 422,
    "unknown-variant": 422,
    "unknown-person": 422,
    "unknown-item": 422,
    "unknown-discount-card": 422,
    "unknown-medium": 422,
    "unknown-code": 422,
    "invalid-delta": 422,
    "too-many-items": 422,
    "id-taken": 409,
    "id-used": 409,
    "unique-item": 409,
    "checkout-conflict": 409,
}


class Row(NamedTuple):
    """A body, and the places at which it is at fault."""

    body: bytes
    code: str
    places: tuple[str, ...] = ()


class Target(NamedTuple):
    """An operation that takes a body, with a body that it takes, and the name of the one property."""

    method: str
    path: str
    good: Any
    property: str


ITEMS = Target("POST", "/items", {"items": [day_ticket(20)]}, "items")
QUANTITY = Target("PATCH", "/items/1/quantity", {"delta": 1}, "delta")
CONDITIONS = Target("POST", "/checkout-conditions", {"formValues": {"hotel": "Edelweiss"}}, "formValues")
VOUCHERS = Target("POST", "/vouchers", {"voucherCode": "GIFT-100"}, "voucherCode")
TARGETS = {"items": ITEMS, "quantity": QUANTITY, "conditions": CONDITIONS, "vouchers": VOUCHERS}

PARKING = item(3, 311, validity=SUNDAY)
INSURANCE = item(4, 511, validity=SUNDAY, parentItemId=1)
USED, REMOVED = 1, 9


def refuse(client: TestClient, url: str, target: Target, row: Row) -> Json:
    """The problem that *row* gets, when everything is at it should be."""
    before = snapshot(client, url)
    reply = ask(client, target.method, url + target.path, body=row.body)

    problem = problem_of(reply, STATUS[row.code], row.code)
    assert places(problem) == list(row.places)
    assert snapshot(client, url) == before
    return problem


def dumped(value: object) -> bytes:
    return json.dumps(value).encode()


def filled_checkout(client: TestClient) -> str:
    """The path of an open checkout of four items and a code; item 9 was removed again."""
    items = [day_ticket(USED), item(2, 411), PARKING, INSURANCE, day_ticket(REMOVED)]
    url, _ = open_checkout(client, *items)
    data_of(client.delete(f"{url}/items?itemId={REMOVED}"))
    data_of(client.post(f"{url}/vouchers", json={"voucherCode": "WINTER10"}))
    return url


# ---------------------------------------------------------------- good requests, to be spoilt


class Operation(NamedTuple):
    """A good request to one operation; {} stands for the path of the checkout."""

    method: str
    target: str
    body: bytes = b""

    def at(self, url: str) -> str:
        return self.target.format(url)


GET = Operation("GET", "{}")
ADD = Operation("POST", "{}/items", dumped({"items": [day_ticket(20)]}))
REMOVE = Operation("DELETE", "{}/items?itemId=2")
ANSWER = Operation("POST", "{}/checkout-conditions", dumped({"formValues": {"hotel": "Edelweiss"}}))
CHANGE = Operation("PATCH", "{}/items/1/quantity", dumped({"delta": 1}))
ENTER = Operation("POST", "{}/vouchers", dumped({"voucherCode": "GIFT-100"}))
DROP = Operation("DELETE", "{}/vouchers/WINTER10")
OPERATIONS = {
    "getCheckout": GET,
    "addItems": ADD,
    "removeItems": REMOVE,
    "setConditions": ANSWER,
    "changeQuantity": CHANGE,
    "addCode": ENTER,
    "dropCode": DROP,
}


class Ask:
    """Requests to one checkout, none of which may change it."""

    def __init__(self, client: TestClient, url: str) -> None:
        self.client = client
        self.url = url

    def __call__(self, operation: Operation, *, headers: Headers = JSON, target: str | None = None) -> Reply:
        before = snapshot(self.client, self.url)
        asked = operation.at(self.url) if target is None else target
        reply = ask(self.client, operation.method, asked, headers=headers, body=operation.body)
        assert snapshot(self.client, self.url) == before
        return reply
