"""The questions of a form, in a catalogue file."""

from __future__ import annotations

from faregate.catalogue.presentation.form_fields import Choice, FieldKind, FormField
from faregate.files.fields.models import Entry
from faregate.files.fields.types import FieldName, ListOf, MinimumCount, Name, OneOf, WholeNumber
from faregate.files.fields.words import Words


class ChoiceEntry(Entry[Choice]):
    """One answer to choose: ``value`` is what is sent, ``label`` what is read."""

    value: Name
    label: Words


class FormFieldEntry(Entry[FormField]):
    """One question. ``maxLength`` goes with a text, ``minimum`` and ``maximum`` with an integer.

    ``choices`` are the answers of a choice, at least one. Without ``required`` it may stay unanswered.
    """

    name: FieldName
    kind: OneOf[FieldKind]
    title: Words
    description: Words | None = None
    required: bool = False
    max_length: MinimumCount | None = None
    minimum: WholeNumber | None = None
    maximum: WholeNumber | None = None
    choices: ListOf[ChoiceEntry] = ()
