"""The base classes for the entries in a file, with their conversion to values of the core."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Generic, TypeAlias, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

_Core = TypeVar("_Core")
_Entry = TypeVar("_Entry", bound="Entry[Any]")


class FileModel(BaseModel):
    """Base class of entries in a file: strict types, no unknown keys, camelCase names."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)


class Entry(FileModel, Generic[_Core]):
    """An entry that is converted to a value of the core: ``Entry[Span]`` has the fields of a ``Span``.

    If a field has a different name in the file, that name is its alias. Fields marked ``exclude`` are not
    part of the value.
    """

    _core: ClassVar[Callable[..., Any]]
    _required: ClassVar[frozenset[str]]
    _excluded: ClassVar[frozenset[str]]

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        """Record the type of the core value, and the names of required and of excluded fields."""
        super().__pydantic_init_subclass__(**options)
        for core in cls.__pydantic_generic_metadata__["args"]:
            cls._core = core
        cls._required = frozenset(name for name, field in cls.model_fields.items() if field.is_required())
        cls._excluded = frozenset(name for name, field in cls.model_fields.items() if field.exclude)

    def to_core(self, **values: object) -> _Core:
        """Return the entry as a value of the core; *values* override those from the file.

        Fields that the file omits or sets to ``null`` get the core's defaults.
        """
        fields, excluded, required = self.__dict__, self._excluded, self._required
        for name in self.__pydantic_fields_set__:
            if name in excluded or name in values:
                continue
            value = fields[name]
            if value is not None or name in required:
                values[name] = _core_value(value)
        made: _Core = self._core(**values)
        return made


AtOnce: TypeAlias = Annotated[_Entry, AfterValidator(lambda entry: entry.to_core())]
"""An entry that is converted as soon as it is read, so that only one such entry is in memory at a time."""


def core_values(entries: Iterable[Entry[_Core]]) -> tuple[_Core, ...]:
    """Return *entries*, each converted to a value of the core."""
    return tuple([entry.to_core() for entry in entries])


def _core_value(value: Any) -> object:
    """Return the value of a field as the core needs it: entries converted, mappings as tuples of pairs."""
    convert = _converter(type(value))  # type: ignore[arg-type]  # classes are hashable
    return value if convert is None else convert(value)


@lru_cache(maxsize=256)  # 0.1 us a value, of which a large catalogue has half a million
def _converter(kind: type[Any]) -> Callable[[Any], object] | None:
    """Return the function that converts values of *kind* for the core; None if they stay the same."""
    if kind is tuple or kind is frozenset:  # a named tuple is already a value
        return lambda values: _converted(kind, values)
    if kind is dict:
        return lambda mapping: tuple(mapping.items())
    return getattr(kind, "to_core", None)


def _converted(holder: type[Any], values: Iterable[Any]) -> object:
    if all(_converter(kind) is None for kind in {*map(type, values)}):
        return values
    return holder([_core_value(value) for value in values])
