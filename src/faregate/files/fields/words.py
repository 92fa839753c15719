"""Words of a file: one text, or one in each language."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BeforeValidator

from faregate.files.fields.models import Entry
from faregate.files.fields.types import Paragraph
from faregate.translations import Text


class WordsEntry(Entry[Text]):
    """``{en: Day ticket, de: Tageskarte}``: English is required, and stands in for what is missing."""

    en: Paragraph
    de: Paragraph = ""
    fr: Paragraph = ""
    it: Paragraph = ""


def _in_english(value: object) -> object:
    return {"en": value} if isinstance(value, str) else value


Words: TypeAlias = Annotated[WordsEntry, BeforeValidator(_in_english)]
"""A mapping of languages, or just text, which then serves for all of them."""
