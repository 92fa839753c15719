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
