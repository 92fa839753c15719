"""What requests say beside their bodies: path, query and headers, each with an example."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from faregate.translations import LANGUAGES
from faregate_http.protocol.requests import API_VERSION, MOST_VALUES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faregate_http.operations import Operation

_Json: TypeAlias = dict[str, Any]

_UUID: _Json = {"type": "string", "format": "uuid"}
_LARGEST_SAFE = 2**53 - 1
_ID: _Json = {"type": "integer", "minimum": 1, "maximum": _LARGEST_SAFE}
_SLUG: _Json = {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$"}
# As it can stand in a path, decisions §6; it is compared trimmed, and in capitals.
_CODE: _Json = {
    "type": "string",
    "minLength": 1,
    "maxLength": 64,
    "pattern": "^[^/]+$",
    "not": {"enum": [".", ".."]},
}
_TAG = r'(W/)?"[!#-~]*"'
_TAGS = rf"^(\*|{_TAG}(, ?{_TAG})*)$"

_EXAMPLE_CHECKOUT = "0f8fad5b-d9cb-469f-a165-70867728950e"

_PATH: dict[str, _Json] = {
    "checkoutId": {
        "schema": _UUID,
        "description": "Chosen by the client: a UUID of version 4 or 7.",
        "example": _EXAMPLE_CHECKOUT,
    },
    "itemId": {"schema": _ID, "description": "The id of an item.", "example": 1},
    "code": {"schema": _CODE, "description": "A code that was entered.", "example": "WINTER10"},
    "paymentDetailId": {"schema": _ID, "description": "The id of a payment detail.", "example": 1},
    "orderId": {
        "schema": _UUID,
        "description": "The id of an order, which is that of its checkout.",
        "example": _EXAMPLE_CHECKOUT,
    },
    "productId": {"schema": _ID, "description": "The id of a product.", "example": 11},
    "slug": {"schema": _SLUG, "description": "The slug of a product.", "example": "day-ticket"},
    "personId": {"schema": _ID, "description": "The id of a person.", "example": 1},
}


def _header(
    name: str, description: str, schema: _Json, *, example: str | None = None, required: bool = False
) -> _Json:
    described: _Json = {
        "name": name,
        "in": "header",
        "required": required,
        "description": description,
        "schema": schema,
    }
    return described if example is None else {**described, "example": example}


HEADERS: dict[str, _Json] = {
    "acceptLanguage": _header(
        "accept-language",
        "The language of the answer; the best is chosen of several with qualities. Absent, it reads as en.",
        {"type": "string", "enum": list(LANGUAGES)},
        example="en",
        required=True,
    ),
    "salesChannel": _header(
        "service-channel-uuid",
        "The sales channel.",
        _UUID,
        example="7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77",
        required=True,
    ),
    "channelKey": _header(
        "service-channel-key",
        "A key of the sales channel, which a protected one asks for. Without a live key it is unknown.",
        {"type": "string"},
    ),
    "apiVersion": _header(
        "api-version",
        "The version that is expected.",
        {"type": "string", "const": API_VERSION},
        example=API_VERSION,
    ),
    "idempotencyKey": _header(
        "idempotency-key",
        "The same key with the same body within 24 hours has one effect and gives one answer.",
        {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    ),
    "ifMatch": _header(
        "if-match",
        'Refuse unless the checkout is at the revision of one of these ETags, as `"3.OPEN.en"`; `*` is any.',
        {"type": "string", "pattern": _TAGS},
    ),
    "ifNoneMatch": _header(
        "if-none-match",
        'Answer 304 if the checkout is as it was under one of these ETags, for example `"3.OPEN.en"`.',
        {"type": "string", "pattern": _TAGS},
        example='"3.OPEN.en"',
    ),
}
"""The headers that operations refer to; what would bind each request to one moment has no example."""


def parameters_of(operation: Operation) -> Iterable[_Json]:
    """All that a request of *operation* may say beside its body."""
    for name in _names_in(operation.path):
        yield {"name": name, "in": "path", "required": True, **_PATH[name]}
    for parameter in operation.query:
        yield {
            "name": parameter.name,
            "in": "query",
            "required": parameter.is_required,
            "description": parameter.description,
            "schema": {**parameter.schema, **({"maxItems": MOST_VALUES} if parameter.is_repeatable else {})},
        }
    names = ["acceptLanguage", "salesChannel", "apiVersion"] if operation.has_channel else ["apiVersion"]
    if operation.has_channel and operation.asks_key:
        names.insert(2, "channelKey")
    if operation.is_keyed:
        names.append("idempotencyKey")
    if operation.has_revisions:
        names.append("ifNoneMatch" if operation.method == "GET" else "ifMatch")
    for name in names:
        yield {"$ref": f"#/components/parameters/{name}"}


def example_path(path: str) -> str:
    """*path* with the example of each of its parameters.

    >>> example_path("/api/products/{slug}")
    '/api/products/day-ticket'
    """
    examples = {name: str(_PATH[name]["example"]) for name in _names_in(path)}
    return path.format_map(examples)


def _names_in(path: str) -> list[str]:
    return re.findall(r"{(\w+)}", path)
