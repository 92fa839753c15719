"""Stored payment details, from registration to expiry. Decisions §12."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

import msgspec

from faregate.catalogue.channels import PaymentMethodType
from faregate_http.accounts.accounts import new_id
from faregate_http.payment.gateway import BRANDS, Conclusion, Refusal, Registration
from faregate_http.protocol.instants import millis
from faregate_http.schemas.payments import GatewayPaymentMethodView, PaymentDetailStatus
from faregate_http.store.records import PaymentDetailRow

PENDING = PaymentDetailStatus.PENDING.value
ACTIVE = PaymentDetailStatus.ACTIVE.value
EXPIRED = PaymentDetailStatus.EXPIRED.value
DECLINED = PaymentDetailStatus.DECLINED.value

_LIVE = frozenset({PENDING, ACTIVE})


class RegistrationRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Request to register a payment detail; only the registration page knows the `form_token`."""

    methods: tuple[str, ...]
    channel: str
    language: str
    success_url: str
    error_url: str
    cancel_url: str
    form_token: str
    refusal: Refusal | None = None

    def encode(self) -> str:
        """Return the request as JSON text."""
        return msgspec.json.encode(self).decode()


def request_of(row: PaymentDetailRow) -> RegistrationRequest:
    """Return the request with which *row* was registered."""
    return msgspec.json.decode(row.request, type=RegistrationRequest)


def registration_of(request: RegistrationRequest, transaction_id: str, service_url: str) -> Registration:
    """Return *request* as the gateway gets it."""
    return Registration(
        transaction_id,
        request.methods,
        request.language,
        service_url,
        request.success_url,
        request.error_url,
        request.cancel_url,
        request.form_token,
    )


def as_of(row: PaymentDetailRow, at: datetime) -> PaymentDetailRow:
    """Return *row* as of the instant *at*: EXPIRED if overdue by then, with the revision unchanged."""
    is_over = row.due_at is not None and row.due_at <= millis(at)
    if row.status in _LIVE and is_over:
        return row._replace(status=EXPIRED, is_default=False, due_at=None)
    return row


def is_live(row: PaymentDetailRow, at: datetime) -> bool:
    """Return True if *row* is PENDING or ACTIVE at *at*."""
    return as_of(row, at).status in _LIVE


def concluded(row: PaymentDetailRow, conclusion: Conclusion) -> PaymentDetailRow:
    """Return the next revision of a PENDING *row* whose registration ends with *conclusion*."""
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
    """Return the URL to which the customer returns after a registration has ended."""
    request = request_of(row)
    match row.status, request.refusal:
        case "ACTIVE", _:
            url = request.success_url
        case _, Refusal.CANCELLED:
            url = request.cancel_url
        case _:
            url = request.error_url
    return with_transaction(url, row)


def with_transaction(url: str, row: PaymentDetailRow) -> str:
    """Return *url* with the transaction id of *row* added to the query."""
    return f"{url}{'&' if '?' in url else '?'}transactionId={row.transaction_id}"


def own_detail(
    rows: Sequence[PaymentDetailRow], tried: Collection[int | None], at: datetime
) -> PaymentDetailRow | None:
    """Return the newest ACTIVE detail in *rows*, those of a checkout, with an id not in *tried*, or None."""
    usable = [row for row in rows if row.id not in tried and as_of(row, at).status == ACTIVE]
    return usable[-1] if usable else None


PENDING_FOR = timedelta(minutes=30)
"""Time within which a registration must be concluded."""


def view_of(row: PaymentDetailRow) -> GatewayPaymentMethodView:
    """Return a payment detail as a view; *row* must be in its current state, as returned by `as_of`."""
    method = PaymentMethodType(row.method)
    return GatewayPaymentMethodView(
        provider="GATEWAY",
        refno=f"PD-{row.id}",
        transaction_id=row.transaction_id,
        payment_method=method,
        brand=row.brand,
        type=method,
        id=row.id,
        is_default=row.is_default and row.status == ACTIVE,
        status=PaymentDetailStatus(row.status),
        code=row.code,
    )


def pending(
    transaction_id: str, request: RegistrationRequest, *, is_default: bool, at: datetime
) -> PaymentDetailRow:
    """Return a new PENDING row; its method is the first of the *request* until the customer chooses one."""
    method = request.methods[0]
    return PaymentDetailRow(
        id=new_id(),
        revision=1,
        created_at=millis(at),
        account=None,
        checkout_id=None,
        transaction_id=transaction_id,
        status=PENDING,
        is_default=is_default,
        method=method,
        brand=BRANDS[method],
        code="",
        alias=None,
        request=request.encode(),
        due_at=millis(at + PENDING_FOR),
    )
