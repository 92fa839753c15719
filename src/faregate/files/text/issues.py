"""Issues of a file: what is wrong, and where, in one line of text each."""

from __future__ import annotations

from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from faregate.errors import Issue, format_loc

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from faregate.errors import InvalidInput, Loc

MAX_ISSUES = 1000
"""How many issues of one file are listed."""

_MAX_VALUE = 60
_MAX_MESSAGE = 400


class FileIssue(NamedTuple):
    """An issue and the line it is on, if lines are known; the column where there is no ``loc``."""

    issue: Issue
    line: int | None = None
    column: int | None = None

    def text(self, name: str) -> str:
        """Return one line of text, for the file of that name.

        >>> FileIssue(Issue(("products", 3, "slug"), "is missing"), line=12).text("resort.yaml")
        'resort.yaml:12: products[3].slug: is missing'
        """
        where = ":".join(str(part) for part in (name, self.line, self.column) if part is not None)
        loc = format_loc(tuple(_key(part) for part in self.issue.loc))
        return ": ".join(part for part in (where, loc, shortened(self.issue.message)) if part)


class InvalidFile(Exception):
    """A file has issues; ``issues_as`` turns them into the error that callers expect.

    ``unlisted`` counts issues that were found and not even passed on.
    """

    def __init__(self, issues: Iterable[FileIssue], *, unlisted: int = 0) -> None:
        found = sorted(issues, key=_position)
        self.issues = found[:MAX_ISSUES]
        self.unlisted = unlisted + len(found) - len(self.issues)
        super().__init__(self.issues)

    @classmethod
    def of(cls, message: str, *, loc: Loc = (), line: int | None = None) -> InvalidFile:
        """Return the error of a file that cannot be read at all."""
        return cls([FileIssue(Issue(loc, message), line)])

    def texts(self, name: str) -> list[str]:
        """Return the issues in the order of the file called *name*, ``MAX_ISSUES`` of them at most."""
        more = [f"{name}: and {self.unlisted} more"] if self.unlisted else []
        return [issue.text(name) for issue in self.issues] + more


@contextmanager
def issues_as(error: type[InvalidInput], name: str) -> Iterator[None]:
    """Raise the issues of the file called *name* as *error*."""
    try:
        yield
    except InvalidFile as invalid:
        raise error(*invalid.texts(name)) from None


def _position(issue: FileIssue) -> tuple[int, int]:
    return issue.line or 0, issue.column or 0


def _key(part: str | int) -> str | int:
    """Return a part of a ``loc``; a key that is not a plain word is quoted."""
    plain = isinstance(part, int) or (part.isidentifier() and len(part) <= _MAX_VALUE)
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
            return shortened(str(value), _MAX_VALUE)
        case dict():
            return "a mapping"
        case list():
            return "a list"
        case str() if len(value) > _MAX_VALUE:
            return f"{value[: _MAX_VALUE // 2]!r} … of {len(value)} characters"
        case _:
            return repr(value)


def shortened(text: str, most: int = _MAX_MESSAGE) -> str:
    """A text of at most so many characters, its middle left out.

    >>> shortened("1" * 100, 11)
    '11111 … 111'
    """
    if len(text) <= most:
        return text
    head = most // 2
    return f"{text[:head]} … {text[len(text) - (most - head - 3) :]}"
