"""Price requests as a gate sends them: without a channel or a language."""

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
"""The same request with every optional field."""


def ask_gate(client: TestClient, body: Json | bytes, *, headers: Headers = OF_JSON) -> Reply:
    """Return the response to a body."""
    return ask(client, "POST", PATH, headers=headers, body=body if isinstance(body, bytes) else dumped(body))


def priced(client: TestClient, body: Json | None = None, **fields: Any) -> tuple[int, int, str]:
    """Return unit price, total and currency of a request that must succeed."""
    reply = ask_gate(client, (ADULT if body is None else body) | fields)
    assert reply.status == 200, reply.body
    answer = reply.json()
    assert list(answer) == ["calculated_price_cents", "unit_price_cents", "currency_code"]
    return answer["unit_price_cents"], answer["calculated_price_cents"], answer["currency_code"]


def refused(reply: Reply, status: int, code: str, *pointers: str) -> Json:
    """Return the problem of a reply, whose issues must have exactly these pointers."""
    problem = problem_of(reply, status, code)
    assert places(problem) == [f"pointer {pointer}" for pointer in pointers]
    return problem


def without(body: Json, *names: str) -> Json:
    """Return *body* without some fields."""
    return {name: value for name, value in body.items() if name not in names}


def dumped(body: object) -> bytes:
    return json.dumps(body).encode()
