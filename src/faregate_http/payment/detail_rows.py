"""Payment details as the store keeps them: how one was asked for, what it is at an instant. Decisions §12."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from faregate_http.payment.gateway import Refusal
from faregate_http.protocol.instants import millis
from faregate_http.schemas.payments import PaymentDetailStatus

if TYPE_CHECKING:
    from datetime import datetime

    from faregate_http.payment.gateway import Conclusion
    from faregate_http.store.records import PaymentDetailRow

PENDING = PaymentDetailStatus.PENDING.value
ACTIVE = PaymentDetailStatus.ACTIVE.value
EXPIRED = PaymentDetailStatus.EXPIRED.value
DECLINED = PaymentDetailStatus.DECLINED.value

_LIVE = frozenset({PENDING, ACTIVE})


class RegistrationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """How a payment detail was asked for; `form_token` is known to none but the page of its registration."""

    methods: tuple[str, ...]
    channel: str
    language: str
    success_url: str
    error_url: str
    cancel_url: str
    form_token: str
    refusal: Refusal | None = None

    def encode(self) -> str:
        """This as the store keeps it."""
        return msgspec.json.encode(self).decode()


def request_of(row: PaymentDetailRow) -> RegistrationRequest:
    """How *row* was asked for."""
    return msgspec.json.decode(row.request, type=RegistrationRequest)


def as_of(row: PaymentDetailRow, at: datetime) -> PaymentDetailRow:
    """*row* as it is at that instant, of the same revision: expired, whether or not that was written."""
    is_over = row.due_at is not None and row.due_at <= millis(at)
    if row.status in _LIVE and is_over:
        return row._replace(status=EXPIRED, is_default=False, due_at=None)
    return row


def is_live(row: PaymentDetailRow, at: datetime) -> bool:
    """Whether it is PENDING or ACTIVE then."""
    return as_of(row, at).status in _LIVE


def concluded(row: PaymentDetailRow, conclusion: Conclusion) -> PaymentDetailRow:
    """The next revision of a PENDING *row*, whose registration ends so."""
    after = row._replace(revision=row.revision + 1)
    if isinstance(conclusion, Refusal):
        request = msgspec.structs.replace(request_of(row), refusal=conclusion)
        return after._replace(status=DECLINED, is_default=False, due_at=None, request=request.encode())
    expires_at = conclusion.expires_at
    return after._replace(
        status=ACTIVE,
        method=conclusion.method,
        brand=conclusion.brand,
        code=conclusion.code,
        alias=conclusion.alias,
        due_at=None if expires_at is None else millis(expires_at),
    )


def return_url(row: PaymentDetailRow) -> str:
    """Where the customer goes from the page of a registration that has ended."""
    request = request_of(row)
    match row.status, request.refusal:
        case "ACTIVE", _:
            url = request.success_url
        case _, Refusal.CANCELLED:
            url = request.cancel_url
        case _:
            url = request.error_url
    return f"{url}{'&' if '?' in url else '?'}transactionId={row.transaction_id}"
