"""From the bytes of a request to those of its response, for any operation."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.types import Message, Scope
from starlette.websockets import WebSocketDisconnect

import faregate_http.checkouts.responses
from faregate.files import demo_catalogue
from faregate_http.endpoint import Endpoint
from faregate_http.idempotency import Idempotency
from faregate_http.operations import Operation, WithoutChannel
from faregate_http.paths import Paths
from faregate_http.protocol.bodies import ClientGone
from faregate_http.protocol.instants import now
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import PlainRequest, Request
from faregate_http.protocol.responses import Response
from faregate_http.retries import Retries
from faregate_http.services import Services
from faregate_http.store.contract import StoreUnavailable
from faregate_http.store.memory import MemoryStore
from support.service.raw_requests import CHANNEL, Headers, problem_of
from support.service.raw_requests import Reply as RawReply
from support.service.service import WEBSHOP, channels_of, day_ticket, new_url, open_checkout, running


class Outcome:
    """Operation with a given outcome that records its request."""

    def __init__(self, outcome: Response | Exception) -> None:
        self.outcome = outcome
        self.calls: list[PlainRequest] = []

    async def __call__(self, call: PlainRequest, _services: Services) -> Response:
        self.calls.append(call)
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome

    def as_operation(self, method: str) -> Operation:
        return Operation(method, "/a", self, "name", "Summary.", dict)


def asked(endpoint: Endpoint, method: str, *, path: str = "/a", headers: Headers = CHANNEL) -> list[Message]:
    """Return the messages sent for a request."""
    sent: list[Message] = []
    scope = {**scope_of("http", path, headers), "method": method, "path_params": {}}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(endpoint(scope, receive_nothing, send))
    return sent


def scope_of(kind: str, path: str, headers: Headers = CHANNEL) -> Scope:
    """Return the scope of a GET request that no router has handled."""
    return {
        "type": kind,
        "method": "GET",
        "path": path,
        "query_string": b"",
        "headers": [(name.encode(), str(value).encode()) for name, value in headers],
        "state": {"services": FakeServices()},
    }


async def receive_nothing() -> Message:
    """Fail, because the request must not be read."""
    raise AssertionError("there is nothing to receive")


class FakeServices:
    """Services, as far as an endpoint needs them."""

    channels = channels_of(demo_catalogue())
    compression = True
    retries = Retries()
    idempotency = Idempotency(MemoryStore(), now)


def reply(sent: list[Message]) -> RawReply:
    start, body = sent
    return RawReply(start["status"], tuple(start["headers"]), body["body"])


ANSWER = Response(200, b'{"a": 1}', ((b"content-type", b"application/json"), (b"x", b"y")))


def test_a_response_is_sent_with_its_headers_length_and_version() -> None:
    sent = asked(Endpoint([Outcome(ANSWER).as_operation("POST")]), "POST")

    assert reply(sent) == RawReply(
        200, (*ANSWER.headers, (b"api-version", b"2025-02-18"), (b"content-length", b"8")), ANSWER.body
    )


def test_head_is_get_without_the_body() -> None:
    outcome = Outcome(ANSWER)
    endpoint = Endpoint([outcome.as_operation("GET")])

    assert reply(asked(endpoint, "HEAD")) == reply(asked(endpoint, "GET"))._replace(body=b"")
    assert [call.method for call in outcome.calls] == ["HEAD", "GET"]


def test_a_304_has_no_content_length() -> None:
    sent = asked(Endpoint([Outcome(Response(304, b"")).as_operation("GET")]), "GET")

    assert reply(sent) == RawReply(304, ((b"vary", b"accept-encoding"), (b"api-version", b"2025-02-18")), b"")


def test_another_method_is_405_and_the_operation_is_not_called() -> None:
    outcome = Outcome(ANSWER)
    endpoint = Endpoint([outcome.as_operation("PUT"), outcome.as_operation("GET")])

    refused = reply(asked(endpoint, "POST"))

    problem_of(refused, 405, "method-not-allowed")
    assert refused.header("allow") == "GET, HEAD, PUT"
    assert not outcome.calls


def test_an_operation_gets_the_kind_of_request_it_needs() -> None:
    on_channel, anywhere = Outcome(ANSWER), Outcome(ANSWER)
    plain = anywhere.as_operation("POST")._replace(handler=WithoutChannel(anywhere))
    endpoint = Endpoint([on_channel.as_operation("GET"), plain])

    assert reply(asked(endpoint, "POST", headers=())).status == 200
    assert reply(asked(endpoint, "GET", headers=())).status == 400
    assert reply(asked(endpoint, "GET")).status == 200

    assert [type(call) for call in on_channel.calls + anywhere.calls] == [Request, PlainRequest]


@pytest.mark.parametrize(
    ("kind", "path", "parameters"),
    [
        ("http", "/a", {}),
        ("http", "/b/1", {"first": "1"}),
        ("http", "/b/a%/c/\n", {"first": "a%", "second": "\n"}),
        ("http", "/b/fixed", {}),
        ("http", "/a/", None),
        ("http", "/A", None),
        ("http", "/b", None),
        ("http", "/b/", None),
        ("http", "/b//c/2", None),
        ("http", "/b/1/c", None),
        ("http", "/b/1/c/2/", None),
        ("http", "", None),
        ("websocket", "/a", None),
        ("lifespan", "", None),
    ],
)
def test_only_requests_to_declared_paths_are_served(
    kind: str, path: str, parameters: dict[str, str] | None
) -> None:
    outcome, passed_on = Outcome(ANSWER), []
    endpoint = Endpoint([outcome.as_operation("GET")])

    async def router(scope: Scope, _receive: object, _send: object) -> None:
        passed_on.append(scope["type"])

    async def send(_message: Message) -> None:
        pass

    paths = Paths(router, dict.fromkeys(["/a", "/b/{first}", "/b/{first}/c/{second}", "/b/fixed"], endpoint))
    of_lifespan: Scope = {"type": kind}
    asyncio.run(paths(of_lifespan if kind == "lifespan" else scope_of(kind, path), receive_nothing, send))

    is_served = parameters is not None
    assert [call.parameters for call in outcome.calls] == [parameters] * is_served
    assert passed_on == [kind] * (not is_served)


def test_a_raised_problem_is_sent() -> None:
    problem = Problem(409, "id-taken", headers=((b"x", b"y"),))

    sent = reply(asked(Endpoint([Outcome(problem).as_operation("GET")]), "GET", path="/a b"))

    assert problem_of(sent, 409, "id-taken")["instance"] == "/a%20b"
    assert sent.header("x") == "y"


def test_an_unavailable_store_is_503_and_its_reason_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    outcome = Outcome(StoreUnavailable("the disk /dev/secret is full"))

    sent = reply(asked(Endpoint([outcome.as_operation("GET")]), "GET"))

    problem_of(sent, 503, "storage-unavailable")
    assert sent.header("retry-after") == "1"
    assert b"secret" not in sent.body
    assert [(record.levelno, record.getMessage()) for record in caplog.records] == [
        (logging.ERROR, "GET /a: the disk /dev/secret is full")
    ]


def test_paths_as_sent_are_not_logged(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    url = new_url()
    assert client.portal is not None
    client.portal.call(client.app_state["services"].store.close)

    refused = [
        client.delete(f"{url}/vouchers/SECRET-CODE-50"),
        client.delete(f"{url}/vouchers/%20SECRET-CODE-50"),
        client.head(f"{url}?SECRET-CODE-50"),
    ]

    assert [answer.status_code for answer in refused] == [503, 503, 400]
    logged = [record.getMessage() for record in caplog.records if record.name == "faregate.http"]
    assert len([line for line in logged if line.startswith("DELETE")]) == 2
    assert all("/api/checkout/{checkoutId}/vouchers/{code}: " in line for line in logged if "DELETE" in line)
    assert "SECRET" not in caplog.text
    assert url not in caplog.text


def test_a_client_that_has_disconnected_gets_no_response() -> None:
    assert asked(Endpoint([Outcome(ClientGone()).as_operation("GET")]), "GET") == []


def test_running_out_of_memory_is_503_with_retry_after() -> None:
    raw = asked(Endpoint([Outcome(MemoryError()).as_operation("GET")]), "GET")

    assert raw[0]["status"] == 503
    assert (b"retry-after", b"1") in raw[0]["headers"]


def test_an_internal_error_is_raised_before_anything_is_sent() -> None:
    with pytest.raises(ZeroDivisionError):
        asked(Endpoint([Outcome(ZeroDivisionError()).as_operation("GET")]), "GET")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with running(tmp_path, raise_server_exceptions=False) as client:
        yield client


def test_an_internal_error_is_500_without_details(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    before = client.get(url)

    def fail(*_arguments: Any) -> bytes:
        raise RuntimeError("a secret")

    with monkeypatch.context() as patched:
        patched.setattr(faregate_http.checkouts.responses, "checkout_body", fail)
        failed = client.patch(f"{url}/items/1/quantity", json={"delta": 1})

    raw = RawReply(failed.status_code, tuple(failed.headers.raw), failed.content)
    assert "errors" not in problem_of(raw, 500, "internal")
    assert "secret" not in failed.text
    assert "Traceback" not in failed.text
    assert client.get(url).content == before.content


@pytest.mark.parametrize("path", ["/", "/health/live", f"/api/checkout/{WEBSHOP}", "/api/checkout/x/items"])
def test_a_web_socket_is_refused(client: TestClient, path: str) -> None:
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(path):
        pass


def test_a_parameter_of_declared_paths_has_one_name() -> None:
    with pytest.raises(ValueError, match="one name for a parameter, got first and other"):
        Paths(Endpoint([]), dict.fromkeys(["/b/{first}", "/b/{other}/c"], Endpoint([])))
