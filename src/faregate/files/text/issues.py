"""Issues in a file, each with its position and a one-line text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from typing import NamedTuple

from faregate.errors import InvalidInput, Issue, Loc, format_loc

MAX_ISSUES = 1000
"""Maximum number of issues listed per file."""

_MAX_VALUE = 60
_MAX_MESSAGE = 400


class FileIssue(NamedTuple):
    """An issue in a file with its line, if known; an issue without a ``loc`` can also have a column."""

    issue: Issue
    line: int | None = None
    column: int | None = None

    def text(self, name: str) -> str:
        """Return the issue as one line of text, which begins with the file *name*.

        >>> FileIssue(Issue(("products", 3, "slug"), "is missing"), line=12).text("resort.yaml")
        'resort.yaml:12: products[3].slug: is missing'
        """
        where = ":".join(str(part) for part in (name, self.line, self.column) if part is not None)
        loc = format_loc(tuple(_key(part) for part in self.issue.loc))
        return ": ".join(part for part in (where, loc, shortened(self.issue.message)) if part)


class InvalidFile(Exception):
    """An internal error that lists the issues of a file; ``issues_as`` converts it to a public error.

    ``unlisted`` is the number of issues found but not listed.
    """

    def __init__(self, issues: Iterable[FileIssue], *, unlisted: int = 0) -> None:
        found = sorted(issues, key=lambda issue: (issue.line or 0, issue.column or 0))
        self.issues = found[:MAX_ISSUES]
        self.unlisted = unlisted + len(found) - len(self.issues)
        super().__init__(self.issues)

    @classmethod
    def of(cls, message: str, *, loc: Loc = (), line: int | None = None) -> InvalidFile:
        """Return an error that lists a single issue."""
        return cls([FileIssue(Issue(loc, message), line)])

    def texts(self, name: str) -> list[str]:
        """Return a line for each listed issue of the file *name*, and one for the unlisted ones, if any."""
        more = [f"{name}: and {self.unlisted} more"] if self.unlisted else []
        return [issue.text(name) for issue in self.issues] + more


@contextmanager
def issues_as(error: type[InvalidInput], name: str) -> Iterator[None]:
    """Convert an ``InvalidFile`` raised in the block to an *error* with the issues of the file *name*."""
    try:
        yield
    except InvalidFile as invalid:
        raise error(*invalid.texts(name)) from None


def _key(part: str | int) -> str | int:
    """Return *part*, an index or a key in a ``loc``; keys that are not plain words are quoted."""
    plain = isinstance(part, int) or (part.isidentifier() and len(part) <= _MAX_VALUE)
    return part if plain else shown(part)


def shown(value: object) -> str:
    """Return a value from a file as it is shown in messages.

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
    """Return *text* with at most *most* characters, by leaving out its middle.

    >>> shortened("1" * 100, 11)
    '11111 … 111'
    """
    if len(text) <= most:
        return text
    head = most // 2
    return f"{text[:head]} … {text[len(text) - (most - head - 3) :]}"
