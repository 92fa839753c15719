"""The questions of a form, in a catalogue file."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from faregate.catalogue.presentation.form_fields import Choice, FieldKind, FormField
from faregate.files.fields.types import FieldName, FileModel, ListOf, MinimumCount, Name, WholeNumber
from faregate.files.fields.words import Words
from faregate.translations import Text


class ChoiceEntry(FileModel):
    """One answer to choose: ``value`` is what is sent, ``label`` what is read."""

    value: Name
    label: Words

    def to_core(self) -> Choice:
        """The core's value."""
        return Choice(self.value, self.label.to_core())


class FormFieldEntry(FileModel):
    """One question. ``maxLength`` goes with a text, ``minimum`` and ``maximum`` with an integer.

    ``choices`` are the answers of a choice, at least one. Without ``required`` it may stay unanswered.
    """

    name: FieldName
    kind: Annotated[FieldKind, Field(strict=False)]
    title: Words
    description: Words | None = None
    required: bool = False
    max_length: MinimumCount | None = None
    minimum: WholeNumber | None = None
    maximum: WholeNumber | None = None
    choices: ListOf[ChoiceEntry] = ()

    def to_core(self) -> FormField:
        """The core's value."""
        return FormField(
            name=self.name,
            kind=self.kind,
            title=self.title.to_core(),
            description=self.description.to_core() if self.description else Text(),
            required=self.required,
            max_length=self.max_length,
            minimum=self.minimum,
            maximum=self.maximum,
            choices=tuple(choice.to_core() for choice in self.choices),
        )
