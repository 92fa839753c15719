"""Protocol for payment gateways. Decisions §12.

The service includes a sandbox, which takes no money. For a real gateway, an operator implements the protocol.
"""

from datetime import datetime
from enum import Enum
from typing import NamedTuple, NoReturn, Protocol, TypeAlias

BRANDS = {
    "PAP": "PayPal",
    "PFP": "PostFinance Pay",
    "PFC": "PostFinance Card",
    "APL": "Apple Pay",
    "PAY": "Google Pay",
    "VIS": "Visa",
    "ECA": "Mastercard",
    "TWI": "TWINT",
    "DIB": "Sofort",
    "EPS": "eps",
    "REK": "Reka",
}
"""Names of the payment methods as customers see them, keyed by code."""


class Outcome(Enum):
    """Outcome of a charge: if AUTHORIZED, the money is reserved; if SETTLED, it is taken."""

    PENDING = "PENDING"
    AUTHORIZED = "AUTHORIZED"
    SETTLED = "SETTLED"
    DECLINED = "DECLINED"


class Registration(NamedTuple):
    """A means of payment that a customer enters on the gateway's page.

    `methods` are the codes of the payment methods to choose from. `service_url` is the public address of this
    service (``https://tickets.example``); the customer returns to one of the other URLs. `secret` protects
    the link to the page, is shown nowhere else, and is valid until the registration ends.
    """

    transaction_id: str
    methods: tuple[str, ...]
    language: str
    service_url: str
    success_url: str
    error_url: str
    cancel_url: str
    secret: str


class Instrument(NamedTuple):
    """A registered means of payment: `code` may be shown, `alias` is for the gateway only."""

    method: str
    brand: str
    code: str
    alias: str
    expires_at: datetime | None = None


class Refusal(Enum):
    """Reason why nothing was registered: the gateway declined, or the customer cancelled."""

    DECLINED = "DECLINED"
    CANCELLED = "CANCELLED"


Conclusion: TypeAlias = Instrument | Refusal
"""Result of a registration."""


class Charge(NamedTuple):
    """An amount in minor units to be charged to the instrument that the gateway knows as `alias`.

    `id` is the id of the payment; calls with the same id are about the same charge. A customer who must
    confirm the charge does so in `language`, reaches this service at `service_url` and returns to
    `success_url` or `error_url`. The three URLs are empty if no customer is present.
    """

    id: str
    amount: int
    currency: str
    method: str
    alias: str
    language: str = "en"
    service_url: str = ""
    success_url: str = ""
    error_url: str = ""


class ChargeResult(NamedTuple):
    """Outcome of a charge, with any errors and the page on which to confirm it.

    `errors` tell the customer why the charge was declined: codes of ``problem_texts.yaml``, shown in four
    languages, or texts, shown unchanged. If the customer must confirm a PENDING charge, as with 3-D Secure,
    `redirect_url` is the page to do so; the gateway calls `Payments.concluded` afterwards.
    """

    outcome: Outcome
    errors: tuple[str, ...] = ()
    redirect_url: str | None = None


class GatewayUnavailable(Exception):
    """The gateway cannot be reached or does not respond; call `inquire` to learn whether it acted."""


class GatewayNotConfigured(GatewayUnavailable):
    """The service has no gateway until the operator configures one."""


class PaymentGateway(Protocol):
    """Gateway that registers means of payment and charges them; a repeated call must have no further effect.

    A cancelled charge stays cancelled, even if its authorization arrives later, because calls about one
    payment may overtake one another. Cancelling an unknown or declined charge has no effect.

    The gateway's page or notification must end a registration by calling `PaymentDetails.conclude`. Every
    call may raise `GatewayUnavailable`.
    """

    async def register(self, registration: Registration) -> str:
        """Begin a registration, and return the URL of the page to send the customer to."""

    async def authorize(self, charge: Charge) -> ChargeResult:
        """Reserve the money, or take it at once, and return the result."""

    async def inquire(self, charge: Charge) -> ChargeResult:
        """Return the result of *charge*; DECLINED if the gateway does not know it."""

    async def capture(self, charge: Charge) -> ChargeResult:
        """Take the authorized money, and return the result."""

    async def cancel(self, charge: Charge) -> None:
        """Void an authorization, or refund money that was taken."""


class NoGateway:
    """`PaymentGateway` for a service without a gateway: every call raises `GatewayNotConfigured`.

    Even `cancel` does so, because refunding money that an earlier gateway took needs a real gateway.
    """

    async def _refuse(self, _: object) -> NoReturn:
        raise GatewayNotConfigured

    register = authorize = inquire = capture = cancel = _refuse
