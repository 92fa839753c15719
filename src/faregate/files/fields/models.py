"""The base of every entry of a file, and how an entry becomes a value of the core."""

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
    """An entry of a file: nothing is converted, nothing unknown is accepted, names are in camelCase."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, alias_generator=to_camel)


class Entry(FileModel, Generic[_Core]):
    """An entry that stands for a value of the core: ``Entry[Span]`` has the fields of a ``Span``.

    A key of a file that is called otherwise in the core is the alias of its field. Excluded fields are not
    part of the value.
    """

    _core: ClassVar[Callable[..., Any]]
    _required: ClassVar[frozenset[str]]
    _excluded: ClassVar[frozenset[str]]

    @classmethod
    def __pydantic_init_subclass__(cls, **options: Any) -> None:
        """Note which value it stands for, and with which fields."""
        super().__pydantic_init_subclass__(**options)
        for core in cls.__pydantic_generic_metadata__["args"]:
            cls._core = core
        cls._required = frozenset(name for name, field in cls.model_fields.items() if field.is_required())
        cls._excluded = frozenset(name for name, field in cls.model_fields.items() if field.exclude)

    def to_core(self, **values: object) -> _Core:
        """Return the value of the core, with *values* in place of those of the file.

        What the file leaves out, or says nothing of (``null``), has the default of the core.
        """
        fields = self.__dict__
        for name in self.model_fields_set - self._excluded - values.keys():
            value = fields[name]
            if value is not None or name in self._required:
                values[name] = _core_value(value)
        made: _Core = self._core(**values)
        return made


def core_values(entries: Iterable[Entry[_Core]]) -> tuple[_Core, ...]:
    """Return what *entries* stand for."""
    return tuple([entry.to_core() for entry in entries])


def _core_value(value: Any) -> object:
    """Return what a field holds as the core has it: values of entries, and pairs of a mapping."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is tuple:  # a named tuple is a value already
        return tuple([_core_value(item) for item in value])
    if kind is frozenset:
        return frozenset([_core_value(item) for item in value])
    if kind is dict:
        return tuple(value.items())
    return value.to_core() if hasattr(kind, "to_core") else value
