"""Schemas of bodies and responses, in the JSON Schema that client generators support. Decisions §15.

They are generated from pydantic models and msgspec structs. The descriptions of their properties are in
``properties.yaml``.
"""

from collections.abc import Sequence
from typing import Any

import msgspec
from pydantic.json_schema import models_json_schema

from faregate_http.openapi.interface import Json, read_yaml
from faregate_http.operations import Operation
from faregate_http.protocol.problems import ProblemView
from faregate_http.schemas.checkout import InvalidPromoCodeView, PromoCodeView
from faregate_http.schemas.payments import GatewayPaymentMethodView, VoucherPaymentMethodView

_REFERENCE = "#/components/schemas/{name}"

# Not an enum: clients generated before a code was added must still read its problems.
_PROBLEM_CODE = {"description": "Kind of problem. Each operation lists its codes.", "type": "string"}

_BIGGEST_INTEGER = {"format": "int64"}
"""Format of ids, which go up to 2^53; generators treat integers without a format as 32-bit."""

_IN_MORE_SCHEMAS = (
    PromoCodeView,
    InvalidPromoCodeView,
    GatewayPaymentMethodView,
    VoucherPaymentMethodView,
)
"""Structs that occur only in unions of untagged structs, which msgspec cannot describe."""

_KEPT: Json = read_yaml("properties.yaml")
_SHARED, _BY_SCHEMA, _EXAMPLES = _KEPT["shared"], _KEPT["schemas"], _KEPT["examples"]


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
    answered = {public_name(name): schema for name, schema in written.items()}
    schemas = {**plain_schema({**read["$defs"], **answered}), **_KEPT["more_schemas"]}
    schemas["Problem"]["properties"]["code"] |= _PROBLEM_CODE
    return schemas


def plain_schema(schema: Any) -> Any:
    """Return *schema* with public names, without titles, empty defaults and boolean enums."""
    match schema:
        case dict():
            kept = {name: part for name, part in schema.items() if not _is_noise(name, part)}
            return _typed({name: plain_schema(part) for name, part in kept.items()})
        case list() | tuple():
            return [plain_schema(part) for part in schema]
        case _:
            return schema


def _is_noise(name: str, part: Any) -> bool:
    """Return True for a title, which repeats a name, or an empty default, which generators misread."""
    return (name == "title" and isinstance(part, str)) or (name == "default" and part in (None, [], ()))


def _typed(schema: Json) -> Json:
    match schema:
        case {"$ref": str() as target}:
            return {**schema, "$ref": public_name(target)}
        case {"enum": [bool(), *_]}:
            return {name: part for name, part in schema.items() if name != "enum"} | {"type": "boolean"}
        case {"enum": [str(), *_]}:
            return {"type": "string", **schema}
        case {"type": "integer"}:
            return {**_BIGGEST_INTEGER, **schema}
        case _:
            return schema


def described(schemas: Json, recorded: Json) -> Json:
    """Return *schemas* with a description and an example for each property.

    *recorded* contains recorded examples, keyed by ``Schema.property``.
    """
    examples = {**recorded, **_EXAMPLES}
    return {name: _with_properties(name, schema, examples) for name, schema in schemas.items()}


def _with_properties(schema: str, content: Json, examples: Json) -> Json:
    if "properties" not in content:
        return content
    texts = {**_SHARED, **_BY_SCHEMA.get(schema, {})}
    properties = {
        name: _with_example({**part, "description": texts[name]}, f"{schema}.{name}", examples)
        for name, part in content["properties"].items()
    }
    return {**content, "properties": properties}


def _with_example(content: Json, name: str, examples: Json) -> Json:
    return {**content, "examples": [examples[name]]} if name in examples else content
