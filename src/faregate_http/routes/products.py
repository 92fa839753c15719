"""Product operation: content, current prices and next availability."""

from functools import partial

from msgspec import structs

from faregate.catalogue.products import Product
from faregate_http.accounts.persons import PersonForm
from faregate_http.operations import Operation
from faregate_http.protocol.etags import etag_of, known_etag
from faregate_http.protocol.parameters import Parameter, read_word
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import A_SECOND, Header, Response, json_response
from faregate_http.schemas import products as wire
from faregate_http.services import Services

_NEXT, _FORM = "nextAvailability", "personFormDefinition"
_INCLUDE = Parameter(
    "include",
    {"type": "array", "items": {"type": "string", "enum": [_NEXT, _FORM]}, "examples": [[_NEXT]]},
    "Parts to add: the first validity period that can be booked within a year, or null; the JSON Schema of"
    " the questions about a person for whom the product is bought.",
    read_word({_NEXT, _FORM}),
)


async def _show(request: Request, services: Services) -> Response:
    product, at = _product(request, services), services.clock()
    included = request.values(_INCLUDE)
    with_next, with_form = _NEXT in included, _FORM in included
    snapshot = await services.price_snapshots.of(product, services.inventory, at=at, with_next=with_next)
    question = request.path, request.language, with_next, with_form
    response = services.pages.get(question, snapshot.at)
    if response is None:
        view = services.products.product(product, request.language, snapshot, with_next=with_next)
        if with_form:
            form = PersonForm(services.catalogue, [product.id])
            view = structs.replace(view, person_form_definition=form.definition(request.language))
        response = _written(wire.ProductEnvelope(view), request.language)
        services.pages.put(question, snapshot.at, response)
    return _unless_known(response, request)


def _written(envelope: wire.ProductEnvelope, language: str) -> Response:
    """Return the response with *envelope*; its last header is the ETag of the body."""
    response = json_response(envelope, A_SECOND, language=language)
    etag: Header = (b"etag", etag_of(response.body, language).encode())
    return response._replace(headers=(*response.headers, etag))


def _unless_known(response: Response, request: Request) -> Response:
    *headers, (name, etag) = response.headers
    known = known_etag(request.headers.get(b"if-none-match"), etag.decode())
    return response if known is None else Response(304, b"", (*headers, (name, known.encode())))


def _product(request: Request, services: Services) -> Product:
    return services.sold_on(
        request.channel, partial(services.catalogue.product_at, request.parameters["slug"])
    )


OPERATIONS = (
    Operation(
        method="GET",
        path="/api/products/{slug}",
        handler=_show,
        name="getProduct",
        summary="Get a product by its slug, with its content, variants and prices.",
        answer=wire.ProductEnvelope,
        query=(_INCLUDE,),
    ),
)
