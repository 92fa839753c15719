"""Conversion of core values to views with the same field names, in one language and currency."""

from collections.abc import Callable
from functools import cache
from inspect import isclass
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import UNSET, Raw, Struct, UnsetType

from faregate.money.currency import currency
from faregate.translations import Text
from faregate_http.protocol.numbers import major_units, percent
from faregate_http.schemas.base import Amount, Percent

_View = TypeVar("_View", bound=Struct)


class ViewWriter:
    """Converts core values to views.

    Each field of a view takes the attribute of the same name, converted by the field's type: a ``Text`` to
    the *language*, an ``Amount`` to major units of the currency *unit*, a rate to a ``Percent``, pairs to a
    dict, and any other value to the view that is the field's type.
    """

    def __init__(self, language: str, unit: str) -> None:
        self.language = language
        self.amount = major_units(currency(unit))

    def write(self, view: type[_View], value: object, **fields: object) -> _View:
        """Return *value* as a *view*; *fields* give the values that *value* lacks or names differently."""
        return view(
            **{
                name: written(self, fields[name] if name in fields else getattr(value, name))
                for name, written in _fields(view)
            }
        )


@cache
def _fields(view: type[Struct]) -> list[tuple[str, Callable[[ViewWriter, Any], Any]]]:
    """Return pairs of a field's name in *view* and the function that converts its value."""
    return [(name, _written_as(hint)) for name, hint in get_type_hints(view, include_extras=True).items()]


def _written_as(hint: Any) -> Callable[[ViewWriter, Any], Any]:
    if get_origin(hint) in {Union, UnionType}:
        (hint,) = set(get_args(hint)) - {NoneType, UnsetType}
        written = _written_as(hint)
        return lambda writer, value: value if value is None or value is UNSET else written(writer, value)
    if hint == Amount:
        return lambda writer, value: writer.amount(value)
    if hint == Percent:
        return lambda _, value: percent(value.parts_per_million)
    if isclass(hint) and issubclass(hint, Struct):
        return lambda writer, value: value if _is_written(value) else writer.write(hint, value)
    if get_origin(hint) in {list, tuple}:
        kind, element = get_origin(hint), _written_as(get_args(hint)[0])
        return lambda writer, values: (
            values if _is_written(values) else kind([element(writer, value) for value in values])
        )
    if get_origin(hint) is dict:
        return lambda _, pairs: dict(pairs)
    return lambda writer, value: value.in_language(writer.language) if isinstance(value, Text) else value


def _is_written(value: object) -> bool:
    return isinstance(value, (Struct, Raw))
