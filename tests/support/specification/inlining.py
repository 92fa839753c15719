"""Examples without references, which generators would resolve in the document, where they have no target."""

from typing import Any

from support.service.service import Json


def inlined(value: Any) -> Any:
    """Return an example *value* with the definitions of its JSON Schemas inlined."""
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
