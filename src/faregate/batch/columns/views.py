"""Columns to look at in a notebook: what each is called, its type, its shape and its first values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from faregate.render.markup import Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HEAD = 5


@runtime_checkable
class _Record(Protocol):
    def _asdict(self) -> dict[str, Any]: ...


def columns_html(result: _Record) -> str:
    """A table with a row per column of *result*, a ``NamedTuple``, and of what it holds."""
    head = ("Column", "Type", "Shape", f"First {_HEAD}")
    return Table(head, [*_rows(result, "")], texts=frozenset({0, 1, 3})).html()


def _rows(result: _Record, prefix: str) -> Iterator[Sequence[str]]:
    for name, value in result._asdict().items():
        if isinstance(value, np.ndarray):
            yield f"{prefix}{name}", str(value.dtype), " × ".join(map(str, value.shape)), _first(value)
        elif isinstance(value, _Record):
            yield from _rows(value, f"{prefix}{name}.")


def _first(column: np.ndarray[Any, Any]) -> str:
    """The first values, in the order in which they lie."""
    shown = ", ".join(map(str, column.flat[:_HEAD]))
    return f"{shown}, …" if column.size > _HEAD else shown
