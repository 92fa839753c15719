"""Requests of a gate for a price, as it sends them: without a channel, without a language."""

import json
from typing import Any

from starlette.testclient import TestClient

from support.service.raw_requests import Headers, Reply, ask, places, problem_of
from support.service.service import Json

PATH = "/api/pricing/external/prices/access"
OF_JSON: Headers = (("content-type", "application/json"),)

DTA: Json = {"dta_product_id": 1, "dta_consumer_category": 1}
SYSTEM: Json = {"system_product_id": "P1", "system_consumer_category": "A"}

ADULT: Json = {
    "valid_from": "2027-01-16T08:30:00+01:00",
    "order_date": "2027-01-16T07:12:33.417Z",
    "quantity": 1,
    "currency_code": "CHF",
    **DTA,
}
"""One day ticket for an adult, variant 101 of the demo resort."""

EVERY_FIELD: Json = {
    **ADULT,
    **SYSTEM,
    "valid_from": "2027-01-16",
    "valid_to": "2027-01-16",
    "depot_flag": {},
    "is_online_pos": {},
}
"""The same with all that can be said."""


def ask_gate(client: TestClient, body: Json | bytes, *, headers: Headers = OF_JSON) -> Reply:
    """What is answered to a body."""
    return ask(client, "POST", PATH, headers=headers, body=body if isinstance(body, bytes) else dumped(body))


def priced(client: TestClient, body: Json | None = None, **fields: Any) -> tuple[int, int, str]:
    """What one unit costs and what all do, and the currency, of a request that must be answered."""
    reply = ask_gate(client, (ADULT if body is None else body) | fields)
    assert reply.status == 200, reply.body
    answer = reply.json()
    assert list(answer) == ["calculated_price_cents", "unit_price_cents", "currency_code"]
    return answer["unit_price_cents"], answer["calculated_price_cents"], answer["currency_code"]


def refused(reply: Reply, status: int, code: str, *pointers: str) -> Json:
    """The problem of a reply, which names these places and no others."""
    problem = problem_of(reply, status, code)
    assert places(problem) == [f"pointer {pointer}" for pointer in pointers]
    return problem


def without(body: Json, *names: str) -> Json:
    """*body* without some of its fields."""
    return {name: value for name, value in body.items() if name not in names}


def dumped(body: object) -> bytes:
    return json.dumps(body).encode()
