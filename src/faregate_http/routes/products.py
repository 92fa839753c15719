"""Operations on products: what is said of one, what it costs, and when it can be booked next."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from faregate_http.operations import Operation
from faregate_http.protocol.parameters import Parameter, read_word
from faregate_http.protocol.responses import A_SECOND, Response, json_response
from faregate_http.schemas import products as wire

if TYPE_CHECKING:
    from faregate.catalogue.products import Product
    from faregate_http.protocol.requests import Request
    from faregate_http.services import Services

_NEXT = "nextAvailability"
_INCLUDE = Parameter(
    "include",
    {"type": "array", "items": {"type": "string", "enum": [_NEXT]}, "examples": [[_NEXT]]},
    "What to add: the first validity that can be booked within a year, or null.",
    read_word({_NEXT}),
)


async def _show(request: Request, services: Services) -> Response:
    product, at = _product(request, services), services.clock()
    with_next = bool(request.values(_INCLUDE))
    snapshot = await services.price_snapshots.of(product, services.inventory, at=at, with_next=with_next)
    question = request.path, request.language, with_next
    response = services.pages.get(question, snapshot.at)
    if response is None:
        view = services.products.product(product, request.language, snapshot, with_next=with_next)
        response = json_response(wire.ProductEnvelope(view), A_SECOND, language=request.language)
        services.pages.put(question, snapshot.at, response)
    return response


def _product(request: Request, services: Services) -> Product:
    """The product that a path names, where it is sold on the channel."""
    return services.sold_on(
        request.channel, partial(services.catalogue.product_at, request.parameters["slug"])
    )


OPERATIONS = (
    Operation(
        method="GET",
        path="/api/products/{slug}",
        handler=_show,
        name="getProduct",
        summary="A product by its slug: its page, its variants, and what they cost.",
        answer=wire.ProductEnvelope,
        query=(_INCLUDE,),
    ),
)
