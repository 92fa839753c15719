"""The OpenAPI 3.1 document, made from the operations and the models they read and write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from pydantic.json_schema import models_json_schema

from faregate.text import LANGUAGES
from faregate_http.schemas.checkout import InvalidPromoCodeView, PromoCodeView
from faregate_http.schemas.payment_status import PaymentStatusView, PaymentStatusWithVouchersView
from faregate_http.schemas.payments import GatewayPaymentMethodView, VoucherPaymentMethodView
from faregate_http.wire.calls import API_VERSION
from faregate_http.wire.problems import ProblemView, title_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from faregate_http.operations import Operation

__all__ = ["openapi_document"]

_Json: TypeAlias = dict[str, Any]

_REFERENCE = "#/components/schemas/{name}"

_UUID_SCHEMA = {"type": "string", "format": "uuid"}
_PATH_PARAMETERS: dict[str, _Json] = {
    "checkoutId": {"schema": _UUID_SCHEMA, "description": "Chosen by the client."},
    "itemId": {"schema": {"type": "integer", "minimum": 1}, "description": "The id of an item."},
    "code": {"schema": {"type": "string", "minLength": 1}, "description": "A code that was entered."},
    "paymentDetailId": {
        "schema": {"type": "integer", "minimum": 1},
        "description": "The id of a payment detail.",
    },
    "orderId": {"schema": _UUID_SCHEMA, "description": "The id of an order, which is that of its checkout."},
    "productId": {"schema": {"type": "integer", "minimum": 1}, "description": "The id of a product."},
    "slug": {"schema": {"type": "string", "minLength": 1}, "description": "The slug of a product."},
    "personId": {"schema": {"type": "integer", "minimum": 1}, "description": "The id of a person."},
}
_IN_UNIONS = (
    PromoCodeView,
    InvalidPromoCodeView,
    GatewayPaymentMethodView,
    VoucherPaymentMethodView,
    PaymentStatusView,
    PaymentStatusWithVouchersView,
)
"""Answers that no type names: a union of untagged structs is more than msgspec describes by itself."""

_ALWAYS_REFUSED = (400, 405, 500, 503)
_OF_CHANNELS_REFUSED = (404,)
_BODY_REFUSED = (413, 415, 422)
_WITHOUT_ACCOUNT_REFUSED = (401,)
_BEARER = {
    "type": "http",
    "scheme": "bearer",
    "bearerFormat": "JWT",
    "description": "The access token that authenticate answers in a header, or an ID token of the identity"
    " provider for an account that has authenticated before.",
}
# What goes with a status, whatever the operation.
_REFUSAL_HEADERS = {401: "www-authenticate", 429: "retry-after"}


def openapi_document(operations: Sequence[Operation]) -> bytes:
    """The document as JSON."""
    paths: dict[str, _Json] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "faregate",
            "version": API_VERSION,
            "summary": "Prices and bookings for ticketing, exact to the last cent.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": _schemas(operations),
            "parameters": _HEADERS,
            "securitySchemes": {"bearer": _BEARER},
        },
    }
    return msgspec.json.encode(document)


def _operation(operation: Operation) -> _Json:
    described: _Json = {
        "operationId": operation.name,
        "summary": operation.summary,
        "tags": [operation.path.split("/")[2]],
        "parameters": [*_parameters(operation)],
        "responses": _responses(operation),
    }
    if operation.body is not None:
        described["requestBody"] = {"required": True, "content": _content(operation.body.__name__)}
    if operation.needs_account:
        described["security"] = [{"bearer": []}]
    if operation.is_extension:
        described["x-extension"] = True
        described["description"] = "An extension: not part of the specification."
    return described


def _parameters(operation: Operation) -> Iterable[_Json]:
    for name in re.findall(r"{(\w+)}", operation.path):
        yield {"name": name, "in": "path", "required": True, **_PATH_PARAMETERS[name]}
    for parameter in operation.query:
        yield {
            "name": parameter.name,
            "in": "query",
            "required": parameter.is_required,
            "description": parameter.description,
            "schema": parameter.schema,
        }
    names = ["acceptLanguage", "salesChannel", "apiVersion"] if operation.has_channel else ["apiVersion"]
    if operation.is_keyed:
        names.append("idempotencyKey")
    if operation.has_revisions:
        names.append("ifNoneMatch" if operation.method == "GET" else "ifMatch")
    for name in names:
        yield {"$ref": f"#/components/parameters/{name}"}


def _header(name: str, description: str, schema: _Json, *, required: bool = False) -> _Json:
    return {
        "name": name,
        "in": "header",
        "required": required,
        "description": description,
        "schema": schema,
    }


_HEADERS: dict[str, _Json] = {
    "acceptLanguage": _header(
        "accept-language",
        "The language of the answer. Absent, it reads as en.",
        {"type": "string", "enum": list(LANGUAGES)},
        required=True,
    ),
    "salesChannel": _header("service-channel-uuid", "The sales channel.", _UUID_SCHEMA, required=True),
    "apiVersion": _header(
        "api-version", "The version that is expected.", {"type": "string", "const": API_VERSION}
    ),
    "idempotencyKey": _header(
        "idempotency-key",
        "The same key with the same body within 24 hours has one effect and gives one answer.",
        {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    ),
    "ifMatch": _header("if-match", "Refuse unless the checkout is at that revision.", {"type": "string"}),
    "ifNoneMatch": _header(
        "if-none-match", "Answer 304 if the checkout has not changed.", {"type": "string"}
    ),
}


def _responses(operation: Operation) -> _Json:
    refused = {*_ALWAYS_REFUSED, *operation.refusals}
    refused.update(_OF_CHANNELS_REFUSED if operation.has_channel else ())
    refused.update(_BODY_REFUSED if operation.body else ())
    refused.update(_WITHOUT_ACCOUNT_REFUSED if operation.needs_account else ())
    is_conditional = operation.has_revisions and operation.method == "GET"
    return {
        "200": {
            "description": "Done.",
            "headers": {
                **({"etag": {"schema": {"type": "string"}}} if operation.has_revisions else {}),
                "api-version": {"schema": {"type": "string"}},
                **({"content-language": {"schema": {"type": "string"}}} if operation.has_channel else {}),
                **{
                    name: {"schema": {"type": "string"}, "description": text}
                    for name, text in operation.answer_headers.items()
                },
            },
            "content": _content(_public_name(operation.answer.__name__)),
        },
        **({"304": {"description": "Not modified."}} if is_conditional else {}),
        **{str(status): _refusal(status) for status in sorted(refused)},
    }


def _refusal(status: int) -> _Json:
    described: _Json = {
        "description": f"{title_of(status)}.",
        "content": {"application/problem+json": {"schema": _reference("Problem")}},
    }
    if status in _REFUSAL_HEADERS:
        described["headers"] = {_REFUSAL_HEADERS[status]: {"schema": {"type": "string"}}}
    return described


def _content(name: str) -> _Json:
    return {"application/json": {"schema": _reference(name)}}


def _reference(name: str) -> _Json:
    return {"$ref": _REFERENCE.format(name=name)}


def _schemas(operations: Sequence[Operation]) -> _Json:
    answers = dict.fromkeys([operation.answer for operation in operations])
    _, written = msgspec.json.schema_components([*answers, *_IN_UNIONS, ProblemView], ref_template=_REFERENCE)
    bodies = dict.fromkeys([operation.body for operation in operations if operation.body])
    _, read = models_json_schema(
        [(body, "validation") for body in bodies], ref_template=_REFERENCE.replace("{name}", "{model}")
    )
    return {**read["$defs"], **{_public_name(name): _renamed(schema) for name, schema in written.items()}}


def _public_name(name: str) -> str:
    """What a struct is called outside: ``CheckoutView`` is the Checkout of the specification."""
    return name.removesuffix("View")


def _renamed(schema: Any) -> Any:
    match schema:
        case {"$ref": str() as reference}:
            return {**schema, "$ref": _public_name(reference)}
        case {"title": str() as title, "type": "object"}:
            renamed = {name: _renamed(part) for name, part in schema.items()}
            return {**renamed, "title": _public_name(title)}
        case dict():
            return {name: _renamed(part) for name, part in schema.items()}
        case list() | tuple():
            return [_renamed(part) for part in schema]
        case _:
            return schema
