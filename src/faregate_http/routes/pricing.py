"""Operations on prices alone: what the gate asks for one, without a channel and without a database."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from faregate.access import AccessRequest, access_price

from faregate.errors import InvalidAccessRequest
from faregate_http.answers import JSON, Answer
from faregate_http.calls import parsed
from faregate_http.operations import Operation, WithoutChannel
from faregate_http.problems import ErrorView, pointer_to
from faregate_http.refusals import refusal
from faregate_http.schemas.pricing import AccessPriceBody, AccessPriceView

if TYPE_CHECKING:
    from faregate.faults import Fault
    from faregate_http.calls import PlainCall
    from faregate_http.services import Services

__all__ = ["OPERATIONS"]

_encode = msgspec.json.Encoder().encode


async def _price(call: PlainCall, services: Services) -> Answer:
    request = _request(parsed(await call.body(), AccessPriceBody))
    try:
        price = access_price(request, catalogue=services.catalogue, sold=services.sold_counts.at_hand())
    except InvalidAccessRequest as error:
        raise refusal(error, _in_body) from None
    view = AccessPriceView(price.calculated_price, price.unit_price, price.currency)
    return Answer(200, _encode(view), (JSON,))


def _request(body: AccessPriceBody) -> AccessRequest:
    return AccessRequest(
        valid_from=body.valid_from,
        order_date=body.order_date,
        valid_to=body.valid_to,
        quantity=body.quantity,
        currency_code=body.currency_code,
        dta_product_id=body.dta_product_id,
        dta_consumer_category=body.dta_consumer_category,
        system_product_id=body.system_product_id,
        system_consumer_category=body.system_consumer_category,
        depot_flag=body.depot_flag,
        is_online_pos=body.is_online_pos,
    )


def _in_body(fault: Fault) -> ErrorView:
    return ErrorView(fault.message, pointer=pointer_to(fault.place), code=fault.code.value)


OPERATIONS = (
    Operation(
        method="POST",
        path="/api/pricing/external/prices/access",
        handler=WithoutChannel(_price),
        name="priceAccess",
        summary="The price of admission, for turnstiles and their tills.",
        answer=AccessPriceView,
        body=AccessPriceBody,
    ),
)
