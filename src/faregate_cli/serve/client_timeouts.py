"""Connections that end when their client is too slow."""

from __future__ import annotations

import sys
from enum import Enum
from typing import TYPE_CHECKING, Any

from faregate_cli.serve.connections import Connection, written
from faregate_http.protocol.problems import Problem

if TYPE_CHECKING:
    import asyncio

HEAD_SECONDS = 20.0
"""Maximum wait for the first request of a connection, and for the rest of a head that has begun."""

BODY_SECONDS = 30.0
"""Maximum time for a body: the largest allowed, at half a megabit a second."""

ANSWER_SECONDS = 60.0
"""Maximum time for a client to take a response."""

_LOOK_SECONDS = 1.0


class _Wait(Enum):
    """The next event, and the party that owes it."""

    HEAD = "the client is to ask"
    BODY = "the client is to send the rest"
    READER = "the client is to take the answer"
    NOBODY = "the service is to answer, or the connection is kept for another request"


class PatientConnection(Connection):
    """One connection, which is looked at once a second: that costs a request nothing.

    Who does not send the body in time is answered 408; who says nothing, or takes nothing, is cut off.
    """

    _looks: asyncio.TimerHandle | None = None
    _waits: tuple[_Wait, object] | None = None
    _since = 0.0
    _is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's
        """Begin."""
        super().connection_made(transport)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        if self._looks is not None:
            self._looks.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; where there was no memory to read it, that is not the client's fault."""
        error = sys.exc_info()[1]
        if error is not None and isinstance(error.__context__, MemoryError):
            self.transport.abort()
        else:
            super().send_400_response(msg)

    def _look(self) -> None:
        now = self.loop.time()
        waits = self._waiting()
        if waits != self._waits:
            self._waits, self._since = waits, now
        elif now - self._since >= _patience(waits[0]):
            self._give_up(waits[0])
        self._looks = self.loop.call_later(_LOOK_SECONDS, self._look)

    def _waiting(self) -> tuple[_Wait, object]:
        """Return the event that is waited for, and its request."""
        cycle: Any = self.cycle  # None before the first request, whatever its type says
        if cycle is not None and cycle.more_body and not cycle.response_complete:
            return _Wait.BODY, cycle
        if self.transport.get_write_buffer_size():
            return _Wait.READER, cycle
        if cycle is None or (cycle.response_complete and self._pending):
            return _Wait.HEAD, cycle
        return _Wait.NOBODY, cycle

    def _give_up(self, wait: _Wait) -> None:
        if wait is _Wait.BODY and not self._is_refused:
            self._refuse()
        else:
            self.transport.abort()

    def _refuse(self) -> None:
        """Tell the client, and the service; the connection ends with the next look.

        To end it now, while more comes, would have the client's system throw away what it was told.
        """
        self._is_refused = True
        self.transport.write(_too_late(self.cycle.scope["path"]))
        self.transport.write_eof()
        self.cycle.disconnected = True
        self.cycle.message_event.set()


def _patience(wait: _Wait) -> float:
    match wait:
        case _Wait.HEAD:
            return HEAD_SECONDS
        case _Wait.BODY:
            return BODY_SECONDS
        case _Wait.READER:
            return ANSWER_SECONDS
        case _Wait.NOBODY:
            return float("inf")


def _too_late(path: str) -> bytes:
    detail = f"The body did not come within {BODY_SECONDS:g} seconds."
    return written(Problem(408, "request-timeout", detail), path)
