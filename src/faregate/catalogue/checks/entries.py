"""What can be wrong with entries of any kind: a value that stands there twice, a number out of range."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.errors import Issue

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from faregate.errors import Loc


def repeated(entries: Iterable[tuple[Loc, object]]) -> Iterator[Issue]:
    """Every value that an earlier place holds, too.

    >>> [fault.message for fault in repeated([(("a",), 1), (("b",), 2), (("c",), 1)])]
    ['1 is used twice']
    """
    seen = set()
    for place, value in entries:
        if value in seen:
            yield Issue(place, f"{value!r} is used twice")
        seen.add(value)


def below(least: int, place: Loc, entry: object, *fields: str) -> Iterator[Issue]:
    """Each of the *fields* of an entry whose number is less than *least*; None is no number."""
    for field in fields:
        value = getattr(entry, field)
        if value is not None and value < least:
            yield Issue((*place, field), f"expected at least {least}, got {value}")
