"""The base classes for the entries in a file, with their conversion to values of the core."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

if TYPE_CHECKING:
    from collections.abc import Iterable

_Core = TypeVar("_Core")
_PLAIN = frozenset({bool, int, str})


class FileModel(BaseModel):
    """An entry in a file, with strict types, no unknown keys and camelCase names."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)


class Entry(FileModel, Generic[_Core]):
    """An entry for a value of the core: ``Entry[Span]`` has the fields of a ``Span``.

    If a field has a different name in the file, that name is its alias. Excluded fields are not part of the
    value.
    """

    _core: ClassVar[Callable[..., Any]]
    _required: ClassVar[frozenset[str]]
    _excluded: ClassVar[frozenset[str]]

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        """Record the type of the value, and the required and excluded fields."""
        super().__pydantic_init_subclass__(**options)
        for core in cls.__pydantic_generic_metadata__["args"]:
            cls._core = core
        cls._required = frozenset(name for name, field in cls.model_fields.items() if field.is_required())
        cls._excluded = frozenset(name for name, field in cls.model_fields.items() if field.exclude)

    def to_core(self, **values: object) -> _Core:
        """Return the value of the core, with *values* replacing the values of the file.

        Fields that the file omits or sets to ``null`` have the core's defaults.
        """
        fields = self.__dict__
        for name in self.model_fields_set - self._excluded - values.keys():
            value = fields[name]
            if value is not None or name in self._required:
                values[name] = _core_value(value)
        made: _Core = self._core(**values)
        return made


def core_values(entries: Iterable[Entry[_Core]]) -> tuple[_Core, ...]:
    """Return the values of the core for *entries*."""
    return tuple([entry.to_core() for entry in entries])


def _core_value(value: Any) -> object:
    """Return the value of a field for the core: entries are converted, mappings become pairs."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple:  # a named tuple is already a value
        return tuple([_core_value(item) for item in value])
    if kind is frozenset:
        return frozenset([_core_value(item) for item in value])
    if kind is dict:
        return tuple(value.items())
    return value.to_core() if hasattr(kind, "to_core") else value
