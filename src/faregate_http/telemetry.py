"""Outermost middleware, which identifies, times and logs every request."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from time import perf_counter
from typing import Protocol

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faregate_http.protocol.observed import CLIENT_GONE, REQUEST_ID, Observed, observing

REQUEST_LOG = "faregate.http.requests"
"""Name of the request log: level INFO logs every request, WARNING those that fail or are slow."""

SLOW_SECONDS = 1.0

_SERVER_ERROR = 500

_OVERLOADED = "overloaded"
"""Problem that is not logged: a line for each refusal would slow down sales. `Admission` logs the first."""

_NOTED = ("problem", "retries", "is_replay")
"""Attributes of `Observed` to log if they are set."""

_log = logging.getLogger(REQUEST_LOG)


class Telemetry(Protocol):
    """Counter of requests and of background work."""

    in_progress: int
    """Number of requests in progress."""

    def answered(self, request: Observed, seconds: float) -> None:
        """Count *request*, which took *seconds*."""

    def worked(self, work: str, *, succeeded: bool) -> None:
        """Count one run of *work*."""

    def deleted(self, kind: str, number: int) -> None:
        """Count *number* deleted rows of *kind*: "responses" or "checkouts"."""


class NoTelemetry:
    """`Telemetry` that counts nothing."""

    in_progress = 0

    def answered(self, request: Observed, seconds: float) -> None:
        """Count nothing."""

    def worked(self, work: str, *, succeeded: bool) -> None:
        """Count nothing."""

    def deleted(self, kind: str, number: int) -> None:
        """Count nothing."""


class TelemetryMiddleware:
    """Middleware that passes requests to *app* and reports their outcome to *telemetry*."""

    def __init__(self, app: ASGIApp, telemetry: Telemetry) -> None:
        self._app = app
        self._telemetry = telemetry

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = observing(scope["headers"])

        def send_noted(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                request.status = message["status"]
                message["headers"] = [*message["headers"], (REQUEST_ID, request.id.encode())]
            return send(message)

        self._telemetry.in_progress += 1
        started = perf_counter()
        try:
            await self._app(scope, receive, send_noted)
        except Exception:  # the server responds
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
    if request.problem == _OVERLOADED:
        return logging.INFO
    if request.status >= _SERVER_ERROR:
        return logging.ERROR
    return logging.WARNING if seconds >= SLOW_SECONDS else logging.INFO
