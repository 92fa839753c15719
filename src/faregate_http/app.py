"""The composition root: settings in, an ASGI application out."""

from __future__ import annotations

import asyncio
import logging
import re
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from importlib.resources import files
from time import monotonic
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route

from faregate_catalogue import demo_catalogue, load_catalogue
from faregate_http.answer_cache import AnswerCache
from faregate_http.catalogue_views import CatalogueViews
from faregate_http.checkouts import Checkouts
from faregate_http.endpoint import VERSION, Endpoint, Shortcuts
from faregate_http.idempotency import KEPT_FOR, Answers
from faregate_http.instants import millis, now
from faregate_http.openapi import openapi_document
from faregate_http.problems import Problem, title_of
from faregate_http.product_views import ProductViews
from faregate_http.routes import booking, checkout, insights, pricing, products, system
from faregate_http.services import Services
from faregate_http.sold_counts import SoldCounts
from faregate_http.standings import Standings
from faregate_http.stock import Stock
from faregate_http.store import Store, StoreError, open_store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
    from datetime import datetime

    from starlette.requests import Request

    from faregate.catalogue import Catalogue
    from faregate_http.operations import Operation
    from faregate_http.settings import Settings

__all__ = ["OPERATIONS", "create_app"]

_log = logging.getLogger("faregate.http")

OPERATIONS: Sequence[Operation] = (
    *pricing.OPERATIONS,
    *insights.OPERATIONS,
    *checkout.OPERATIONS,
    *booking.OPERATIONS,
    *products.OPERATIONS,
)
"""All operations of the interface."""

_HOUSEKEEPING_SECONDS = 60


def create_app(
    settings: Settings,
    *,
    clock: Callable[[], datetime] = now,
    timer: Callable[[], float] = monotonic,
) -> Starlette:
    """The service as an ASGI application; the database is opened, and migrated, when it starts.

    *clock* tells the time as an aware datetime; *timer* counts seconds, whatever happens to the clock.

    Raises:
        InvalidCatalogue: the catalogue file is at fault.
    """
    catalogue = demo_catalogue() if settings.catalogue is None else load_catalogue(settings.catalogue)
    edition = _edition(settings)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[Mapping[str, Services]]:
        """What lives as long as the application serves."""
        store = await asyncio.to_thread(open_store, settings.database)
        sold_counts = SoldCounts(store, catalogue, clock=clock, timer=timer)
        try:
            await sold_counts.read()
            async with _running(_keep_house(store, clock), sold_counts.keep_reading()):
                yield {"services": _services(catalogue, edition, store, sold_counts, clock)}
        finally:
            await store.close()

    endpoints = _endpoints(OPERATIONS)
    routes = [Route(path, endpoint) for path, endpoint in endpoints.items()]
    routes += system.routes(openapi_document(OPERATIONS))
    fixed = {path: endpoint for path, endpoint in endpoints.items() if "{" not in path}
    app = Starlette(
        routes=[_exact(route) for route in routes],
        middleware=[Middleware(Shortcuts, endpoints=fixed)],
        lifespan=lifespan,
        exception_handlers={HTTPException: _refused, Exception: _failed},
    )
    app.router.redirect_slashes = False  # a path has one spelling
    return app


def _endpoints(operations: Sequence[Operation]) -> dict[str, Endpoint]:
    """One for each path, so that a method it lacks is answered with all those it has."""
    by_path: dict[str, list[Operation]] = {}
    for operation in operations:
        by_path.setdefault(operation.path, []).append(operation)
    return {path: Endpoint(group) for path, group in by_path.items()}


def _exact(route: Route) -> Route:
    """*route*, but for paths that a line feed follows: to Python, ``$`` is also before one."""
    route.path_regex = re.compile(rf"{route.path_regex.pattern.removesuffix('$')}\Z")
    return route


def _edition(settings: Settings) -> str:
    """A name that another catalogue does not have: the same ETag is to mean the same body."""
    file = settings.catalogue or files("faregate_catalogue").joinpath("demo_resort.yaml")
    return sha256(file.read_bytes()).hexdigest()[:8]


@asynccontextmanager
async def _running(*works: Coroutine[object, object, None]) -> AsyncIterator[None]:
    """What goes on beside the requests; it has ended when the block is left."""
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task


def _services(
    catalogue: Catalogue,
    edition: str,
    store: Store,
    sold_counts: SoldCounts,
    clock: Callable[[], datetime],
) -> Services:
    views = CatalogueViews(catalogue)
    stock = Stock(store, catalogue, sold_counts)
    return Services(
        catalogue=catalogue,
        views=views,
        store=store,
        checkouts=Checkouts(store, views, stock, edition=edition, clock=clock),
        answers=Answers(store, clock),
        stock=stock,
        sold_counts=sold_counts,
        products=ProductViews(catalogue),
        standings=Standings(catalogue),
        pages=AnswerCache(),
        clock=clock,
    )


async def _keep_house(store: Store, clock: Callable[[], datetime]) -> None:
    """Forget the answers that no client can ask for again, and holds that count for nothing any more."""
    while True:
        try:
            await store.purge_answers(millis(clock() - KEPT_FOR))
            await store.release_expired(millis(clock()))
        except StoreError as error:
            _log.warning("what is old is not removed: %s", error)
        await asyncio.sleep(_HOUSEKEEPING_SECONDS)


def _refused(request: Request, error: Exception) -> Response:
    """What the router itself refuses: a path or a method that nothing answers."""
    if not isinstance(error, HTTPException):
        raise error
    status = error.status_code
    name = title_of(status)
    headers = tuple((key.lower().encode(), value.encode()) for key, value in (error.headers or {}).items())
    return _response(request, Problem(status, name.lower().replace(" ", "-"), f"{name}.", headers=headers))


def _failed(request: Request, _error: Exception) -> Response:
    """Our own fault, without its details; Starlette raises it again for the server to log."""
    return _response(request, Problem(500, "internal", "Something went wrong here; nothing was changed."))


def _response(request: Request, problem: Problem) -> Response:
    answer = problem.answer(request.scope["path"])
    response = Response(answer.body, answer.status)
    response.raw_headers += [*answer.headers, VERSION]
    return response
