"""Load a checkout, let the core change it, and save it unless another writer came first. Decisions §11."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple, TypeVar

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.changes import bind_account, check_units
from faregate.checkout.expiry import CheckoutStatus, checkout_expiry
from faregate.checkout.model import Checkout
from faregate.checkout.priced import PricedCheckout
from faregate_http.checkouts.code_lookup import CodeLookup
from faregate_http.checkouts.holders import Holders, too_many_held
from faregate_http.checkouts.records import CheckoutRecord, has_ended, record_of, row_of, status_of
from faregate_http.checkouts.responses import Audience, CheckoutResponses, Shown, etag_headers
from faregate_http.inventory.inventory import Inventory
from faregate_http.payment.rows import ended, is_open
from faregate_http.protocol.etags import etag_matches, known_etag
from faregate_http.protocol.instants import millis
from faregate_http.protocol.observed import observed
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import Request, unknown_checkout
from faregate_http.protocol.responses import Response
from faregate_http.retries import Retries
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.store.contract import CheckoutHead, CheckoutRow, Hold, SoldOut, Store, TooManyHeld
from faregate_http.store.records import PaymentRow, Record

_Row = TypeVar("_Row", CheckoutHead, CheckoutRow)

_OPEN = CheckoutStatus.OPEN


class CheckoutEdit(NamedTuple):
    """A checkout loaded for a change by ``request``; ``row`` is None if the checkout is new.

    ``lapsed`` is the checkout's expired payment if it has yet to be cancelled, otherwise None.
    """

    checkouts: Checkouts
    request: Request
    record: CheckoutRecord
    at: datetime
    row: CheckoutRow | None = None
    lapsed: PaymentRow | None = None

    @property
    def checkout(self) -> Checkout:
        """The checkout before the change."""
        return self.record.checkout

    def cancelled(self) -> Sequence[Record]:
        """Return the expired payment, if any, marked as cancelled so that money arriving late is refunded."""
        return [] if self.lapsed is None else [ended(self.lapsed, PaymentState.CANCELLED, due_at=self.at)]

    async def save(self, checkout: Checkout) -> Response:
        """Save *checkout* and return its response; see `Checkouts.save`."""
        return (await self.checkouts.save(self, checkout)).response


@dataclass(eq=False)
class Checkouts:
    """The checkouts in a store; ``retries`` runs the changes to each checkout one after another."""

    store: Store
    responses: CheckoutResponses
    inventory: Inventory
    catalogue: Catalogue
    clock: Callable[[], datetime]
    holders: Holders
    retries: Retries
    codes: CodeLookup

    # ------------------------------------------------------------ showing

    async def show(self, request: Request) -> Shown:
        """Return a response with the checkout; an open one is bound to the first account that requests it.

        Raises:
            Problem: 404, the checkout does not exist on this channel or belongs to another account.
        """
        checkout_id, account = request.checkout_id, request.account
        at = self.clock()
        head = reachable(await self.store.head(checkout_id), request, at)
        status = status_of(head, at)
        if account is not None and head.account is None and not head.is_paying and status is _OPEN:
            return await self.retries.until_saved(checkout_id, lambda: self._bind(request))
        etag = self.responses.etag(head.revision, status, Audience.of(request, head.account))
        known = known_etag(request.headers.get(b"if-none-match"), etag)
        if known is not None:
            return Shown(Response(304, b"", etag_headers(known, request.language)))
        response = self.responses.remembered(checkout_id, etag, request.language)
        if response is not None:
            return Shown(response)
        row = await self.load(request)
        return await self.responses.stored(row, at, Audience.of(request, row.account))

    async def _bind(self, request: Request) -> Shown:
        edit = await self.edit(request)
        return await self.save(edit, edit.checkout)

    async def load(self, request: Request) -> CheckoutRow:
        """Return the row of the checkout that *request* names.

        Raises:
            Problem: 404, the checkout does not exist or *request* has no access to it.
        """
        return reachable(await self.store.checkout(request.checkout_id), request, self.clock())

    async def price(self, row: CheckoutRow) -> PricedCheckout:
        """Return the price of the checkout in *row*, as of its last change.

        Raises:
            Problem: 409, an item is no longer sold.
        """
        return await self.responses.price(record_of(row, self.clock(), catalogue=self.catalogue))

    # ------------------------------------------------------------ changing

    async def edit(self, request: Request, *, opens: bool = False) -> CheckoutEdit:
        """Load the checkout that *request* changes; with *opens*, an unused id starts a new checkout.

        Raises:
            Problem: 404, *request* has no access to the checkout; 409, the checkout cannot be changed; 412,
                the checkout has another revision.
        """
        row = await self.store.checkout(request.checkout_id)
        if row is not None:
            return await self.opened(row, request)
        if not opens:
            raise unknown_checkout()
        _check_revision(request, None)
        now, empty = self.clock(), Checkout(request.channel.uuid)
        record = CheckoutRecord(request.checkout_id, empty, CheckoutStatus.OPEN, now, now, now)
        return CheckoutEdit(self, request, record, now)

    async def opened(self, row: CheckoutRow, request: Request) -> CheckoutEdit:
        """Return the checkout in *row*, ready to be changed by *request*.

        Raises:
            Problem: 404, *request* has no access to the checkout; 409, the checkout is closed, expired or
                being paid for; 412, the checkout has another revision.
        """
        at = self.clock()
        record = record_of(reachable(row, request, at), at, catalogue=self.catalogue)
        if record.status is not CheckoutStatus.OPEN:
            state = record.status.value.lower()
            raise Problem(409, f"checkout-{state}")
        _check_revision(request, row.revision)
        lapsed = await self._lapsed(row, at)
        return CheckoutEdit(self, request, record, max(at, record.changed_at), row, lapsed)

    async def _lapsed(self, row: CheckoutRow, at: datetime) -> PaymentRow | None:
        """Return the expired payment of the checkout in *row* if it must still be cancelled, or else None."""
        if not row.is_paying:
            return None
        *_, payment = await self.store.find(PaymentRow, checkout_id=row.id)
        if is_open(payment, at):
            wait = max((payment.deadline - millis(at)) // 1000, 1)
            raise Problem(409, "payment-in-progress", retry_after=wait)
        return payment if payment.status == PaymentState.PENDING.value else None

    async def save(self, edit: CheckoutEdit, checkout: Checkout) -> Shown:
        """Durably save *checkout*, the result of *edit*; return the response, together with the price.

        The response is stored under the request's Idempotency-Key in the same transaction.

        Raises:
            FaregateError: the checkout is invalid or lacks capacity; nothing is changed.
            Problem: 409, an item is no longer sold; 422 or 429, the client's address holds too many units.
        """
        request, before, at = edit.request, edit.checkout, edit.at
        if request.account is not None:
            groups = request.customer_groups
            checkout = bind_account(checkout, request.account.id, customer_groups=groups)
        check_units(checkout, before, catalogue=self.catalogue)
        holds = await self._claimed(edit, checkout)
        if edit.row is not None and checkout == before:
            audience = Audience.of(request, edit.row.account)
            return await self.responses.stored(edit.row, self.clock(), audience)
        checkout = await self.with_codes(checkout, checkout_id=edit.record.uuid, at=at)
        is_scarce = observed().is_scarce = await self.is_scarce(checkout, holds, at)
        changed = self.changed(edit.record, checkout, at, is_scarce=is_scarce)
        return await self._saved(edit, changed._replace(holder=self._holder(edit, holds)), holds)

    async def with_codes(self, checkout: Checkout, *, checkout_id: str, at: datetime) -> Checkout:
        """Return *checkout* with its promo codes from outside the catalogue and the use of its code limits.

        The use is counted as of *at*, and excludes that by *checkout* itself, which has the id *checkout_id*.
        """
        if not (checkout.codes or checkout.promo_codes or checkout.spent):
            return checkout
        checkout = replace(checkout, promo_codes=await self.codes.found(checkout.codes))
        spent = await self.inventory.spent(checkout, checkout_id=checkout_id, at=at)
        return replace(checkout, spent=spent)

    async def _claimed(self, edit: CheckoutEdit, checkout: Checkout) -> list[Hold] | None:
        """Return the holds that *checkout* needs after *edit*, or None if they do not change."""
        holds = await self.inventory.claim(edit.checkout, checkout, checkout_id=edit.record.uuid, at=edit.at)
        if holds is None and edit.lapsed is not None:
            # Capacity only: an expired payment no longer claims code limits.
            return self.inventory.holds_of(checkout)
        return holds

    def _holder(self, edit: CheckoutEdit, holds: list[Hold] | None) -> int | None:
        """Return the hash of the client, or None if no limit applies; `row_of` drops it for an account."""
        if holds is None:
            return edit.record.holder
        is_protected = edit.request.channel.is_protected
        return None if is_protected or not holds else self.holders.holder(edit.request.client)

    async def is_scarce(self, checkout: Checkout, holds: list[Hold] | None, at: datetime) -> bool:
        """Return True if *checkout* is on a public channel and *holds* make a slot nearly full."""
        if self.catalogue.channel(checkout.channel).is_protected:
            return False
        return await self.inventory.is_scarce(checkout, holds, at)

    def changed(
        self, record: CheckoutRecord, checkout: Checkout, at: datetime, *, is_scarce: bool
    ) -> CheckoutRecord:
        """Return the next revision of *record*, with *checkout*, which was changed at *at*.

        It expires sooner if *is_scarce*.
        """
        channel = self.catalogue.channel(checkout.channel)
        expires_at = checkout_expiry(
            channel, started_at=record.started_at, changed_at=at, is_scarce=is_scarce
        )
        return record._replace(
            checkout=checkout,
            changed_at=at,
            expires_at=expires_at,
            is_paying=False,
            revision=record.revision + 1,
        )

    async def _saved(self, edit: CheckoutEdit, changed: CheckoutRecord, holds: list[Hold] | None) -> Shown:
        request, at = edit.request, edit.at
        audience = Audience.of(request, changed.checkout.account)
        priced = await self.responses.price(changed)
        response = await self.responses.made(changed, priced, audience)
        try:
            await self.store.save(
                row_of(changed),
                request.keyed and request.keyed.stored(response, at),
                holds,
                records=edit.cancelled(),
                limits=self.holders.limits,
            )
        except TooManyHeld as refused:
            raise too_many_held(refused, at) from refused
        except SoldOut as refused:
            self.inventory.found_full(refused, at)
            raise
        self.responses.keep(changed, audience, response)
        return Shown(response._replace(is_stored=request.keyed is not None), priced)


def reachable(row: _Row | None, request: Request, at: datetime) -> _Row:
    """Return *row*, the row of a checkout, if it exists and *request* has access to it.

    Raises:
        Problem: 404, the row does not exist or *request* has no access to it; see `is_within_reach`.
    """
    if row is None or not is_within_reach(row, request, at):
        raise unknown_checkout()
    return row


def is_within_reach(row: CheckoutHead | CheckoutRow, request: Request, at: datetime) -> bool:
    """Return True if *request* may see the checkout: it is still shown, and its channel and account match."""
    is_theirs = row.account is None or (request.account is not None and request.account.id == row.account)
    return is_theirs and row.channel == request.channel.uuid and not has_ended(row, at)


def _check_revision(request: Request, revision: int | None) -> None:
    if_match = request.headers.get(b"if-match")
    if if_match is not None and not etag_matches(if_match, revision):
        raise Problem(412, "changed-meanwhile")
