"""Why stored checkouts cost what they cost: shown to whom the checkout is shown. Decisions §11.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.checkout.changes import CheckoutStatus
from faregate_http.checkouts.checkouts import audience_of, check_reach, checkout_id_of, unknown_checkout
from faregate_http.checkouts.explanation_views import cost_alike, explanation_body
from faregate_http.checkouts.records import record_of
from faregate_http.checkouts.views import Particulars
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.response_cache import ResponseCache

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from faregate.checkout.priced import PricedCheckout
    from faregate_http.checkouts.checkouts import Checkouts
    from faregate_http.checkouts.records import CheckoutRecord
    from faregate_http.checkouts.responses import CheckoutResponses
    from faregate_http.offers.catalogue_views import CatalogueViews
    from faregate_http.protocol.requests import Request
    from faregate_http.protocol.responses import Response
    from faregate_http.store.contract import Store
    from faregate_http.store.records import AccountRow

_MOST_BYTES = 16 << 20


class Explanations:
    """The explanations of a store's *checkouts*, each made once and remembered."""

    def __init__(
        self,
        store: Store,
        checkouts: Checkouts,
        responses: CheckoutResponses,
        views: CatalogueViews,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._checkouts = checkouts
        self._responses = responses
        self._views = views
        self._clock = clock
        self._cache = ResponseCache(_MOST_BYTES)

    async def show(self, request: Request, account: AccountRow | None = None) -> Response:
        """The explanation of the checkout as it stands; it has the ETag that the checkout has.

        Raises:
            Problem: the checkout is not shown; 409, what was paid has other prices now.
        """
        shown = await self._checkouts.show(request, account)
        if not shown.response.body:  # 304
            return shown.response
        checkout_id = checkout_id_of(request)
        question = checkout_id, request.language
        explained = self._cache.get(question, shown.response.headers)
        if explained is None:
            response, priced = shown
            if priced is None:
                response, priced = await self._priced(request, account)
            explained = response._replace(body=explanation_body(checkout_id, priced, request.language))
            self._cache.put(question, response.headers, explained)
        return explained

    async def _priced(self, request: Request, account: AccountRow | None) -> tuple[Response, PricedCheckout]:
        """Price a checkout whose answer was at hand; of an order, only while it would cost the same today."""
        row = await self._store.checkout(checkout_id_of(request))
        at = self._clock()
        check_reach(row, request, account, at)  # it may have been bound since
        if row is None:
            raise unknown_checkout()
        response, priced = await self._responses.stored(row, at, audience_of(request, account, row.account))
        if priced is None:
            record = record_of(row, at, catalogue=self._views.catalogue)
            priced = self._responses.price(record)
            if record.status is CheckoutStatus.CLOSED:
                self._check_paid(record, priced, request.language, response.body)
        return response, priced

    def _check_paid(
        self, record: CheckoutRecord, priced: PricedCheckout, language: str, shown: bytes
    ) -> None:
        if not cost_alike(shown, self._responses.body(record, priced, language, Particulars())):
            raise Problem(
                409,
                "catalogue-changed",
                "The catalogue has changed: it no longer tells this price.",
            )
