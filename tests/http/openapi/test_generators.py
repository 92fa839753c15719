"""The OpenAPI document suits common client generators and describes everything.

``make clients`` generates clients from it and shops with them.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from faregate_http.openapi.interface import read_yaml
from support.service.service import Json
from support.specification.openapi_conformity import DOCUMENT, resolved, validator

SCHEMAS: Json = DOCUMENT["components"]["schemas"]
KEPT = read_yaml("properties.yaml")

# Unions without a string property that distinguishes their members.
WITHOUT_DISCRIMINATOR = {
    "PromoCodeResult": "`valid` is a boolean; both shapes have required properties of their own",
    "AccessPriceBody.depot_flag": "a gate may send an empty object instead of a boolean",
    "AccessPriceBody.is_online_pos": "a gate may send an empty object instead of a boolean",
}

WITHOUT_EXAMPLE = {
    "service-channel-key": "a secret",
    "order-secret": "a secret",
    "cursor": "begins where the page before has ended",
    "idempotency-key": "is used once",
    "if-match": "is another after each change",
}

_EXAMPLES = {"example", "examples"}


def schemas_in(part: Any, path: str = "") -> Iterator[tuple[str, Json]]:
    """Yield every schema of the document with its path, without examples."""
    match part:
        case dict():
            yield path, part
            for name, inner in part.items():
                is_example = name in _EXAMPLES and not path.endswith("/properties")
                yield from () if is_example else schemas_in(inner, f"{path}/{name}")
        case list():
            for number, inner in enumerate(part):
                yield from schemas_in(inner, f"{path}/{number}")


def examples_in(part: Any) -> Iterator[Any]:
    """Yield the values of all inline examples."""
    match part:
        case {"examples": dict() as named}:
            yield from (each["value"] for each in named.values() if "value" in each)
        case {"examples": list() as values}:
            yield from values
        case {"example": value}:
            yield value
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from examples_in(inner)


def keys_in(value: Any) -> Iterator[str]:
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from keys_in(inner)
    if isinstance(value, dict):
        yield from value


def parameters() -> Iterator[Json]:
    """Yield every parameter of every operation."""
    for methods in DOCUMENT["paths"].values():
        for operation in methods.values():
            yield from (resolved(part) for part in operation["parameters"])


PROPERTIES = {
    f"{name}.{field}": part
    for name, schema in SCHEMAS.items()
    for field, part in schema.get("properties", {}).items()
}


def test_examples_contain_no_references() -> None:
    assert "$ref" not in {key for example in examples_in(DOCUMENT) for key in keys_in(example)}


def is_constant(schema: Json) -> bool:
    return "const" in schema


def is_enum_of_booleans(schema: Json) -> bool:
    return any(isinstance(value, bool) for value in schema.get("enum", ()))


def is_untyped_enum(schema: Json) -> bool:
    return "enum" in schema and "type" not in schema


def is_integer_without_format(schema: Json) -> bool:
    return schema.get("type") == "integer" and "format" not in schema


def has_empty_default(schema: Json) -> bool:
    return schema.get("default", ...) in (None, [])


def is_uuid_header(part: Json) -> bool:
    return part.get("in") == "header" and part["schema"].get("format") == "uuid"


REFUSED = [
    is_constant,
    is_enum_of_booleans,
    is_untyped_enum,
    is_integer_without_format,
    has_empty_default,
    is_uuid_header,
]


@pytest.mark.parametrize("is_refused", REFUSED, ids=[check.__name__ for check in REFUSED])
def test_generators_accept_every_schema(is_refused: Callable[[Json], bool]) -> None:
    assert [path for path, schema in schemas_in(DOCUMENT) if is_refused(schema)] == []


def test_unions_have_a_discriminator() -> None:
    without = {
        re.sub(r"/components/schemas/(\w+)(/properties/)?", r"\1.", path).rstrip(".")
        for path, schema in schemas_in(DOCUMENT)
        if is_union(schema) and "discriminator" not in schema
    }

    assert without == set(WITHOUT_DISCRIMINATOR)


def is_union(schema: Json) -> bool:
    """Return True for a schema with several shapes, not counting null."""
    shapes = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    return len([shape for shape in shapes if shape != {"type": "null"}]) > 1


def test_discriminators_name_a_property_that_every_shape_requires() -> None:
    for _, schema in schemas_in(DOCUMENT):
        if "discriminator" in schema:
            name, mapping = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
            assert {shape["$ref"] for shape in schema["oneOf"]} == set(mapping.values())
            for value, target in mapping.items():
                shape = resolved({"$ref": target})
                assert name in shape["required"]
                assert value in shape["properties"][name]["enum"]


def test_every_property_has_a_description_and_a_valid_example() -> None:
    for name, content in PROPERTIES.items():
        assert re.fullmatch(r"[A-Z].*\.", content["description"]), name
        shown = examples_of(content)
        assert shown, name
        assert [error.message for value in shown for error in validator(content).iter_errors(value)] == []


def examples_of(schema: Json) -> list[Any]:
    """Return the examples of a schema: its own, its enum values, or combinations of its parts' examples."""
    match schema:
        case {"examples": values} | {"enum": values}:
            return list(values)
        case {"$ref": _}:
            return examples_of(resolved(schema))
        case {"oneOf": parts} | {"anyOf": parts}:
            return examples_of(parts[0])
        case {"items": items}:
            return [examples_of(items)[:1]]
        case {"type": "boolean"}:
            return [True]
        case {"properties": parts}:
            return [{name: examples_of(part)[0] for name, part in parts.items()}]
        case _:
            return []


def test_every_parameter_has_a_description_and_a_valid_example() -> None:
    for parameter in parameters():
        assert parameter["description"].endswith(".")
        shown = [parameter["example"]] if "example" in parameter else examples_of(parameter["schema"])
        assert bool(shown) != (parameter["name"] in WITHOUT_EXAMPLE), parameter["name"]
        assert [e.message for value in shown for e in validator(parameter["schema"]).iter_errors(value)] == []


def test_no_description_is_unused() -> None:
    own = {f"{name}.{field}" for name, fields in KEPT["schemas"].items() for field in fields}
    shared = {name.partition(".")[2] for name in set(PROPERTIES) - own}

    assert own - set(PROPERTIES) == set()
    assert set(KEPT["examples"]) - set(PROPERTIES) == set()
    assert set(KEPT["shared"]) - shared == set()
