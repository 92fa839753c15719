"""The forms of objects and unions, and the choice of a form for each annotation. Decisions §19."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, ClassVar, Union, cast, get_args, get_origin, get_type_hints

from faregate.arguments.fields import camel_case
from faregate.arguments.suggestions import did_you_mean
from faregate.documents.forms import (
    Anything,
    Form,
    Json,
    Many,
    Option,
    Optional,
    Plain,
    Refer,
    Row,
    Table,
    gathered,
    wrong,
)
from faregate.documents.texts import TEXTS
from faregate.errors import FaregateError, InvalidDocument, Issue

TYPE = "type"


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a value, with its key in the written object."""

    name: str
    key: str
    form: Form
    default: object

    @property
    def is_required(self) -> bool:
        """True if the field has no default."""
        return self.default is Parameter.empty

    @property
    def is_derived(self) -> bool:
        """True if the class computes the field when omitted: the default is None, which is not valid."""
        return self.default is None and not isinstance(self.form, Optional)


@dataclass(frozen=True)
class Object(Form):
    """The form of a class: a JSON object with its fields in camelCase; default values are left out.

    The fields are the arguments of the class. For a class in a union, the object also has a ``type``.
    """

    kind: type[Any]

    json: ClassVar[str] = "object"

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The fields by key, resolved on first use because a class may have fields of its own type."""
        kinds = get_type_hints(self.kind)
        arguments = signature(self.kind).parameters.values()
        fields = [
            Field(each.name, camel_case(each.name), form_of(kinds[each.name]), each.default)
            for each in arguments
        ]
        return {field.key: field for field in fields}

    @property
    def tag(self) -> str | None:
        """The ``type`` of the written object; None if the class does not belong to a union."""
        return cast("str | None", getattr(self.kind, "__written_type__", None))

    def write(self, value: Any) -> Json:
        if type(value) is not self.kind:
            raise wrong(f"a {self.kind.__name__}", value)
        written = [field for field in self.fields.values() if not self._is_left_out(field, value)]
        keys = [field.key for field in written]
        parts = ((field.key, field.form.write, getattr(value, field.name)) for field in written)
        tag = {} if self.tag is None else {TYPE: self.tag}
        return tag | dict(zip(keys, gathered(parts), strict=True))

    def _is_left_out(self, field: Field, value: Any) -> bool:
        own = getattr(value, field.name)
        if not field.is_derived:
            return type(own) is type(field.default) and own == field.default
        others = {each.name: getattr(value, each.name) for each in self.fields.values() if each is not field}
        try:
            return bool(getattr(self.kind(**others), field.name) == own)
        except FaregateError:
            return False

    def read(self, data: Json) -> Any:
        if type(data) is not dict:
            raise wrong("an object", data)
        issues = self._issues_of_keys(data)
        fields = [field for key, field in self.fields.items() if key in data]
        try:
            values = gathered((field.key, field.form.read, data[field.key]) for field in fields)
        except InvalidDocument as error:
            raise InvalidDocument(*issues, *error.issues) from None
        if issues:
            raise InvalidDocument(*issues)
        try:
            return self.kind(**{field.name: value for field, value in zip(fields, values, strict=True)})
        except FaregateError as error:
            raise InvalidDocument(str(error)) from error

    def _issues_of_keys(self, data: dict[str, Json]) -> list[Issue]:
        known = self.fields if self.tag is None else {TYPE: None, **self.fields}
        unknown = [
            Issue((key,), f"unknown key{did_you_mean(key, known)}") for key in data if key not in known
        ]
        needed = [key for key, field in self.fields.items() if field.is_required]
        missing = [Issue((key,), "missing key") for key in needed if key not in data]
        if self.tag is not None and (data.get(TYPE) != self.tag):
            missing.append(Issue((TYPE,), f"expected {self.tag!r}, got {data.get(TYPE)!r}"))
        return [*unknown, *missing]

    def schema(self, refer: Refer) -> Json:
        return refer(self)

    def definition(self, refer: Refer) -> Json:
        """Return the JSON Schema of the object itself, not a reference to it."""
        tag = {} if self.tag is None else {TYPE: {"const": self.tag}}
        needed = [key for key, field in self.fields.items() if field.is_required]
        return {
            "title": self.kind.__name__,
            "type": "object",
            "properties": tag | {key: field.form.schema(refer) for key, field in self.fields.items()},
            "required": [*tag, *needed],
            "additionalProperties": False,
        }


@dataclass(frozen=True, slots=True)
class Boxed(Form):
    """The form of a union member that shares its JSON type with another: an object with a ``type``."""

    tag: str
    inner: Form

    json: ClassVar[str] = "object"

    def write(self, value: Any) -> Json:
        return {TYPE: self.tag, "value": gathered([("value", self.inner.write, value)])[0]}

    def read(self, data: Json) -> Any:
        if type(data) is not dict or data.keys() != {TYPE, "value"}:
            raise wrong("an object with the keys 'type' and 'value'", data)
        return gathered([("value", self.inner.read, data["value"])])[0]

    def schema(self, refer: Refer) -> Json:
        properties = {TYPE: {"const": self.tag}, "value": self.inner.schema(refer)}
        return {
            "type": "object",
            "properties": properties,
            "required": [*properties],
            "additionalProperties": False,
        }


@dataclass(frozen=True, slots=True)
class OneOf(Form):
    """The form of a union: objects are distinguished by ``type``, other members by their JSON type."""

    members: tuple[tuple[type, Form], ...]

    json: ClassVar[str] = "any"

    def write(self, value: Any) -> Json:
        for kind, form in self.members:
            if type(value) is kind:
                return form.write(value)
        for kind, form in self.members:
            if isinstance(value, kind) and type(value) is not bool:  # time zones have several classes
                return form.write(value)
        raise wrong(f"one of {', '.join([kind.__name__ for kind, _ in self.members])}", value)

    def read(self, data: Json) -> Any:
        forms = {getattr(form, "tag", None) or form.json: form for _, form in self.members}
        given = data.get(TYPE, "object") if type(data) is dict else _JSON_TYPES.get(type(data))
        if type(given) is str and given in forms:
            return forms[given].read(data)
        if type(data) is dict and any(isinstance(form, Object | Boxed) for _, form in self.members):
            hint = did_you_mean(given, forms) if type(given) is str else ""
            raise InvalidDocument(Issue((TYPE,), f"expected one of {', '.join(forms)}{hint}"))
        raise wrong(f"one of {', '.join(forms)}", data)

    def schema(self, refer: Refer) -> Json:
        return {"anyOf": [form.schema(refer) for _, form in self.members]}


_JSON_TYPES = {str: "string", int: "integer", bool: "boolean", list: "array"}


@lru_cache(maxsize=1024)  # 0.1 us, not 2 ms for the annotations of a Scope and of all in it
def form_of(annotation: Any) -> Form:
    """Return the written form for values of the type *annotation*.

    >>> from faregate.tax.rates import VatRate
    >>> form_of(tuple[VatRate, ...]).write((VatRate.percent("8.1"),))
    [{'partsPerMillion': 81000}]

    Raises:
        TypeError: the annotation has no written form.
    """
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin in (UnionType, Union):
        return _union(inner)
    if origin is tuple and inner[-1] is not ...:
        return Row(tuple([form_of(each) for each in inner]))
    if origin in (tuple, frozenset):
        return Many(form_of(inner[0]), origin)
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return Table(Many(Row(tuple([form_of(each) for each in inner])), tuple))
    if annotation in TEXTS:
        return TEXTS[annotation]
    if annotation in Plain.NAMES:
        return Plain(annotation)
    if annotation is object:
        return Anything()
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return Option(annotation)
    if isinstance(annotation, type) and annotation.__module__.startswith("faregate."):
        return Object(annotation)
    raise TypeError(f"{annotation} has no written form")


def _union(kinds: Iterable[Any]) -> Form:
    members = [(kind, form_of(kind)) for kind in kinds if kind is not NoneType]
    if len(members) < len(tuple(kinds)):
        rest = members[0][1] if len(members) == 1 else _union([kind for kind, _ in members])
        return Optional(rest)
    objects = [form for _, form in members if isinstance(form, Object)]
    if len(objects) > 1 and any(form.tag is None for form in objects):
        raise TypeError(f"expected a union of classes that write their type, got {kinds}")
    return OneOf(tuple([(kind, _boxed(kind, form, members)) for kind, form in members]))


def _boxed(kind: type, form: Form, members: Iterable[tuple[type, Form]]) -> Form:
    """Return *form*, or a ``Boxed`` if another member has the same JSON type; text is never boxed."""
    is_alone = [other.json for _, other in members].count(form.json) == 1
    return form if is_alone or isinstance(form, Object) or kind is str else Boxed(kind.__name__, form)
