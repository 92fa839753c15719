"""Form questions about a checkout or about each person. Decisions §11.5."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from faregate.translations import Text


class FieldKind(Enum):
    """The kind of answer that a question takes."""

    TEXT = "text"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    DATE = "date"
    EMAIL = "email"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a CHOICE question: ``value`` is submitted, ``label`` is displayed."""

    value: str
    label: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """A question on a form.

    ``max_length`` limits the characters of a TEXT, ``minimum`` and ``maximum`` (inclusive) an INTEGER, and
    ``choices`` are the options of a CHOICE. A ``Catalogue`` rejects attributes that do not fit the kind.
    """

    name: str
    kind: FieldKind
    title: Text
    description: Text = Text()
    required: bool = False
    max_length: int | None = None
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[Choice, ...] = ()
