import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.translations import LANGUAGES
from faregate_http.protocol import languages
from faregate_http.protocol.languages import DEFAULT_LANGUAGE, negotiate

QUALITIES = st.sampled_from(["", ";q=0", ";q=0.1", ";q=0.25", "; q=0.999", ";Q=1", ";q=1.000"])
RANGES = st.sampled_from(["*", "en", "DE", "fr", "it", "de-CH", "en-US", "fr-Latn-CH", "es", "zh-Hant"])
HEADERS = st.lists(st.tuples(RANGES, QUALITIES).map("".join), max_size=8).map(", ".join)


@given(header=st.one_of(HEADERS, st.text(max_size=60), st.text("deni-*;q=01., \t", max_size=60)))
def test_every_header_gives_a_supported_language(header: str) -> None:
    assert negotiate(header) in LANGUAGES


@given(header=HEADERS, language=st.sampled_from(LANGUAGES))
def test_a_language_at_the_front_wins_unless_refused(header: str, language: str) -> None:
    refused = f"{language};q=0" in header.lower().split(", ")

    assert negotiate(f"{language}, {header}") == language or refused


@given(header=HEADERS)
def test_unsupported_languages_are_ignored(header: str) -> None:
    assert negotiate(f"es, pt-BR;q=0.7, {header}") == negotiate(header)


@given(header=HEADERS, refused=st.sampled_from(LANGUAGES[1:]))
def test_a_refused_language_is_never_chosen(header: str, refused: str) -> None:
    assert negotiate(f"{header}, {refused};q=0") != refused


@pytest.mark.parametrize(
    ("header", "language"),
    [
        (None, "en"),
        ("", "en"),
        ("de", "de"),
        ("  it\t", "it"),
        ("es", "en"),
        ("gsw", "en"),
        # lookup
        ("de-CH", "de"),
        ("fr-Latn-CH-1996", "fr"),
        ("es-de", "en"),
        ("en-US,it;q=0.9", "en"),
        # quality
        ("de;q=0.3, it;q=0.7", "it"),
        ("de;q=0.5, de-CH;q=0.9, fr;q=0.7", "de"),
        ("fr;q=0.9, de", "de"),
        ("fr ; q=0.1 , de ; q=0.2", "de"),
        ("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5", "fr"),
        # ties
        ("it, de", "it"),
        ("de;q=0.5, it;q=0.5", "de"),
        # anything
        ("*", "en"),
        ("*, de;q=0.5", "en"),
        ("de, *;q=0.5", "de"),
        ("en;q=0.1, de;q=0.2, fr;q=0.1, it;q=0.1, *", "de"),
        # refusals
        ("en;q=0", "en"),
        ("en;q=0, *", "de"),
        ("en;q=0.000, de;q=0.0, *;q=0.1", "fr"),
        ("*;q=0", "en"),
        ("de, de;q=0, fr;q=0.1", "fr"),
        ("de-CH;q=0, de;q=0.5, fr;q=0.1", "de"),
        ("en-US;q=0, *", "en"),
        # malformed parts
        (",,de,,", "de"),
        ("de;q=2, fr;q=0.1", "fr"),
        ("de;q=0.1234, fr;q=0.1", "fr"),
        ("de;q = 1, fr;q=0.1", "fr"),
        ("de;level=1, fr;q=0.1", "fr"),
        ("de_CH, fr;q=0.1", "fr"),
        ("de-*, fr;q=0.1", "fr"),
        ("de fr, it;q=0.1", "it"),
        ("de;q=\u0660, fr;q=0.1", "fr"),
        ("de\n, fr;q=0.1", "fr"),
    ],
)
def test_language_of_a_header(header: str | None, language: str) -> None:
    assert negotiate(header) == language


def test_only_the_first_ranges_are_read() -> None:
    before = ", ".join(["es"] * (languages.MAX_RANGES - 1))

    assert negotiate(f"{before}, de") == "de"
    assert negotiate(f"{before}, es, de") == DEFAULT_LANGUAGE


def test_a_long_header_is_read_but_not_remembered() -> None:
    languages._remembered_best.cache_clear()
    filler = " " * languages.MAX_REMEMBERED_CHARACTERS

    assert negotiate(f"{filler}de") == "de"
    assert languages._remembered_best.cache_info().currsize == 0


def test_the_number_of_remembered_entries_is_bounded() -> None:
    for number in range(2 * languages.MAX_REMEMBERED):
        assert negotiate(f"it, x-{number}") == "it"

    assert languages._remembered_best.cache_info().currsize == languages.MAX_REMEMBERED


@pytest.mark.parametrize("piece", ["de,", "de;", " ", ",", "a-", "de-abcdefgh-", "de;q=0.1 ", "*"])
def test_a_huge_header_is_accepted(piece: str) -> None:
    assert negotiate(piece * 200_000) in LANGUAGES
