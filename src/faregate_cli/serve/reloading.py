"""Replacement of the running application by a new one, without losing a request."""

import asyncio
import gc
import logging
import traceback
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any, Self

from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from faregate.errors import FaregateError, InvalidInput
from faregate_cli.serve.middleware import closing
from faregate_http.store.contract import StoreError

END_SECONDS = 10.0
"""Maximum time for the application to end; acknowledged changes are on disk even if it takes longer."""

WATCH_SECONDS = 5.0
"""Interval in seconds at which the catalogue loader is asked for the revision of its catalogue."""

_log = logging.getLogger("faregate.serve")


class ReloadingApp:
    """An ASGI application that wraps the one that *make* returns, and can replace it with a new one.

    Each request is answered by the application that was current when it arrived. A replaced application ends
    after its last response.

    Raises:
        FaregateError: *make* cannot create the first application.
    """

    def __init__(self, make: Callable[[], Starlette]) -> None:
        self._make = make
        self._serving = _Generation(make())
        self._is_draining = self._is_due = False
        self._renewal: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to an HTTP request, or handle the server's startup and shutdown (ASGI lifespan)."""
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
        watch = asyncio.create_task(self._watch())
        await receive()
        watch.cancel()
        try:
            async with asyncio.timeout(END_SECONDS):
                await self.renewed()
                await self._serving.end()
        except TimeoutError:
            _log.error("the application did not end within %g seconds", END_SECONDS)
        await send({"type": "lifespan.shutdown.complete"})

    def drain(self) -> None:
        """Report that the service is not ready, refuse renewals, and close connections after responses."""
        self._is_draining = True
        self._serving.state["is_draining"] = True

    def renew(self) -> None:
        """Start making a new application, which replaces the current one as soon as it has started.

        On failure the reason is logged and the current application stays. Calls during a renewal cause one
        more renewal after it.
        """
        self._is_due = True
        if self._renewal is None or self._renewal.done():
            self._renewal = asyncio.create_task(self._renew())

    async def _watch(self) -> None:
        """Renew the application when its catalogue loader reports a revision that has not been tried."""
        tried = None
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            state = self._serving.app.state
            if not hasattr(state, "newest_edition"):
                continue
            try:
                newest = await asyncio.to_thread(state.newest_edition)
            except Exception as error:  # a loader may raise anything
                newest = f"{type(error).__name__}: {error}"
            if newest not in {state.edition, tried}:
                self.renew()
            tried = newest

    async def renewed(self) -> None:
        """Wait until no renewal is in progress."""
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
        except Exception as error:  # on any error the current application stays
            _refuse(error)
            return
        if self._is_draining:  # draining has begun in the meantime
            await new.end()
            return
        former, self._serving = self._serving, new
        _log.info("the catalogue was reloaded and is now in use")
        await former.end()
        gc.unfreeze()  # lets the previous application be collected
        set_aside()


class _Generation:
    """One of the successive applications, with its lifespan state and number of requests in progress."""

    def __init__(self, app: Starlette) -> None:
        self.app = app
        self.state: dict[str, Any] = {}
        self.in_progress = 0
        self.is_ending = False
        self.idle = asyncio.Event()
        self._life = AsyncExitStack()

    async def start(self) -> Self:
        state: Mapping[str, Any] | None = await self._life.enter_async_context(
            self.app.router.lifespan_context(self.app)
        )
        self.state.update(state or {})
        return self

    async def end(self) -> None:
        """Wait for the application's last response, then shut it down."""
        self.is_ending = True
        while self.in_progress:
            self.idle.clear()
            await self.idle.wait()
        await self._life.aclose()


def _refuse(error: Exception) -> None:
    if isinstance(error, FaregateError | StoreError | OSError):
        faults = error.messages if isinstance(error, InvalidInput) else (str(error),)
        why = "; ".join(faults)
        _log.error("the reloaded catalogue was refused and the previous one stays in use: %s", why)
    else:
        _log.error("the reloaded catalogue was refused and the previous one stays in use", exc_info=error)


def set_aside() -> None:
    """Exclude the current objects from garbage collection, because scanning them could take 0.1 s."""
    gc.collect()
    gc.freeze()
