"""HTML view of columns for notebooks: name, type, shape and first values."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from faregate.render.markup import Table

_HEAD = 5


@runtime_checkable
class _Record(Protocol):
    def _asdict(self) -> dict[str, Any]: ...


def columns_html(result: _Record) -> str:
    """Return an HTML table with a row for each column in *result* and in the named tuples that it holds."""
    head = ("Column", "Type", "Shape", f"First {_HEAD}")
    return Table(head, [*_rows(result, "")], texts=frozenset({0, 1, 3})).html()


def _rows(result: _Record, prefix: str) -> Iterator[Sequence[str]]:
    for name, value in result._asdict().items():
        if isinstance(value, np.ndarray):
            yield f"{prefix}{name}", str(value.dtype), " × ".join(map(str, value.shape)), _first(value)
        elif isinstance(value, _Record):
            yield from _rows(value, f"{prefix}{name}.")


def _first(column: np.ndarray[Any, Any]) -> str:
    """Return the first values of *column*, in memory order, as text."""
    shown = ", ".join(map(str, column.flat[:_HEAD]))
    return f"{shown}, …" if column.size > _HEAD else shown
