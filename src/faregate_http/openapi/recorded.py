"""Examples of single properties, taken from the recorded requests and responses."""

from collections.abc import Iterable, Iterator
from typing import Any

from faregate_http.openapi.interface import Json


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
