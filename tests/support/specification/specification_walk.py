"""Checks that responses and schemas contain everything that the specification shows.

Both may contain more; the additions of a schema can be listed.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, NamedTuple

from support.service.service import Json, decoded
from support.specification.openapi_conformity import resolved
from support.specification.specified import Fields, Kind, Nullable, OneOf, OnRequest, Shown
from support.specification.specified_operations import OPERATIONS, Operation


class Issue(NamedTuple):
    """The path of a difference from the specification, and its description."""

    path: str
    reason: str


def faults(value: Any, kind: Kind, path: str = "") -> Iterator[Issue]:
    """Yield all differences of *value* from its kind."""
    match kind:
        case Nullable(inner) | OnRequest(inner):
            yield from faults(value, inner, path) if value is not None else ()
        case _ if value is None and kind != "unknown":
            yield Issue(path, "null")
        case OneOf():
            yield from min((list(part) for part in _readings(value, kind, path)), key=len)
        case dict() if isinstance(value, dict):
            yield from _faults_below(value, kind, path)
        case [element] if isinstance(value, list):
            for part in value:
                yield from faults(part, element, f"{path}[]")
        case _ if not _is_of(value, kind):
            yield Issue(path, f"{value!r} is not a {kind}")


def _faults_below(value: Json, kind: Fields, path: str) -> Iterator[Issue]:
    for name, part in kind.items():
        if name in value:
            yield from faults(value[name], part, below(path, name))
        elif not isinstance(part, OnRequest):
            yield Issue(below(path, name), "missing")


def _readings(value: Any, kind: OneOf, path: str) -> Iterator[Iterator[Issue]]:
    for number, variant in enumerate(kind.variants):
        yield faults(value, variant, f"{path}<{number}>")


def _is_of(value: Any, kind: Kind) -> bool:
    match kind:
        case set():
            return value in kind
        case Shown() | "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "number":
            return isinstance(value, int | Decimal) and not isinstance(value, bool)
        case "object":
            return isinstance(value, dict)
        case "array":
            return isinstance(value, list)
        case "date-time":
            return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
        case "unknown":
            return True
        case _:
            return False


def seen(value: Any, kind: Kind, path: str = "") -> Iterator[str]:
    """Yield the paths at which *value* is not null."""
    if value is None:
        return
    yield path
    match kind:
        case Nullable(inner) | OnRequest(inner):
            yield from seen(value, inner, path)
        case OneOf(variants):
            counts = [len(list(part)) for part in _readings(value, kind, path)]
            number = counts.index(min(counts))
            yield from seen(value, variants[number], f"{path}<{number}>")
        case dict():
            for name in kind.keys() & value.keys():
                yield from seen(value[name], kind[name], below(path, name))
        case [element]:
            for part in value:
                yield from seen(part, element, f"{path}[]")


def paths(kind: Kind, path: str = "") -> Iterator[str]:
    """Yield the paths of all fields of a kind."""
    yield path
    match kind:
        case Nullable(inner) | OnRequest(inner):
            yield from paths(inner, path)
        case OneOf(variants):
            for number, variant in enumerate(variants):
                yield from paths(variant, f"{path}<{number}>")
        case dict():
            for name, part in kind.items():
                yield from paths(part, below(path, name))
        case [element]:
            yield from paths(element, f"{path}[]")


def below(path: str, name: str) -> str:
    """Return the path of a field."""
    return f"{path}.{name}" if path else name


class Walk:
    """A response hook that records successful responses.

    ``answers`` are by operation name; ``extensions`` are responses of operations outside the specification.
    """

    def __init__(self) -> None:
        self.answers: dict[str, list[Json]] = defaultdict(list)
        self.extensions: list[Json] = []
        self._patterns = [(operation, _pattern(operation.path)) for operation in OPERATIONS]

    def __call__(self, response: Any) -> None:
        """Record a response."""
        request = response.request
        response.read()
        if response.status_code != 200 or response.headers["content-type"] != "application/json":
            return
        for operation, pattern in self._patterns:
            if operation.method == request.method and pattern.fullmatch(request.url.path):
                self.answers[operation.name].append(decoded(response))
                return
        self.extensions.append(decoded(response))


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"{\w+}", "[^/]+", path))


def schema_faults(schema: Json, kind: Kind, path: str = "") -> Iterator[Issue]:
    """Yield all differences of *schema* from its kind."""
    match kind:
        case OnRequest(inner):
            yield from schema_faults(schema, inner, path)
            return
    alternatives = list(_alternatives(schema))
    others = [part for part in alternatives if part.get("type") != "null"]
    if kind == "unknown":
        return
    if (len(others) < len(alternatives)) != isinstance(kind, Nullable):
        yield Issue(path, "is not nullable" if isinstance(kind, Nullable) else "may be null")
    inner = kind.kind if isinstance(kind, Nullable) else kind
    match inner:
        case OneOf(variants):
            if len(others) != len(variants):
                yield Issue(path, f"has {len(others)} variants")
            for number, variant in enumerate(variants):
                yield from _closest(others, variant, f"{path}<{number}>")
        case _:
            for part in others or alternatives:
                yield from _faults_of_one(part, inner, path)


def _alternatives(schema: Json) -> Iterator[Json]:
    schema = resolved(schema)
    parts = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
    if not parts:
        yield schema
    for part in parts:
        yield from _alternatives(part)


def _closest(schemas: Sequence[Json], kind: Kind, path: str) -> list[Issue]:
    return min((list(_faults_of_one(schema, kind, path)) for schema in schemas), key=len)


def _faults_of_one(schema: Json, kind: Kind, path: str) -> Iterator[Issue]:
    match kind:
        case dict() if "properties" in schema:
            yield from _faults_of_fields(schema, kind, path)
        case [element] if "items" in schema:
            yield from schema_faults(schema["items"], element, f"{path}[]")
        case _ if not _says(schema, kind):
            yield Issue(path, f"{schema} is not a {kind}")


def _faults_of_fields(schema: Json, kind: Fields, path: str) -> Iterator[Issue]:
    for name, part in kind.items():
        here = below(path, name)
        if name not in schema["properties"]:
            yield Issue(here, "missing")
            continue
        if (name in schema.get("required", ())) == isinstance(part, OnRequest):
            yield Issue(here, "required" if isinstance(part, OnRequest) else "not required")
        yield from schema_faults(schema["properties"][name], part, here)


def additions(schema: Json, kind: Kind, path: str = "") -> Iterator[str]:
    """Yield the paths that *schema* has and its kind does not."""
    match kind:
        case OnRequest(inner) | Nullable(inner):
            yield from additions(schema, inner, path)
            return
    for part in _alternatives(schema):
        match kind:
            case OneOf(variants):
                named = {name for variant in variants for name in variant}
                yield from (below(path, name) for name in part.get("properties", ()) if name not in named)
            case dict():
                for name, inner in part.get("properties", {}).items():
                    here = below(path, name)
                    yield from additions(inner, kind[name], here) if name in kind else [here]
            case [element] if "items" in part:
                yield from additions(part["items"], element, f"{path}[]")


def _says(schema: Json, kind: Kind) -> bool:
    words = set(schema.get("enum", ()))
    match kind:
        case set() if kind <= {True, False}:
            return schema.get("type") == "boolean"
        case set():
            return words == kind
        case Shown(some) if words:
            return words >= some
        case "date-time":
            return (schema.get("type"), schema.get("format")) == ("string", kind)
        case _:
            return schema.get("type") in _TYPES[kind if isinstance(kind, str) else "string"]


_TYPES = {
    "string": {"string"},
    "number": {"number", "integer"},
    "boolean": {"boolean"},
    "object": {"object"},
    "array": {"array"},
}


def operation_of(name: str) -> Operation:
    """Return the operation with that method and path."""
    (found,) = [operation for operation in OPERATIONS if operation.name == name]
    return found
