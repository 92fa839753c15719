"""Services that the operations use, created when the application starts."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.catalogue.products import Product
from faregate.errors import UnknownEntry
from faregate_http.accounts.accounts import Accounts
from faregate_http.accounts.persons import Persons
from faregate_http.admission.queueing import Admission
from faregate_http.channels import Channels
from faregate_http.checkouts.checkouts import Checkouts
from faregate_http.checkouts.explanations import Explanations
from faregate_http.idempotency import Idempotency
from faregate_http.inventory.inventory import Inventory
from faregate_http.inventory.sold_counts import SoldCounts
from faregate_http.offers.catalogue_views import CatalogueViews
from faregate_http.offers.price_snapshots import PriceSnapshots
from faregate_http.offers.product_views import ProductViews
from faregate_http.ordering.order_access import OrderSecrets
from faregate_http.ordering.payments import Payments
from faregate_http.ordering.ticketing import Ticketing
from faregate_http.payment.details import PaymentDetails
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import Request
from faregate_http.protocol.response_cache import ResponseCache
from faregate_http.protocol.responses import Response
from faregate_http.retries import Retries
from faregate_http.store.contract import Store
from faregate_http.throttling import Throttle


class Services(NamedTuple):
    """Components of a running application."""

    catalogue: Catalogue
    channels: Channels
    views: CatalogueViews
    store: Store
    checkouts: Checkouts
    explanations: Explanations
    payments: Payments
    ticketing: Ticketing
    order_secrets: OrderSecrets
    accounts: Accounts
    persons: Persons
    login_throttle: Throttle
    code_throttle: Throttle
    payment_details: PaymentDetails
    public_url: str | None
    idempotency: Idempotency
    retries: Retries
    inventory: Inventory
    sold_counts: SoldCounts
    products: ProductViews
    price_snapshots: PriceSnapshots
    pages: ResponseCache
    clock: Callable[[], datetime]
    compression: bool
    admission: Admission | None = None

    def sold_on(self, channel: Channel, find: Callable[[], Product]) -> Product:
        """Return the product that *find* looks up; *channel* must sell it and have the same currency.

        Raises:
            Problem: 404, the product does not exist or is not sold there.
        """
        with suppress(UnknownEntry):
            product = find()
            merchant = self.catalogue.merchant(product.merchant)
            if channel.sells(product) and merchant.currency == channel.currency:
                return product
        raise Problem(404, "unknown-product")

    async def remembered(
        self,
        request: Request,
        work: Callable[[], Awaitable[Response]],
        *,
        at: datetime,
        is_exact: bool,
        own: str | None = None,
    ) -> Response:
        """Return the response of *work* to *request*, or a cached one from the same second.

        With *is_exact*, a cached response is used only if nothing has been saved since. *own* is the id
        of the client's own checkout if that checkout affects the response.
        """
        version = await self.store.version() if is_exact else 0
        if version is None:
            return await work()
        question = request.path, request.language, request.channel.uuid, repr(request.query), own
        state = version, at.replace(microsecond=0)
        response = self.pages.get(question, state)
        if response is None:
            response = await work()
            self.pages.put(question, state, response)
        return response
