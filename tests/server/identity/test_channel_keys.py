"""A protected channel is available with one of its keys only."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from faregate_http.app import OPERATIONS
from faregate_http.options import FailureLimit
from faregate_server.channel_keys import new_key
from support.service.customers import logged_in
from support.service.service import START, VALLEY_STATION, WEBSHOP, Clock, day_ticket, new_url, running
from support.specification.example_paths import example_path
from support.specification.openapi_conformity import DOCUMENT
from support.stores.capacity import ask as query

NEXT, OLD, WRONG = (new_key() for _ in range(3))
TILL = new_key()
UNKNOWN = str(uuid4())
KEYS = f"""    keys:
      - {{name: till, sha256: {TILL.sha256}}}
      - {{name: next, sha256: {NEXT.sha256}, endsAt: "2099-01-01T00:00:00Z"}}
      - {{name: old, sha256: {OLD.sha256}, endsAt: "{(START + timedelta(hours=1)).isoformat()}"}}
"""
ONES_WITH_A_CHANNEL = [operation for operation in OPERATIONS if operation.has_channel]
ONES_WITH_A_KEY = [operation for operation in ONES_WITH_A_CHANNEL if operation.asks_key]


class Timer:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def timer() -> Timer:
    return Timer()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(tmp_path: Path, clock: Clock, timer: Timer) -> Iterator[TestClient]:
    """Yield a client, without a key, of the demo resort, whose till has three keys."""
    from importlib.resources import files

    text = files("faregate.files").joinpath("demo_resort.yaml").read_text("utf-8")
    file = tmp_path / "resort.yaml"
    file.write_text(text.replace("    type: POS\n", f"    type: POS\n{KEYS}"), "utf-8")
    limited: dict[str, Any] = {
        "key_failures": FailureLimit(30, 600),
        "channel_keys": {},
        "is_development": True,
    }
    with running(tmp_path, catalogue=file, clock=clock, timer=timer, **limited) as client:
        del client.headers["service-channel-key"]
        client.headers["service-channel-uuid"] = VALLEY_STATION
        yield client


def entering(key: str | None = None, channel: str = VALLEY_STATION) -> dict[str, str]:
    return {"service-channel-uuid": channel} | ({} if key is None else {"service-channel-key": key})


def ask(client: TestClient, key: str | None = None, channel: str = VALLEY_STATION) -> Any:
    return client.get("/api/products/day-ticket", headers=entering(key, channel))


@pytest.mark.parametrize("key", [TILL.key, NEXT.key, OLD.key], ids=["without an end", "next", "not over yet"])
def test_every_live_key_opens_the_channel(client: TestClient, key: str) -> None:
    assert ask(client, key).status_code == 200


def test_the_public_channel_requires_and_checks_no_key(client: TestClient) -> None:
    assert [ask(client, key, WEBSHOP).status_code for key in (None, TILL.key, WRONG.key, "")] == [200] * 4


REFUSED = {
    "no key": entering(),
    "an empty key": entering(""),
    "a wrong key": entering(WRONG.key),
    "a key that is over": entering(OLD.key),
    "the hash of a key": entering(TILL.sha256),
    "a key in another spelling": entering(f"{TILL.key}="),
    "half a key": entering(TILL.key[:20]),
    "an unknown channel": entering(channel=UNKNOWN),
    "an unknown channel with a key": entering(TILL.key, channel=UNKNOWN),
}


@pytest.mark.parametrize("operation", ONES_WITH_A_KEY, ids=lambda operation: operation.name)
def test_without_a_live_key_a_protected_channel_looks_like_an_unknown_one(
    client: TestClient, clock: Clock, operation: Any
) -> None:
    clock.turn(hours=1)
    query = {parameter.name: "11" for parameter in operation.query if parameter.is_required}

    answers = {
        name: client.request(operation.method, example_path(operation.path), params=query, headers=headers)
        for name, headers in REFUSED.items()
    }

    first = answers["an unknown channel"]
    assert (first.status_code, first.json()["code"]) == (404, "unknown-channel")
    for name, answer in answers.items():
        assert (answer.status_code, answer.content) == (404, first.content), name
        assert answer.headers.raw == first.headers.raw


def test_only_operations_on_orders_require_no_key(client: TestClient) -> None:
    token = client.post("/dev/identity/token", json={"subject": "ada"}).json()["id_token"]
    client.headers["service-channel-uuid"] = WEBSHOP
    account = logged_in(client, token)

    for path in (f"/api/orders/{UNKNOWN}", f"/api/orders/{UNKNOWN}/notices"):
        answer = client.get(path, headers={**entering(), **account})
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown-order")

    without = [one.name for one in ONES_WITH_A_CHANNEL if one not in ONES_WITH_A_KEY]
    assert without == ["getOrder", "getOrderNotices"]


def test_the_key_is_an_optional_header_of_every_operation_with_a_channel() -> None:
    key = DOCUMENT["components"]["parameters"]["channelKey"]
    reference = {"$ref": "#/components/parameters/channelKey"}

    taking = {
        operation["operationId"]
        for methods in DOCUMENT["paths"].values()
        for operation in methods.values()
        if reference in operation["parameters"]
    }

    assert (key["name"], key["in"], key["required"]) == ("service-channel-key", "header", False)
    assert taking == {one.name for one in ONES_WITH_A_CHANNEL}


@pytest.mark.parametrize("wrong", [entering(WRONG.key), entering(), entering(channel=UNKNOWN)])
def test_after_thirty_failures_only_valid_keys_are_accepted(
    tmp_path: Path, client: TestClient, timer: Timer, wrong: dict[str, str]
) -> None:
    def statuses(count: int) -> set[int]:
        return {client.get("/api/products/11", headers=wrong).status_code for _ in range(count)}

    assert statuses(30) == {404}
    refused = client.get("/api/products/11", headers=wrong)
    timer.seconds += 600
    query(tmp_path / "checkouts.db", "UPDATE failures SET ends_at = ends_at - 600000")

    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-failures")
    assert refused.headers["retry-after"] == "600"
    assert statuses(30) == {404}
    assert statuses(1) == {429}
    assert ask(client, TILL.key).status_code == ask(client, None, WEBSHOP).status_code == 200


def test_idempotent_responses_are_the_same_for_every_valid_key(client: TestClient) -> None:
    body = {"items": [day_ticket(1)]}
    url, once = new_url(), {"idempotency-key": "once"}

    first, second = (
        client.post(f"{url}/items", json=body, headers={**entering(key), **once})
        for key in (TILL.key, NEXT.key)
    )
    stolen = client.post(f"{url}/items", json=body, headers={**entering(WRONG.key), **once})

    assert first.content == second.content
    assert second.headers["idempotency-replayed"] == "true"
    assert (stolen.status_code, stolen.json()["code"]) == (404, "unknown-channel")


def test_a_cached_response_requires_a_valid_key(client: TestClient) -> None:
    path = "/api/booking/products/11/journey/validities"
    assert client.get(path, headers=entering(TILL.key)).status_code == 200

    assert client.get(path, headers=entering()).status_code == 404
    assert client.get(path, headers=entering(WRONG.key)).status_code == 404


def test_a_key_appears_in_no_response_metric_or_log_line(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)

    answers = [ask(client, key).text for key in (TILL.key, WRONG.key)] + [client.get("/metrics").text]

    for text in (caplog.text, *answers):
        assert all(key.key not in text and key.sha256 not in text for key in (TILL, WRONG))


def test_new_keys_are_32_random_bytes_and_identified_by_their_hash() -> None:
    from base64 import urlsafe_b64decode

    keys = {new_key() for _ in range(100)}

    assert len(keys) == 100
    for key, digest in keys:
        read = urlsafe_b64decode(f"{key}=")
        assert (len(read), sha256(read).hexdigest()) == (32, digest)
