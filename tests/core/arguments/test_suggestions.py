"""Suggestions for misspelt words."""

import pytest

from faregate.arguments.suggestions import did_you_mean


@pytest.mark.parametrize(
    ("word", "known", "suggested"),
    [
        ("ID", "id", True),
        ("id", "_id_", True),
        ("-id-", "id", True),
        ("net", "new", False),  # two letters of three
        ("a" * 60, "a" * 60, True),
        ("a" * 61, "a" * 60, False),  # too long to compare
    ],
)
def test_a_similar_word_is_suggested(word: str, known: str, *, suggested: bool) -> None:
    assert did_you_mean(word, [known]) == (f": did you mean {known!r}?" if suggested else "")
