"""Means of payment: registered with the gateway, listed, used and removed. Decisions §12."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from faregate_http.accounts.accounts import Accounts
from faregate_http.admission.queueing import waiting_elsewhere
from faregate_http.payment.detail_rows import (
    ACTIVE,
    PENDING,
    RegistrationRequest,
    as_of,
    concluded,
    is_live,
    pending,
    registration_of,
    view_of,
)
from faregate_http.payment.gateway import (
    Conclusion,
    GatewayNotConfigured,
    GatewayUnavailable,
    PaymentGateway,
    Registration,
)
from faregate_http.payment.rows import voucher_method
from faregate_http.protocol.instants import from_millis, millis
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.responses import NO_STORE, Response, json_response
from faregate_http.protocol.stored_responses import KeyedRequest
from faregate_http.retries import Retries
from faregate_http.schemas.payments import PaymentMethodView, RegistrationEnvelope, RegistrationView
from faregate_http.store.contract import Stale, Store
from faregate_http.store.records import AccountRow, PaymentDetailRow, PaymentRow

MOST_LIVE = 50
"""Maximum number of PENDING and ACTIVE details of one account."""

MOST_FOR_CHECKOUT = 50
"""Maximum number of details registered for one checkout, which slows down card testing."""

MOST_OVER = 100
"""Maximum number of EXPIRED and DECLINED details kept for one account; the oldest are deleted."""

_DUE_AT_ONCE = 100


class Concluded(NamedTuple):
    """A registration that has ended; `is_new` is True for the one caller that ended it."""

    row: PaymentDetailRow
    is_new: bool


@dataclass(eq=False)
class PaymentDetails:
    """The payment details in a store, and the gateway with which they are registered."""

    store: Store
    gateway: PaymentGateway
    accounts: Accounts
    clock: Callable[[], datetime]
    retries: Retries = field(default_factory=Retries)

    # ------------------------------------------------------------ reading

    async def of_account(self, account: int) -> list[PaymentDetailRow]:
        """Return the details of *account* in their current state, oldest first."""
        at = self.clock()
        return [as_of(row, at) for row in await self.store.find(PaymentDetailRow, account=account)]

    async def usable(self, account: int, detail_id: int | None = None) -> PaymentDetailRow | None:
        """Return *account*'s ACTIVE detail with the id *detail_id* (None: the default), if there is one."""
        rows = await self.of_account(account)
        active = [row for row in rows if row.status == ACTIVE and row.checkout_id is None]
        wanted = [row for row in active if (row.is_default if detail_id is None else row.id == detail_id)]
        return next(iter(wanted), None)

    async def of_checkout(self, checkout_id: str) -> list[PaymentDetailRow]:
        """Return the details that can be used only for the checkout *checkout_id*, oldest first."""
        return await self.store.find(PaymentDetailRow, checkout_id=checkout_id)

    async def registration(self, transaction_id: str) -> PaymentDetailRow | None:
        """Return the detail registered under *transaction_id* in its current state, or None."""
        rows = await self.store.find(PaymentDetailRow, transaction_id=transaction_id)
        return as_of(rows[0], self.clock()) if rows else None

    # ------------------------------------------------------------ registering

    async def register(
        self,
        account: AccountRow | None,
        request: RegistrationRequest,
        *,
        is_default: bool,
        service_url: str,
        checkout_id: str | None = None,
        keyed: KeyedRequest | None = None,
    ) -> Response:
        """Begin to register a detail for *account* or one checkout; respond with the URL of the page to open.

        With *keyed*, the response is stored under its Idempotency-Key in the same transaction.

        Raises:
            Problem: 409, the account or checkout has the maximum number of details; 503, the gateway is
                missing or does not respond; 401, the account was erased.
        """
        await self._rows_with_room(account, checkout_id)
        transaction_id = secrets.token_hex(16)
        response = await self._begun(registration_of(request, transaction_id, service_url))
        at = self.clock()
        row = pending(transaction_id, request, is_default=is_default, at=at)
        row = row._replace(account=account and account.id, checkout_id=checkout_id)
        answer = keyed and keyed.stored(response, at)

        async def save() -> Response:
            # A new account revision keeps two requests from both adding the last detail allowed.
            moved_on = [] if account is None else [await self.accounts.current(account)]
            rows = await self._rows_with_room(account, checkout_id)
            await self.store.save(
                None,
                answer,
                records=[*(one._replace(revision=one.revision + 1) for one in moved_on), row],
                erased=_forgotten(rows, at),
            )
            return response._replace(is_stored=keyed is not None)

        return await self.retries.until_saved(transaction_id if account is None else str(account.id), save)

    async def _rows_with_room(
        self, account: AccountRow | None, checkout_id: str | None
    ) -> list[PaymentDetailRow]:
        """Check that one more detail is allowed; return the details of *account*, or [] for a guest."""
        if checkout_id is not None and len(await self.of_checkout(checkout_id)) >= MOST_FOR_CHECKOUT:
            raise Problem(409, "too-many-payment-details")
        if account is None:
            return []
        rows, at = await self.store.find(PaymentDetailRow, account=account.id), self.clock()
        if sum(is_live(row, at) for row in rows) >= MOST_LIVE:
            raise Problem(409, "too-many-payment-details")
        return rows

    async def _begun(self, registration: Registration) -> Response:
        try:
            with waiting_elsewhere():
                url = await self.gateway.register(registration)
        except GatewayNotConfigured:
            raise Problem(503, "gateway-not-configured") from None
        except GatewayUnavailable:
            raise Problem(503, "gateway-unavailable", retry_after=5) from None
        envelope = RegistrationEnvelope(RegistrationView(registration.transaction_id, url))
        return json_response(envelope, NO_STORE, language=registration.language)

    async def conclude(self, transaction_id: str, conclusion: Conclusion) -> Concluded | None:
        """End a registration once, even if called repeatedly, and return it, or None if it does not exist.

        A detail that is to be the default replaces the previous default when it becomes ACTIVE. A
        registration that has ended or expired does not change.
        """

        async def save() -> Concluded | None:
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
        """Return the details that *row* replaces as the default, with the default unset in a new revision."""
        if row.status != ACTIVE or not row.is_default or row.account is None:
            return []
        active = await self.store.find(PaymentDetailRow, account=row.account, status=ACTIVE)
        return [_without_default(other) for other in active if other.is_default]

    # ------------------------------------------------------------ unsetting and forgetting

    async def unset_default(self, account: int, detail_id: int) -> PaymentDetailRow | None:
        """Unset a detail as the current or future default; return it, or None if it is not in *account*.

        Raises:
            Stale: the detail has since been changed.
        """
        for row in await self.store.find(PaymentDetailRow, id=detail_id, account=account):
            current = as_of(row, self.clock())
            if not row.is_default:
                return current
            after = _without_default(current)
            await self.store.save(None, records=[*await self._moved_on(account), after])
            return after
        return None

    async def _moved_on(self, account: int | None) -> list[AccountRow]:
        """Return a list with the next revision of *account*, whose payment details change; [] for a guest."""
        if account is None:
            return []
        found = await self.store.find(AccountRow, id=account)
        return [row._replace(revision=row.revision + 1) for row in found]


async def detail_of(payment: PaymentRow, store: Store) -> PaymentDetailRow | None:
    """Return the payment detail of *payment*, or None if it has none or the detail was erased."""
    if payment.detail_id is None:
        return None
    found = await store.find(PaymentDetailRow, id=payment.detail_id)
    return found[0] if found else None


async def payment_method_of(payment: PaymentRow, store: Store) -> PaymentMethodView | None:
    """Return the payment method that *payment* was started with, or None if nothing was left to pay."""
    detail = await detail_of(payment, store)
    if detail is not None:
        return view_of(as_of(detail, from_millis(payment.created_at)))
    return voucher_method(payment)


async def expire_due(store: Store, at: datetime) -> int:
    """Mark the details that have expired by *at* as EXPIRED, and return how many were marked."""
    count, written = 0, 1
    while written and (due := await store.due(PaymentDetailRow, millis(at), limit=_DUE_AT_ONCE)):
        written = 0
        for row in due:
            with suppress(Stale):  # another writer changes the detail
                expired = as_of(row, at)
                await store.save(None, records=[expired._replace(revision=row.revision + 1, due_at=None)])
                written += 1
        count += written
    return count


def _forgotten(rows: Sequence[PaymentDetailRow], at: datetime) -> list[PaymentDetailRow]:
    """Return the details to delete: the oldest EXPIRED and DECLINED ones in excess of `MOST_OVER`."""
    over = [row for row in rows if not is_live(row, at)]
    return over[: max(0, len(over) - MOST_OVER)]


def _without_default(row: PaymentDetailRow) -> PaymentDetailRow:
    return row._replace(revision=row.revision + 1, is_default=False)
