"""Class decorators that mark public values, so that pydantic can read and write them. Decisions §19."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # errors and translations use this module: it must load nothing
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _Class = TypeVar("_Class", bound=type[Any])


def public_value(cls: _Class) -> _Class:
    """Let pydantic models have fields of type *cls*, in the form used in stored documents."""
    cls.__get_pydantic_core_schema__ = classmethod(_for_pydantic)
    return cls


def union_member(cls: _Class) -> _Class:
    """Make *cls* a public value, stored with its class name as ``type`` to identify the union member."""
    cls.__written_type__ = cls.__name__
    return public_value(cls)


def _for_pydantic(cls: type, *_: object) -> object:
    # Imported by name: ``documents`` is in a higher layer, and only calls from pydantic need it.
    return import_module("faregate.documents.in_pydantic").core_schema_of(cls)
