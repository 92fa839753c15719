"""The public port, the management port of each worker, and the paths that they serve. Decisions §18."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NamedTuple

from starlette.types import ASGIApp, Receive, Scope, Send

from faregate_cli.serve.exposure import AllowedExposures
from faregate_cli.serve.middleware import refuse
from faregate_http.protocol.hosts import is_loopback
from faregate_http.protocol.problems import Problem

_OF_BOTH = frozenset({"/health/live", "/health/ready"})
_MANAGED = ("/metrics", "/openapi.json", "/docs")
_LAST_PORT = 65_535


class Ports(NamedTuple):
    """The addresses to listen on; worker n of *workers*, from 0, has the management port plus n."""

    host: str
    port: int = 0
    management_host: str = "127.0.0.1"
    management_port: int | None = None
    workers: int = 1

    def has_metrics(self, allowed: AllowedExposures) -> bool:
        """Return whether ``/metrics`` is served, on either port."""
        is_clear = self.workers == 1 and (allowed.metrics or is_loopback(self.host))
        return self.management_port is not None or is_clear

    def has_documents(self, allowed: AllowedExposures) -> bool:
        """Return whether ``/docs`` and ``/openapi.json`` are served, on either port."""
        return self.management_port is not None or allowed.documents or is_loopback(self.host)


def port_faults(ports: Ports, allowed: AllowedExposures) -> Iterator[str]:
    """Yield a message for each contradiction between *ports* and what is *allowed* to be exposed."""
    first, workers = ports.management_port, ports.workers
    if first is not None:
        for option, is_given in (("--expose-metrics", allowed.metrics), ("--expose-docs", allowed.documents)):
            if is_given:
                yield f"{option} is for one port, but --management-port is set: remove one of them"
        if first and first + workers - 1 > _LAST_PORT:
            yield f"{workers} workers need the management ports from {first}: choose a lower port"
    elif workers > 1 and allowed.metrics:
        yield "each worker has its own metrics: set --management-port instead of --expose-metrics"
    if workers > 1 and not hasattr(os, "fork"):
        yield "this system cannot fork processes: remove --workers"


class PortPaths:
    """Middleware that serves the operators' paths on the management *port* only, and no others there.

    Health checks are served on both ports. Other combinations get 404 ``not-found``.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self._app = app
        self._port = port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] == "http" and scope["path"] not in _OF_BOTH:
            path = scope["path"]
            is_managed = path in _MANAGED or path.startswith("/docs/")
            if is_managed != (scope["server"][1] == self._port):
                await refuse(Problem(404, "not-found"), scope, send)
                return
        await self._app(scope, receive, send)
