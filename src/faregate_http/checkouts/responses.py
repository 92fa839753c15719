"""Checkout responses: each state of a checkout has one ETag and one body, which is built once and cached."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.expiry import CheckoutStatus
from faregate.checkout.model import Checkout
from faregate.checkout.priced import PricedCheckout, price_checkout
from faregate.errors import InvalidCheckout, UnknownEntry
from faregate.translations import LANGUAGES
from faregate_http.accounts.persons import defaults_of
from faregate_http.aside import STEPS_PER_ITEM, aside
from faregate_http.checkouts.records import CheckoutRecord, record_of
from faregate_http.checkouts.views import Particulars, checkout_body
from faregate_http.offers.catalogue_views import CatalogueViews
from faregate_http.payment.details import payment_method_of
from faregate_http.protocol.etags import make_etag
from faregate_http.protocol.refusals import catalogue_changed
from faregate_http.protocol.requests import Request
from faregate_http.protocol.response_cache import ResponseCache
from faregate_http.protocol.responses import CURRENT, Response, json_headers
from faregate_http.protocol.stored_responses import unpack
from faregate_http.store.contract import CheckoutRow, Store
from faregate_http.store.records import AccountRow, OrderRow, PaymentRow


class Audience(NamedTuple):
    """Recipient of a response: its language and, if logged in, its account."""

    language: str
    account: AccountRow | None = None

    @classmethod
    def of(cls, request: Request, bound_to: int | None) -> Audience:
        """Return the audience of a response to *request*; *bound_to* is the id of the checkout's account."""
        account = request.account
        return cls(request.language, account if account is not None and account.id == bound_to else None)


class Shown(NamedTuple):
    """A response that shows a checkout, and the checkout's price (None if the response was cached)."""

    response: Response
    priced: PricedCheckout | None = None


class CheckoutResponses:
    """Responses that show the checkouts in a store; *edition* identifies the catalogue they depend on."""

    def __init__(self, store: Store, views: CatalogueViews, *, edition: str) -> None:
        self._store = store
        self._views = views
        self._edition = edition
        self._cache = ResponseCache()

    def etag(self, revision: int, status: CheckoutStatus, audience: Audience) -> str:
        """Return the ETag of a checkout; it depends on state, language, catalogue and suggested answers."""
        language, account = audience
        if account is None:
            return make_etag(revision, status.value, language, self._edition)
        return make_etag(revision, status.value, language, self._edition, f"{account.revision}")

    def remembered(self, checkout_id: str, etag: str, language: str) -> Response | None:
        """Return the cached response that shows a checkout if its ETag is *etag*, otherwise None."""
        return self._cache.get((checkout_id, language), etag)

    async def stored(
        self, row: CheckoutRow, at: datetime, audience: Audience, priced: PricedCheckout | None = None
    ) -> Shown:
        """Return the response that shows a saved checkout in its state at *at*.

        The checkout is priced unless its response is cached or its price is given as *priced*.
        """
        record = record_of(row, at, catalogue=self._views.catalogue)
        etag = self.etag(row.revision, record.status, audience)
        response = self.remembered(row.id, etag, audience.language)
        if response is not None:
            return Shown(response, priced)
        if record.status is CheckoutStatus.CLOSED:
            [order] = await self._store.find(OrderRow, id=row.id)
            body = unpack(order.views)[audience.language]
            response = Response(200, body, etag_headers(etag, audience.language))
        else:
            priced = priced or await self.price(record)
            response = await self.made(record, priced, audience)
        self.keep(record, audience, response)
        return Shown(response, priced)

    async def price(self, record: CheckoutRecord) -> PricedCheckout:
        """Price *record* as of its last change.

        Raises:
            Problem: 409, an item is no longer sold.
        """
        try:
            return await priced_aside(record.checkout, self._views.catalogue, at=record.changed_at)
        except (InvalidCheckout, UnknownEntry) as error:
            raise catalogue_changed(error) from error

    async def made(self, record: CheckoutRecord, priced: PricedCheckout, audience: Audience) -> Response:
        """Return a response that shows *record*, a checkout that is not closed, priced as *priced*.

        Raises:
            Problem: 409, an item is no longer sold.
        """
        particulars = await self._particulars(record, audience)
        write = partial(self.body, record, priced, audience.language, particulars)
        body = await aside(write, steps=STEPS_PER_ITEM * len(record.checkout.items))
        etag = self.etag(record.revision, record.status, audience)
        return Response(200, body, etag_headers(etag, audience.language))

    def body(
        self, record: CheckoutRecord, priced: PricedCheckout, language: str, particulars: Particulars
    ) -> bytes:
        """Return the body of a response that shows *record* in *language*.

        Raises:
            Problem: 409, an item is no longer sold.
        """
        try:
            return checkout_body(record, priced, language, self._views, particulars)
        except UnknownEntry as error:
            raise catalogue_changed(error) from error

    def keep(self, record: CheckoutRecord, audience: Audience, response: Response) -> None:
        """Cache *response*, which shows the saved checkout *record* to *audience*."""
        etag = self.etag(record.revision, record.status, audience)
        self._cache.put((record.uuid, audience.language), etag, response)

    async def _particulars(self, record: CheckoutRecord, audience: Audience) -> Particulars:
        account, checkout = audience.account, record.checkout
        defaults = payment_method = None
        if account is not None and checkout.account == account.id:
            channel = self._views.catalogue.channel(checkout.channel)
            defaults = await defaults_of(account, channel, self._store)
        if record.is_paying:
            *_, payment = await self._store.find(PaymentRow, checkout_id=record.uuid)
            payment_method = await payment_method_of(payment, self._store)
        return Particulars(defaults, payment_method=payment_method)

    def bodies(
        self, record: CheckoutRecord, priced: PricedCheckout, particulars: Particulars
    ) -> dict[str, bytes]:
        """Return the bodies of responses that show *record* in all languages, keyed by language.

        Raises:
            UnknownEntry: an item is no longer in the catalogue.
        """
        return {
            language: checkout_body(record, priced, language, self._views, particulars)
            for language in LANGUAGES
        }


async def priced_aside(checkout: Checkout, catalogue: Catalogue, *, at: datetime) -> PricedCheckout:
    """Return *checkout* priced as of *at*, without holding the event loop.

    Raises:
        InvalidCheckout, UnknownEntry: as in ``price_checkout``.
    """
    price = partial(price_checkout, checkout, catalogue=catalogue, at=at)
    return await aside(price, steps=STEPS_PER_ITEM * len(checkout.items))


def etag_headers(etag: str, language: str) -> tuple[tuple[bytes, bytes], ...]:
    """Return the response headers for a body in *language* with the ETag *etag*."""
    return json_headers(language, (b"etag", etag.encode()), CURRENT)
