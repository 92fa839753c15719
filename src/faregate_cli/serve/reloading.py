"""Reloading: one application replaces another between two requests."""

from __future__ import annotations

import asyncio
import gc
import logging
import traceback
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from faregate.errors import FaregateError, InvalidInput
from faregate_cli.serve.middleware import closing
from faregate_http.store.contract import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Self

    from starlette.applications import Starlette
    from starlette.types import Receive, Scope, Send

END_SECONDS = 10.0
"""Maximum time for the application to end; acknowledged changes are on disk whatever it does."""

_log = logging.getLogger("faregate.serve")


class ReloadingApp:
    """An ASGI application that is what *make* makes, and what it makes anew when it is asked to.

    A request is answered by the application that it came to, which ends after the last of its requests.

    Raises:
        FaregateError: there is nothing to begin with.
    """

    def __init__(self, make: Callable[[], Starlette]) -> None:
        self._make = make
        self._serving = _Generation(make())
        self._is_draining = self._is_due = False
        self._renewal: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or live from the start of the server to its end."""
        if scope["type"] != "http":
            await self._live(receive, send)
            return
        serving = self._serving
        scope["state"] = serving.state.copy()
        serving.in_progress += 1
        try:
            await serving.app(scope, receive, closing(send, lambda: self._is_draining))
        finally:
            serving.in_progress -= 1
            if serving.is_ending:
                serving.idle.set()

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            await self._serving.start()
        except Exception:
            await send({"type": "lifespan.startup.failed", "message": traceback.format_exc()})
            raise
        await send({"type": "lifespan.startup.complete"})
        await receive()
        try:
            async with asyncio.timeout(END_SECONDS):
                await self.renewed()
                await self._serving.end()
        except TimeoutError:
            _log.error("the application did not end within %g seconds", END_SECONDS)
        await send({"type": "lifespan.shutdown.complete"})

    def drain(self) -> None:
        """Say that it is not ready any more, and change no more; each answer ends its connection."""
        self._is_draining = True
        self._serving.state["is_draining"] = True

    def renew(self) -> None:
        """Begin to make an application, start it, have it answer from then on, and end the former one.

        If that fails the log says why, and the former one goes on. Whoever asks while this is done is
        served by doing it once more.
        """
        self._is_due = True
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._renew())

    async def renewed(self) -> None:
        """Wait until nothing is being made any more."""
        if self._renewal is not None:
            await self._renewal

    async def _renew(self) -> None:
        while self._is_due and not self._is_draining:
            self._is_due = False
            await self._change()

    async def _change(self) -> None:
        try:
            new = _Generation(await asyncio.to_thread(self._make))
            await new.start()
        except Exception as error:  # whatever it is, what there is goes on
            _refuse(error)
            return
        if self._is_draining:  # meanwhile
            await new.end()
            return
        former, self._serving = self._serving, new
        _log.info("the catalogue was read again: it is in force from now on")
        await former.end()
        gc.unfreeze()  # the former application can be thrown away
        set_aside()


class _Generation:
    """An application, what it hands on to its requests, and how many of them it is answering."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.state: dict[str, Any] = {}
        self.in_progress = 0
        self.is_ending = False
        self.idle = asyncio.Event()
        self._life = AsyncExitStack()

    async def start(self) -> Self:
        """Have it do what it does before its first request."""
        state: Mapping[str, Any] | None = await self._life.enter_async_context(
            self.app.router.lifespan_context(self.app)
        )
        self.state.update(state or {})
        return self

    async def end(self) -> None:
        """Wait until it has answered, and have it do what it does at its end."""
        self.is_ending = True
        while self.in_progress:
            self.idle.clear()
            await self.idle.wait()
        await self._life.aclose()


def _refuse(error: Exception) -> None:
    if isinstance(error, FaregateError | StoreError | OSError):
        faults = error.messages if isinstance(error, InvalidInput) else (str(error),)
        why = "; ".join(faults)
        _log.error("the catalogue was read again and is not taken, the former one goes on: %s", why)
    else:
        _log.error("the catalogue was read again and is not taken, the former one goes on", exc_info=error)


def set_aside() -> None:
    """Exclude the objects of now from garbage collection, which would take 0.1 s at times."""
    gc.collect()
    gc.freeze()
