"""The guards of `faregate serve`: the deadline for bodies, and ambiguous requests."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import pytest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faregate_cli.serve import middleware
from faregate_cli.serve.middleware import BodyDeadline, HttpRules

HOST = (b"host", b"tickets.example")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shorten the deadline for bodies, which is half a minute."""
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.1)


def asked(
    app: ASGIApp, *, headers: Iterable[tuple[bytes, bytes]] = (HOST,), version: str = "1.1", **how: Any
) -> list[Message]:
    """Return the messages of *app* to a client that sends *pieces*, each after a *pause*, and no more."""
    return asyncio.run(_asked(app, {"headers": [*headers], "http_version": version}, **how))


async def _asked(
    app: ASGIApp, scope: Scope, *, pieces: Iterable[tuple[bytes, bool]] = ((b"", False),), pause: float = 0
) -> list[Message]:
    sent: list[Message] = []
    left = iter(pieces)

    async def receive() -> Message:
        await asyncio.sleep(pause)
        for body, more in left:
            return {"type": "http.request", "body": body, "more_body": more}
        return await asyncio.Future()

    async def send(message: Message) -> None:
        sent.append(message)

    await app({"type": "http", "method": "POST", "path": "/items", **scope}, receive, send)
    return sent


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Respond with the body, or note that the client has gone, which no client can see."""
    try:
        response = Response(await Request(scope, receive).body())
    except ClientDisconnect:
        response = Response(b"gone", 499)
    await response(scope, receive, send)


def status_and_code(sent: list[Message]) -> tuple[int, str]:
    assert (b"connection", b"close") in sent[0]["headers"]
    return sent[0]["status"], json.loads(sent[1]["body"])["code"]


@pytest.mark.parametrize("pieces", [[], [(b"half", True)]], ids=["nothing", "half of it"])
def test_a_late_body_is_answered_with_408(pieces: list[tuple[bytes, bool]]) -> None:
    sent = asked(BodyDeadline(echo), pieces=pieces)

    assert len(sent) == 2
    assert status_and_code(sent) == (408, "request-timeout")


def test_the_deadline_covers_all_pieces_together() -> None:
    sent = asked(BodyDeadline(echo), pieces=[(b" ", True)] * 100, pause=0.03)

    assert status_and_code(sent) == (408, "request-timeout")


def test_a_body_within_the_deadline_is_received() -> None:
    sent = asked(BodyDeadline(echo), pieces=[(b"all ", True), (b"of it", False)], pause=0.02)

    assert (sent[0]["status"], sent[1]["body"]) == (200, b"all of it")


def test_started_response_is_not_followed_by_another() -> None:
    async def early(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        assert (await receive())["type"] == "http.disconnect"
        await send({"type": "http.response.body", "body": b"late"})

    assert [message["type"] for message in asked(BodyDeadline(early), pieces=[])] == ["http.response.start"]


def test_waiting_for_a_disconnect_has_no_deadline() -> None:
    async def patient(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(receive(), 0.3)
        await Response(b"done")(scope, receive, send)

    assert asked(BodyDeadline(patient))[0]["status"] == 200


@pytest.mark.parametrize(
    ("version", "headers"),
    [
        ("0.9", []),
        ("1.1", []),
        ("1.1", [(b"host", b"")]),
        ("1.1", [HOST, HOST]),
        ("1.0", [HOST, HOST]),
        ("1.1", [HOST, (b"trailer", b"x-forwarded-for")]),
    ],
)
def test_ambiguous_requests_are_refused(version: str, headers: list[tuple[bytes, bytes]]) -> None:
    sent = asked(HttpRules(echo), version=version, headers=headers)

    assert status_and_code(sent) == (400, "malformed-request")


@pytest.mark.parametrize(("version", "headers"), [("1.0", []), ("1.0", [HOST]), ("1.1", [HOST])])
def test_unambiguous_requests_are_passed_on(version: str, headers: list[tuple[bytes, bytes]]) -> None:
    sent = asked(HttpRules(echo), version=version, headers=headers)

    assert sent[0]["status"] == 200
    assert (b"connection", b"close") not in sent[0]["headers"]


def test_an_upgrade_request_closes_its_connection() -> None:
    sent = asked(HttpRules(echo), headers=[HOST, (b"upgrade", b"h2c")])

    assert sent[0]["status"] == 200
    assert (b"connection", b"close") in sent[0]["headers"]


@pytest.mark.parametrize("guard", [BodyDeadline, HttpRules])
def test_lifespan_events_are_passed_on(guard: type[BodyDeadline | HttpRules]) -> None:
    lives: list[str] = []

    async def live(scope: Scope, receive: Receive, send: Send) -> None:
        lives.append(scope["type"])

    asyncio.run(_asked(guard(live), {"type": "lifespan"}))

    assert lives == ["lifespan"]
