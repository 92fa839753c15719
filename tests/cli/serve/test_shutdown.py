"""A server told to stop answers every request that has arrived, and stores every acknowledged change."""

import asyncio
import os
import random
import signal
import socket
import sqlite3
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import closing
from pathlib import Path
from typing import TypeAlias, TypeVar

import pytest
import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from faregate_cli.serve import server
from faregate_cli.serve.reloading import ReloadingApp
from faregate_cli.serve.server import Shutdown, server_of
from support.processes.askers import Tally, asking, request_of
from support.processes.program import Program, program

SEED = int(os.environ.get("FAREGATE_SEED", random.randrange(10**6)))

BODY = b"all of it"
GET, POST = request_of("GET", "/"), request_of("POST", "/", BODY)

Given = TypeVar("Given")
Stop: TypeAlias = Callable[[Shutdown], None]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="signals are those of POSIX"),
]


def connected(port: int, sent: bytes = b"") -> socket.socket:
    """Return a connection on which *sent* was sent."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(sent)
    return connection


def rest_of(connection: socket.socket) -> bytes:
    """Return all data up to the end."""
    with connection:
        try:
            return b"".join(iter(lambda: connection.recv(65_536), b""))
        except ConnectionResetError:
            return b""


def stored(folder: Path) -> set[str]:
    """Return the ids of all checkouts."""
    with closing(sqlite3.connect(folder / "faregate.db")) as database:
        return {row[0] for row in database.execute("SELECT id FROM checkouts")}


async def asked_while_it_ends(server: Program, how: signal.Signals) -> tuple[Tally, int]:
    """Return the results of many clients' requests, and the exit status of the server."""
    async with asking(server.port, seed=SEED) as tally:
        await tally.reached(300)
        server.process.send_signal(how)
        return tally, await asyncio.to_thread(server.ended)


@pytest.mark.parametrize(
    ("how", "workers"), [(signal.SIGTERM, "1"), (signal.SIGTERM, "2"), (signal.SIGKILL, "1")]
)
def test_no_request_that_was_sent_is_lost(tmp_path: Path, how: signal.Signals, workers: str) -> None:
    print(f"FAREGATE_SEED={SEED}")  # noqa: T201  # shown when the test fails
    with program(tmp_path, "--workers", workers) as server:
        server.logged("startup complete", times=int(workers))
        tally, status = asyncio.run(asked_while_it_ends(server, how))

    assert set(tally.answered) <= {200, 429}, "429: all clients have one address, and it may hold 400 units"
    assert tally.checkouts <= stored(tmp_path), "an acknowledged checkout is missing"
    if how is signal.SIGKILL:  # the same clients do notice a server that is killed
        assert tally.lost.total() > 0
        return
    assert status == 0, server.log.read_text(encoding="utf-8")
    # Connections made after the last look at the queue are cut off: a client has had no response on these.
    assert tally.lost["kept"] == 0
    assert '"level": "error"' not in server.log.read_text(encoding="utf-8")


def served(answering: Coroutine[None, None, Given]) -> Given:
    """Return the result of *answering* in an event loop like that of `faregate serve`."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(answering)


async def answered_while_it_stops(sent: Sequence[bytes], stop: Stop = Shutdown.stop) -> list[bytes]:
    """Return the responses to clients that had connected, and sent data, before a server begins to *stop*.

    None of them was accepted by then except the last, which has had a response and may be idle.
    """
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        service = ReloadingApp(lambda: Starlette(routes=[Route("/", alive, methods=["GET", "POST"])]))
        service_server = server_of(service, trusted_proxies="127.0.0.1")
        serving = asyncio.create_task(service_server.serve(sockets=[listening]))
        while not service_server.started:
            await asyncio.sleep(0.01)
        idle = await asyncio.to_thread(connected, port, GET)
        assert b" 200 " in await asyncio.to_thread(idle.recv, 65_536)
        *waiting, last = sent
        clients = [connected(port, each) for each in waiting]
        idle.sendall(last)
        stop(Shutdown(service_server, service, drain_seconds=0))
        await serving
        return [rest_of(client) for client in (*clients, idle)]


async def alive(request: Request) -> Response:
    """Read the body, and respond with it."""
    return Response(await request.body())


def test_waiting_connections_and_requests_are_answered() -> None:
    answers = served(answered_while_it_stops([GET, GET, GET]))

    assert [answer.count(b"HTTP/1.1 200 OK") for answer in answers] == [1, 1, 1]
    assert [answer.count(b"connection: close") for answer in answers] == [1, 1, 1]


def test_a_server_that_only_closes_its_connections_loses_waiting_requests() -> None:
    def exit_at_once(shutdown: Shutdown) -> None:
        """Exit like uvicorn without these signal handlers."""
        server = shutdown._server
        server.should_exit = True
        for each in server.servers:
            each.close()
        for connection in server.server_state.connections:
            connection.shutdown()

    answers = served(answered_while_it_stops([GET, GET, GET], exit_at_once))

    assert answers == [b"", b"", b""]


@pytest.mark.parametrize("sent", [b"", POST[:30]], ids=["nothing", "half a head"])
def test_silent_clients_do_not_delay_the_stop(monkeypatch: pytest.MonkeyPatch, sent: bytes) -> None:
    monkeypatch.setattr(server, "LINGER_SECONDS", 0.1)
    started = time.monotonic()
    answers = served(answered_while_it_stops([sent, sent]))

    assert answers == [b"", b""]
    assert time.monotonic() - started < 20


def test_an_incomplete_body_is_awaited_no_longer_than_a_response(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "ANSWER_SECONDS", 0.3)
    started = time.monotonic()
    answers = served(answered_while_it_stops([POST[:-1], GET]))

    assert b" 200 OK" in answers[1]
    assert b" 200 OK" not in answers[0]
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("pieces", [(POST,), (POST[:30], POST[30:]), (POST[:-1], POST[-1:])])
def test_requests_in_transit_are_awaited(pieces: Sequence[bytes]) -> None:
    async def sent_late() -> tuple[bytes, bytes]:
        """Return the response to a client whose last piece arrives while the server is stopping."""
        late: list[socket.socket] = []

        def stop(shutdown: Shutdown) -> None:
            port = shutdown._server.servers[0].sockets[0].getsockname()[1]
            late.append(connected(port, b"".join(pieces[:-1])))
            asyncio.get_running_loop().call_later(0.2, late[0].sendall, pieces[-1])
            shutdown.stop()

        (idle,) = await answered_while_it_stops([GET], stop)
        return idle, rest_of(late[0])

    idle, late = served(sent_late())

    assert b" 200 OK" in idle
    assert late.endswith(b"\r\n\r\n" + BODY)


@pytest.mark.parametrize("is_there", [True, False], ids=["is there", "is gone"])
def test_a_process_whose_terminal_is_gone_stops(monkeypatch: pytest.MonkeyPatch, is_there: bool) -> None:
    async def hung_up() -> tuple[bool, list[str]]:
        """Return whether a server in a terminal should end after a SIGHUP, and what it was asked to renew."""
        renewed = []

        class Service(ReloadingApp):
            def renew(self) -> None:
                renewed.append("all of it")

        monkeypatch.setattr("sys.stderr.isatty", lambda: True)
        monkeypatch.setattr(server, "LINGER_SECONDS", 0)
        stopped = uvicorn.Server(uvicorn.Config(""))
        Shutdown(stopped, Service(Starlette), drain_seconds=0).obey_signals()
        monkeypatch.setattr("sys.stderr.isatty", lambda: is_there)
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0.05)
        return stopped.should_exit, renewed

    assert asyncio.run(hung_up()) == ((False, ["all of it"]) if is_there else (True, []))


def test_second_interrupt_ends_at_once(tmp_path: Path) -> None:
    with program(tmp_path, "--drain-seconds", "60") as server:
        server.process.send_signal(signal.SIGINT)
        server.logged("as /health/ready now reports")
        started = time.monotonic()
        server.process.send_signal(signal.SIGINT)
        server.ended()

    assert time.monotonic() - started < 30


async def fifty_requests(server: Program) -> Tally:
    """Return the results of just over fifty requests."""
    async with asking(server.port, seed=SEED) as tally:
        await tally.reached(50)
    return tally


def test_load_balancers_are_notified_before_the_server_stops(tmp_path: Path) -> None:
    with program(tmp_path, "--drain-seconds", "1.5") as server:
        assert server.get("/health/ready")[0] == 200
        started = time.monotonic()
        server.process.terminate()
        server.logged("as /health/ready now reports")
        status, _, body = server.get("/health/ready")
        tally = asyncio.run(fifty_requests(server))
        alive = [server.get("/health/live") for _ in range(2)]
        assert server.ended() == 0

    assert (status, b'"server":"stopping"' in body) == (503, True)
    assert set(tally.answered) <= {200, 429}
    assert (tally.refused, tally.lost.total()) == (0, 0)
    assert [headers["connection"] for _, headers, _ in alive] == ["close", "close"]
    assert 1.5 <= time.monotonic() - started < 30
