"""The composition root, which builds the ASGI application from the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from time import monotonic

from starlette.applications import Starlette
from starlette.routing import Route

from faregate.catalogue.catalogue import Catalogue
from faregate.discounts.code_lookup import PromoCodes
from faregate.files.reading import load_edition
from faregate_http import app
from faregate_http.app import OPERATIONS
from faregate_http.catalogues import CatalogueLoader, edition_of, newest_digest
from faregate_http.identity import Gatekeeper
from faregate_http.ordering.ticketing import SerialNumbers, TicketIssuer
from faregate_http.payment.gateway import NoGateway, PaymentGateway
from faregate_http.protocol.instants import now
from faregate_http.providers import Providers
from faregate_server.demo.development import routes as development
from faregate_server.demo.development.issuer import DevelopmentIssuer, development_issuer
from faregate_server.demo.sandbox import routes as sandbox
from faregate_server.demo.sandbox.gateway import SandboxGateway
from faregate_server.demo.showcase import routes as showcase
from faregate_server.identity.gatekeeper import gatekeeper_of
from faregate_server.readiness import Readiness
from faregate_server.routes import documentation, system
from faregate_server.settings import InvalidSettings, Settings
from faregate_server.store.opening import open_migrated_store, open_store
from faregate_server.telemetry.metrics import Metrics


def create_app(
    settings: Settings,
    *,
    catalogue: Catalogue | CatalogueLoader | None = None,
    gateway: PaymentGateway | None = None,
    ticket_issuer: TicketIssuer | None = None,
    promo_codes: PromoCodes | None = None,
    clock: Callable[[], datetime] = now,
    timer: Callable[[], float] = monotonic,
) -> Starlette:
    """Return the service as an ASGI application, which opens its database at startup.

    *catalogue* is given instead of a catalogue file in the settings. It is a catalogue, or a loader that is
    called immediately to get one. When the loader reports a new revision, ``faregate serve`` creates a new
    application; if that fails, it keeps serving the previous one.

    *gateway* takes payments. To use a real gateway, write your own application module that passes it here and
    adds a route for its notifications; that route must call `PaymentDetails.conclude`. By default, the
    sandbox with its registration pages is used if the settings enable it; if not, customers cannot register
    payment details. *ticket_issuer* issues the tickets of orders; by default, tickets get serial numbers.
    *promo_codes* finds codes that the catalogue does not have; see `Providers`.

    *clock* returns the time as a timezone-aware datetime; *timer* returns a monotonic time in seconds.

    Raises:
        InvalidCatalogue: the catalogue file is invalid, or *catalogue* is neither a catalogue nor a loader.
        InvalidSettings: *catalogue* is given although the settings name a catalogue file.
        InvalidDiscount: *promo_codes* has no method ``find``.
    """
    if catalogue is not None and settings.catalogue is not None:
        raise InvalidSettings(
            f"two catalogues are given, in the settings ({settings.catalogue}) and as an argument: remove one"
        )
    edition = load_edition(settings.catalogue) if catalogue is None else edition_of(catalogue)
    issuer = development_issuer(settings, clock)
    metrics = Metrics()
    routes = [*_routes(settings, edition.catalogue, metrics, Readiness(timer), issuer)]
    if gateway is None and settings.has_sandbox:
        gateway = SandboxGateway()
        routes += sandbox.ROUTES
    if issuer is not None:
        gatekeeper: Gatekeeper | None = issuer.gatekeeper(settings.secret)
    else:
        gatekeeper = gatekeeper_of(settings, clock=clock, timer=timer)
    providers = Providers(
        gatekeeper=gatekeeper,
        gateway=gateway or NoGateway(),
        ticket_issuer=ticket_issuer or SerialNumbers(),
        promo_codes=promo_codes,
        telemetry=metrics,
        clock=clock,
        timer=timer,
    )
    service = app.create_app(
        edition,
        lambda: (open_store if settings.migrates else open_migrated_store)(settings.database),
        options=settings.options(),
        providers=providers,
        routes=routes,
    )
    if isinstance(catalogue, CatalogueLoader):
        service.state.edition, service.state.newest_edition = edition.digest, newest_digest(catalogue)
    return service


def _routes(
    settings: Settings,
    catalogue: Catalogue,
    metrics: Metrics,
    readiness: Readiness,
    issuer: DevelopmentIssuer | None,
) -> Iterator[Route]:
    """Yield the routes that *settings* enable, except those of the API."""
    document = _document() if settings.has_documents else None
    yield from system.routes(document, metrics, readiness, has_metrics=settings.has_metrics)
    if settings.has_documents:
        yield from documentation.ROUTES
    if issuer is not None:
        yield from development.routes(issuer)
    if settings.has_showcase:
        yield from showcase.routes(catalogue, tells_codes=settings.is_development)


@cache  # a new application is created whenever the catalogue is replaced
def _document() -> bytes:
    from faregate_http.openapi import openapi_document

    return openapi_document(OPERATIONS)
