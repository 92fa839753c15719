"""Checkouts in the store: load one, let the core decide, save it if nobody was quicker. Decisions §11."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from faregate.checkout.changes import CheckoutStatus, bind_account, check_units, checkout_expiry
from faregate.checkout.model import Checkout
from faregate.errors import FaregateError
from faregate_http.checkouts.answers import Audience, CheckoutAnswers, Shown, etag_headers
from faregate_http.checkouts.holders import too_many_held
from faregate_http.checkouts.records import CheckoutRecord, has_ended, record_of, row_of, status_of
from faregate_http.payment.rows import ended, is_open
from faregate_http.protocol.answers import Answer
from faregate_http.protocol.etags import etag_matches, is_not_modified
from faregate_http.protocol.instants import millis
from faregate_http.protocol.observed import observed
from faregate_http.protocol.parameters import is_checkout_id
from faregate_http.protocol.problems import ErrorView, Problem
from faregate_http.protocol.refusals import refusal
from faregate_http.retries import Retries
from faregate_http.schemas.payment_status import PaymentState
from faregate_http.store.contract import SoldOut, Stale, TooManyHeld
from faregate_http.store.records import PaymentRow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from faregate.catalogue.catalogue import Catalogue
    from faregate.catalogue.pools import Capacity
    from faregate.errors import Issue
    from faregate_http.checkouts.holders import Holders
    from faregate_http.inventory.inventory import Inventory
    from faregate_http.protocol.idempotency import KeyedRequest
    from faregate_http.protocol.requests import Call
    from faregate_http.store.contract import CheckoutHead, CheckoutRow, Hold, Store
    from faregate_http.store.records import AccountRow, Record


class Moment(NamedTuple):
    """When a change is made, and what prices follow then."""

    at: datetime
    sold: Capacity


class Change(NamedTuple):
    """A transition of the core: what it makes of a checkout at an instant, and at what is sold then.

    ``describe`` says where in the request a fault is. Only one that ``opens`` works on an unused id.
    """

    apply: Callable[[Checkout, Moment], Checkout]
    describe: Callable[[Issue], ErrorView]
    opens: bool = False


class _Asked(NamedTuple):
    """A change that is asked for: of which checkout, and by whom."""

    checkout_id: str
    call: Call
    change: Change
    account: AccountRow | None
    keyed: KeyedRequest | None


class Opened(NamedTuple):
    """A checkout that takes changes, with the payment whose time is over, if there is one to be cancelled."""

    record: CheckoutRecord
    revision: int
    lapsed: PaymentRow | None = None

    def cancelled(self, at: datetime) -> Sequence[Record]:
        """What is saved of the lapsed payment: the gateway is to give back what still comes."""
        return [] if self.lapsed is None else [ended(self.lapsed, PaymentState.CANCELLED, due_at=at)]


class Checkouts:
    """The checkouts of a store; ``attempts`` keep apart those who change one of them."""

    def __init__(
        self,
        store: Store,
        answers: CheckoutAnswers,
        inventory: Inventory,
        *,
        catalogue: Catalogue,
        clock: Callable[[], datetime],
        holders: Holders,
    ) -> None:
        self._store = store
        self._answers = answers
        self._inventory = inventory
        self._catalogue = catalogue
        self._clock = clock
        self._holders = holders
        self.retries = Retries(Stale, SoldOut)

    async def show(self, call: Call, account: AccountRow | None = None) -> Shown:
        """Return the checkout as it stands; the first account that asks for an open one is given it.

        Raises:
            Problem: there is none of that id on that channel, or it is another account's.
        """
        checkout_id = checkout_id_of(call)
        head = await self._store.head(checkout_id)
        at = self._clock()
        check_reach(head, call, account, at)
        if head is None:
            raise unknown_checkout()
        status = status_of(head, at)
        if account is not None and head.account is None and not head.is_paying and status is _OPEN:
            return await self.change(call, _NO_CHANGE, account=account)
        audience = audience_of(call, account, head.account)
        etag = self._answers.etag(head.revision, status, audience)
        known = call.headers.get(b"if-none-match")
        if known is not None and is_not_modified(known, etag):
            return Shown(Answer(304, b"", etag_headers(etag, call.language)))
        answer = self._answers.remembered(checkout_id, etag, call.language)
        if answer is not None:
            return Shown(answer)
        row = await self._store.checkout(checkout_id)
        check_reach(row, call, account, at)  # it may have been bound since
        if row is None:
            raise unknown_checkout()
        return await self._answers.stored(row, at, audience_of(call, account, row.account))

    async def change(
        self,
        call: Call,
        change: Change,
        keyed: KeyedRequest | None = None,
        *,
        account: AccountRow | None = None,
    ) -> Shown:
        """Make *change* and answer the checkout afterwards; durable before it is answered.

        With *keyed* the answer is saved under its key, in the same transaction.

        Raises:
            Problem: there is no such checkout, it takes no changes, or not this one; nothing is changed.
        """
        checkout_id = checkout_id_of(call)
        asked = _Asked(checkout_id, call, change, account, keyed)
        return await self.retries.until_saved(checkout_id, lambda: self._attempt(asked))

    async def _attempt(self, asked: _Asked) -> Shown:
        row = await self._store.checkout(asked.checkout_id)
        opened = self._new(asked) if row is None else await self.opened(row, asked.call, asked.account)
        record = opened.record
        at = max(self._clock(), record.changed_at)
        checkout, holds = await self._decided(asked, opened, at)
        if row is not None and checkout == record.checkout:
            audience = audience_of(asked.call, asked.account, row.account)
            return await self._answers.stored(row, self._clock(), audience)
        spent = await self._inventory.spent(checkout, checkout_id=record.uuid, at=at)
        is_scarce = await self.is_scarce(checkout, holds, at)
        changed = self.changed(record, replace(checkout, spent=spent), at, is_scarce=is_scarce)
        changed = changed._replace(holder=self._holder(asked, changed, holds))
        observed().is_scarce = is_scarce
        return await self._saved(asked, opened, changed, holds)

    def _holder(self, asked: _Asked, record: CheckoutRecord, holds: list[Hold] | None) -> int | None:
        """Return the holder that the places of *record* count for; None: somebody vouches for them."""
        if holds is None:
            return record.holder
        is_vouched_for = record.checkout.account is not None or asked.call.channel.is_protected
        return None if is_vouched_for or not holds else self._holders.holder(asked.call.client)

    async def is_scarce(self, checkout: Checkout, holds: list[Hold] | None, at: datetime) -> bool:
        """Return True where *checkout*, of a public channel, has scarce places: see `Inventory.is_scarce`."""
        if self._catalogue.channel(checkout.channel).is_protected:
            return False
        return await self._inventory.is_scarce(checkout, holds, at)

    async def _decided(
        self, asked: _Asked, opened: Opened, at: datetime
    ) -> tuple[Checkout, list[Hold] | None]:
        """What the change makes of the checkout, and what it holds then; None: what it held before."""
        before, change = opened.record.checkout, asked.change
        sold = await self._inventory.sold()
        try:
            checkout = change.apply(before, Moment(at, sold))
            if asked.account is not None:
                checkout = bind_account(checkout, asked.account.id)
            check_units(checkout, before, catalogue=self._catalogue)
            claim = self._inventory.claim(before, checkout)
            if claim is not None and self._inventory.is_doubtful(claim, at):
                await self._inventory.check(claim, checkout_id=asked.checkout_id, at=at)
            holds = None if claim is None else claim.holds
            if opened.lapsed is not None and holds is None:
                holds = self._inventory.holds_of(checkout)  # and nothing of what codes allow
        except FaregateError as error:
            raise refusal(error, change.describe) from error
        return checkout, holds

    async def _saved(
        self, asked: _Asked, opened: Opened, changed: CheckoutRecord, holds: list[Hold] | None
    ) -> Shown:
        at, revision, keyed = changed.changed_at, opened.revision + 1, asked.keyed
        audience = audience_of(asked.call, asked.account, changed.checkout.account)
        priced = self._answers.price(changed)
        answer = await self._answers.made(changed, priced, revision, audience)
        kept = keyed and keyed.kept(answer, at)
        try:
            await self._store.save(
                row_of(changed, revision),
                kept,
                holds,
                records=opened.cancelled(at),
                limits=self._holders.limits,
            )
        except TooManyHeld as refused:
            raise too_many_held(refused, at) from refused
        except SoldOut as refused:
            self._inventory.found_full(refused, at)
            raise
        self._answers.keep(changed, revision, audience, answer)
        return Shown(answer._replace(is_kept=keyed is not None), priced)

    def changed(
        self, record: CheckoutRecord, checkout: Checkout, at: datetime, *, is_scarce: bool = False
    ) -> CheckoutRecord:
        """*record* after a change at that instant, which prolongs its life."""
        channel = self._catalogue.channel(checkout.channel)
        expires_at = checkout_expiry(
            channel, started_at=record.started_at, changed_at=at, is_scarce=is_scarce
        )
        return record._replace(checkout=checkout, changed_at=at, expires_at=expires_at, is_paying=False)

    def _new(self, asked: _Asked) -> Opened:
        if not asked.change.opens:
            raise unknown_checkout()
        _check_revision(asked.call.headers.get(b"if-match"), None)
        now, empty = self._clock(), Checkout(asked.call.channel.uuid)
        return Opened(CheckoutRecord(asked.checkout_id, empty, CheckoutStatus.OPEN, now, now, now), 0)

    async def opened(self, row: CheckoutRow, call: Call, account: AccountRow | None) -> Opened:
        """The checkout of *row*, to be changed; refused where it takes no changes.

        Raises:
            Problem: 404, it is not theirs who ask; 409, it is closed, expired, or being paid; 412.
        """
        at = self._clock()
        check_reach(row, call, account, at)
        record = record_of(row, at, catalogue=self._catalogue)
        if record.status is not CheckoutStatus.OPEN:
            state = record.status.value.lower()
            raise Problem(409, f"checkout-{state}", f"This checkout is {state} and takes no changes.")
        _check_revision(call.headers.get(b"if-match"), row.revision)
        return Opened(record, row.revision, await self._lapsed(row, at))

    async def _lapsed(self, row: CheckoutRow, at: datetime) -> PaymentRow | None:
        """The payment of *row* whose time is over; None: it has none."""
        if not row.is_paying:
            return None
        *_, payment = await self._store.find(PaymentRow, checkout_id=row.id)
        if is_open(payment, at):
            wait = str(max((payment.deadline - millis(at)) // 1000, 1)).encode()
            raise Problem(
                409,
                "payment-in-progress",
                "This checkout is being paid and takes no changes until that has ended.",
                headers=((b"retry-after", wait),),
            )
        return payment if payment.status == PaymentState.PENDING.value else None


_OPEN = CheckoutStatus.OPEN


def _in_nothing(fault: Issue) -> ErrorView:
    return ErrorView(fault.message, code=fault.code.value)


_NO_CHANGE = Change(lambda checkout, _: checkout, _in_nothing)


def audience_of(call: Call, account: AccountRow | None, bound_to: int | None) -> Audience:
    """For whom the answer to *call* is, about a checkout that is *bound_to* that account."""
    is_theirs = account is not None and account.id == bound_to
    return Audience(call.language, account if is_theirs else None)


def check_reach(
    row: CheckoutHead | CheckoutRow | None, call: Call, account: AccountRow | None, at: datetime
) -> None:
    """Refuse whoever may not touch a checkout, as if there were none.

    Raises:
        Problem: it is of another channel, or of another account, or has ended.
    """
    if row is None or not is_within_reach(row, call, account, at):
        raise unknown_checkout()


def is_within_reach(
    row: CheckoutHead | CheckoutRow, call: Call, account: AccountRow | None, at: datetime
) -> bool:
    """Return whether *call* may use a live checkout: of its channel, and of *account* or of no account."""
    is_theirs = row.account is None or (account is not None and account.id == row.account)
    return is_theirs and row.channel == call.channel.uuid and not has_ended(row, at)


def checkout_id_of(call: Call) -> str:
    """The id of the checkout that a request names.

    Raises:
        Problem: 404, it is not a UUID of version 4 or 7.
    """
    checkout_id = call.parameters["checkoutId"]
    if not is_checkout_id(checkout_id):
        raise unknown_checkout()
    return checkout_id.lower()


def unknown_checkout() -> Problem:
    """The same for none, another channel's and another account's: which it is, is nobody's business."""
    return Problem(404, "unknown-checkout", "There is no such checkout on this channel.")


def _check_revision(if_match: str | None, revision: int | None) -> None:
    if if_match is not None and not etag_matches(if_match, revision):
        raise Problem(412, "changed-meanwhile", "The checkout is at another revision than If-Match says.")
