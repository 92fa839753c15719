"""External services of an application: identity, payment, tickets, telemetry and time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic

from faregate.discounts.code_lookup import PromoCodes
from faregate.errors import InvalidDiscount
from faregate_http.identity import Gatekeeper
from faregate_http.ordering.ticketing import SerialNumbers, TicketIssuer
from faregate_http.payment.gateway import NoGateway, PaymentGateway
from faregate_http.protocol.instants import now
from faregate_http.telemetry import NoTelemetry, Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class Providers:
    """External services that an application calls.

    A service without a ``gatekeeper`` has no accounts. Without a ``gateway``, means of payment cannot be
    registered or charged. Tickets get serial numbers unless a ``ticket_issuer`` issues them. ``promo_codes``
    finds codes that the catalogue does not have, with the limits they were issued with; it is called in a
    thread and may block. ``clock`` returns a timezone-aware datetime; ``timer`` counts seconds and ignores
    changes to the clock.
    """

    gatekeeper: Gatekeeper | None = None
    gateway: PaymentGateway = field(default_factory=NoGateway)
    ticket_issuer: TicketIssuer = field(default_factory=SerialNumbers)
    promo_codes: PromoCodes | None = None
    telemetry: Telemetry = field(default_factory=NoTelemetry)
    clock: Callable[[], datetime] = now
    timer: Callable[[], float] = monotonic

    def __post_init__(self) -> None:
        if self.promo_codes is not None and not isinstance(self.promo_codes, PromoCodes):
            raise InvalidDiscount(
                f"promo_codes is {self.promo_codes!r}, expected an object with the method find"
            )
