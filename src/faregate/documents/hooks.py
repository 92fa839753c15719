"""Hooks that let msgspec and cattrs read and write values of public classes. Decisions §19."""

from types import NoneType, UnionType
from typing import Any, Generic, TypeVar, Union, get_args, get_origin

from faregate.documents.formats import decode, encode
from faregate.documents.forms import Json

Value = TypeVar("Value")


class Stored(Generic[Value]):
    """A wrapper for a public value in a ``msgspec.Struct``, as in ``kind: Stored[PerUnit | Absolute]``.

    Without it, msgspec would write dataclasses and named tuples in its own form, and refuse their unions.
    ``Stored`` is not a dataclass for the same reason.
    """

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return self.value == other.value if isinstance(other, Stored) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.value)

    def __repr__(self) -> str:
        return f"Stored({self.value!r})"


def enc_hook(box: object) -> Json:
    """Return the written form of a ``Stored`` value; pass this function to ``msgspec.json.encode``."""
    if isinstance(box, Stored):
        return encode(box.value)
    raise NotImplementedError(f"msgspec cannot write a {type(box).__name__}")


def dec_hook(kind: Any, data: Json) -> object:
    """Return the ``Stored`` value in *data*; pass this function to ``msgspec.json.decode``."""
    if get_origin(kind) is Stored:
        return Stored(decode(get_args(kind)[0], data))
    raise NotImplementedError(f"msgspec cannot read {kind}")


def register(converter: Any) -> None:
    """Register hooks so that a cattrs *converter* reads and writes public values in their document form."""
    converter.register_structure_hook_func(_is_public, lambda data, kind: decode(kind, data))
    converter.register_unstructure_hook_func(_is_public, encode)


def _is_public(kind: Any) -> bool:
    if get_origin(kind) in (UnionType, Union):
        return all(_is_public(each) for each in get_args(kind) if each is not NoneType)
    return hasattr(kind, "__get_pydantic_core_schema__")
