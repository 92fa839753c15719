"""Operations on what can be booked: validities with capacity and price, and a few worth showing first."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from faregate.checkout.quotes import zone_of
from faregate.errors import InvalidInput, UnknownEntry
from faregate.validity.bookability import running_days
from faregate.validity.options import MAX_DAYS, ValidityQuery, suggest_validities, validity_options, window
from faregate_http.checkouts.checkouts import is_within_reach
from faregate_http.offers.booking_views import BookingViews, read_cursor, written_cursor
from faregate_http.operations import Operation
from faregate_http.protocol.answers import A_SECOND, CURRENT, Answer, json_headers
from faregate_http.protocol.parameters import (
    Parameter,
    read_boolean,
    read_checkout_id,
    read_number,
    whole_number,
)
from faregate_http.protocol.problems import ErrorView, Problem
from faregate_http.routes.windows import DATE_FROM, DATE_TO, DURATIONS
from faregate_http.schemas import booking as wire

if TYPE_CHECKING:
    from datetime import date, datetime

    from faregate.catalogue.products import Product
    from faregate.errors import FaregateError
    from faregate_http.protocol.requests import Call
    from faregate_http.services import Services

_NUMBER = re.compile(r"[1-9][0-9]{0,15}", re.ASCII)
_NOBODYS_ID = 0
_MOST_UNITS = 10_000
_PAGE = 31

_encode = msgspec.json.Encoder().encode


def _numbers(name: str, description: str) -> Parameter[int]:
    schema: dict[str, object] = {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": 2**53 - 1},
        "examples": [[101]],
    }
    return Parameter(name, schema, description, read_number)


def _number(name: str, most: int, usual: int, description: str) -> Parameter[int]:
    schema: dict[str, object] = {
        "type": "integer",
        "minimum": 1,
        "maximum": most,
        "default": usual,
        "examples": [usual],
    }
    return Parameter(name, schema, description, whole_number(1, most))


_VARIANTS = _numbers("productVariantId", "Variants that are asked for; by default all of the product.")
_QUANTITY = _number("quantity", _MOST_UNITS, 1, "How many units there must be places for.")
_ONLY = Parameter(
    "onlyAvailable",
    {"type": "boolean", "default": False, "examples": [True]},
    "Leave out what cannot be booked.",
    read_boolean,
)
_CHECKOUT = Parameter(
    "checkoutId",
    {"type": "string", "format": "uuid", "examples": ["0f8fad5b-d9cb-469f-a165-70867728950e"]},
    "A checkout whose own places count as free.",
    read_checkout_id,
)
_LIMIT = _number("limit", MAX_DAYS, _PAGE, "At most so many options.")
_CURSOR = Parameter(
    "cursor",
    {"type": "string", "minLength": 1, "maxLength": 80, "pattern": "^[A-Za-z0-9_-]+$"},
    "The nextCursor of the page before.",
    read_cursor,
)
_FEW = _number("limit", MAX_DAYS, 4, "At most so many suggestions.")


async def _validities(call: Call, services: Services) -> Answer:
    product, at, own = _product(call, services), services.clock(), await _own_checkout(call, services)
    answer = partial(_listed, call, services, product, at=at, own=own)
    return await services.remembered(call, answer, at=at, is_exact=True, own=own)


async def _listed(
    call: Call, services: Services, product: Product, *, at: datetime, own: str | None
) -> Answer:
    query = ValidityQuery(
        product.id,
        first_day=call.value(DATE_FROM),
        last_day=call.value(DATE_TO),
        durations=tuple(call.values(DURATIONS)),
        variants=tuple(call.values(_VARIANTS)),
        quantity=call.value(_QUANTITY) or 1,
        only_available=call.value(_ONLY) or False,
        limit=call.value(_LIMIT) or _PAGE,
        after=call.value(_CURSOR),
    )
    try:
        days = window(query, _today(product, services, at))
        capacity = await services.inventory.around(product, days.start, days.end, at=at, without=own)
        found = validity_options(query, catalogue=services.catalogue, capacity=capacity, now=at)
    except (InvalidInput, UnknownEntry) as error:
        raise _refused(error) from None
    page = wire.PageView(written_cursor(found.next)) if found.next else wire.PageView()
    envelope = wire.ValidityOptionsEnvelope(_views(product, call, services).options(found), page)
    links = [(b"link", _next_page(call, written_cursor(found.next)))] if found.next else []
    return Answer(200, _encode(envelope), json_headers(call.language, CURRENT, *links))


async def _suggested(call: Call, services: Services) -> Answer:
    product, at = _product(call, services), services.clock()
    answer = partial(_few, call, services, product, at)
    return await services.remembered(call, answer, at=at, is_exact=False)


async def _few(call: Call, services: Services, product: Product, at: datetime) -> Answer:
    query = ValidityQuery(
        product.id,
        durations=tuple(call.values(DURATIONS)),
        variants=tuple(call.values(_VARIANTS)),
        quantity=call.value(_QUANTITY) or 1,
        limit=call.value(_FEW),
    )
    today = _today(product, services, at)
    days = running_days(product, services.catalogue.calendar, today)
    first, last = (days.start, days.end) if days else (today, today)
    capacity = await services.inventory.around(product, first, last, at=at)
    try:
        found = suggest_validities(query, catalogue=services.catalogue, capacity=capacity, now=at)
    except (InvalidInput, UnknownEntry) as error:
        raise _refused(error) from None
    envelope = wire.SuggestedValiditiesEnvelope(_views(product, call, services).suggested(found))
    return Answer(200, _encode(envelope), json_headers(call.language, A_SECOND))


def _product(call: Call, services: Services) -> Product:
    """The product that a path names, where it is sold on the channel."""
    text = call.parameters["productId"]
    product_id = int(text) if _NUMBER.fullmatch(text) else _NOBODYS_ID
    return services.sold_on(call.channel, partial(services.catalogue.product, product_id))


async def _own_checkout(call: Call, services: Services) -> str | None:
    """The checkout whose places count as free; one that the client may not read counts as unknown."""
    checkout_id = call.value(_CHECKOUT)
    if checkout_id is None:
        return None
    account, head = await services.accounts.of_call(call), await services.store.head(checkout_id)
    if head is None or not is_within_reach(head, call, account, services.clock()):
        return None
    return checkout_id


def _today(product: Product, services: Services, at: datetime) -> date:
    return at.astimezone(zone_of(product, services.catalogue)).date()


def _views(product: Product, call: Call, services: Services) -> BookingViews:
    return BookingViews(services.catalogue.merchant(product.merchant), call.language)


def _refused(error: FaregateError) -> Problem:
    names = {"variant": _VARIANTS.name, "duration": DURATIONS.name}
    name = names.get(error.kind, "") if isinstance(error, UnknownEntry) else DATE_TO.name
    fault = ErrorView(str(error), parameter=name)
    return Problem(400, "invalid-request", "Headers or query are at fault.", errors=[fault])


def _next_page(call: Call, cursor: str) -> bytes:
    query = urlencode({**call.query, _CURSOR.name: [cursor]}, doseq=True)
    return f'<{call.path}?{query}>; rel="next"'.encode()


_JOURNEY = "/api/booking/products/{productId}/journey/validities"

OPERATIONS = (
    Operation(
        method="GET",
        path=_JOURNEY,
        handler=_validities,
        name="listValidities",
        summary="Validities that begin in a window of days, with capacity and price.",
        answer=wire.ValidityOptionsEnvelope,
        answer_headers={"link": "Where the next page is, unless it is the last."},
        query=(DATE_FROM, DATE_TO, DURATIONS, _VARIANTS, _QUANTITY, _ONLY, _CHECKOUT, _LIMIT, _CURSOR),
    ),
    Operation(
        method="GET",
        path=f"{_JOURNEY}/suggested",
        handler=_suggested,
        name="suggestValidities",
        summary="A few validities worth showing first, all of which can be booked.",
        answer=wire.SuggestedValiditiesEnvelope,
        query=(DURATIONS, _VARIANTS, _QUANTITY, _FEW),
    ),
)
