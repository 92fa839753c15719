"""What takes the money: a payment gateway behind a Protocol. Decisions §12.

The service brings the sandbox, which takes none. A real gateway is the operator's own code, with these calls.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, NoReturn, Protocol, TypeAlias

if TYPE_CHECKING:
    from datetime import datetime

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
"""What customers know the methods as, by their codes."""


class Outcome(Enum):
    """What became of a charge: AUTHORIZED money is reserved, SETTLED money is taken."""

    PENDING = "PENDING"
    AUTHORIZED = "AUTHORIZED"
    SETTLED = "SETTLED"
    DECLINED = "DECLINED"


class Registration(NamedTuple):
    """A means of payment that a customer is to enter on a page of the gateway.

    `methods` are the codes to choose from. `service_url` is the address under which the customer reaches this
    service (``https://tickets.example``); the other URLs are where the customer is sent in the end.
    `secret` is for the link to the page alone: it ends with the registration, and is shown nowhere else.
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
    """What a customer registered: `code` may be shown of it; `alias` is for the gateway, and nobody else."""

    method: str
    brand: str
    code: str
    alias: str
    expires_at: datetime | None = None


class Refusal(Enum):
    """Why there is nothing to register: the gateway did not accept it, or the customer went away."""

    DECLINED = "DECLINED"
    CANCELLED = "CANCELLED"


Conclusion: TypeAlias = Instrument | Refusal
"""How a registration ends."""


class Charge(NamedTuple):
    """What is to be paid, in minor units, with the instrument that the gateway knows by `alias`.

    `id` is the payment's: calls that name the same one are about one charge. A customer who has to confirm it
    does so in `language`, reaches this service under `service_url`, and is sent on to `success_url` or
    `error_url`; these are empty where no customer is there.
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
    """The result of a charge.

    `errors` say to the customer why it was declined: codes of ``problem_texts.yaml``, shown in four
    languages, or texts, shown as they are. A PENDING charge that the customer has to confirm, as 3-D Secure
    asks, has the `redirect_url` of the page for it; its gateway calls `Payments.concluded` afterwards.
    """

    outcome: Outcome
    errors: tuple[str, ...] = ()
    redirect_url: str | None = None


class GatewayUnavailable(Exception):
    """The gateway cannot be asked now, or does not answer; whether it acted is not known: inquire."""


class GatewayNotConfigured(GatewayUnavailable):
    """There is no gateway to ask, nor will there be one until the operator brings it."""


class PaymentGateway(Protocol):
    """Registers means of payment and charges them; each call may be repeated, with one effect.

    A charge that was cancelled stays cancelled, even if it is authorized only then: the calls of a payment
    may overtake one another. To cancel a charge that never arrived, or was declined, does no harm.

    A registration is concluded by `PaymentDetails.conclude`, which the gateway's own page or notification
    calls. Every call may raise `GatewayUnavailable`.
    """

    async def register(self, registration: Registration) -> str:
        """Return the URL to send the customer to."""

    async def authorize(self, charge: Charge) -> ChargeResult:
        """Reserve the money, or take it at once."""

    async def inquire(self, charge: Charge) -> ChargeResult:
        """Return what became of *charge*; DECLINED if it never arrived."""

    async def capture(self, charge: Charge) -> ChargeResult:
        """Take what was authorized."""

    async def cancel(self, charge: Charge) -> None:
        """Void what was authorized, refund what was taken."""


class NoGateway:
    """A `PaymentGateway` for a service without one: every call raises `GatewayNotConfigured`.

    So does to cancel: what a gateway of before took is still to be given back by one.
    """

    async def _refuse(self, _: object) -> NoReturn:
        raise GatewayNotConfigured

    register = authorize = inquire = capture = cancel = _refuse
