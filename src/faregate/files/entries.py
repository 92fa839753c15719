"""Entries: mappings in a file that stand for values of the core, with a key for each field of the class.

The class of a value says the keys, types and defaults of its entry, and ``spelling`` the exceptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from faregate.arguments.fields import camel_case
from faregate.errors import Loc
from faregate.files.fields.currencies import Currencies
from faregate.files.fields.forms import Fault, Faults, Form, faults_of, unlike
from faregate.files.fields.types import NAME
from faregate.files.spelling import BY_NAME, BY_TYPE, KEYS, SPELLINGS, Spelling
from faregate.files.text.documents import Document
from faregate.files.text.issues import MAX_ISSUES
from faregate.files.text.nodes import LinedDict, LinedList
from faregate.translations import Text

_LISTS = (list, LinedList)
_MAPPINGS = (dict, LinedDict)
_TAG = "discountType"


@dataclass(frozen=True, slots=True)
class OneOf(Form):
    """The form of the members of an enumeration: their values."""

    members: Mapping[str, Enum]

    def read(self, value: Any, units: Currencies) -> Enum:
        if type(value) is not str or value not in self.members:
            raise unlike(", ".join(self.members), value)
        return self.members[value]


@dataclass(frozen=True, slots=True)
class ListOf(Form):
    """The form of tuples and frozensets: a list, with at least one entry if it ``is_required``."""

    item: Form
    holder: Callable[[list[Any]], Any]
    is_required: bool = False
    most: int | None = None

    def read(self, value: Any, units: Currencies) -> Any:
        if type(value) not in _LISTS:
            raise unlike("a list", value)
        if self.most is not None and len(value) > self.most:
            raise ValueError(f"expected at most {self.most} entries, got {len(value)}")
        if self.is_required and not value:
            raise ValueError("expected at least one entry")
        items: list[Any] = []
        faults: list[Fault] = []
        read = self.item.read
        for index, item in enumerate(value):
            try:
                items.append(read(item, units))
            except ValueError as error:
                faults += faults_of(error, index)
        if faults:
            raise Faults(faults)
        return self.holder(items)

    def inside(self, part: str | int) -> tuple[str | int, Form]:
        return part, self.item


@dataclass(frozen=True, slots=True)
class MappingOf(Form):
    """The form of a tuple of pairs: a mapping of names to values."""

    value: Form

    def read(self, value: Any, units: Currencies) -> tuple[tuple[str, Any], ...]:
        if type(value) not in _MAPPINGS:
            raise unlike("a mapping", value)
        parts: list[Any] = []
        faults: list[Fault] = []
        for key, item in value.items():
            for form, part in ((NAME, key), (self.value, item)):
                try:
                    parts.append(form.read(part, units))
                except ValueError as error:
                    faults += faults_of(error, key)
        if faults:
            raise Faults(faults)
        return tuple(zip(parts[::2], parts[1::2], strict=True))

    def inside(self, part: str | int) -> tuple[str | int, Form]:
        return part, self.value


@dataclass(frozen=True, slots=True)
class Field:
    """A key of an entry: the field that it sets, the form of its value, and the field's default."""

    name: str
    form: Form
    default: object
    is_optional: bool
    """True if null stands for the default."""

    @property
    def is_required(self) -> bool:
        """True if the key cannot be left out."""
        return self.default is Parameter.empty


@dataclass(frozen=True, eq=False)
class Entry(Form):
    """The form of the values that ``kind``, a class or a function, makes of its arguments: a mapping."""

    kind: Callable[..., Any]
    spelling: Spelling

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The fields by key, resolved on first use."""
        return dict(self._fields())

    @cached_property
    def keys(self) -> dict[str, str]:
        """The keys by the name of their field."""
        return {field.name: key for key, field in self.fields.items()}

    @cached_property
    def required(self) -> frozenset[str]:
        """The keys that cannot be left out."""
        return frozenset(key for key, field in self.fields.items() if field.is_required)

    def read(self, value: Any, units: Currencies) -> Any:
        own = self.spelling
        data: Any = value if type(value) in _MAPPINGS else own.short(value)
        if type(data) not in _MAPPINGS:
            return data
        units = units if own.units is None else own.units(units, data)
        values = self._values(data, units)
        for name, default in own.defaults.items():
            if name not in values:
                values[name] = default(values, units)
        return (own.make or self.kind)(**values)

    def _values(self, data: Mapping[str, Any], units: Currencies) -> dict[str, Any]:
        """Return the values of the keys in *data* by the name of their field."""
        fields = self.fields
        values: dict[str, Any] = {}
        faults: list[Fault] = []
        for key, item in data.items():
            field = fields.get(key)
            if field is None:
                faults.append(Fault("unknown key", [key], key, fields.keys))
            elif item is not None or not field.is_optional:
                try:
                    values[field.name] = field.form.read(item, units)
                except ValueError as error:
                    faults += faults_of(error, key)
        if missing := self.required - data.keys():
            faults += [Fault("is missing", [key]) for key in fields if key in missing]
        if faults:
            raise Faults(faults)
        return values

    def inside(self, part: str | int) -> tuple[str | int, Form]:
        key = self.keys.get(str(part))
        return (part, self) if key is None else (key, self.fields[key].form)

    def _fields(self) -> Iterator[tuple[str, Field]]:
        own = self.spelling
        makers = [self.kind] if own.make is None else [self.kind, own.make]
        hints = {name: hint for maker in makers for name, hint in get_type_hints(maker).items()}
        given = {name: each for maker in makers for name, each in signature(maker).parameters.items()}
        for name, parameter in given.items():
            if name in own.left_out or parameter.kind is Parameter.VAR_KEYWORD:
                continue
            default = parameter.default
            if name in own.defaults:
                default = None
            elif name in own.required:
                default = Parameter.empty
            is_required = default is Parameter.empty or name in own.criteria
            item = own.forms.get(name)
            form = _form(hints[name], name, item, is_required=is_required, most=own.most.get(name))
            key = own.keys.get(name) or KEYS.get(name) or camel_case(name)
            yield key, Field(name, form, default, default is None or isinstance(default, Text))


@dataclass(frozen=True, slots=True)
class Tagged(Form):
    """The form of the kinds of discounts: an entry whose ``discountType`` names the kind."""

    members: Mapping[str, Entry]

    def read(self, value: Any, units: Currencies) -> Any:
        if type(value) not in _MAPPINGS:
            raise unlike("a mapping", value)
        if _TAG not in value:
            raise Faults([Fault("is missing", [_TAG])])
        tag = value[_TAG]
        if type(tag) is not str or tag not in self.members:
            raise Faults(faults_of(unlike(", ".join(self.members), tag), _TAG))
        return self.members[tag].read({key: item for key, item in value.items() if key != _TAG}, units)

    def inside(self, part: str | int) -> tuple[str | int, Form]:
        kinds = [member for member in self.members.values() if part in member.keys]
        return kinds[0].inside(part) if kinds else (part, self)


def read_entry(form: Form, document: Document, units: Currencies) -> Any:
    """Return the value that the data of *document* stands for.

    Raises:
        InvalidFile: the document does not have *form*; lists every issue, including syntax issues.
    """
    try:
        value = form.read(document.data, units)
    except ValueError as error:
        faults = faults_of(error)
        listed = [fault.issue() for fault in faults[:MAX_ISSUES]]
        raise document.refusal(listed, unlisted=len(faults) - len(listed)) from None
    if document.issues:
        raise document.refusal()
    return value


def file_loc(form: Form, loc: Loc) -> Loc:
    """Return *loc*, a location in a value of *form*, with the keys that files use.

    >>> from faregate.catalogue.products import Product
    >>> file_loc(entry_of(Product), ("variants", 0, "floor_price"))
    ('productVariants', 0, 'floorPrice')
    """
    keys: list[str | int] = []
    for part in loc:
        key, form = form.inside(part)
        keys.append(key)
    return tuple(keys)


@lru_cache(maxsize=256)
def entry_of(kind: Callable[..., Any]) -> Entry:
    """Return the form of the values of the class, or the results of the function, *kind*."""
    return Entry(kind, SPELLINGS.get(kind, Spelling()))


def _form(
    annotation: Any, name: str, item: Any, *, is_required: bool = False, most: int | None = None
) -> Form:
    """Return the form of a field; *item* is an exception for its value or, in a list, for each value."""
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is frozenset or (origin is tuple and inner[-1] is ...):
        if item is None and get_origin(inner[0]) is tuple:
            return MappingOf(_form(get_args(inner[0])[1], name, None))
        return ListOf(_form(inner[0], name, item), origin, is_required, most)
    if item is None:
        item = BY_TYPE.get(annotation)
    if item is None and annotation in (int, str):
        item = BY_NAME[name] if annotation is int else BY_NAME.get(name, NAME)
    if isinstance(item, Form):
        return item
    if item is None and origin in (UnionType, Union):
        return _alternative([kind for kind in inner if kind is not NoneType], name)
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return OneOf({member.value: member for member in annotation})
    return entry_of(item or annotation)


def _alternative(kinds: list[Any], name: str) -> Form:
    if len(kinds) == 1:
        return _form(kinds[0], name, None)
    return Tagged({kind.type.value: entry_of(kind) for kind in kinds})
