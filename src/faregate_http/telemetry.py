"""The outermost part of the application: it gives every request an id, times it, and logs what went wrong."""

from __future__ import annotations

import logging
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from faregate_http.protocol.observed import CLIENT_GONE, REQUEST_ID, Observed, observing

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send


REQUEST_LOG = "faregate.http.requests"
"""Its level decides: INFO for every request, WARNING for those that fail or are slow."""

SLOW_SECONDS = 1.0

_SERVER_ERROR = 500

_NOTED = ("problem", "retries", "is_replay")
"""What is logged of a request where there is any of it."""

_log = logging.getLogger(REQUEST_LOG)


class Telemetry(Protocol):
    """Counts requests, and turns of the work beside them."""

    in_progress: int
    """Requests that are being answered."""

    def answered(self, request: Observed, seconds: float) -> None:
        """Count *request*, which took *seconds*."""

    def worked(self, work: str, *, succeeded: bool) -> None:
        """Count one turn of *work*."""


class NoTelemetry:
    """Keeps no counts."""

    in_progress = 0

    def answered(self, request: Observed, seconds: float) -> None:
        """Count nothing."""

    def worked(self, work: str, *, succeeded: bool) -> None:
        """Count nothing."""


class TelemetryMiddleware:
    """Passes requests on to *app* and reports to *telemetry* what becomes of them."""

    def __init__(self, app: ASGIApp, telemetry: Telemetry) -> None:
        self._app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = observing(scope["headers"])

        def send_noted(message: Message) -> Awaitable[None]:
            """Note the status that begins the response, and let it say which request it is of."""
            if message["type"] == "http.response.start":
                request.status = message["status"]
                message["headers"] = [*message["headers"], (REQUEST_ID, request.id.encode())]
            return send(message)

        self._telemetry.in_progress += 1
        started = perf_counter()
        try:
            await self._app(scope, receive, send_noted)
        except Exception:  # who is outside of this answers it
            request.status, request.problem = _SERVER_ERROR, "internal"
            raise
        finally:
            seconds = perf_counter() - started
            self._telemetry.in_progress -= 1
            self._telemetry.answered(request, seconds)
            _log_request(request, scope["method"], seconds)


def _log_request(request: Observed, method: str, seconds: float) -> None:
    level = _level(request, seconds)
    if _log.isEnabledFor(level):
        status = request.status or CLIENT_GONE
        _log.log(
            level,
            "%s %s: %d",
            method,
            request.route or "(no operation)",
            status,
            extra={
                "operation": request.operation,
                "status": status,
                "milliseconds": round(seconds * 1000, 1),
                **{name: value for name in _NOTED if (value := getattr(request, name))},
            },
        )


def _level(request: Observed, seconds: float) -> int:
    if request.status >= _SERVER_ERROR:
        return logging.ERROR
    return logging.WARNING if seconds >= SLOW_SECONDS else logging.INFO
