"""Schemas of bodies and responses, generated from pydantic models and msgspec structs."""

from collections.abc import Sequence
from typing import Any

import msgspec
from pydantic.json_schema import models_json_schema

from faregate_http.openapi.dialect import plain_schema
from faregate_http.openapi.interface import Json
from faregate_http.openapi.properties import MORE_SCHEMAS
from faregate_http.operations import Operation
from faregate_http.protocol.problems import ProblemView
from faregate_http.schemas.checkout import InvalidPromoCodeView, PromoCodeView
from faregate_http.schemas.payments import GatewayPaymentMethodView, VoucherPaymentMethodView

_REFERENCE = "#/components/schemas/{name}"

# Not an enum: clients generated before a code was added must still read its problems.
_PROBLEM_CODE = {"description": "Kind of problem. Each operation lists its codes.", "type": "string"}

_IN_MORE_SCHEMAS = (
    PromoCodeView,
    InvalidPromoCodeView,
    GatewayPaymentMethodView,
    VoucherPaymentMethodView,
)
"""Structs that occur only in unions of untagged structs, which msgspec cannot describe."""


def reference(name: str) -> Json:
    """Return a JSON reference (``$ref``) to the schema *name*."""
    return {"$ref": _REFERENCE.format(name=name)}


def public_name(name: str) -> str:
    """Return the public name of a struct: ``CheckoutView`` is Checkout in the specification.

    >>> public_name("CheckoutView")
    'Checkout'
    """
    return name.removesuffix("View")


def schemas_of(operations: Sequence[Operation]) -> Json:
    """Return the schemas of all bodies and responses, keyed by name."""
    answers = dict.fromkeys([operation.answer for operation in operations])
    _, written = msgspec.json.schema_components(
        [*answers, *_IN_MORE_SCHEMAS, ProblemView], ref_template=_REFERENCE
    )
    bodies = dict.fromkeys([operation.body for operation in operations if operation.body])
    _, read = models_json_schema(
        [(body, "validation") for body in bodies], ref_template=_REFERENCE.replace("{name}", "{model}")
    )
    answered = {public_name(name): _renamed(schema) for name, schema in written.items()}
    schemas = {**plain_schema({**read["$defs"], **answered}), **MORE_SCHEMAS}
    schemas["Problem"]["properties"]["code"] |= _PROBLEM_CODE
    return schemas


def _renamed(schema: Any) -> Any:
    match schema:
        case {"$ref": str() as target}:
            return {**schema, "$ref": public_name(target)}
        case dict():
            return {name: _renamed(part) for name, part in schema.items()}
        case list() | tuple():
            return [_renamed(part) for part in schema]
        case _:
            return schema
