"""Means of payment that accounts keep: registered with the gateway, listed, used, given up. Decisions §12."""

from __future__ import annotations

import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from faregate.catalogue.channels import PaymentMethodType
from faregate_http.accounts.accounts import Accounts, new_id
from faregate_http.payment.gateway import (
    BRANDS,
    Conclusion,
    GatewayNotConfigured,
    GatewayUnavailable,
    PaymentGateway,
    Refusal,
    Registration,
)
from faregate_http.protocol.instants import from_millis, millis
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.responses import NO_STORE, Response, json_response
from faregate_http.retries import Retries
from faregate_http.schemas.payments import (
    GatewayPaymentMethodView,
    PaymentDetailStatus,
    PaymentMethodView,
    RegistrationEnvelope,
    RegistrationView,
)
from faregate_http.store.contract import Stale, Store
from faregate_http.store.records import AccountRow, PaymentDetailRow, PaymentRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from faregate_http.protocol.stored_responses import KeyedRequest

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


PENDING_FOR = timedelta(minutes=30)
"""After that a registration can be concluded no more."""

MOST_LIVE = 50
"""Details of one account that are PENDING or ACTIVE."""

MOST_OVER = 100
"""Details of one account that are EXPIRED or DECLINED; the oldest are forgotten."""

_DUE_AT_ONCE = 100


class Concluded(NamedTuple):
    """A registration that has ended; it `is_new` that it has, for one caller only."""

    row: PaymentDetailRow
    is_new: bool


@dataclass(eq=False)
class PaymentDetails:
    """The payment details of a store, and the gateway that they are registered with."""

    store: Store
    gateway: PaymentGateway
    accounts: Accounts
    clock: Callable[[], datetime]
    retries: Retries = field(default_factory=Retries)

    # ------------------------------------------------------------ reading

    async def of_account(self, account: int) -> list[PaymentDetailRow]:
        """The details of that account as they are now, the oldest first."""
        at = self.clock()
        return [as_of(row, at) for row in await self.store.find(PaymentDetailRow, account=account)]

    async def usable(self, account: int, detail_id: int | None = None) -> PaymentDetailRow | None:
        """The detail of that id, or the account's default, if it is ACTIVE; else None."""
        active = [row for row in await self.of_account(account) if row.status == ACTIVE]
        wanted = [row for row in active if (row.is_default if detail_id is None else row.id == detail_id)]
        return next(iter(wanted), None)

    async def registration(self, transaction_id: str) -> PaymentDetailRow | None:
        """The detail with that transaction id as it is now; None: there is none."""
        rows = await self.store.find(PaymentDetailRow, transaction_id=transaction_id)
        return as_of(rows[0], self.clock()) if rows else None

    # ------------------------------------------------------------ registering

    async def register(
        self,
        account: AccountRow,
        request: RegistrationRequest,
        *,
        is_default: bool,
        service_url: str,
        keyed: KeyedRequest | None = None,
    ) -> Response:
        """Begin to register a detail of that account, and answer where to send its customer.

        With *keyed* the response is saved under its key, in the same transaction.

        Raises:
            Problem: 409, the account has very many; 503, the gateway cannot be asked, or there is none; 401,
                the account was erased.
        """
        _check_room(await self.store.find(PaymentDetailRow, account=account.id), self.clock())
        transaction_id = secrets.token_hex(16)
        registration = Registration(
            transaction_id,
            request.methods,
            request.language,
            service_url,
            request.success_url,
            request.error_url,
            request.cancel_url,
            request.form_token,
        )
        response = await self._begun(registration)

        async def save() -> Response:
            """Decide on the account and its details as they are now."""
            at = self.clock()
            current = await self.accounts.current(account)
            rows = await self.store.find(PaymentDetailRow, account=account.id)
            _check_room(rows, at)
            row = _pending(account.id, transaction_id, request, is_default=is_default, at=at)
            await self.store.save(
                None,
                keyed and keyed.stored(response, at),
                # The account moves on, too: two at once cannot both be the last there is room for.
                records=[current._replace(revision=current.revision + 1), row],
                erased=_forgotten(rows, at),
            )
            return response._replace(is_stored=keyed is not None)

        return await self.retries.until_saved(str(account.id), save)

    async def _begun(self, registration: Registration) -> Response:
        try:
            url = await self.gateway.register(registration)
        except GatewayNotConfigured:
            detail = "This service has no payment gateway; nothing was changed."
            raise Problem(503, "gateway-not-configured", detail) from None
        except GatewayUnavailable:
            detail = "The payment gateway cannot be asked now; nothing was changed. Try again."
            raise Problem(503, "gateway-unavailable", detail, retry_after=5) from None
        envelope = RegistrationEnvelope(RegistrationView(registration.transaction_id, url))
        return json_response(envelope, NO_STORE, language=registration.language)

    async def conclude(self, transaction_id: str, conclusion: Conclusion) -> Concluded | None:
        """End a registration so, once, whoever else does at the same time; None: there is no such one.

        A detail that is to be the default takes that over when it becomes ACTIVE. One that has ended already,
        or was begun too long ago, stays what it is.
        """

        async def save() -> Concluded | None:
            """Decide on the details of the account as they are now."""
            before = await self.registration(transaction_id)
            if before is None:
                return None
            if before.status != PENDING:
                return Concluded(before, is_new=False)
            after = concluded(before, conclusion)
            moved_on = await self._moved_on(after.account)
            await self.store.save(None, records=[*moved_on, *await self._deposed_by(after), after])
            return Concluded(after, is_new=True)

        return await self.retries.until_saved(transaction_id, save)

    async def _deposed_by(self, row: PaymentDetailRow) -> list[PaymentDetailRow]:
        """The default so far, no default any more, if *row* is the new one."""
        if row.status != ACTIVE or not row.is_default:
            return []
        active = await self.store.find(PaymentDetailRow, account=row.account, status=ACTIVE)
        return [_without_default(other) for other in active if other.is_default]

    # ------------------------------------------------------------ giving up

    async def unset_default(self, account: int, detail_id: int) -> PaymentDetailRow | None:
        """Make that detail no default, nor one to be; None: that account has none such.

        Raises:
            Stale: it was changed meanwhile.
        """
        for row in await self.store.find(PaymentDetailRow, id=detail_id, account=account):
            current = as_of(row, self.clock())
            if not row.is_default:
                return current
            after = _without_default(current)
            await self.store.save(None, records=[*await self._moved_on(account), after])
            return after
        return None

    async def _moved_on(self, account: int) -> list[AccountRow]:
        """The account at its next revision: what is shown of its means of payment is not what it was."""
        found = await self.store.find(AccountRow, id=account)
        return [row._replace(revision=row.revision + 1) for row in found]


async def detail_of(payment: PaymentRow, store: Store) -> PaymentDetailRow | None:
    """The payment detail that *payment* names; None: it names none, or it was erased since."""
    if payment.detail_id is None:
        return None
    found = await store.find(PaymentDetailRow, id=payment.detail_id)
    return found[0] if found else None


async def payment_method_of(payment: PaymentRow, store: Store) -> PaymentMethodView | None:
    """That payment detail as it was when the payment began."""
    detail = await detail_of(payment, store)
    return None if detail is None else view_of(as_of(detail, from_millis(payment.created_at)))


async def expire_due(store: Store, at: datetime) -> int:
    """Write of every detail that expired until then that it did; how many there were."""
    count, written = 0, 1
    while written and (due := await store.due(PaymentDetailRow, millis(at), limit=_DUE_AT_ONCE)):
        written = 0
        for row in due:
            with suppress(Stale):  # somebody else does something about it
                expired = as_of(row, at)
                await store.save(None, records=[expired._replace(revision=row.revision + 1, due_at=None)])
                written += 1
        count += written
    return count


def view_of(row: PaymentDetailRow) -> GatewayPaymentMethodView:
    """A detail as it is answered; *row* must be as it is now."""
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


def _pending(
    account: int, transaction_id: str, request: RegistrationRequest, *, is_default: bool, at: datetime
) -> PaymentDetailRow:
    """A new row. Until the customer chooses, its method is the first of those asked for."""
    method = request.methods[0]
    return PaymentDetailRow(
        id=new_id(),
        revision=1,
        created_at=millis(at),
        account=account,
        transaction_id=transaction_id,
        status=PENDING,
        is_default=is_default,
        is_single_use=False,
        method=method,
        brand=BRANDS[method],
        code="",
        alias=None,
        request=request.encode(),
        due_at=millis(at + PENDING_FOR),
    )


def _check_room(rows: Sequence[PaymentDetailRow], at: datetime) -> None:
    if sum(as_of(row, at).status in _LIVE for row in rows) >= MOST_LIVE:
        raise Problem(
            409,
            "too-many-payment-details",
            f"An account keeps at most {MOST_LIVE} payment details that are PENDING or ACTIVE.",
        )


def _forgotten(rows: Sequence[PaymentDetailRow], at: datetime) -> list[PaymentDetailRow]:
    """The oldest of those that are over, where there are many."""
    over = [row for row in rows if as_of(row, at).status not in _LIVE]
    return over[: max(0, len(over) - MOST_OVER)]


def _without_default(row: PaymentDetailRow) -> PaymentDetailRow:
    return row._replace(revision=row.revision + 1, is_default=False)
