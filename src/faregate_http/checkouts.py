"""Checkouts in the store: load one, let the core decide, save it if nobody was quicker. Decisions §11."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from faregate.checkout import CheckoutStatus, checkout_expiry
from faregate.checkout_inputs import Checkout
from faregate.errors import FaregateError, InvalidCheckout, UnknownEntry
from faregate_http.answer_cache import AnswerCache
from faregate_http.answers import Answer, json_headers
from faregate_http.etags import etag_matches, is_not_modified, make_etag
from faregate_http.instants import from_millis, millis
from faregate_http.locks import KeyedLocks
from faregate_http.parameters import is_uuid
from faregate_http.problems import ErrorView, Problem
from faregate_http.refusals import catalogue_changed, refusal
from faregate_http.store.contract import CheckoutRow, SoldOut, Stale
from faregate_http.stored_inputs import read_inputs, write_inputs
from faregate_http.views import CheckoutRecord, checkout_body

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from faregate.faults import Fault
    from faregate.pools import Capacity
    from faregate_http.answers import Header
    from faregate_http.calls import Call
    from faregate_http.catalogue_views import CatalogueViews
    from faregate_http.idempotency import KeyedRequest
    from faregate_http.stock import Stock
    from faregate_http.store.contract import CheckoutHead, Store

__all__ = ["Change", "Checkouts", "Moment", "checkout_id_of"]

_MOST_ATTEMPTS = 20


class Moment(NamedTuple):
    """When a change is made, and what prices follow then."""

    at: datetime
    sold: Capacity


class Change(NamedTuple):
    """A transition of the core: what it makes of a checkout at an instant, and at what is sold then.

    ``describe`` says where in the request a fault is. Only one that ``opens`` works on an unused id.
    """

    apply: Callable[[Checkout, Moment], Checkout]
    describe: Callable[[Fault], ErrorView]
    opens: bool = False


class Checkouts:
    """The checkouts of a store. ``edition`` names the catalogue they are priced from."""

    def __init__(
        self,
        store: Store,
        views: CatalogueViews,
        stock: Stock,
        *,
        edition: str,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._views = views
        self._stock = stock
        self._edition = edition
        self._clock = clock
        self._locks = KeyedLocks()
        self._answers = AnswerCache()

    async def show(self, call: Call) -> Answer:
        """The checkout as it stands.

        Raises:
            Problem: there is none of that id on that channel.
        """
        checkout_id = checkout_id_of(call)
        head = await self._store.head(checkout_id)
        if head is None or head.channel != call.channel.uuid:
            raise _unknown_checkout()
        status = self._status(head)
        etag = make_etag(head.revision, status.value, call.language, self._edition)
        known = call.headers.get(b"if-none-match")
        if known is not None and is_not_modified(known, etag):
            return Answer(304, b"", _headers(etag, call.language))
        answer = self._answers.get((checkout_id, call.language), etag)
        if answer is None:
            row = await self._store.checkout(checkout_id)
            if row is None:
                raise _unknown_checkout()
            etag, answer = self._answer(self._record(row), row.revision, call.language)
            self._answers.put((checkout_id, call.language), etag, answer)
        return answer

    async def change(self, call: Call, change: Change, keyed: KeyedRequest | None = None) -> Answer:
        """Make *change* and answer the checkout afterwards; durable before it is answered.

        With *keyed* the answer is saved under its key, in the same transaction.

        Raises:
            Problem: there is no such checkout, it takes no changes, or not this one; nothing is changed.
        """
        checkout_id = checkout_id_of(call)
        async with self._locks.holding(checkout_id):
            for _ in range(_MOST_ATTEMPTS):
                try:
                    return await self._attempt(checkout_id, call, change, keyed)
                except (Stale, SoldOut):  # somebody was quicker: decide again on what is there now
                    continue
        raise Problem(503, "busy", "Too many changes at once; try again.", headers=((b"retry-after", b"1"),))

    async def _attempt(
        self, checkout_id: str, call: Call, change: Change, keyed: KeyedRequest | None
    ) -> Answer:
        row = await self._store.checkout(checkout_id)
        record = self._open_record(row, checkout_id, call, change)
        at = max(self._clock(), record.changed_at)
        sold = await self._stock.sold()
        try:
            checkout = change.apply(record.checkout, Moment(at, sold))
            claim = self._stock.claim(record.checkout, checkout)
            if claim is not None and self._stock.is_doubtful(claim, at):
                await self._stock.check(claim, checkout_id=checkout_id, at=at)
        except FaregateError as error:
            raise refusal(error, change.describe) from error
        if row is not None and checkout == record.checkout:
            return self._answer(record, row.revision, call.language)[1]
        changed = record._replace(
            checkout=checkout,
            changed_at=at,
            expires_at=checkout_expiry(call.channel, started_at=record.started_at, changed_at=at),
        )
        revision = 1 if row is None else row.revision + 1
        etag, answer = self._answer(changed, revision, call.language)
        try:
            await self._store.save(
                _row(changed, revision), keyed and keyed.kept(answer, at), claim and claim.holds
            )
        except SoldOut as refused:
            self._stock.found_full(refused, at)
            raise
        self._answers.put((checkout_id, call.language), etag, answer)
        return answer._replace(is_kept=keyed is not None)

    def _open_record(
        self, row: CheckoutRow | None, checkout_id: str, call: Call, change: Change
    ) -> CheckoutRecord:
        """The checkout to be changed, or a new one; refused where it takes no changes."""
        if_match = call.headers.get(b"if-match")
        if row is None:
            if not change.opens:
                raise _unknown_checkout()
            _check_revision(if_match, None)
            now = self._clock()
            return CheckoutRecord(
                checkout_id, Checkout(call.channel.uuid), CheckoutStatus.OPEN, now, now, now
            )
        if row.channel != call.channel.uuid:
            raise _unknown_checkout()
        record = self._record(row)
        if record.status is not CheckoutStatus.OPEN:
            state = record.status.value.lower()
            raise Problem(409, f"checkout-{state}", f"This checkout is {state} and takes no changes.")
        _check_revision(if_match, row.revision)
        return record

    def _record(self, row: CheckoutRow) -> CheckoutRecord:
        return CheckoutRecord(
            row.id,
            read_inputs(
                row.inputs, channel=row.channel, account=row.account, catalogue=self._views.catalogue
            ),
            self._status(row),
            from_millis(row.started_at),
            from_millis(row.changed_at),
            from_millis(row.expires_at),
        )

    def _status(self, head: CheckoutHead | CheckoutRow) -> CheckoutStatus:
        if head.is_closed:
            return CheckoutStatus.CLOSED
        is_over = millis(self._clock()) >= head.expires_at
        return CheckoutStatus.EXPIRED if is_over else CheckoutStatus.OPEN

    def _answer(self, record: CheckoutRecord, revision: int, language: str) -> tuple[str, Answer]:
        """The ETag of a checkout as it stands, and the answer with it."""
        etag = make_etag(revision, record.status.value, language, self._edition)
        answer = self._answers.get((record.uuid, language), etag)
        if answer is None:
            try:
                body = checkout_body(record, language, self._views)
            except (InvalidCheckout, UnknownEntry) as error:
                raise catalogue_changed(error) from error
            answer = Answer(200, body, _headers(etag, language))
        return etag, answer


def _headers(etag: str, language: str) -> tuple[Header, ...]:
    return json_headers(language, (b"etag", etag.encode()))


def _row(record: CheckoutRecord, revision: int) -> CheckoutRow:
    return CheckoutRow(
        id=record.uuid,
        channel=record.checkout.channel,
        account=record.checkout.account,
        is_closed=record.status is CheckoutStatus.CLOSED,
        revision=revision,
        started_at=millis(record.started_at),
        changed_at=millis(record.changed_at),
        expires_at=millis(record.expires_at),
        inputs=write_inputs(record.checkout),
    )


def checkout_id_of(call: Call) -> str:
    """The id of the checkout that a request names.

    Raises:
        Problem: 404, it is no UUID.
    """
    checkout_id = call.parameters["checkoutId"]
    if not is_uuid(checkout_id):
        raise _unknown_checkout()
    return checkout_id.lower()


def _unknown_checkout() -> Problem:
    # The same for a checkout of another channel: its existence is nobody's business.
    return Problem(404, "unknown-checkout", "There is no such checkout on this channel.")


def _check_revision(if_match: str | None, revision: int | None) -> None:
    if if_match is not None and not etag_matches(if_match, revision):
        raise Problem(412, "changed-meanwhile", "The checkout is at another revision than If-Match says.")
