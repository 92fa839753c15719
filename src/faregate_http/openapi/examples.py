"""Requests, responses and single properties of the demo resort.

They are recorded by a test that fails when they change.
"""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import Any, Literal

import msgspec

from faregate_http.openapi.components import public_name
from faregate_http.openapi.interface import Json
from faregate_http.operations import Operation

_RECORDED: Json = msgspec.json.decode(files("faregate_http.openapi").joinpath("examples.json").read_bytes())
_TITLE = "Example from the demo resort."


def examples_of(operation: str, part: Literal["body", "answer"]) -> Json:
    """Return any recorded example of *operation*'s body or response in OpenAPI form, otherwise {}."""
    recorded = _RECORDED["operations"].get(operation, {})
    if part not in recorded:
        return {}
    return {"examples": {"demo": {"summary": _TITLE, "value": recorded[part]}}}


def recorded_values(operations: Iterable[Operation]) -> Iterator[tuple[str, Any]]:
    """Yield the schema name and value of each recorded body, response and problem."""
    for operation in operations:
        recorded = _RECORDED["operations"].get(operation.name, {})
        if operation.body is not None and "body" in recorded:
            yield operation.body.__name__, recorded["body"]
        if "answer" in recorded:
            yield public_name(operation.answer.__name__), recorded["answer"]
    for problem in _RECORDED["problems"].values():
        yield "Problem", problem


def problem_examples() -> Json:
    """Return the recorded problems, keyed by status and code, for the OpenAPI ``components`` section."""
    return {
        name: {"summary": problem["detail"], "value": problem}
        for name, problem in _RECORDED["problems"].items()
    }


def problem_references(status: int, codes: Iterable[str]) -> Json:
    """Return references to the recorded problems with *status* and one of *codes*, in OpenAPI form."""
    names = {code: f"{status}-{code}" for code in codes}
    known = {code: name for code, name in names.items() if name in _RECORDED["problems"]}
    found = {code: {"$ref": f"#/components/examples/{name}"} for code, name in known.items()}
    return {"examples": found} if found else {}


def property_examples(documents: Iterable[tuple[str, Any]], schemas: Json) -> Json:
    """Return the first value of each property in *documents*, keyed by ``Schema.property``.

    *documents* are pairs of a schema's name and a value. Objects and lists of objects are left out.
    """
    found: Json = {}
    for name, value in documents:
        for path, part in _values({"$ref": f"/{name}"}, value, schemas):
            found.setdefault(path, part)
    return found


def _values(schema: Json, value: Any, schemas: Json, name: str = "") -> Iterator[tuple[str, Any]]:
    match schema, value:
        case {"$ref": str() as target}, _:
            name = target.rpartition("/")[2]
            yield from _values(schemas[name], value, schemas, name)
        case {"discriminator": {"propertyName": kind, "mapping": shapes}}, dict():
            yield from _values({"$ref": shapes[value[kind]]}, value, schemas)
        case (({"oneOf": parts} | {"anyOf": parts}), _):
            for part in parts:
                yield from _values(part, value, schemas)
        case {"type": "array", "items": items}, list():
            for part in value:
                yield from _values(items, part, schemas)
        case {"properties": properties}, dict() if value.keys() >= set(schema.get("required", ())):
            for part in (each for each in properties if each in value):
                yield from _own(f"{name}.{part}", properties[part], value[part])
                yield from _values(properties[part], value[part], schemas)


def _own(path: str, schema: Json, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield *path* and *value* as a pair, unless the value is empty or its parts have their own examples."""
    parts = value if isinstance(value, list) else [value]
    is_shown = "$ref" not in schema and value not in ([], "", None)
    if is_shown and all(isinstance(part, str | int | float) for part in parts):
        yield path, value
