"""Suggestions for misspelt words."""

from collections.abc import Iterable
from difflib import get_close_matches

_LONGEST_WORD = 60


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a message that suggests the *known* word most like *word*; empty if none is similar.

    >>> did_you_mean("vatrate", ["vatRate", "name"])
    ": did you mean 'vatRate'?"
    """
    if len(word) > _LONGEST_WORD:
        return ""
    by_plain_spelling = {_plain(candidate): candidate for candidate in sorted(known)}
    near = get_close_matches(_plain(word), by_plain_spelling, n=1, cutoff=0.7)
    return f": did you mean {by_plain_spelling[near[0]]!r}?" if near else ""


def _plain(word: str) -> str:
    return word.replace("_", "").replace("-", "").lower()
