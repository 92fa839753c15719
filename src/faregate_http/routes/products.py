"""Operations on products: what is said of one, what it costs, and when it can be booked next."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from faregate_http.operations import Operation
from faregate_http.protocol.etags import etag_of, known_etag
from faregate_http.protocol.parameters import Parameter, read_word
from faregate_http.protocol.responses import A_SECOND, Response, json_response
from faregate_http.schemas import products as wire

if TYPE_CHECKING:
    from faregate.catalogue.products import Product
    from faregate_http.protocol.requests import Request
    from faregate_http.protocol.responses import Header
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
        response = _written(wire.ProductEnvelope(view), request.language)
        services.pages.put(question, snapshot.at, response)
    return _unless_known(response, request)


def _written(envelope: wire.ProductEnvelope, language: str) -> Response:
    """Return the response that shows *envelope*; its ETag, the last header, names the body."""
    response = json_response(envelope, A_SECOND, language=language)
    etag: Header = (b"etag", etag_of(response.body, language).encode())
    return response._replace(headers=(*response.headers, etag))


def _unless_known(response: Response, request: Request) -> Response:
    """Return *response*, or 304 to a client that has it."""
    *headers, (name, etag) = response.headers
    known = known_etag(request.headers.get(b"if-none-match"), etag.decode())
    return response if known is None else Response(304, b"", (*headers, (name, known.encode())))


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
