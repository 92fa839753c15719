"""Whether a JSON Schema of the OpenAPI document says what the tables of documented fields say."""

from collections.abc import Iterator
from typing import Any

from serving.documented_fields import Either, MayBeAbsent, Nullable, Type
from serving.openapi_conformity import DOCUMENT, Json

_TYPES = {
    "string": {"string"},
    "number": {"number", "integer"},
    "boolean": {"boolean"},
    "object": {"object"},
    "array": {"array"},
    "date-time": {"string"},
}


def schema_differences(documented: Type, schema: Json, path: str, *, free: tuple[str, ...]) -> Iterator[str]:
    """Where *schema* is not the JSON Schema of what is documented, but for paths that end as *free* says."""
    if path.endswith(free):
        return
    schema = resolved(schema)
    match documented:
        case MayBeAbsent(inner):
            yield from schema_differences(inner, schema, path, free=free)
            return
    variants = [resolved(part) for part in schema.get("anyOf", [schema])]
    others = [part for part in variants if part.get("type") != "null"]
    if (len(others) < len(variants)) != isinstance(documented, Nullable):
        yield f"{path}: may be null in one only"
    match documented:
        case Nullable(inner):
            yield from schema_differences(inner, others[0], path, free=free)
        case Either(_, if_true, if_false):
            yield from schema_differences(if_true, others[0], path, free=free)
            yield from schema_differences(if_false, others[1], path, free=free)
        case dict():
            yield from _different_fields(documented, schema, path, free)
        case [element]:
            yield from _different_words("array", schema, path)
            yield from schema_differences(element, schema["items"], f"{path}[]", free=free)
        case _:
            yield from _different_words(documented, schema, path)


def resolved(schema: Json) -> Json:
    """*schema*, or what it refers to."""
    while "$ref" in schema:
        found: Any = DOCUMENT
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema = found
    return schema


def _different_words(documented: str | set[str] | set[bool], schema: Json, path: str) -> Iterator[str]:
    if isinstance(documented, set):
        words = set(schema.get("enum", ()))
        if words != documented:
            yield f"{path}: {words} are not {documented}"
    elif schema.get("type") not in _TYPES[documented]:
        yield f"{path}: {schema} is no {documented}"


def _different_fields(
    documented: dict[str, Type], schema: Json, path: str, free: tuple[str, ...]
) -> Iterator[str]:
    fields = schema.get("properties", {})
    if set(fields) != set(documented):
        yield f"{path}: {set(fields) ^ set(documented)} in one only"
        return
    required = {name for name, kind in documented.items() if not isinstance(kind, MayBeAbsent)}
    if set(schema.get("required", ())) != required:
        yield f"{path}: {set(schema.get('required', ())) ^ required} required in one only"
    for name, kind in documented.items():
        yield from schema_differences(kind, fields[name], f"{path}.{name}", free=free)


def arrays_of(documented: Type, path: str = "") -> Iterator[str]:
    """The paths of all arrays in what is documented."""
    match documented:
        case Nullable(inner) | MayBeAbsent(inner):
            yield from arrays_of(inner, path)
        case dict():
            for name, part in documented.items():
                yield from arrays_of(part, f"{path}.{name}" if path else name)
        case [element]:
            yield path
            yield from arrays_of(element, f"{path}[]")
