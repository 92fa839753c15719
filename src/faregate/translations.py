"""Texts in English, German, French and Italian, the four languages of the service."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

LANGUAGES = ("en", "de", "fr", "it")


@dataclass(frozen=True, slots=True)
class Text:
    """A text in each language; a missing translation falls back to English.

    >>> Text("Day ticket", de="Tageskarte").in_language("de")
    'Tageskarte'
    >>> Text("Day ticket", de="Tageskarte").in_language("fr")
    'Day ticket'
    """

    en: str = ""
    _: KW_ONLY
    de: str = ""
    fr: str = ""
    it: str = ""

    def in_language(self, language: str) -> str:
        """Return the text in *language*, one of ``LANGUAGES``, or in English if it is missing."""
        return (getattr(self, language) if language in LANGUAGES else "") or self.en

    def __str__(self) -> str:
        return self.en
