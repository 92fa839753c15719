"""The server as operators know it: it stops, and changes what it serves, without losing a request."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from contextlib import contextmanager
from contextvars import Context
from functools import partial
from threading import current_thread, main_thread
from time import monotonic
from typing import TYPE_CHECKING

import uvicorn

from faregate_cli.serve.connections import Connection, Shared

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator, Sequence
    from types import FrameType

    from faregate_cli.serve.reloading import Exchange

ANSWER_SECONDS = 20.0
"""Maximum time to answer requests after listening has ended; then they are broken off."""

END_SECONDS = 10.0
"""Maximum time for the application to end; acknowledged changes are on disk whatever it does."""

_TICK_SECONDS = 0.05

_log = logging.getLogger("faregate.serve")


class Server(uvicorn.Server):
    """Serves *service* until SIGINT or SIGTERM, and then ends with status 0; SIGHUP renews what it serves.

    When it is told to stop it says that it is not ready, goes on for *drain_seconds*, takes what waits to be
    accepted, answers all that has come, and ends the connections one by one. A second SIGINT ends it at once.
    """

    def __init__(self, config: uvicorn.Config, service: Exchange, *, drain_seconds: float) -> None:
        super().__init__(config)
        self.server_state = self._shared = Shared()
        self._service = service
        self._drain_seconds = drain_seconds
        self._has_terminal = sys.stderr.isatty()
        self._renewals: set[asyncio.Task[None]] = set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Obey signals while it is served.

        Uvicorn raises them again afterwards: whoever asks a service to stop does not want to read that it
        was killed.
        """
        if current_thread() is not main_thread():  # which alone is told
            yield
            return
        handlers: dict[int, Callable[[int, FrameType | None], None]] = dict.fromkeys(
            (signal.SIGINT, signal.SIGTERM), self.handle_exit
        )
        if hasattr(signal, "SIGHUP"):
            handlers[signal.SIGHUP] = partial(self._hang_up, asyncio.get_running_loop())
        former = {number: signal.signal(number, handler) for number, handler in handlers.items()}
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)

    def _hang_up(self, loop: asyncio.AbstractEventLoop, number: int, frame: FrameType | None) -> None:
        # Whose terminal is gone has nobody left who looks after it.
        if self._has_terminal and not sys.stderr.isatty():
            self.handle_exit(number, frame)
        else:
            # A signal comes in the middle of some request: what follows is not done for that one.
            loop.call_soon_threadsafe(self._renew, context=Context())

    def _renew(self) -> None:
        task = asyncio.ensure_future(self._service.renew())
        self._renewals.add(task)
        task.add_done_callback(self._renewals.discard)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop, step by step."""
        _log.info("told to stop: /health/ready says so")
        self._service.drain()
        self._shared.is_finishing = True
        await self._until(monotonic() + self._drain_seconds, ends_early=False)
        await self._stop_listening(sockets or ())
        await self._until(monotonic() + ANSWER_SECONDS, ends_early=True)
        await self._break_off()
        if not self.force_exit:
            await self._end()

    async def _until(self, deadline: float, *, ends_early: bool) -> None:
        """Tell all connections to end with their next answer until *deadline*, or until none is left."""
        began = monotonic()
        while not self.force_exit and monotonic() < deadline:
            connections = [each for each in self.server_state.connections if isinstance(each, Connection)]
            if ends_early and not connections:
                return
            for connection in connections:
                connection.finish(monotonic() - began if ends_early else 0)
            await self.on_tick(0)  # keeps the date of the answers
            await asyncio.sleep(_TICK_SECONDS)

    async def _stop_listening(self, sockets: Sequence[socket.socket]) -> None:
        """Accept no more; who is connected already but was not accepted yet would be cut off."""
        waiting = [each.dup() for each in sockets]
        for server in self.servers:
            server.close()
        for each in sockets:
            each.close()
        for each in waiting:
            with each:
                await self._accept_all(each)

    async def _accept_all(self, listening: socket.socket) -> None:
        listening.setblocking(False)
        accepted = []
        while True:
            try:
                accepted.append(listening.accept()[0])
            except OSError:  # nobody is left, or whoever was has gone
                break
        listening.close()
        loop = asyncio.get_running_loop()
        for each in accepted:
            await loop.connect_accepted_socket(self._connection, each)

    def _connection(self) -> asyncio.Protocol:
        make: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        return make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)

    async def _break_off(self) -> None:
        """End what did not end by itself."""
        tasks = list(self.server_state.tasks)
        if not tasks:
            return
        _log.error("%d requests are broken off: they were not answered in time", len(tasks))
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks, timeout=1)

    async def _end(self) -> None:
        try:
            async with asyncio.timeout(END_SECONDS):
                await asyncio.gather(*self._renewals)
                await self.lifespan.shutdown()
        except TimeoutError:
            _log.error("the application did not end within %g seconds", END_SECONDS)
