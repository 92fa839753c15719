"""Written forms: the exact JSON for the values of each type annotation. Decisions §19.

A form converts values to plain JSON types and back, and describes that JSON as a JSON Schema. The forms of
numbers, enumerations and containers are in this module, other forms in ``texts`` and ``objects``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Protocol, TypeAlias

from faregate.errors import InvalidDocument, Issue

Json: TypeAlias = Any
"""A plain JSON value: a dict with text keys, a list, text, an int, a bool or None. Never a float."""

Refer: TypeAlias = Callable[[Any], Json]
"""A function that returns a reference to the JSON Schema for a form."""

_LONGEST_SHOWN = 60


class Form(Protocol):
    """The written form of the values of one type annotation."""

    @property
    def json(self) -> str:
        """JSON type of the written value."""

    def write(self, value: Any) -> Json:
        """Return *value* in plain JSON types, or raise ``InvalidDocument``."""

    def read(self, data: Json) -> Any:
        """Return the value that *data* represents, by default *data* itself, or raise ``InvalidDocument``."""
        return self.write(data)

    def schema(self, refer: Refer) -> Json:
        """Return the JSON Schema of the written values."""


def wrong(expected: str, given: object) -> InvalidDocument:
    """Return the error for the value *given*, where *expected* describes valid values."""
    shown = repr(given)
    return InvalidDocument(
        f"expected {expected}, got {shown if len(shown) <= _LONGEST_SHOWN else type(given).__name__}"
    )


def gathered(parts: Iterable[tuple[str | int, Callable[[Any], Any], Any]]) -> list[Any]:
    """Convert each of *parts* (key, converter, value) and return the results, or raise all issues at once."""
    found: list[Any] = []
    issues: list[Issue] = []
    for key, convert, value in parts:
        try:
            found.append(convert(value))
        except InvalidDocument as error:
            issues += [issue.inside(key) for issue in error.issues]
    if issues:
        raise InvalidDocument(*issues)
    return found


@dataclass(frozen=True, slots=True)
class Plain(Form):
    """The form of text, whole numbers and booleans, which stay unchanged; True is not accepted as 1."""

    kind: type

    NAMES: ClassVar = {str: ("string", "text"), int: ("integer", "an int"), bool: ("boolean", "a bool")}

    @property
    def json(self) -> str:
        return str(self.NAMES[self.kind][0])

    def write(self, value: Any) -> Json:
        if type(value) is not self.kind:
            raise wrong(self.NAMES[self.kind][1], value)
        return value

    def schema(self, refer: Refer) -> Json:
        return {"type": self.json}


@dataclass(frozen=True, slots=True)
class Anything(Form):
    """The form of a value of any type, such as the answer to a question: any JSON value without floats."""

    json: ClassVar[str] = "any"

    def write(self, value: Any) -> Json:
        if type(value) is list:
            return gathered((index, self.write, item) for index, item in enumerate(value))
        if type(value) is dict:
            return dict(zip(value, gathered((key, self.write, value[key]) for key in value), strict=True))
        if value is not None and type(value) not in (str, int, bool):
            raise wrong("a JSON value without floats", value)
        return value

    def schema(self, refer: Refer) -> Json:
        return {}


@dataclass(frozen=True, slots=True)
class Option(Form):
    """The form of an enumeration member: its value."""

    kind: type[Enum]

    @property
    def json(self) -> str:
        return "integer" if isinstance(next(iter(self.kind)).value, int) else "string"

    def write(self, value: Any) -> Json:
        if type(value) is not self.kind:
            raise wrong(f"a {self.kind.__name__}", value)
        return value.value

    def read(self, data: Json) -> Any:
        for member in self.kind:
            if type(member.value) is type(data) and member.value == data:
                return member
        raise wrong(f"one of {', '.join([repr(member.value) for member in self.kind])}", data)

    def schema(self, refer: Refer) -> Json:
        return {"enum": [member.value for member in self.kind]}


@dataclass(frozen=True, slots=True)
class Optional(Form):
    """The form of a value that may be None, which is written as null."""

    inner: Form

    @property
    def json(self) -> str:
        return self.inner.json

    def write(self, value: Any) -> Json:
        return None if value is None else self.inner.write(value)

    def read(self, data: Json) -> Any:
        return None if data is None else self.inner.read(data)

    def schema(self, refer: Refer) -> Json:
        return {"anyOf": [self.inner.schema(refer), {"type": "null"}]}


@dataclass(frozen=True, slots=True)
class Many(Form):
    """The form of a tuple (a list) or a frozenset (a list in ascending order, without duplicates)."""

    inner: Form
    holder: type

    json: ClassVar[str] = "array"

    def write(self, value: Any) -> Json:
        kind = type(value)
        if kind is not self.holder:
            raise wrong(f"a {self.holder.__name__}", value)
        items = gathered((index, self.inner.write, item) for index, item in enumerate(value))
        return sorted(items) if self.holder is frozenset else items

    def read(self, data: Json) -> Any:
        if type(data) is not list:
            raise wrong("a list", data)
        items = gathered((index, self.inner.read, item) for index, item in enumerate(data))
        found = self.holder(items)
        if len(found) < len(items):
            raise wrong("a list without duplicates", data)
        return found

    def schema(self, refer: Refer) -> Json:
        unique = {"uniqueItems": True} if self.holder is frozenset else {}
        return {"type": "array", "items": self.inner.schema(refer), **unique}


@dataclass(frozen=True, slots=True)
class Row(Form):
    """The form of a tuple of fixed length, which is written as a list."""

    inner: tuple[Form, ...]

    json: ClassVar[str] = "array"

    def write(self, value: Any) -> Json:
        return self._each("write", value, tuple)

    def read(self, data: Json) -> Any:
        return tuple(self._each("read", data, list))

    def _each(self, method: str, value: Any, holder: type) -> list[Any]:
        items: Any = value if type(value) is holder else ()
        if len(items) != len(self.inner):
            raise wrong(f"a {holder.__name__} with {len(self.inner)} entries", value)
        pairs = enumerate(zip(self.inner, items, strict=True))
        return gathered((index, getattr(form, method), item) for index, (form, item) in pairs)

    def schema(self, refer: Refer) -> Json:
        each = [form.schema(refer) for form in self.inner]
        return {"type": "array", "prefixItems": each, "items": False, "minItems": len(each)}


@dataclass(frozen=True, slots=True)
class Table(Form):
    """The form of a mapping, which is written as a list of pairs, since keys need not be text."""

    pairs: Many

    json: ClassVar[str] = "array"

    def write(self, value: Any) -> Json:
        if not isinstance(value, Mapping):
            raise wrong("a mapping", value)
        return self.pairs.write(tuple(value.items()))

    def read(self, data: Json) -> Any:
        found = self.pairs.read(data)
        if len(dict(found)) < len(found):
            raise wrong("pairs without duplicate keys", data)
        return dict(found)

    def schema(self, refer: Refer) -> Json:
        return self.pairs.schema(refer)
