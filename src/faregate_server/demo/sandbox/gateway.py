"""A payment gateway that takes no money; the instrument determines the result of a charge. Decisions §12.

The gateway is stateless, so that every process gives the same results: everything that it knows about an
instrument is in the alias of that instrument, which never leaves the service.
"""

from datetime import datetime
from enum import Enum
from secrets import token_urlsafe

from faregate_http.payment.gateway import BRANDS, Charge, ChargeResult, Instrument, Outcome, Registration

REGISTRATIONS = "/sandbox/registrations"
"""Path prefix of the pages on which customers register a payment instrument."""

CONFIRMATIONS = "/sandbox/payments"
"""Path prefix of the pages on which customers confirm a payment."""

_CARDS = frozenset({"VIS", "ECA", "PFC"})
_VALID_YEARS = 2


def page_path(transaction_id: str, secret: str) -> str:
    """Return the path of a registration page; it contains *secret*, because the id is public."""
    return f"{REGISTRATIONS}/{transaction_id}-{secret}"


def confirmation_path(payment_id: str, secret: str) -> str:
    """Return the path of the page on which a customer confirms a payment."""
    return f"{CONFIRMATIONS}/{payment_id}-{secret}"


class SandboxInstrument(Enum):
    """A type of test payment instrument, named after the result of charging it."""

    PAYS = "pays"
    RESERVES = "reserves"
    DECLINES = "declines"
    WAITS = "waits"
    CONFIRMS = "confirms"


_RESULTS = {
    SandboxInstrument.PAYS: ChargeResult(Outcome.SETTLED),
    SandboxInstrument.RESERVES: ChargeResult(Outcome.AUTHORIZED),
    SandboxInstrument.DECLINES: ChargeResult(Outcome.DECLINED, ("declined",)),
    SandboxInstrument.WAITS: ChargeResult(Outcome.PENDING),
    SandboxInstrument.CONFIRMS: ChargeResult(Outcome.PENDING),
}
NOT_CONFIRMED = ChargeResult(Outcome.DECLINED, ("not-authenticated",))
_UNKNOWN = ChargeResult(Outcome.DECLINED, ("unknown-instrument",))
_ENDINGS = {kind: f"{n:04}" for n, kind in enumerate(SandboxInstrument, start=1)}


class SandboxGateway:
    """A `PaymentGateway` that moves no money.

    >>> import asyncio
    >>> from datetime import datetime
    >>> from faregate_http.payment.gateway import Charge
    >>> card = sandbox_instrument(SandboxInstrument.PAYS, "VIS", at=datetime(2026, 12, 27))
    >>> charge = Charge("1", amount=4950, currency="CHF", method="VIS", alias=card.alias)
    >>> asyncio.run(SandboxGateway().authorize(charge)).outcome.value
    'SETTLED'
    """

    async def register(self, registration: Registration) -> str:
        """Return the URL of the sandbox's registration page."""
        return f"{registration.service_url}{page_path(registration.transaction_id, registration.secret)}"

    async def authorize(self, charge: Charge) -> ChargeResult:
        """See `PaymentGateway.authorize`; an instrument may require confirmation, as with 3-D Secure."""
        if _kind_of(charge) != SandboxInstrument.CONFIRMS.value:
            return _result(charge)
        if not charge.service_url:
            return NOT_CONFIRMED
        page = confirmation_path(charge.id, token_urlsafe(24))
        return ChargeResult(Outcome.PENDING, redirect_url=f"{charge.service_url}{page}")

    async def inquire(self, charge: Charge) -> ChargeResult:
        """See `PaymentGateway.inquire`; the sandbox reports even a captured charge as AUTHORIZED."""
        return _result(charge)

    async def capture(self, charge: Charge) -> ChargeResult:
        """See `PaymentGateway.capture`."""
        result = _result(charge)
        return ChargeResult(Outcome.SETTLED) if result.outcome is Outcome.AUTHORIZED else result

    async def cancel(self, charge: Charge) -> None:
        """Do nothing, because the sandbox takes no money."""


def sandbox_instrument(kind: SandboxInstrument, method: str, *, at: datetime) -> Instrument:
    """Return a new instrument of *kind*; a card expires two years after *at*, at the end of the month.

    >>> from datetime import datetime
    >>> card = sandbox_instrument(SandboxInstrument.DECLINES, "VIS", at=datetime(2026, 12, 27))
    >>> card.brand, card.code, card.expires_at
    ('Visa', '**** 0003', datetime.datetime(2029, 1, 1, 0, 0))
    """
    return Instrument(
        method=method,
        brand=BRANDS[method],
        code=f"**** {_ENDINGS[kind]}",
        alias=f"{kind.value}:{token_urlsafe(16)}",
        expires_at=_end_of_month(at) if method in _CARDS else None,
    )


def _end_of_month(at: datetime) -> datetime:
    year, month = divmod(at.year * 12 + at.month + 12 * _VALID_YEARS, 12)
    return at.replace(year=year, month=month + 1, day=1, hour=0, minute=0, second=0, microsecond=0)


def _result(charge: Charge) -> ChargeResult:
    known = {instrument.value: result for instrument, result in _RESULTS.items()}
    return known.get(_kind_of(charge), _UNKNOWN)


def _kind_of(charge: Charge) -> str:
    return charge.alias.partition(":")[0]
