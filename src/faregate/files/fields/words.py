"""Words of a file: one text, or one in each language."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import BeforeValidator

from faregate.files.fields.types import FileModel, Paragraph
from faregate.translations import Text


class WordsEntry(FileModel):
    """``{en: Day ticket, de: Tageskarte}``: English is required, and stands in for what is missing."""

    en: Paragraph
    de: Paragraph = ""
    fr: Paragraph = ""
    it: Paragraph = ""

    def to_core(self) -> Text:
        """The core's value."""
        return Text(self.en, de=self.de, fr=self.fr, it=self.it)


def _in_english(value: object) -> object:
    return {"en": value} if isinstance(value, str) else value


Words: TypeAlias = Annotated[WordsEntry, BeforeValidator(_in_english)]
"""A mapping of languages, or just text, which then serves for all of them."""
