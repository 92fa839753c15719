"""Clients that connect at once are accepted at once, so that a payment never waits unseen."""

import asyncio
import os
import socket
from collections.abc import Sequence
from contextlib import ExitStack

import pytest
import uvicorn
import uvloop
from starlette.applications import Starlette

from faregate_cli.serve import server
from faregate_cli.serve.listening import listening_on
from faregate_cli.serve.reloading import ReloadingApp


def sockets_of_the_server(monkeypatch: pytest.MonkeyPatch, listening: socket.socket) -> list[socket.socket]:
    found: list[socket.socket] = []
    monkeypatch.setattr(uvicorn.Server, "run", lambda _self, sockets: found.extend(sockets))

    server.run(ReloadingApp(Starlette), listening, trusted_proxies="", drain_seconds=0)
    return found


async def accepted_in_a_turn(sockets: Sequence[socket.socket], clients: int) -> int:
    """Return how many of *clients* that have connected are accepted in one turn of the event loop."""
    accepted: list[asyncio.BaseTransport] = []

    class Client(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            accepted.append(transport)

    loop = asyncio.get_running_loop()
    servers = [await loop.create_server(Client, sock=each) for each in sockets]
    with ExitStack() as stack:
        for _ in range(clients):
            stack.enter_context(socket.create_connection(sockets[0].getsockname()))
        while not accepted:
            await asyncio.sleep(0)
        number = len(accepted)
        for transport in accepted:
            transport.close()
        for each in servers:
            each.close()
    return number


def test_no_copy_of_the_socket_makes_the_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening_on("127.0.0.1", 0) as listening, socket.socket(fileno=os.dup(listening.fileno())) as other:
        changes: list[bool] = []
        monkeypatch.setattr(socket.socket, "setblocking", lambda _self, flag: changes.append(flag))
        monkeypatch.setattr(socket.socket, "settimeout", lambda _self, seconds: changes.append(seconds != 0))
        _, *copies = sockets_of_the_server(monkeypatch, listening)
        for copy in copies:
            copy.close()

        assert not os.get_blocking(other.fileno())
        assert not any(changes)


def test_eight_connections_are_accepted_in_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    with listening_on("127.0.0.1", 0) as listening:
        sockets = sockets_of_the_server(monkeypatch, listening)

        assert uvloop.run(accepted_in_a_turn(sockets, 20)) == 8
