"""External services of an application: identity, payment, tickets, telemetry and time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic

from faregate_http.identity import Gatekeeper
from faregate_http.ordering.ticketing import SerialNumbers, TicketIssuer
from faregate_http.payment.gateway import NoGateway, PaymentGateway
from faregate_http.protocol.instants import now
from faregate_http.telemetry import NoTelemetry, Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Providers:
    """External services that an application calls.

    A service without a ``gatekeeper`` has no accounts. Without a ``gateway``, means of payment cannot be
    registered or charged. Tickets get serial numbers unless a ``ticket_issuer`` issues them. ``clock``
    returns a timezone-aware datetime; ``timer`` counts seconds and ignores changes to the clock.
    """

    gatekeeper: Gatekeeper | None = None
    gateway: PaymentGateway = field(default_factory=NoGateway)
    ticket_issuer: TicketIssuer = field(default_factory=SerialNumbers)
    telemetry: Telemetry = field(default_factory=NoTelemetry)
    clock: Callable[[], datetime] = now
    timer: Callable[[], float] = monotonic
