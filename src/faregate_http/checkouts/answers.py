"""Checkouts as they are answered: each state has one ETag and one body, which is made once and remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from faregate.checkout.changes import CheckoutStatus
from faregate.checkout.priced import price_checkout
from faregate.errors import InvalidCheckout, UnknownEntry
from faregate_http.accounts.customers import defaults_of
from faregate_http.checkouts.records import record_of
from faregate_http.checkouts.views import Particulars, checkout_body
from faregate_http.payment.methods import payment_method_of
from faregate_http.protocol.answer_cache import AnswerCache
from faregate_http.protocol.answers import CURRENT, Answer, json_headers
from faregate_http.protocol.etags import make_etag
from faregate_http.protocol.frozen import unpack
from faregate_http.protocol.languages import LANGUAGES
from faregate_http.protocol.refusals import catalogue_changed
from faregate_http.store.records import OrderRow, PaymentRow

if TYPE_CHECKING:
    from datetime import datetime

    from faregate.checkout.priced import PricedCheckout
    from faregate_http.checkouts.records import CheckoutRecord
    from faregate_http.offers.catalogue_views import CatalogueViews
    from faregate_http.schemas.payments import PaymentMethodView
    from faregate_http.store.contract import CheckoutRow, Store
    from faregate_http.store.records import AccountRow


class Audience(NamedTuple):
    """For whom an answer is: a language, and the account that asks, if one does."""

    language: str
    account: AccountRow | None = None


class Shown(NamedTuple):
    """The answer of a checkout, and its price; None: the answer was at hand without pricing."""

    answer: Answer
    priced: PricedCheckout | None = None


class CheckoutAnswers:
    """The answers of a store's checkouts. ``edition`` names the catalogue they are priced from."""

    def __init__(self, store: Store, views: CatalogueViews, *, edition: str) -> None:
        self._store = store
        self._views = views
        self._edition = edition
        self._cache = AnswerCache()

    def etag(self, revision: int, status: CheckoutStatus, audience: Audience) -> str:
        """The ETag of a checkout; what is proposed to an account changes with the account."""
        language, account = audience
        if account is None:
            return make_etag(revision, status.value, language, self._edition)
        return make_etag(revision, status.value, language, self._edition, f"{account.revision}")

    def remembered(self, checkout_id: str, etag: str, language: str) -> Answer | None:
        """The answer with that ETag, if it is at hand."""
        return self._cache.get((checkout_id, language), etag)

    async def stored(
        self, row: CheckoutRow, at: datetime, audience: Audience, priced: PricedCheckout | None = None
    ) -> Shown:
        """Return the answer of a checkout as it was saved, and as it stands at that instant.

        The checkout is priced where its answer is not at hand and the caller has not *priced* this revision.
        """
        record = record_of(row, at, catalogue=self._views.catalogue)
        answer = self.remembered(row.id, self.etag(row.revision, record.status, audience), audience.language)
        if answer is not None:
            return Shown(answer, priced)
        if record.status is CheckoutStatus.CLOSED:
            answer = await self._frozen(row, audience)
        else:
            priced = priced or self.price(record)
            answer = await self.made(record, priced, row.revision, audience)
        self.keep(record, row.revision, audience, answer)
        return Shown(answer, priced)

    def price(self, record: CheckoutRecord) -> PricedCheckout:
        """Price *record* as of its last change.

        Raises:
            Problem: 409, something in it is sold no longer.
        """
        try:
            return price_checkout(record.checkout, catalogue=self._views.catalogue, at=record.changed_at)
        except (InvalidCheckout, UnknownEntry) as error:
            raise catalogue_changed(error) from error

    async def made(
        self, record: CheckoutRecord, priced: PricedCheckout, revision: int, audience: Audience
    ) -> Answer:
        """Return the answer of a checkout that is not closed.

        Raises:
            Problem: 409, something in it is sold no longer.
        """
        particulars = await self._particulars(record, audience)
        body = self.body(record, priced, audience.language, particulars)
        return self.answer(body, revision, record.status, audience)

    def body(
        self, record: CheckoutRecord, priced: PricedCheckout, language: str, particulars: Particulars
    ) -> bytes:
        """Return the body of a checkout in one language.

        Raises:
            Problem: 409, something in it is sold no longer.
        """
        try:
            return checkout_body(record, priced, language, self._views, particulars)
        except UnknownEntry as error:
            raise catalogue_changed(error) from error

    def answer(self, body: bytes, revision: int, status: CheckoutStatus, audience: Audience) -> Answer:
        """The answer of which that is the body."""
        etag = self.etag(revision, status, audience)
        return Answer(200, body, etag_headers(etag, audience.language))

    def keep(self, record: CheckoutRecord, revision: int, audience: Audience, answer: Answer) -> None:
        """Remember the answer of what was saved."""
        etag = self.etag(revision, record.status, audience)
        self._cache.put((record.uuid, audience.language), etag, answer)

    async def _particulars(self, record: CheckoutRecord, audience: Audience) -> Particulars:
        found = Particulars()
        if audience.account is not None and record.checkout.account == audience.account.id:
            channel = self._views.catalogue.channel(record.checkout.channel)
            found = found._replace(defaults=await defaults_of(audience.account, channel, self._store))
        if record.is_paying:
            found = found._replace(payment_method=await self._payment_method(record.uuid))
        return found

    async def _payment_method(self, checkout_id: str) -> PaymentMethodView | None:
        payments = await self._store.find(PaymentRow, checkout_id=checkout_id)
        return None if not payments else await payment_method_of(payments[-1], self._store)

    async def _frozen(self, row: CheckoutRow, audience: Audience) -> Answer:
        (order,) = await self._store.find(OrderRow, id=row.id)
        body = unpack(order.views)[audience.language]
        return self.answer(body, row.revision, CheckoutStatus.CLOSED, audience)

    def bodies(
        self, record: CheckoutRecord, priced: PricedCheckout, particulars: Particulars
    ) -> dict[str, bytes]:
        """Return the body of a checkout in every language.

        Raises:
            UnknownEntry: something in it is no longer in the catalogue.
        """
        return {
            language: checkout_body(record, priced, language, self._views, particulars)
            for language in LANGUAGES
        }


def etag_headers(etag: str, language: str) -> tuple[tuple[bytes, bytes], ...]:
    """The headers of an answer with that ETag."""
    return json_headers(language, (b"etag", etag.encode()), CURRENT)
