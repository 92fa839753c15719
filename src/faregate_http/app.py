"""The HTTP interface as an ASGI application, built from a catalogue, a store, options and providers."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from faregate.catalogue.editions import Edition
from faregate_http.accounts.accounts import Accounts
from faregate_http.accounts.persons import Persons
from faregate_http.admission.queueing import Admission
from faregate_http.background import running, works_of
from faregate_http.catalogues import CatalogueSource, edition_of
from faregate_http.channels import Channels
from faregate_http.checkouts.checkouts import Checkouts
from faregate_http.checkouts.code_lookup import CodeLookup
from faregate_http.checkouts.explanations import Explanations
from faregate_http.checkouts.holders import Holders
from faregate_http.checkouts.responses import CheckoutResponses
from faregate_http.cors import Cors, CorsMiddleware
from faregate_http.endpoint import VERSION, Endpoint
from faregate_http.idempotency import Idempotency
from faregate_http.inventory.inventory import Inventory
from faregate_http.inventory.sold_counts import SoldCounts
from faregate_http.offers.catalogue_views import CatalogueViews
from faregate_http.offers.price_snapshots import PriceSnapshots
from faregate_http.offers.product_views import ProductViews
from faregate_http.operations import Operation
from faregate_http.options import FailureLimit, Options
from faregate_http.ordering.order_access import OrderSecrets
from faregate_http.ordering.payments import Payments
from faregate_http.ordering.settlements import Settlements
from faregate_http.ordering.ticketing import Ticketing
from faregate_http.overload import AdmissionMiddleware
from faregate_http.paths import Paths
from faregate_http.payment.details import PaymentDetails
from faregate_http.protocol.languages import language_of
from faregate_http.protocol.observed import REQUEST_ID, observed
from faregate_http.protocol.problems import Problem, title_of
from faregate_http.protocol.response_cache import ResponseCache
from faregate_http.providers import Providers
from faregate_http.retries import Retries
from faregate_http.routes import accounts as account_routes
from faregate_http.routes import booking, checkout, checkout_payment, insights, orders, pricing, products
from faregate_http.routes import payments as payment_details
from faregate_http.services import Services
from faregate_http.store.contract import Store
from faregate_http.store.failures import SharesFailures
from faregate_http.telemetry import TelemetryMiddleware
from faregate_http.throttling import SharedCount, Throttle

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
"""All operations of the interface."""


def create_app(
    catalogue: CatalogueSource,
    open_store: Callable[[], Store],
    *,
    options: Options | None = None,
    providers: Providers | None = None,
    routes: Iterable[Route] = (),
) -> Starlette:
    """Return an ASGI application that sells the products of *catalogue*, which is loaded immediately.

    *open_store* is called in a thread when the application starts; the store it returns is closed when the
    application ends. *routes* are served alongside the interface and have access to the services through
    the request's state.
    """
    options, providers = options or Options(), providers or Providers()
    edition, limits = edition_of(catalogue), options.admission
    admission = None if limits is None else Admission(limits, providers.timer)
    cors = Cors(edition.catalogue.channels, OPERATIONS)
    app = Starlette(
        routes=[*map(_exact, routes)],
        middleware=[
            Middleware(TelemetryMiddleware, telemetry=providers.telemetry),
            *([Middleware(CorsMiddleware, cors=cors)] if cors.is_needed else []),
            Middleware(Paths, endpoints=_endpoints(OPERATIONS, admission)),
        ],
        lifespan=lambda _app: _opened(edition, open_store, options, providers, admission),
        exception_handlers={HTTPException: _refused, Exception: partial(_failed, cors)},
    )
    app.router.redirect_slashes = False  # each path has exactly one spelling
    return app


@asynccontextmanager
async def _opened(
    edition: Edition,
    open_store: Callable[[], Store],
    options: Options,
    providers: Providers,
    admission: Admission | None,
) -> AsyncIterator[Mapping[str, Services]]:
    """Open the services when the application starts, and close them when it ends."""
    store = await asyncio.to_thread(open_store)
    sold_counts = SoldCounts(store, edition.catalogue, clock=providers.clock, timer=providers.timer)
    try:
        await sold_counts.read()
        services = _services(edition, store, sold_counts, options, providers)._replace(admission=admission)
        async with running(*works_of(services, providers.telemetry)):
            yield {"services": services}
    finally:
        await store.close()


def _endpoints(operations: Sequence[Operation], admission: Admission | None) -> dict[str, ASGIApp]:
    """Return one endpoint for each path, keyed by path, so that its 405 response can list all methods."""
    by_path: dict[str, list[Operation]] = {}
    for operation in operations:
        by_path.setdefault(operation.path, []).append(operation)
    if admission is None:
        return {path: Endpoint(group) for path, group in by_path.items()}
    return {path: AdmissionMiddleware(Endpoint(group), admission, group) for path, group in by_path.items()}


def _exact(route: Route) -> Route:
    """Change *route* so that it rejects a trailing line feed, which ``$`` in Python allows, and return it."""
    route.path_regex = re.compile(rf"{route.path_regex.pattern.removesuffix('$')}\Z")
    return route


def _services(
    edition: Edition, store: Store, sold_counts: SoldCounts, options: Options, providers: Providers
) -> Services:
    catalogue, clock, timer = edition.catalogue, providers.clock, providers.timer
    views = CatalogueViews(catalogue)
    inventory = Inventory(store, catalogue, scarce_percent=options.scarce_percent)
    accounts = Accounts(store, providers.gatekeeper, clock)
    # The digest makes ETags of different catalogues differ.
    responses = CheckoutResponses(store, views, edition=edition.digest[:8])
    holders, retries = Holders(options.hold_limits, options.holder_key), Retries()
    throttle = partial(_throttle, store, holders, timer)
    codes = CodeLookup(catalogue, providers.promo_codes)
    checkouts = Checkouts(store, responses, inventory, catalogue, clock, holders, retries, codes)
    settlements = Settlements(store, views, responses, inventory)
    return Services(
        catalogue=catalogue,
        channels=Channels(catalogue, throttle("key", options.key_failures), clock, options.channel_keys),
        views=views,
        store=store,
        checkouts=checkouts,
        explanations=Explanations(checkouts),
        payments=Payments(checkouts, settlements, providers.gateway),
        ticketing=Ticketing(store, providers.ticket_issuer, clock),
        order_secrets=OrderSecrets(options.order_key, options.old_order_keys),
        accounts=accounts,
        persons=Persons(store, accounts, clock),
        login_throttle=throttle("login", options.login_failures),
        code_throttle=throttle("code", options.code_failures),
        payment_details=PaymentDetails(store, providers.gateway, accounts, clock),
        public_url=options.public_url and options.public_url.rstrip("/"),
        idempotency=Idempotency(store, clock),
        retries=retries,
        inventory=inventory,
        sold_counts=sold_counts,
        products=ProductViews(catalogue),
        price_snapshots=PriceSnapshots(catalogue),
        pages=ResponseCache(),
        clock=clock,
        compression=options.compression,
    )


def _throttle(
    store: Store, holders: Holders, timer: Callable[[], float], kind: str, limit: FailureLimit
) -> Throttle:
    if isinstance(store, SharesFailures):
        return Throttle(limit, timer, SharedCount(store, kind, holders.holder))
    return Throttle(limit, timer)


def _refused(request: Request, error: Exception) -> Response:
    """Respond to an unknown path or method, which only the router detects."""
    if not isinstance(error, HTTPException):
        raise error
    status = error.status_code
    name = title_of(status)
    headers = tuple((key.lower().encode(), value.encode()) for key, value in (error.headers or {}).items())
    problem = Problem(status, name.lower().replace(" ", "-"), headers=headers)
    observed().problem = problem.code
    return _response(request, problem)


def _failed(cors: Cors, request: Request, _error: Exception) -> Response:
    """Respond to an unexpected error without details; Starlette re-raises the error for the server's log."""
    headers = ((REQUEST_ID, observed().id.encode()),)
    response = _response(request, Problem(500, "internal", headers=headers))
    if cors.is_needed and cors.covers(request.scope):  # middleware does not see this response
        response.raw_headers = [*cors.answered(request.scope, response.raw_headers)]
    return response


def _response(request: Request, problem: Problem) -> Response:
    refusal = problem.response(request.scope["path"], language_of(request.scope["headers"]))
    response = Response(refusal.body, refusal.status)
    response.raw_headers += [*refusal.headers, VERSION]
    return response
