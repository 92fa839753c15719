"""The service behaves as its OpenAPI document says in all requests that schemathesis generates.

``make conformance`` runs 10,000 cases; otherwise only the examples of the document are tried. A run prints
its seed; ``FAREGATE_SEED`` reproduces it.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faregate_http.app import OPERATIONS
from support.service.service import VALLEY_STATION, WEBSHOP
from support.specification.conformance import (
    ACCEPTED,
    CASES,
    EXAMPLES_ONLY,
    Effort,
    leniently_read,
    run,
    service,
)
from support.specification.openapi_conformity import DOCUMENT, Json, closed

SHARES = {WEBSHOP: "web shop, logged in", VALLEY_STATION: "till, nobody logged in"}

# About 5,000 cases of every run are enumerated from the schema. The rest are random, at least a few.
_RANDOM = max(CASES - 5000, min(CASES, 90))
WHOLE = Effort(fuzzing=_RANDOM // 45, walking=_RANDOM // 8, least=CASES // 2)

_MANY = 10_000
"""Number of cases from which every operation succeeds at least once."""

# No payment method at a till has an alias; an order there is rarely paid before it is read.
UNANSWERED = {
    WEBSHOP: set[str](),
    VALLEY_STATION: {
        *("registerPaymentDetail", "unsetDefaultPaymentDetail"),
        *("getOrder", "getOrderNotices"),
    },
}

in_whole_runs = pytest.mark.skipif(not CASES, reason="in whole runs only: make conformance")


@pytest.mark.parametrize("channel", SHARES, ids=SHARES.values())
def test_no_violations_are_found(tmp_path: Path, channel: str) -> None:
    found = run(service(tmp_path), channel, WHOLE)

    assert found.faults == {}, found.report()
    assert found.total >= CASES // len(SHARES)
    if CASES >= _MANY:
        assert {name for name in ACCEPTED if not found.succeeded[name]} <= UNANSWERED[channel]


def test_the_document_is_used_unchanged_except_for_the_language() -> None:
    read = leniently_read(DOCUMENT)

    language = read["components"]["parameters"]["acceptLanguage"]
    assert not language.pop("required")
    language["required"] = True
    language["schema"] = DOCUMENT["components"]["parameters"]["acceptLanguage"]["schema"]
    assert read == closed(DOCUMENT)


def test_every_operation_has_a_list_of_accepted_statuses() -> None:
    assert set(ACCEPTED) == {operation.name for operation in OPERATIONS}


Change = Callable[[Message, bytes], tuple[Message, bytes]]


class Broken:
    """A wrapper of *app* that applies *change* to the responses of *path*."""

    def __init__(self, app: ASGIApp, path: str, change: Change) -> None:
        self._app = app
        self._path = re.compile(re.sub(r"{\w+}", "[^/]+", path))
        self._change = change

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self._path.fullmatch(scope["path"]):
            await self._app(scope, receive, send)
            return
        start: Message = {}
        body = b""

        async def collect(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
            else:
                body += message.get("body", b"")

        # Request a whole and uncompressed body, whatever was drawn.
        asked = [pair for pair in scope["headers"] if pair[0] not in {b"accept-encoding", b"if-none-match"}]
        await self._app({**scope, "headers": asked}, receive, collect)
        start, body = self._change(start, body)
        headers = [pair for pair in start["headers"] if pair[0] != b"content-length"]
        length = (b"content-length", str(len(body)).encode())
        await send({**start, "headers": [*headers, length]})
        await send({"type": "http.response.body", "body": body})


def with_status(status: int) -> Change:
    return lambda start, body: ({**start, "status": status}, body)


def with_header(name: bytes, value: bytes | None) -> Change:
    def change(start: Message, body: bytes) -> tuple[Message, bytes]:
        kept = [pair for pair in start["headers"] if pair[0] != name]
        return {**start, "headers": kept if value is None else [*kept, (name, value)]}, body

    return change


def with_data(edit: Callable[[Json], None]) -> Change:
    def change(start: Message, body: bytes) -> tuple[Message, bytes]:
        answer = json.loads(body)
        if start["status"] == 200:
            edit(answer["data"])
        return start, json.dumps(answer).encode()

    return change


def with_code(code: str) -> Change:
    def change(start: Message, body: bytes) -> tuple[Message, bytes]:
        answer = json.loads(body)
        if start["status"] >= 400:
            answer["code"] = code
        return start, json.dumps(answer).encode()

    return change


PRODUCT, CODE, ACCOUNT = (
    "/api/products/{slug}",
    "/api/checkout/{checkoutId}/vouchers",
    "/api/accounts/current",
)
BREAKS: dict[str, tuple[str, Change, str]] = {
    "a server error": (PRODUCT, with_status(500), "not_a_server_error"),
    "a status that is not declared": (PRODUCT, with_status(206), "status_code_conformance"),
    "a field that is not declared": (
        PRODUCT,
        with_data(lambda data: data.update(secret=1)),
        "response_schema_conformance",
    ),
    "a field that is missing": (
        PRODUCT,
        with_data(lambda data: data.pop("name")),
        "response_schema_conformance",
    ),
    "a field of another type": (
        PRODUCT,
        with_data(lambda data: data.update(id="11")),
        "response_schema_conformance",
    ),
    "a problem that is not declared": (
        "/api/payments/payment-details/{paymentDetailId}/default",
        with_code("unknown-mountain"),
        "response_schema_conformance",
    ),
    "another media type": (
        PRODUCT,
        with_header(b"content-type", b"text/html"),
        "content_type_conformance",
    ),
    "a header that is missing": (
        PRODUCT,
        with_header(b"content-language", None),
        "response_headers_conformance",
    ),
    "a refusal of what is right": (PRODUCT, with_status(400), "positive_data_acceptance"),
    "an account for anyone": (ACCOUNT, with_status(200), "ignored_auth"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_service_is_detected(tmp_path: Path, name: str) -> None:
    path, change, check = BREAKS[name]

    found = run(Broken(service(tmp_path), path, change), WEBSHOP, EXAMPLES_ONLY, path=path)

    assert check in found.checks(), found.report()


@in_whole_runs
def test_a_service_that_accepts_anything_is_detected(tmp_path: Path) -> None:
    def take(start: Message, body: bytes) -> tuple[Message, bytes]:
        return {**start, "status": 200}, body

    found = run(Broken(service(tmp_path), CODE, take), WEBSHOP, Effort(fuzzing=2, walking=0), path=CODE)

    assert {"negative_data_rejection", "unsupported_method", "missing_required_header"} <= found.checks()
