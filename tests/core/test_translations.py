"""Texts in four languages; a missing translation falls back to English. Decisions §15."""

import pytest

from faregate.translations import LANGUAGES, Text

WHOLE = Text("Day ticket", de="Tageskarte", fr="Forfait journalier", it="Biglietto giornaliero")


def test_the_service_has_four_languages() -> None:
    assert LANGUAGES == ("en", "de", "fr", "it")


@pytest.mark.parametrize(
    ("language", "wording"),
    [
        ("en", "Day ticket"),
        ("de", "Tageskarte"),
        ("fr", "Forfait journalier"),
        ("it", "Biglietto giornaliero"),
    ],
)
def test_each_language_has_its_text(language: str, wording: str) -> None:
    assert WHOLE.in_language(language) == wording


@pytest.mark.parametrize("language", ["de", "fr", "it", "rm", "EN", "", "count", "__class__"])
def test_a_missing_translation_falls_back_to_english(language: str) -> None:
    assert Text("Day ticket").in_language(language) == "Day ticket"


def test_text_prints_in_english() -> None:
    assert str(WHOLE) == "Day ticket"
    assert str(Text(de="Tageskarte")) == ""


def test_no_text_is_empty_in_every_language() -> None:
    assert [Text().in_language(language) for language in LANGUAGES] == ["", "", "", ""]
