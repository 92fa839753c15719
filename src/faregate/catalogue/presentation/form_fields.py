"""The questions of a form: what a checkout asks, or what a product asks of each person. Decisions §11.5."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from faregate.translations import Text


class FieldKind(Enum):
    """What kind of answer a question takes."""

    TEXT = "text"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    DATE = "date"
    EMAIL = "email"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to choose: ``value`` is what is sent, ``label`` what is read."""

    value: str
    label: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One question.

    ``max_length`` counts the characters of a TEXT, ``minimum`` and ``maximum`` bound an INTEGER and are in,
    ``choices`` are the answers of a CHOICE; a ``Catalogue`` refuses those that do not fit the kind.
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
