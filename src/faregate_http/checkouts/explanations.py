"""Explanations of what stored checkouts cost, for whom the checkout is shown to. Decisions §11.1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.checkout.changes import CheckoutStatus
from faregate_http.checkouts.explanation_views import cost_alike, explanation_body
from faregate_http.checkouts.records import record_of
from faregate_http.checkouts.responses import Audience
from faregate_http.checkouts.views import Particulars
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.response_cache import ResponseCache

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from faregate.catalogue.catalogue import Catalogue
    from faregate.checkout.priced import PricedCheckout
    from faregate_http.checkouts.checkouts import Checkouts
    from faregate_http.checkouts.responses import CheckoutResponses
    from faregate_http.protocol.requests import Request
    from faregate_http.protocol.responses import Response

_MOST_BYTES = 16 << 20


class Explanations:
    """The explanations of *checkouts*, each made once and remembered."""

    def __init__(
        self,
        checkouts: Checkouts,
        responses: CheckoutResponses,
        catalogue: Catalogue,
        clock: Callable[[], datetime],
    ) -> None:
        self._checkouts = checkouts
        self._responses = responses
        self._catalogue = catalogue
        self._clock = clock
        self._cache = ResponseCache(_MOST_BYTES)

    async def show(self, request: Request) -> Response:
        """Return the explanation of the checkout as it stands; it has the ETag that the checkout has.

        Raises:
            Problem: the checkout is not shown; 409, what was paid has other prices now.
        """
        response, priced = await self._checkouts.show(request)
        if not response.body:  # 304
            return response
        question = request.checkout_id, request.language
        explained = self._cache.get(question, response.headers)
        if explained is None:
            if priced is None:
                response, priced = await self._priced(request)
            body = explanation_body(request.checkout_id, priced, request.language)
            explained = response._replace(body=body)
            self._cache.put(question, response.headers, explained)
        return explained

    async def _priced(self, request: Request) -> tuple[Response, PricedCheckout]:
        """Price a checkout whose response was at hand; an order only while it would cost the same today."""
        row, at = await self._checkouts.load(request), self._clock()
        response, priced = await self._responses.stored(row, at, Audience.of(request, row.account))
        if priced is None:
            record = record_of(row, at, catalogue=self._catalogue)
            priced = self._responses.price(record)
            current = self._responses.body(record, priced, request.language, Particulars())
            if record.status is CheckoutStatus.CLOSED and not cost_alike(response.body, current):
                detail = "The catalogue has changed: it no longer tells this price."
                raise Problem(409, "catalogue-changed", detail)
        return response, priced
