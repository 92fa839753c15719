"""Routes for operators, apart from the API: liveness, readiness, metrics and the OpenAPI document."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import date
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from faregate_http.inventory.slots import bounds_of
from faregate_http.protocol.instants import millis
from faregate_http.protocol.requests import API_VERSION
from faregate_http.services import Services
from faregate_http.store.contract import StoreUnavailable
from faregate_server.database_load import ReportsLoad
from faregate_server.readiness import OK, Readiness
from faregate_server.routes.files import ASKED_AGAIN, File, giving
from faregate_server.telemetry.metrics import Metrics, Places

MAX_SECONDS = 2.0
"""Maximum time in seconds that a health check or the metrics wait for the database."""

_NEVER_KEPT = {"api-version": API_VERSION, "cache-control": "no-store"}


def routes(
    openapi: bytes | None, metrics: Metrics, readiness: Readiness, *, has_metrics: bool = True
) -> list[Route]:
    """Return the routes for operators; *openapi* is the OpenAPI document, or None if it is not served."""
    ready = partial(_ready, metrics=metrics, readiness=readiness)
    shown = [Route("/health/live", _live), Route("/health/ready", ready)]
    if openapi is not None:
        document = File(openapi, "application/json", ASKED_AGAIN)
        shown.append(Route("/openapi.json", giving(lambda: document)))
    if has_metrics:
        shown.append(Route("/metrics", partial(_metrics, metrics=metrics)))
    return shown


async def _live(_request: Request) -> Response:
    return _status({"status": "live"})


async def _ready(request: Request, *, metrics: Metrics, readiness: Readiness) -> Response:
    checks = await readiness.results(partial(_checks, request.state.services))
    is_draining = request.scope["state"].get("is_draining")  # set by the server before it stops
    if is_draining:
        checks = {**checks, "server": "stopping"}
    is_ready = readiness.is_ready and not is_draining
    metrics.is_ready = is_ready
    return _status({"status": "ready" if is_ready else "not ready", **checks}, 200 if is_ready else 503)


async def _checks(services: Services) -> dict[str, str]:
    return {"storage": await _storage(services), "soldCounts": _sold_counts(services)}


async def _storage(services: Services) -> str:
    """Return "ok" if the database can be read and written in time, otherwise "cannot be used"."""
    try:
        async with asyncio.timeout(MAX_SECONDS):
            await services.store.check()
    except (StoreUnavailable, TimeoutError):
        return "cannot be used"
    return OK


def _sold_counts(services: Services) -> str:
    return OK if services.sold_counts.are_at_hand else "too old"


async def _metrics(request: Request, *, metrics: Metrics) -> Response:
    services: Services = request.state.services
    metrics.places = await _places(services)
    metrics.load = None if services.admission is None else services.admission.load
    metrics.database = services.store.load() if isinstance(services.store, ReportsLoad) else None
    metrics.payments = services.payments.outcomes
    text, media_type = metrics.text(request.headers.get("accept", ""))
    return Response(text, headers={**_NEVER_KEPT, "content-type": media_type})


async def _places(services: Services) -> tuple[Places, ...] | None:
    """Return the held and sold units of each pool from today on, or None if the database is unavailable."""
    pools = sorted(pool.identifier for pool in services.catalogue.pools)
    now = services.clock()
    try:
        async with asyncio.timeout(MAX_SECONDS):
            counts = await services.store.taken(pools, *bounds_of(now.date(), date.max), at=millis(now))
    except (StoreUnavailable, TimeoutError):
        return None
    held: Counter[str] = Counter()
    sold: Counter[str] = Counter()
    for count in counts:
        held[count.pool] += count.held
        sold[count.pool] += count.sold
    return tuple(Places(pool, held[pool], sold[pool]) for pool in pools)


def _status(said: dict[str, str], status: int = 200) -> Response:
    return Response(msgspec.json.encode(said), status, _NEVER_KEPT, media_type="application/json")
