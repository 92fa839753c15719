"""The gateway that takes no money: what becomes of a charge is what its instrument is for. Decisions §12.

It keeps nothing, so that it is the same in every process: all that it knows of an instrument is in its alias,
which never leaves the service.
"""

from __future__ import annotations

from enum import Enum
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from faregate_http.payment.gateway import BRANDS, ChargeResult, Instrument, Outcome

if TYPE_CHECKING:
    from datetime import datetime

    from faregate_http.payment.gateway import Charge, Registration

REGISTRATIONS = "/sandbox/registrations"
"""Below it are the pages on which an instrument is chosen."""

_CARDS = frozenset({"VIS", "ECA", "PFC"})
_VALID_YEARS = 2


def page_path(transaction_id: str, secret: str) -> str:
    """The path of the page of a registration: its id, which others see, opens nothing without the secret."""
    return f"{REGISTRATIONS}/{transaction_id}-{secret}"


class SandboxInstrument(Enum):
    """An instrument for tests, by what becomes of what is charged to it."""

    PAYS = "pays"
    RESERVES = "reserves"
    DECLINES = "declines"
    WAITS = "waits"


_RESULTS = {
    SandboxInstrument.PAYS: ChargeResult(Outcome.SETTLED),
    SandboxInstrument.RESERVES: ChargeResult(Outcome.AUTHORIZED),
    SandboxInstrument.DECLINES: ChargeResult(Outcome.DECLINED, ("declined",)),
    SandboxInstrument.WAITS: ChargeResult(Outcome.PENDING),
}
_UNKNOWN = ChargeResult(Outcome.DECLINED, ("unknown-instrument",))
_ENDINGS = {kind: f"{n:04}" for n, kind in enumerate(SandboxInstrument, start=1)}


class SandboxGateway:
    """A `PaymentGateway` without money.

    >>> import asyncio
    >>> from datetime import datetime
    >>> from faregate_http.payment.gateway import Charge
    >>> card = sandbox_instrument(SandboxInstrument.PAYS, "VIS", at=datetime(2026, 12, 27))
    >>> charge = Charge("1", amount=4950, currency="CHF", method="VIS", alias=card.alias)
    >>> asyncio.run(SandboxGateway().authorize(charge)).outcome.value
    'SETTLED'
    """

    async def register(self, registration: Registration) -> str:
        """See `PaymentGateway.register`: the page is one of this service."""
        return f"{registration.service_url}{page_path(registration.transaction_id, registration.secret)}"

    async def authorize(self, charge: Charge) -> ChargeResult:
        """See `PaymentGateway.authorize`."""
        return _result(charge)

    async def inquire(self, charge: Charge) -> ChargeResult:
        """See `PaymentGateway.inquire`; what was captured is AUTHORIZED still."""
        return _result(charge)

    async def capture(self, charge: Charge) -> ChargeResult:
        """See `PaymentGateway.capture`."""
        result = _result(charge)
        return ChargeResult(Outcome.SETTLED) if result.outcome is Outcome.AUTHORIZED else result

    async def cancel(self, charge: Charge) -> None:
        """See `PaymentGateway.cancel`: there is nothing to give back."""


def sandbox_instrument(kind: SandboxInstrument, method: str, *, at: datetime) -> Instrument:
    """A new instrument of that kind; a card is valid to the end of the month, two years later.

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
    kind = charge.alias.partition(":")[0]
    known = {instrument.value: result for instrument, result in _RESULTS.items()}
    return known.get(kind, _UNKNOWN)
