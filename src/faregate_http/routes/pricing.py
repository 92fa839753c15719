"""Gate price operation, which needs neither a channel nor a database."""

from faregate.errors import InvalidAccessRequest
from faregate.gate.price import gate_price
from faregate_http.operations import Operation, WithoutChannel
from faregate_http.protocol.problems import ErrorView, pointer_to
from faregate_http.protocol.refusals import refusal
from faregate_http.protocol.requests import PlainRequest, parsed
from faregate_http.protocol.responses import Response, json_response
from faregate_http.schemas.pricing import (
    AccessPriceBody,
    AccessPriceView,
    access_request,
    plain_access_request,
)
from faregate_http.services import Services


async def _price(request: PlainRequest, services: Services) -> Response:
    body = await request.body()
    gate_request = plain_access_request(body) or access_request(parsed(body, AccessPriceBody))
    try:
        price = gate_price(gate_request, catalogue=services.catalogue, sold=services.sold_counts.at_hand())
    except InvalidAccessRequest as error:
        raise refusal(error, lambda issue: ErrorView.of(issue, pointer=pointer_to(issue.loc))) from None
    view = AccessPriceView(price.calculated_price, price.unit_price, price.currency)
    return json_response(view)


OPERATIONS = (
    Operation(
        method="POST",
        path="/api/pricing/external/prices/access",
        handler=WithoutChannel(_price),
        name="priceAccess",
        summary="Get the price of admission at a gate.",
        answer=AccessPriceView,
        body=AccessPriceBody,
    ),
)
