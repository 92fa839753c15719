"""Malformed connections, which no client library produces, are refused; no request is smuggled."""

import json
import re
import socket
from collections.abc import Iterator, Sequence
from contextlib import suppress

import pytest

from support.processes.program import program
from support.service.gate import ADULT, PATH, dumped

SECONDS = 20
ASKED = dumped(ADULT)
LENGTH = str(len(ASKED)).encode()
GATE = b"POST " + PATH.encode() + b" HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
LIVE = b"GET /health/live HTTP/1.1\r\nhost: localhost\r\n"
# Sent after everything else, and answered last, if at all.
LAST = b"GET /health/live HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"
CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (len(ASKED), ASKED)


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Yield the port of a service started by `faregate serve`."""
    folder = tmp_path_factory.mktemp("connections")
    with program(folder, "--dev") as server:
        yield server.port
        server.process.terminate()
        assert server.ended() == 0
    assert "Traceback" not in server.log.read_text("utf-8")


def answered(port: int, sent: bytes | Sequence[bytes]) -> bytes:
    """Return all bytes received until the connection is closed."""
    received: list[bytes] = []
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        try:
            for piece in [sent] if isinstance(sent, bytes) else sent:
                connection.sendall(piece)
            while piece := connection.recv(65_536):
                received.append(piece)
        except (ConnectionResetError, BrokenPipeError):
            pass  # the service does not read the rest of a refused request
    return b"".join(received)


def statuses(reply: bytes) -> list[int]:
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", reply)]


# Refused by the service's own guards from "HTTP/0.9" on, otherwise by the server's parser.
REFUSED: dict[str, bytes] = {
    "chunks and a length": GATE + b"transfer-encoding: chunked\r\ncontent-length: 4\r\n\r\n" + CHUNKS,
    "two codings": GATE + b"transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n" + CHUNKS,
    "a folded header": GATE + b"transfer-encoding:\r\n chunked\r\n\r\n" + CHUNKS,
    "two lengths": GATE + b"content-length: " + LENGTH + b"\r\ncontent-length: 5\r\n\r\n" + ASKED,
    "a negative length": GATE + b"content-length: -1\r\n\r\n" + ASKED,
    "a chunk that is longer": GATE + b"transfer-encoding: chunked\r\n\r\n5\r\n" + ASKED + b"\r\n0\r\n\r\n",
    "lines without returns": LIVE.replace(b"\r", b"") + b"\n",
    "a NUL in a header": LIVE + b"a: b\x00c\r\n\r\n",
    "a path that is not escaped": b"GET /api/products/\xc3\xbc HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "a long path": b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nhost: localhost\r\n\r\n",
    "HTTP/0.9": b"GET /health/live\r\n\r\n",
    "HTTP/0.9 by name": b"GET /health/live HTTP/0.9\r\nhost: localhost\r\n\r\n",
    "no host": b"GET /health/live HTTP/1.1\r\n\r\n",
    "an empty host": b"GET /health/live HTTP/1.1\r\nhost:\r\n\r\n",
    "two hosts": LIVE + b"host: evil.test\r\n\r\n",
    "two hosts in HTTP/1.0": b"GET /health/live HTTP/1.0\r\nhost: a\r\nhost: b\r\n\r\n",
    "a trailer that is announced": GATE
    + b"trailer: x-forwarded-for\r\ntransfer-encoding: chunked\r\n\r\n"
    + CHUNKS.removesuffix(b"\r\n")
    + b"x-forwarded-for: 192.0.2.1\r\n\r\n",
}


@pytest.mark.parametrize("sent", REFUSED.values(), ids=REFUSED)
def test_an_ambiguous_request_is_refused_and_ends_the_connection(port: int, sent: bytes) -> None:
    reply = answered(port, sent + LAST)

    assert statuses(reply) in ([400], [])  # the response is lost if the service leaves much unread
    assert b"calculated" not in reply


def test_a_request_without_a_host_is_refused_and_not_cached(port: int) -> None:
    head, _, body = answered(port, b"GET /health/live HTTP/1.1\r\n\r\n").partition(b"\r\n\r\n")

    assert json.loads(body)["code"] == "malformed-request"
    assert b"\r\ncontent-type: application/problem+json\r\ncache-control: no-store\r\n" in head


ENDLESS = {
    "a header": LIVE + b"x: ",
    "a path": b"GET /",
    "a trailer": GATE + b"transfer-encoding: chunked\r\n\r\n0\r\nx: ",
    "an extension of a chunk": GATE + b"transfer-encoding: chunked\r\n\r\n5;a=",
}


@pytest.mark.parametrize("sent", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_request_does_not_block_others(port: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as connection:
        with suppress(ConnectionResetError, BrokenPipeError):
            for piece in [sent, *[b"a" * 65_536] * 64]:
                connection.sendall(piece)
        assert statuses(answered(port, LAST)) == [200]


SOCKET_KEY = b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
ANSWERED: dict[str, tuple[bytes, list[int]]] = {
    "a good request": (GATE + b"content-length: " + LENGTH + b"\r\n\r\n" + ASKED, [200, 200]),
    "chunks": (GATE + b"transfer-encoding: chunked\r\n\r\n" + CHUNKS, [200, 200]),
    "an absolute target": (LIVE.replace(b"/health", b"http://evil.test/health") + b"\r\n", [200, 200]),
    "OPTIONS": (LIVE.replace(b"GET", b"OPTIONS") + b"\r\n", [405, 200]),
    "HTTP/1.0": (b"GET /health/live HTTP/1.0\r\n\r\n", [200]),
    "a WebSocket": (LIVE + b"connection: upgrade\r\nupgrade: websocket\r\n" + SOCKET_KEY + b"\r\n", [200]),
    "a WebSocket at the gate": (
        GATE.replace(b"POST", b"GET") + b"connection: upgrade\r\nupgrade: websocket\r\n\r\n",
        [405],
    ),
    "100-continue": (
        GATE + b"expect: 100-continue\r\ncontent-length: " + LENGTH + b"\r\n\r\n" + ASKED,
        [200, 200],
    ),
    "a body that is announced too large": (
        GATE + b"content-length: 1048577\r\n\r\n" + b" " * 1_048_577,
        [413, 200],
    ),
    "many at once": ((LIVE + b"\r\n") * 50, [200] * 51),
    "a long header": (LIVE + b"x: " + b"a" * 70_000 + b"\r\n\r\n", [200, 200]),
}


@pytest.mark.parametrize(("sent", "expected"), ANSWERED.values(), ids=ANSWERED)
def test_unambiguous_requests_are_accepted(port: int, sent: bytes, expected: list[int]) -> None:
    found = [status for status in statuses(answered(port, sent + LAST)) if status != 100]

    assert found[: len(expected)] == expected


SMUGGLED = b"GET /smuggled HTTP/1.1\r\nhost: localhost\r\n\r\n"


@pytest.mark.parametrize("protocol", [b"websocket", b"h2c", b"x"])
def test_a_body_after_an_upgrade_is_not_taken_for_a_request(port: int, protocol: bytes) -> None:
    upgrade = b"connection: upgrade\r\nupgrade: " + protocol + b"\r\n"
    head = GATE + upgrade + b"content-length: %d\r\n\r\n" % len(SMUGGLED)

    reply = answered(port, head + SMUGGLED + LAST)

    assert b"smuggled" not in reply


@pytest.mark.parametrize("path", [b"%0d%0aset-cookie:%20a=b", b"%0aset-cookie:a", b"%00", b"%E2%80%A8x:%20y"])
def test_echoed_values_cannot_inject_a_header(port: int, path: bytes) -> None:
    echoing = b"x-request-id: a%0d%0aset-cookie: b\r\naccept-language: de%0d%0aset-cookie: c\r\n\r\n"

    reply = answered(port, LIVE.replace(b"/health/live", b"/api/products/" + path) + echoing + LAST)

    assert statuses(reply) == [400, 200]
    assert b"\nset-cookie" not in reply.lower()
