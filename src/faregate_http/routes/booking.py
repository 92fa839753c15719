"""Booking operations: validity periods with capacity and price, and suggested periods."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, datetime
from functools import partial
from urllib.parse import urlencode

from faregate.catalogue.pools import Capacity
from faregate.catalogue.products import Product
from faregate.checkout.quotes import zone_of
from faregate.dates.instants import DateRange
from faregate.errors import InvalidInput
from faregate.validity.bookability import running_days
from faregate.validity.options import MAX_DAYS, ValidityQuery, suggest_validities, validity_options, window
from faregate_http.aside import aside, calendar_steps
from faregate_http.checkouts.checkouts import is_within_reach
from faregate_http.offers.booking_views import BookingViews, read_cursor, written_cursor
from faregate_http.operations import Operation
from faregate_http.protocol.parameters import (
    DATE_FROM,
    DATE_TO,
    DURATIONS,
    UNITS_PATTERN,
    Parameter,
    number,
    numbers,
    read_boolean,
    read_checkout_id,
    read_units,
)
from faregate_http.protocol.problems import ErrorView, Problem
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import A_SECOND, CURRENT, Response, json_response
from faregate_http.schemas import booking as wire
from faregate_http.services import Services

_NOBODYS_ID = 0
_MOST_UNITS = 10_000
_PAGE = 31


_VARIANTS = numbers(
    "productVariantId", "Ids of the product variants. Defaults to all variants of the product.", example=101
)
_QUANTITY = number(
    "quantity", "Number of units that must be available.", most=_MOST_UNITS, example=1, usual=1
)
_PARTY = Parameter(
    "units",
    {
        "type": "array",
        "items": {"type": "string", "pattern": UNITS_PATTERN},
        "examples": [["101:2", "103:2"]],
    },
    "Units of a party that must fit together: variant id, colon, number of units. Repeated for each variant. "
    "Excludes productVariantId and quantity.",
    read_units,
)
_ONLY = Parameter(
    "onlyAvailable",
    {"type": "boolean", "default": False, "examples": [True]},
    "True to leave out validity periods that cannot be booked.",
    read_boolean,
)
_CHECKOUT = Parameter(
    "checkoutId",
    {"type": "string", "format": "uuid", "examples": ["0f8fad5b-d9cb-469f-a165-70867728950e"]},
    "UUID of a checkout whose own holds count as available.",
    read_checkout_id,
)
_LIMIT = number("limit", "Maximum number of options.", most=MAX_DAYS, example=_PAGE, usual=_PAGE)
_CURSOR = Parameter(
    "cursor",
    {"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[A-Za-z0-9_-]+$"},
    "Value of nextCursor from the previous page.",
    read_cursor,
)
_FEW = number("limit", "Maximum number of suggestions.", most=MAX_DAYS, example=4, usual=4)


async def _validities(request: Request, services: Services) -> Response:
    product, at, own = _product(request, services), services.clock(), await _own_checkout(request, services)
    response = partial(_listed, request, services, product, at=at, own=own)
    return await services.remembered(request, response, at=at, is_exact=True, own=own)


async def _listed(
    request: Request, services: Services, product: Product, *, at: datetime, own: str | None
) -> Response:
    query = _query(request, product, limit=request.value(_LIMIT) or _PAGE)
    faults = list(_faults(request, product))
    try:
        days = window(query, _today(product, services, at))
    except InvalidInput as error:
        faults.append(ErrorView(str(error), parameter=DATE_TO.name))
        raise Problem(400, "invalid-request", errors=faults) from None
    if faults:
        raise Problem(400, "invalid-request", errors=faults)
    capacity = await services.inventory.around(product, days.start, days.end, at=at, without=own)
    work = partial(_page, request, services, query, capacity, at)
    return await aside(work, steps=calendar_steps(product, services.catalogue, days))


def _page(
    request: Request, services: Services, query: ValidityQuery, capacity: Capacity, at: datetime
) -> Response:
    found = validity_options(query, catalogue=services.catalogue, capacity=capacity, now=at)
    page = wire.PageView(written_cursor(found.next)) if found.next else wire.PageView()
    views = _views(services.catalogue.product(query.product), request, services)
    envelope = wire.ValidityOptionsEnvelope(views.options(found), page)
    links = [(b"link", _next_page(request, written_cursor(found.next)))] if found.next else []
    return json_response(envelope, CURRENT, *links, language=request.language)


async def _suggested(request: Request, services: Services) -> Response:
    product, at = _product(request, services), services.clock()
    response = partial(_few, request, services, product, at)
    return await services.remembered(request, response, at=at, is_exact=False)


async def _few(request: Request, services: Services, product: Product, at: datetime) -> Response:
    query = _query(request, product, limit=request.value(_FEW))
    if faults := list(_faults(request, product)):
        raise Problem(400, "invalid-request", errors=faults)
    today = _today(product, services, at)
    days = running_days(product, services.catalogue.calendar, today) or DateRange(today, today)
    capacity = await services.inventory.around(product, days.start, days.end, at=at)
    suggest = partial(suggest_validities, query, catalogue=services.catalogue, capacity=capacity, now=at)
    found = await aside(suggest, steps=calendar_steps(product, services.catalogue, days))
    envelope = wire.SuggestedValiditiesEnvelope(_views(product, request, services).suggested(found))
    return json_response(envelope, A_SECOND, language=request.language)


def _query(request: Request, product: Product, *, limit: int | None) -> ValidityQuery:
    return ValidityQuery(
        product.id,
        first_day=request.value(DATE_FROM),
        last_day=request.value(DATE_TO),
        durations=tuple(request.values(DURATIONS)),
        variants=tuple(request.values(_VARIANTS)),
        quantity=request.value(_QUANTITY) or 1,
        party=dict(request.values(_PARTY)) or None,
        only_available=request.value(_ONLY) or False,
        limit=limit,
        after=request.value(_CURSOR),
    )


def _faults(request: Request, product: Product) -> Iterator[ErrorView]:
    """Yield the errors in parameters that depend on the product, and in their combination with a party."""
    for duration in dict.fromkeys(request.values(DURATIONS)):
        if duration not in product.durations:
            yield ErrorView(f"not a duration of product {product.id}: {duration}", parameter=DURATIONS.name)
    known = {variant.id for variant in product.variants}
    party = Counter(variant_id for variant_id, _ in request.values(_PARTY))
    for name, variants in ((_VARIANTS.name, dict.fromkeys(request.values(_VARIANTS))), (_PARTY.name, party)):
        for each in variants:
            if each not in known:
                yield ErrorView(f"unknown variant {each} of product {product.id}", parameter=name)
    for each, count in party.items():
        if count > 1:
            yield ErrorView(f"variant {each} occurs {count} times", parameter=_PARTY.name)
    for other in (_VARIANTS, _QUANTITY) if party else ():
        if other.name in request.query:
            yield ErrorView(f"cannot be combined with {_PARTY.name}", parameter=other.name)


def _product(request: Request, services: Services) -> Product:
    product_id = request.path_number("productId") or _NOBODYS_ID
    return services.sold_on(request.channel, partial(services.catalogue.product, product_id))


async def _own_checkout(request: Request, services: Services) -> str | None:
    """Return the id of the checkout whose holds count as available, or None if the client may not see it."""
    checkout_id = request.value(_CHECKOUT)
    if checkout_id is None:
        return None
    request.account = await services.accounts.of_request(request)
    head = await services.store.head(checkout_id)
    if head is None or not is_within_reach(head, request, services.clock()):
        return None
    return checkout_id


def _today(product: Product, services: Services, at: datetime) -> date:
    return at.astimezone(zone_of(product, services.catalogue)).date()


def _views(product: Product, request: Request, services: Services) -> BookingViews:
    return BookingViews(services.catalogue.merchant(product.merchant), request.language)


def _next_page(request: Request, cursor: str) -> bytes:
    query = urlencode({**request.query, _CURSOR.name: [cursor]}, doseq=True)
    return f'<{request.path}?{query}>; rel="next"'.encode()


_FOR_UNITS = (DURATIONS, _VARIANTS, _QUANTITY, _PARTY)
_JOURNEY = "/api/booking/products/{productId}/journey/validities"

OPERATIONS = (
    Operation(
        method="GET",
        path=_JOURNEY,
        handler=_validities,
        name="listValidities",
        summary="List the validity periods that begin on certain days, with capacity and price.",
        answer=wire.ValidityOptionsEnvelope,
        answer_headers={"link": "URL of the next page. Absent on the last page."},
        query=(
            DATE_FROM,
            DATE_TO,
            DURATIONS,
            _VARIANTS,
            _QUANTITY,
            _PARTY,
            _ONLY,
            _CHECKOUT,
            _LIMIT,
            _CURSOR,
        ),
    ),
    Operation(
        method="GET",
        path=f"{_JOURNEY}/suggested",
        handler=_suggested,
        name="suggestValidities",
        summary="Suggest a few validity periods that can be booked.",
        answer=wire.SuggestedValiditiesEnvelope,
        query=(*_FOR_UNITS, _FEW),
    ),
)
