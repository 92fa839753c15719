"""The composition root: settings in, an ASGI application out."""

from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from functools import cache
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import Route

from faregate_catalogue.reading import load_edition
from faregate_http.accounts.accounts import Accounts
from faregate_http.accounts.persons import Persons
from faregate_http.background import running, works_of
from faregate_http.channels import Channels
from faregate_http.checkouts.answers import CheckoutAnswers
from faregate_http.checkouts.checkouts import Checkouts
from faregate_http.checkouts.explanations import Explanations
from faregate_http.checkouts.holders import Holders
from faregate_http.endpoint import VERSION, Endpoint, Shortcuts
from faregate_http.identity.development_issuer import development_issuer
from faregate_http.identity.gatekeeper import gatekeeper_of
from faregate_http.observation.metrics import Metrics
from faregate_http.observation.observed import REQUEST_ID, observed
from faregate_http.observation.observer import Observer
from faregate_http.offers.catalogue_views import CatalogueViews
from faregate_http.offers.product_views import ProductViews
from faregate_http.offers.standings import Standings
from faregate_http.openapi import openapi_document
from faregate_http.ordering.payments import Payments
from faregate_http.ordering.settlements import Settlements
from faregate_http.ordering.ticketing import SerialNumbers, Ticketing
from faregate_http.payment.details import PaymentDetails
from faregate_http.payment.gateway import NoGateway
from faregate_http.routes import accounts as account_routes
from faregate_http.routes import (
    booking,
    checkout,
    checkout_payment,
    development,
    documentation,
    insights,
    orders,
    pricing,
    products,
    sandbox,
    showcase,
    system,
)
from faregate_http.routes import payments as payment_details
from faregate_http.sandbox.gateway import SandboxGateway
from faregate_http.services import Services
from faregate_http.stock.sold_counts import SoldCounts
from faregate_http.stock.stock import Stock
from faregate_http.store import Store, open_store
from faregate_http.throttling import Throttle
from faregate_http.wire.answer_cache import AnswerCache
from faregate_http.wire.idempotency import Answers
from faregate_http.wire.instants import now
from faregate_http.wire.problems import Problem, title_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence
    from datetime import datetime

    from starlette.requests import Request

    from faregate_catalogue.reading import Edition
    from faregate_http.identity.gatekeeper import Gatekeeper
    from faregate_http.operations import Operation
    from faregate_http.ordering.ticketing import TicketIssuer
    from faregate_http.payment.gateway import PaymentGateway
    from faregate_http.settings import Settings

__all__ = ["OPERATIONS", "create_app"]

OPERATIONS: Sequence[Operation] = (
    *checkout.OPERATIONS,
    *checkout_payment.OPERATIONS,
    *pricing.OPERATIONS,
    *insights.OPERATIONS,
    *booking.OPERATIONS,
    *products.OPERATIONS,
    *account_routes.OPERATIONS,
    *payment_details.OPERATIONS,
    *orders.OPERATIONS,
)
"""All operations of the interface; the router tries them in this order."""


def create_app(
    settings: Settings,
    *,
    gateway: PaymentGateway | None = None,
    ticket_issuer: TicketIssuer | None = None,
    clock: Callable[[], datetime] = now,
    timer: Callable[[], float] = monotonic,
) -> Starlette:
    """The service as an ASGI application; the database is opened, and migrated, when it starts.

    *gateway* takes the money: a real one is code of the operator's own, which makes its application with it
    and adds a route to it for what the gateway notifies, to call `PaymentDetails.conclude`. None: the
    sandbox, which takes none and brings the pages to register with, if the settings have it; else nothing is
    registered. *ticket_issuer* issues the tickets of orders; None: serial numbers.

    *clock* tells the time as an aware datetime; *timer* counts seconds, whatever happens to the clock.

    Raises:
        InvalidCatalogue: the catalogue file is at fault.
    """
    edition = load_edition(settings.catalogue)
    catalogue = edition.catalogue
    issuer = development_issuer(settings, clock)
    gatekeeper = gatekeeper_of(settings, issuer, clock=clock, timer=timer)
    charged = gateway or _stand_in(settings)
    metrics = Metrics()
    around = _Around(gatekeeper, charged, ticket_issuer or SerialNumbers(), metrics, clock, timer)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[Mapping[str, Services]]:
        """What lives as long as the application serves."""
        store = await asyncio.to_thread(open_store, settings.database)
        sold_counts = SoldCounts(store, catalogue, clock=clock, timer=timer)
        try:
            await sold_counts.read()
            services = _services(settings, edition, store, sold_counts, around)
            async with running(*works_of(services)):
                yield {"services": services}
        finally:
            await store.close()

    endpoints = _endpoints(OPERATIONS)
    routes = [Route(path, endpoint) for path, endpoint in endpoints.items()]
    routes += system.routes(_document() if settings.has_documents else None, has_metrics=settings.has_metrics)
    routes += documentation.ROUTES if settings.has_documents else ()
    routes += development.routes(issuer) if issuer else ()
    routes += sandbox.ROUTES if gateway is None and settings.has_sandbox else ()
    if settings.has_showcase:
        routes += showcase.routes(catalogue, tells_codes=settings.is_development)
    fixed = {path: endpoint for path, endpoint in endpoints.items() if "{" not in path}
    app = Starlette(
        routes=[_exact(route) for route in routes],
        middleware=[Middleware(Observer, metrics=metrics), Middleware(Shortcuts, endpoints=fixed)],
        lifespan=lifespan,
        exception_handlers={HTTPException: _refused, Exception: _failed},
    )
    app.router.redirect_slashes = False  # a path has one spelling
    return app


@cache  # an application is made anew whenever its catalogue is exchanged
def _document() -> bytes:
    return openapi_document(OPERATIONS)


def _stand_in(settings: Settings) -> PaymentGateway:
    return SandboxGateway() if settings.has_sandbox else NoGateway()


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


class _Around(NamedTuple):
    """Who tells accounts, takes the money, issues tickets, counts, and tells the time."""

    gatekeeper: Gatekeeper | None
    gateway: PaymentGateway
    issuer: TicketIssuer
    metrics: Metrics
    clock: Callable[[], datetime]
    timer: Callable[[], float]


def _services(
    settings: Settings, edition: Edition, store: Store, sold_counts: SoldCounts, around: _Around
) -> Services:
    gatekeeper, gateway, issuer, metrics, clock, timer = around
    catalogue = edition.catalogue
    views = CatalogueViews(catalogue)
    stock = Stock(store, catalogue, sold_counts, scarce_percent=settings.scarce_percent)
    accounts = Accounts(store, gatekeeper, clock)
    # The same ETag is to mean the same body: another catalogue has other ones.
    answers = CheckoutAnswers(store, views, edition=edition.digest[:8])
    checkouts = Checkouts(
        store, answers, stock, catalogue=catalogue, clock=clock, holders=Holders.of(settings)
    )
    payments = Payments(
        store,
        checkouts,
        answers,
        Settlements(store, views, answers, stock),
        stock=stock,
        gateway=gateway,
        catalogue=catalogue,
        clock=clock,
    )
    return Services(
        catalogue=catalogue,
        channels=Channels(
            catalogue, Throttle(settings.key_failures, timer), clock, more_keys=settings.channel_keys
        ),
        views=views,
        store=store,
        checkouts=checkouts,
        explanations=Explanations(store, checkouts, answers, views, clock),
        payments=payments,
        ticketing=Ticketing(store, issuer, clock),
        accounts=accounts,
        persons=Persons(store, accounts, clock),
        login_throttle=Throttle(settings.login_failures, timer),
        code_throttle=Throttle(settings.code_failures, timer),
        gateway=gateway,
        payment_details=PaymentDetails(store, gateway, accounts, clock),
        public_url=settings.public_url and settings.public_url.rstrip("/"),
        answers=Answers(store, clock),
        stock=stock,
        sold_counts=sold_counts,
        products=ProductViews(catalogue),
        standings=Standings(catalogue),
        pages=AnswerCache(),
        metrics=metrics,
        clock=clock,
    )


def _refused(request: Request, error: Exception) -> Response:
    """What the router itself refuses: a path or a method that nothing answers."""
    if not isinstance(error, HTTPException):
        raise error
    status = error.status_code
    name = title_of(status)
    headers = tuple((key.lower().encode(), value.encode()) for key, value in (error.headers or {}).items())
    problem = Problem(status, name.lower().replace(" ", "-"), f"{name}.", headers=headers)
    observed().problem = problem.code
    return _response(request, problem)


def _failed(request: Request, _error: Exception) -> Response:
    """Our own fault, without its details; Starlette raises it again for the server to log."""
    headers = ((REQUEST_ID, observed().id.encode()),)
    return _response(request, Problem(500, "internal", "Something went wrong here.", headers=headers))


def _response(request: Request, problem: Problem) -> Response:
    answer = problem.answer(request.scope["path"])
    response = Response(answer.body, answer.status)
    response.raw_headers += [*answer.headers, VERSION]
    return response
