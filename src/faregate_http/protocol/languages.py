"""Negotiation of the response language from ``accept-language``.

The highest quality wins (RFC 9110, 12.5.4), and ranges match by lookup (RFC 4647, 3.4): ``de-CH`` gets
German.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from faregate.translations import LANGUAGES

DEFAULT_LANGUAGE = LANGUAGES[0]

# A browser sends about five; further ranges are not read.
MAX_RANGES = 64
# Headers are cached so that each is parsed once; long ones are not, so that they cannot fill the memory.
MAX_REMEMBERED = 256
MAX_REMEMBERED_CHARACTERS = 200

_RANGE = re.compile(
    r"[ \t]*(?P<range>\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)[ \t]*"
    r"(?:;[ \t]*[qQ]=(?P<quality>0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?"
)


def negotiate(accept_language: str | None) -> str:
    """Return the supported language that the header prefers; English without a match or a header.

    Among equal qualities, the first wins. ``*`` stands for the languages that no other range matches, in the
    order of ``LANGUAGES``; a quality of 0 excludes a language. Malformed ranges are skipped.

    >>> negotiate("fr-CH, fr;q=0.9, de;q=0.8, *;q=0.5")
    'fr'
    >>> negotiate("es, de;q=0.3, it;q=0.7")
    'it'
    >>> negotiate("en;q=0, *")
    'de'
    >>> negotiate(None)
    'en'
    """
    if not accept_language:
        return DEFAULT_LANGUAGE
    if len(accept_language) > MAX_REMEMBERED_CHARACTERS:
        return _best(accept_language)
    return _remembered_best(accept_language)


def language_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Return the language that the raw *headers* of a request prefer."""
    wishes = [value.decode("latin-1") for name, value in headers if name == b"accept-language"]
    return negotiate(", ".join(wishes))


def _best(header: str) -> str:
    wishes = _wishes(header)
    refused = {language for language, wish in wishes if not wish}
    named = {language for language, _ in wishes}
    best, most = DEFAULT_LANGUAGE, 0.0
    for language, wish in wishes:
        offered = _first_not_in(named) if language == "*" else _primary(language)
        if wish > most and offered in LANGUAGES and offered not in refused:
            best, most = offered, wish
    return best


def _wishes(header: str) -> list[tuple[str, float]]:
    """Return pairs of a well-formed language range, in lower case, and its quality, in header order."""
    parts = header.split(",", MAX_RANGES)[:MAX_RANGES]
    matches = [match for part in parts if (match := _RANGE.fullmatch(part))]
    wishes = [(match["range"].lower(), float(match["quality"] or 1)) for match in matches]
    # Rejecting de-CH does not reject de.
    return [(language, wish) for language, wish in wishes if wish or "-" not in language]


def _primary(language_range: str) -> str:
    # All supported languages are primary subtags, so the lookup needs only the first subtag.
    return language_range.partition("-")[0]


def _first_not_in(ranges: set[str]) -> str:
    named = {_primary(language_range) for language_range in ranges}
    return next((language for language in LANGUAGES if language not in named), "")


_remembered_best = lru_cache(MAX_REMEMBERED)(_best)
