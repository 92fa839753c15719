"""A fault in a file: what is wrong, and where, in one line of text."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from faregate.errors import format_loc

if TYPE_CHECKING:
    from collections.abc import Iterable

    from faregate.errors import Loc

MOST_FAULTS = 1000
"""How many faults of one file are listed."""

_LONGEST_VALUE = 60
_LONGEST_MESSAGE = 400


class FileFault(NamedTuple):
    """What is wrong with a file, and where. The column is told where no place can be."""

    message: str
    loc: Loc = ()
    line: int | None = None
    column: int | None = None

    def text(self, name: str) -> str:
        """The fault as one line, for the file of that name.

        >>> FileFault("is missing", ("products", 3, "slug"), line=12).text("resort.yaml")
        'resort.yaml:12: products[3].slug: is missing'
        """
        where = ":".join(str(part) for part in (name, self.line, self.column) if part is not None)
        place = format_loc(tuple(_key(part) for part in self.loc))
        return ": ".join(part for part in (where, place, shortened(self.message)) if part)


class FaultyFile(Exception):
    """A file has faults; each reader turns them into the error its callers expect.

    ``faults`` are texts in the order of the file, ``MOST_FAULTS`` of them at most; ``unlisted`` tells of
    others that were found but not even passed on.
    """

    def __init__(self, name: str, faults: Iterable[FileFault], *, unlisted: int = 0) -> None:
        found = sorted(faults, key=_position)
        unlisted += max(0, len(found) - MOST_FAULTS)
        more = [f"{name}: and {unlisted} more"] if unlisted else []
        self.faults = (*(fault.text(name) for fault in found[:MOST_FAULTS]), *more)
        super().__init__(*self.faults)


def _position(fault: FileFault) -> tuple[int, int]:
    return fault.line or 0, fault.column or 0


def _key(part: str | int) -> str | int:
    """A part of a place; a key that is no plain word is quoted."""
    plain = isinstance(part, int) or (part.isidentifier() and len(part) <= _LONGEST_VALUE)
    return part if plain else shown(part)


def shown(value: object) -> str:
    """A value of a file as a message quotes it.

    >>> shown("CHF"), shown(None), shown(True), shown(["CHF"])
    ("'CHF'", 'nothing', 'true', 'a list')
    """
    match value:
        case None:
            return "nothing"
        case bool():
            return str(value).lower()
        case int() | Decimal():
            return shortened(str(value), _LONGEST_VALUE)
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str() if len(value) > _LONGEST_VALUE:
            return f"{value[: _LONGEST_VALUE // 2]!r} … of {len(value)} characters"
        case _:
            return repr(value)


def shortened(text: str, most: int = _LONGEST_MESSAGE) -> str:
    """A text of at most so many characters, its middle left out.

    >>> shortened("1" * 100, 11)
    '11111 … 111'
    """
    if len(text) <= most:
        return text
    head = most // 2
    return f"{text[:head]} … {text[len(text) - (most - head - 3) :]}"
