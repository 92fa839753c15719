"""The uvicorn server, with stops and reloads that lose no request."""

from __future__ import annotations

import asyncio
import logging
import select
import signal
import socket
import sys

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from faregate_cli.serve.descriptors import most_connections
from faregate_cli.serve.middleware import guarded
from faregate_cli.serve.ports import PortPaths
from faregate_cli.serve.reloading import ReloadingApp

LINGER_SECONDS = 0.5
"""Seconds from closing the listener to closing idle connections, on which a request may be arriving."""

ANSWER_SECONDS = 20
"""Maximum time in seconds for the remaining responses before they are cut off."""

# Longer than load balancers keep connections, usually a minute, so that the side that closes a connection is
# the one that sends requests on it.
_KEEP_ALIVE_SECONDS = 75

_MAX_ROUNDS = 1000
"""Maximum number of turns of the event loop to wait until all waiting clients have been accepted."""

# uvloop accepts one connection of a listening socket in each turn of the event loop. Under load a turn takes
# half a millisecond, and connections would wait unseen in the backlog, payments behind new checkouts.
_ACCEPTED_IN_A_TURN = 8

_log = logging.getLogger("faregate.serve")


def run(
    service: ReloadingApp,
    listening: socket.socket,
    managing: socket.socket | None = None,
    *,
    trusted_proxies: str,
    drain_seconds: float,
) -> None:
    """Serve *service* until SIGINT or SIGTERM, then return; SIGHUP renews the application.

    With *managing*, the operators' paths are served on that socket only.

    On a signal to stop, *service* reports not ready, keeps serving for *drain_seconds*, stops accepting
    connections, and closes each connection with its next response. A second SIGINT ends it immediately.
    """
    port = None if managing is None else int(managing.getsockname()[1])
    answering = guarded(service if port is None else PortPaths(service, port))

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":  # uvicorn has set its handlers by now, which ours replace
            shutdown.obey_signals()
        await answering(scope, receive, send)

    server = server_of(
        app, trusted_proxies=trusted_proxies, most_connections=most_connections(), unlimited_port=port
    )
    shutdown = Shutdown(server, service, drain_seconds=drain_seconds)
    copies = [listening.dup() for _ in range(_ACCEPTED_IN_A_TURN - 1)]
    server.run(sockets=[listening, *copies, *([] if managing is None else [managing])])


def server_of(
    app: ASGIApp,
    *,
    trusted_proxies: str,
    most_connections: int | None = None,
    unlimited_port: int | None = None,
) -> uvicorn.Server:
    """Return a server for *app* that takes the client's address from headers set by *trusted_proxies*.

    Requests on *unlimited_port* are served even if there are *most_connections*.
    """

    class Protocol(HttpToolsProtocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if self.server is not None and self.server[1] == unlimited_port:
                self.limit_concurrency = None

    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,  # already set up
        server_header=False,
        forwarded_allow_ips=trusted_proxies,
        limit_concurrency=most_connections,
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=ANSWER_SECONDS,
        lifespan="on",
        http=Protocol,
        ws="none",
    )
    return uvicorn.Server(config)


class Shutdown:
    """A handler of signals that stops *server* step by step; SIGHUP renews *service*."""

    def __init__(self, server: uvicorn.Server, service: ReloadingApp, *, drain_seconds: float) -> None:
        self._server = server
        self._service = service
        self._drain_seconds = drain_seconds
        self._has_terminal = sys.stderr.isatty()
        self._stopping: asyncio.Task[None] | None = None

    def obey_signals(self) -> None:
        """Replace uvicorn's signal handlers, which would stop it without draining."""
        if sys.platform == "win32":  # event loops handle no signals there
            return
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, self.stop)
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        loop.add_signal_handler(signal.SIGHUP, self._hang_up)

    def _hang_up(self) -> None:
        # A process whose terminal is closed has no operator left.
        if self._has_terminal and not sys.stderr.isatty():
            self.stop()
        else:
            self._service.renew()

    def _interrupt(self) -> None:
        if self._stopping is not None:
            self._server.force_exit = self._server.should_exit = True
        self.stop()

    def stop(self) -> None:
        """Begin to stop, unless already stopping."""
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        _log.info("stopping, as /health/ready now reports")
        self._service.drain()
        try:
            await asyncio.sleep(self._drain_seconds)
            if self._server.started:
                for listening in self._server.servers:
                    await _accept_all(listening)
                    listening.close()
            await asyncio.sleep(LINGER_SECONDS)
        finally:
            self._server.should_exit = True


async def _accept_all(listening: asyncio.Server) -> None:
    """Let the event loop accept all waiting connections, because closing *listening* would cut them off."""
    for _ in range(_MAX_ROUNDS):
        if not select.select([each.fileno() for each in listening.sockets], (), (), 0)[0]:
            return
        await asyncio.sleep(0)
