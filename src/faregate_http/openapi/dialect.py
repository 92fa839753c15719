"""Schemas in the subset of JSON Schema that client generators support. Decisions §15."""

from typing import Any

from faregate_http.openapi.interface import Json

_BIGGEST_INTEGER = {"format": "int64"}
"""Format of ids, which go up to 2^53; generators treat integers without a format as 32-bit."""


def plain_schema(schema: Any) -> Any:
    """Return *schema* without titles, empty defaults and boolean enums, and with 64-bit integers."""
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
    return (name == "title" and isinstance(part, str)) or (name == "default" and part in (None, []))


def _typed(schema: Json) -> Json:
    match schema:
        case {"enum": [bool(), *_]}:
            return {name: part for name, part in schema.items() if name != "enum"} | {"type": "boolean"}
        case {"enum": [str(), *_]}:
            return {"type": "string", **schema}
        case {"type": "integer"}:
            return {**_BIGGEST_INTEGER, **schema}
        case _:
            return schema


def inlined(value: Any) -> Any:
    """Return an example *value* with the definitions of its JSON Schemas inlined.

    Generators resolve every ``$ref`` of a document, even in examples, where the reference has no target.
    """
    match value:
        case {"$defs": dict() as definitions, **schema}:
            return _resolved(schema, definitions)
        case dict():
            return {name: inlined(part) for name, part in value.items()}
        case list():
            return [inlined(part) for part in value]
        case _:
            return value


def _resolved(schema: Any, definitions: Json) -> Any:
    match schema:
        case {"$ref": str() as target, **others}:
            return {**_resolved(definitions[target.removeprefix("#/$defs/")], definitions), **others}
        case dict():
            return {name: _resolved(part, definitions) for name, part in schema.items()}
        case list():
            return [_resolved(part, definitions) for part in schema]
        case _:
            return schema
