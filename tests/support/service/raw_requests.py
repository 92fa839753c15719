"""Requests that no client library would send, passed to a running service as by its server."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from urllib.parse import unquote

from starlette.testclient import TestClient
from starlette.types import Message, Scope

from faregate_http.protocol.problems import PROBLEM_TEXTS
from support.service.service import KEY, ONE_REQUEST, WEBSHOP, Json

Headers = Sequence[tuple[str, str | bytes]]

CHANNEL: Headers = (("service-channel-uuid", WEBSHOP), ("service-channel-key", KEY))
JSON: Headers = (*CHANNEL, ("content-type", "application/json"))


class Reply(NamedTuple):
    """A response as sent; ``headers`` may contain a name twice."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the value of a header; the lines of ``vary``, a list, are joined (RFC 9110, 5.3)."""
        values = [value for key, value in self.headers if key == name.encode()]
        if name == "vary" and values:
            values = [b", ".join(values)]
        assert len(values) < 2, f"{name} is sent twice"
        return values[0].decode("latin-1") if values else None

    def json(self) -> Json:
        return json.loads(self.body)  # type: ignore[no-any-return]


def ask(
    client: TestClient,
    method: str,
    target: str,
    *,
    headers: Headers = JSON,
    body: bytes | Iterable[bytes] = b"",
    disconnects: bool = False,
) -> Reply:
    """Return the reply to a request whose *target* is sent unchanged."""
    reply = ask_in_vain(client, method, target, headers=headers, body=body, disconnects=disconnects)
    assert reply is not None, "no response"
    return reply


def ask_in_vain(
    client: TestClient,
    method: str,
    target: str,
    *,
    headers: Headers = JSON,
    body: bytes | Iterable[bytes] = b"",
    disconnects: bool = False,
) -> Reply | None:
    """Send a request that may get no response; with *disconnects* the client leaves after the last piece."""
    assert client.portal is not None
    pieces = [body] if isinstance(body, bytes) else list(body)
    return client.portal.call(_ask, client, _scope(client, method, target, headers), pieces, disconnects)


async def _ask(client: TestClient, scope: Scope, pieces: list[bytes], disconnects: bool) -> Reply | None:
    sent: list[Message] = []
    incoming: list[Message] = [
        {"type": "http.request", "body": piece, "more_body": disconnects or index < len(pieces) - 1}
        for index, piece in enumerate(pieces)
    ]

    async def receive() -> Message:
        return incoming.pop(0) if incoming else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await client.app(scope, receive, send)
    if not sent:
        return None
    start, *rest = sent
    return Reply(
        start["status"], tuple(start["headers"]), b"".join(message.get("body", b"") for message in rest)
    )


def _scope(client: TestClient, method: str, target: str, headers: Headers) -> Scope:
    path, _, query = target.partition("?")
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 50_000),
        "scheme": "http",
        "root_path": "",
        "method": method,
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode("latin-1"),
        "headers": [
            (name.encode(), value if isinstance(value, bytes) else value.encode("latin-1"))
            for name, value in (*headers, ("x-request-id", ONE_REQUEST))
        ],
        "state": dict(client.app_state),
    }


class Snapshot(NamedTuple):
    """A checkout as it is shown and as it is stored."""

    shown: Reply
    stored: Any


def snapshot(client: TestClient, url: str) -> Snapshot:
    """Return the state of the webshop checkout at *url*."""
    assert client.portal is not None
    store = client.app_state["services"].store
    stored = client.portal.call(store.checkout, url.rpartition("/")[2].lower())
    return Snapshot(ask(client, "GET", url, headers=CHANNEL), stored)


def places(problem: Json) -> list[str]:
    """Return the locations of a problem's issues, as ``pointer /a/b``, ``parameter p`` or ``header h``."""
    kinds = ("pointer", "parameter", "header")
    return [f"{kind} {error[kind]}" for error in problem.get("errors", []) for kind in kinds if kind in error]


def reasons(problem: Json) -> list[str]:
    """Return the reasons of a problem's issues."""
    return [error["reason"] for error in problem.get("errors", [])]


def problem_of(reply: Reply, status: int, code: str) -> Json:
    """Return the problem of *reply*, which must have the common form."""
    assert reply.status == status, reply.body[:2000]
    assert reply.header("content-type") == "application/problem+json"
    assert reply.header("api-version") == "2025-02-18"
    assert reply.header("content-length") == str(len(reply.body))
    problem = reply.json()
    assert problem["type"] == f"urn:faregate:problem:{code}", reply.body[:2000]
    assert problem["code"] == code
    text = PROBLEM_TEXTS[code][reply.header("content-language") or ""]
    assert (problem["title"], problem["detail"]) == text
    assert problem["status"] == status
    assert problem["instance"].startswith("/")
    assert problem["instance"].isascii()
    assert set(problem) - {"errors"} == {"type", "title", "status", "detail", "instance", "code"}
    for error in problem.get("errors", []):
        assert error["reason"]
        assert set(error) <= {"reason", "code", "pointer", "parameter", "header", "title"}
        assert len({"pointer", "parameter", "header"} & set(error)) <= 1
    return problem
