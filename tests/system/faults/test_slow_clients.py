"""Clients that send slowly, send no body, read no response or send nothing do not block others.

The server has the limits of `faregate serve`, with a shorter deadline for bodies; slow heads and slow readers
are left to the proxy in front, and only cost what they sent. The response times of other clients and the
memory for slow ones are printed.
"""

import asyncio
import json
import random
import socket
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest

from support.faults.runs import client_of, long_form, seeded
from support.faults.servers import Server, Service, serving
from support.payment.till import database
from support.service.hut import LUNCH
from support.service.service import HEADERS, item, new_url

SLOW = long_form("FAREGATE_SLOW_CLIENTS", 120)
PATIENCE = 1.5
LIMITS = {"faregate_cli.serve.middleware.BODY_SECONDS": PATIENCE}
_AT_THE_LATEST = PATIENCE + 10
"""Time limit for refusing clients with an unfinished body, on a machine that may be slow."""

_MEGABYTE = 1 << 20


class Connected(NamedTuple):
    """A connection of a slow client."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    def head(self, method: str, path: str, length: int) -> bytes:
        """Return the head of a request with a body of that length."""
        fields = {**HEADERS, "host": "a", "content-type": "application/json", "content-length": str(length)}
        lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode()

    async def drip(self, data: bytes) -> None:
        """Send a byte at a time until the server disconnects."""
        for at in range(len(data)):
            self.writer.write(data[at : at + 1])
            await asyncio.wait_for(self.writer.drain(), _AT_THE_LATEST)
            await asyncio.sleep(0.05)


Slowness = Callable[[Connected], Awaitable[None]]


async def says_nothing(_slow: Connected) -> None:
    """Connect only."""


async def drips_its_head(slow: Connected) -> None:
    """Send a byte of the request line now and then."""
    await slow.drip(slow.head("GET", new_url(), 0) * 9)


async def drips_its_body(slow: Connected) -> None:
    """Send a byte of the body now and then."""
    slow.writer.write(slow.head("POST", f"{new_url()}/items", 500_000))
    await slow.drip(b" " * 500_000)


async def never_ends_its_body(slow: Connected) -> None:
    """Send all but the last byte."""
    body = json.dumps({"items": [item(1, LUNCH)]}).encode()
    slow.writer.write(slow.head("POST", f"{new_url()}/items", len(body)) + body[:-1])


async def reads_no_answer(slow: Connected) -> None:
    """Send many requests for large responses without reading them."""
    slow.writer.transport.pause_reading()  # type: ignore[attr-defined]
    slow.writer.write(b"GET /openapi.json HTTP/1.1\r\nhost: a\r\n\r\n" * 50)
    await asyncio.sleep(PATIENCE + 1)


SLOW_BODIES = [drips_its_body, never_ends_its_body]
WAYS = [says_nothing, drips_its_head, *SLOW_BODIES, reads_no_answer]


async def connect(server: Server) -> Connected:
    parts = urlsplit(server.address)
    here = socket.socket()
    here.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # unread data soon fills the buffer
    here.setblocking(False)
    await asyncio.get_running_loop().sock_connect(here, (parts.hostname, parts.port))
    return Connected(*await asyncio.open_connection(sock=here))


async def is_cut_off(server: Server, way: Slowness) -> bytes:
    """Return the response to a slow client before it is disconnected.

    Raises:
        TimeoutError: the client is not disconnected.
    """
    slow = await connect(server)
    told: list[bytes] = []
    listening = asyncio.create_task(_listen(slow, told))  # at once: a reset connection discards received data
    try:
        with suppress(ConnectionError):
            await way(slow)
        slow.writer.transport.resume_reading()  # type: ignore[attr-defined]
        await asyncio.wait_for(listening, _AT_THE_LATEST)
        return b"".join(told)
    finally:
        slow.writer.transport.abort()
        listening.cancel()


async def _listen(slow: Connected, told: list[bytes]) -> None:
    with suppress(ConnectionError):
        while data := await slow.reader.read(65_536):
            told.append(data)


async def served(server: Server, *, seconds: float) -> list[float]:
    """Return the response times of clients that are not slow."""
    took = []
    ends = time.monotonic() + seconds
    async with client_of(server) as client:
        url, number = new_url(), 0
        while time.monotonic() < ends:
            number += 1
            began = time.monotonic()
            response = await client.post(f"{url}/items", json={"items": [item(number, LUNCH)]})
            took.append(time.monotonic() - began)
            assert response.status_code == 200, response.text
            if number == 50:
                url, number = new_url(), 0
    return took


async def serve_beside(server: Server, ways: list[Slowness]) -> tuple[list[float], int]:
    """Return the response times of others during all *ways*, and the number of disconnected slow bodies."""
    slow = [asyncio.create_task(is_cut_off(server, way)) for way in ways]
    bodies = [task for task, way in zip(slow, ways, strict=True) if way in SLOW_BODIES]
    # In a thread, so that the slow clients do not delay the measuring loop.
    took = await asyncio.to_thread(lambda: asyncio.run(served(server, seconds=PATIENCE + 2)))
    ended = await asyncio.gather(*bodies, return_exceptions=True)
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)
    return took, sum(not isinstance(outcome, BaseException) for outcome in ended)


def patient(url: str, folder: Path, *, server: str = "cli", limits: Mapping[str, float] = LIMITS) -> Service:
    books = folder / "books"
    books.touch()
    return Service(database=url, books=str(books), server=server, limits={**LIMITS, **limits})


def test_others_are_served_while_many_are_slow(tmp_path: Path) -> None:
    chance = random.Random(seeded(0))
    ways: list[Slowness] = [chance.choice(WAYS) for _ in range(SLOW)]
    with database("sqlite", tmp_path) as url, serving(patient(url, tmp_path)) as server:
        alone = sorted(asyncio.run(served(server, seconds=1)))
        before = server.memory()

        took, cut_off = asyncio.run(serve_beside(server, ways))

        grown = server.memory() - before
    took.sort()
    print(  # noqa: T201
        f"{SLOW} slow clients, {cut_off} slow bodies cut off, {grown / _MEGABYTE:.0f} MB more; "
        f"{len(took)} others waited "
        f"{took[len(took) // 2] * 1000:.0f} ms, at most {took[-1] * 1000:.0f} ms; "
        f"alone {alone[len(alone) // 2] * 1000:.0f} ms, at most {alone[-1] * 1000:.0f} ms"
    )
    assert cut_off == sum(way in SLOW_BODIES for way in ways)
    assert took[len(took) // 2] < 1
    assert grown < (32 + SLOW) * _MEGABYTE


@pytest.mark.parametrize("way", SLOW_BODIES, ids=lambda way: way.__name__)
def test_a_client_with_a_slow_body_is_cut_off(tmp_path: Path, way: Slowness) -> None:
    with database("sqlite", tmp_path) as url, serving(patient(url, tmp_path)) as server:
        told = asyncio.run(is_cut_off(server, way))

    assert told.startswith(b"HTTP/1.1 408 ")
    assert json.loads(told.partition(b"\r\n\r\n")[2])["code"] == "request-timeout"


def test_a_slow_client_within_the_deadlines_is_served(tmp_path: Path) -> None:
    async def ask(server: Server) -> bytes:
        """Send head and body in three pieces, and wait before the next request."""
        answer = b""
        connected = await connect(server)
        body = json.dumps({"items": [item(1, LUNCH)]}).encode()
        data = connected.head("POST", f"{new_url()}/items", len(body)) + body
        for _ in range(2):
            for piece in (data[:20], data[20:-10], data[-10:]):
                connected.writer.write(piece)
                await asyncio.sleep(PATIENCE / 4)
            answer += await connected.reader.readuntil(b"\r\n\r\n")
            await asyncio.sleep(PATIENCE * 1.5)
        connected.writer.close()
        return answer

    with database("sqlite", tmp_path) as url, serving(patient(url, tmp_path)) as server:
        assert asyncio.run(ask(server)).count(b"HTTP/1.1 200 ") == 2


def test_a_server_that_waits_for_ever_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server without limits, like plain uvicorn."""
    monkeypatch.setitem(globals(), "_AT_THE_LATEST", PATIENCE * 2)
    with database("sqlite", tmp_path) as url:
        service = patient(url, tmp_path, server="plain")
        with serving(service) as server, pytest.raises(TimeoutError):
            asyncio.run(is_cut_off(server, never_ends_its_body))


def test_large_bodies_that_never_end_do_not_fill_the_memory(tmp_path: Path) -> None:
    """Each client sends all but the last byte of a megabyte; only some are accepted, others refused."""
    bodies = long_form("FAREGATE_LARGE_BODIES", 200)

    async def send(server: Server, room: asyncio.Semaphore) -> Connected:
        """Send all but the last byte."""
        async with room:
            connected = await connect(server)
            connected.writer.write(connected.head("POST", f"{new_url()}/items", _MEGABYTE))
            connected.writer.write(b" " * (_MEGABYTE - 1))
            await asyncio.wait_for(connected.writer.drain(), 30)
            return connected

    async def status(connected: Connected) -> int | None:
        """Return the status of a response; None: not yet received."""
        with suppress(TimeoutError):
            return int((await asyncio.wait_for(connected.reader.readline(), 3)).split()[1])
        return None

    async def open_all(server: Server) -> tuple[int, list[int]]:
        """Open all connections; return the memory in use and the statuses."""
        room = asyncio.Semaphore(50)
        opened = await asyncio.gather(*(send(server, room) for _ in range(bodies)))
        told = await asyncio.gather(*map(status, opened))
        grown = server.memory()
        assert len(await served(server, seconds=0.5)) > 2
        for connected in opened:
            connected.writer.transport.abort()
        await asyncio.sleep(0.3)
        return grown, [each for each in told if each]

    calm = {
        "faregate_cli.serve.middleware.BODY_SECONDS": 60.0,
        "faregate_http.protocol.bodies.MOST_LARGE_BYTES": 16 << 20,
    }
    with database("sqlite", tmp_path) as url, serving(patient(url, tmp_path, limits=calm)) as server:
        before = server.memory()

        grown, told = asyncio.run(open_all(server))

        print(f"{bodies} bodies of 1 MB: {(grown - before) / _MEGABYTE:.0f} MB more; {len(told)} refused")  # noqa: T201
        assert set(told) == {503}
        assert bodies - 40 < len(told) < bodies
        assert grown - before < (16 + 16 + bodies // 4) * _MEGABYTE
        again, _ = asyncio.run(open_all(server))
        assert again - grown < 16 * _MEGABYTE
