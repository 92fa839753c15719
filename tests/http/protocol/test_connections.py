"""Real connections: the service stays usable whatever a client does to its own connection."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

import pytest

from support.processes.real_server import RealServer, serving
from support.service.service import HEADERS, day_ticket, new_url

JSON = HEADERS | {"content-type": "application/json"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    with serving(tmp_path_factory.mktemp("connections") / "checkouts.db") as server:
        yield server


@contextmanager
def connected(server: RealServer) -> Iterator[HTTPConnection]:
    """Yield a connection that is used repeatedly."""
    connection = HTTPConnection(str(urlsplit(server.address).netloc), timeout=20)
    connection.connect()
    connection.auto_open = 0
    try:
        yield connection
    finally:
        connection.close()


def ask(
    connection: HTTPConnection, method: str, path: str, body: Any = None, *, chunked: bool = False
) -> tuple[HTTPResponse, bytes]:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    if body is None:
        connection.request(method, path, headers=HEADERS)
    elif chunked:
        pieces = (content[at : at + 1000] for at in range(0, len(content), 1000))
        connection.request(method, path, pieces, JSON | {"transfer-encoding": "chunked"}, encode_chunked=True)
    else:
        connection.request(method, path, content, JSON)
    response = connection.getresponse()
    return response, response.read()


@pytest.fixture
def url(server: RealServer) -> str:
    url = new_url()
    with connected(server) as connection:
        response, _ = ask(connection, "POST", f"{url}/items", {"items": [day_ticket(1), day_ticket(2)]})
        assert response.status == 200
    return url


@pytest.mark.parametrize("chunked", [False, True], ids=["announced", "in chunks"])
def test_an_unread_body_is_not_taken_for_a_request(server: RealServer, url: str, chunked: bool) -> None:
    smuggled = f"DELETE {url}/items?itemId=2 HTTP/1.1\r\nhost: a\r\n".encode()
    smuggled += "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items()).encode() + b"\r\n"

    with connected(server) as connection:
        removed, _ = ask(connection, "DELETE", f"{url}/items?itemId=1", smuggled, chunked=chunked)
        shown, body = ask(connection, "GET", url)

    assert (removed.status, shown.status) == (200, 200)
    assert [entry["id"] for entry in json.loads(body)["data"]["items"]] == [2]


@pytest.mark.parametrize("sent", [0, 1, 11, 12])
def test_a_connection_closed_mid_body_changes_nothing(server: RealServer, url: str, sent: int) -> None:
    body = b'{"delta": 1}'
    head = f"PATCH {url}/items/1/quantity HTTP/1.1\r\nhost: a\r\ncontent-length: {len(body) + 1}\r\n"
    head += "".join(f"{name}: {value}\r\n" for name, value in JSON.items())
    with connected(server) as connection:
        before = ask(connection, "GET", url)[1]

        with socket.create_connection((connection.host, connection.port), timeout=20) as hanging_up:
            hanging_up.sendall(head.encode() + b"\r\n" + body[:sent])
        after = [ask(connection, "GET", url)[1] for _ in range(3)]

    assert after == [before] * 3
