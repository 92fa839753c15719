import pickle
import re
from collections.abc import Callable
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from faregate.errors import FaregateError
from faregate_http.protocol.etags import InvalidETag, etag_matches, etag_of, gzip_etag, known_etag, make_etag

T = TypeVar("T")

REVISIONS = st.integers(0, 10**6)
PARTS = st.lists(st.text("abzAZ019.-_:;+/=*!~", min_size=1, max_size=6), max_size=4)
# Tags that say nothing about a revision: none begins with digits and a dot.
OTHERS = st.lists(st.sampled_from(['"x"', 'W/"y"', '"a,b"', '""', '"\xe9"', ""]), max_size=3)


def is_refused(ask: Callable[[str, T], object], header: str, value: T) -> bool:
    try:
        ask(header, value)
    except InvalidETag:
        return True
    return False


@given(revision=REVISIONS, parts=PARTS)
def test_an_etag_is_a_valid_strong_entity_tag(revision: int, parts: list[str]) -> None:
    assert re.fullmatch(r'"[\x21\x23-\x7e]*"', make_etag(revision, *parts))


@given(revision=REVISIONS, other=REVISIONS, parts=PARTS)
def test_if_match_compares_the_revision_and_nothing_else(revision: int, other: int, parts: list[str]) -> None:
    etag = make_etag(revision, *parts)

    assert etag_matches(etag, revision)
    assert etag_matches(etag, other) == (revision == other)
    assert not etag_matches(etag, None)
    assert not etag_matches("W/" + etag, revision)


@given(revision=REVISIONS, parts=PARTS, before=OTHERS, after=OTHERS)
def test_an_etag_is_found_anywhere_in_the_list(
    revision: int, parts: list[str], before: list[str], after: list[str]
) -> None:
    etag = make_etag(revision, *parts)
    header = " ,\t".join([*before, etag, *after])

    assert etag_matches(header, revision)
    assert known_etag(header, etag) == etag
    assert not etag_matches(header, revision + 1)
    assert known_etag(header, make_etag(revision + 1, *parts)) is None


@given(header=st.one_of(st.text(max_size=30), st.text('W/"*, \t7.a', max_size=20)))
def test_both_conditions_refuse_the_same_headers(header: str) -> None:
    assert is_refused(etag_matches, header, 7) == is_refused(known_etag, header, '"7"')


@pytest.mark.parametrize(
    ("revision", "parts", "etag"),
    [
        (0, [], '"0"'),
        (7, ["OPEN", "en", "1a2b"], '"7.OPEN.en.1a2b"'),
        (2**63, ["CLOSED", "it"], '"9223372036854775808.CLOSED.it"'),
    ],
)
def test_etag_of_a_revision(revision: int, parts: list[str], etag: str) -> None:
    assert make_etag(revision, *parts) == etag


@pytest.mark.parametrize(
    ("if_match", "revision", "matches"),
    [
        ("*", 7, True),
        (" * ", 0, True),
        ("*", None, False),
        ('"7"', 7, True),
        ('"7.OPEN.de"', 7, True),
        ('"7.OPEN.de"', 8, False),
        ('"77.OPEN.de"', 7, False),
        ('"7.OPEN.de"', None, False),
        ('W/"7.OPEN.de"', 7, False),
        ('W/"7.OPEN.de", "7.OPEN.en"', 7, True),
        ('"6.OPEN.de","7.OPEN.en"', 7, True),
        (',, "7" ,,', 7, True),
        ('"6,7,8"', 7, False),
        ('"07.OPEN"', 7, False),
        ('"7-OPEN"', 7, False),
        ('""', 7, False),
        (r'"\"', 7, False),
    ],
)
def test_if_match(if_match: str, revision: int | None, matches: bool) -> None:
    assert etag_matches(if_match, revision) is matches


@pytest.mark.parametrize(
    ("if_none_match", "is_same"),
    [
        ("*", True),
        ('"7.OPEN.en"', True),
        ('W/"7.OPEN.en"', True),
        ('"6.OPEN.en", W/"7.OPEN.en"', True),
        ('"7.OPEN.de"', False),
        ('"7.OPEN"', False),
        ('"7"', False),
        ('"8.OPEN.en"', False),
        ('"7.open.en"', False),
        ('""', False),
    ],
)
@pytest.mark.parametrize("etag", ['"7.OPEN.en"', 'W/"7.OPEN.en"'])
def test_if_none_match(if_none_match: str, is_same: bool, etag: str) -> None:
    assert known_etag(if_none_match, etag) == (etag if is_same else None)


@pytest.mark.parametrize(
    ("if_none_match", "known"),
    [
        ('"7.OPEN.en-gzip"', '"7.OPEN.en-gzip"'),
        ('W/"7.OPEN.en-gzip"', '"7.OPEN.en-gzip"'),
        ('"x", "7.OPEN.en-gzip"', '"7.OPEN.en-gzip"'),
        ('"7.OPEN.en-gzip", "7.OPEN.en"', '"7.OPEN.en"'),
        ("*", '"7.OPEN.en"'),
        ('"7.OPEN.en-gzip-gzip"', None),
        ('"7.OPEN.en-br"', None),
        ('"7.OPEN.de-gzip"', None),
        ('"-gzip"', None),
        (None, None),
    ],
)
def test_if_none_match_accepts_the_etag_of_a_compressed_body(
    if_none_match: str | None, known: str | None
) -> None:
    assert known_etag(if_none_match, '"7.OPEN.en"') == known


@given(revision=REVISIONS, parts=PARTS)
def test_the_etag_of_a_compressed_body_guards_the_same_revision(revision: int, parts: list[str]) -> None:
    """One revision without another part is not a valid tag of the service."""
    etag = gzip_etag(make_etag(revision, "OPEN", *parts).encode()).decode()

    assert etag_matches(etag, revision)
    assert not etag_matches(etag, revision + 1)


@given(st.binary(max_size=20), st.binary(max_size=20), st.sampled_from("ab"), st.sampled_from("ab"))
def test_different_bodies_have_different_etags(one: bytes, other: bytes, part: str, others: str) -> None:
    assert (etag_of(one, part) == etag_of(other, others)) is ((one, part) == (other, others))
    assert re.fullmatch(r'"[0-9a-f]{32}\.[ab]"', etag_of(one, part))


@pytest.mark.parametrize(
    "header",
    [
        "",
        ",",
        "7.OPEN.en",
        '"7',
        '"7" x',
        '"7" "8"',
        '"7";"8"',
        '"7", "8',
        '"6, ", "7"',
        '"\x7f"',
        '"\u0107"',
        'w/"7"',
        "W/7",
        "**",
        '*, "7"',
        '"7", *',
    ],
)
def test_a_malformed_header_is_refused_even_if_nothing_exists(header: str) -> None:
    for revision in (7, None):
        with pytest.raises(InvalidETag, match="expected \\* or entity tags in quotes"):
            etag_matches(header, revision)
    with pytest.raises(InvalidETag):
        known_etag(header, '"7"')


@pytest.mark.parametrize("header", ["x" * 100_000, '"a" ' * 50_000, ", " * 100_000, '"' + "a" * 100_000])
def test_a_huge_malformed_header_gets_a_short_response(header: str) -> None:
    with pytest.raises(InvalidETag) as refused:
        etag_matches(header, 7)

    assert len(str(refused.value)) < 150


def test_the_error_is_a_faregate_error_and_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(InvalidETag("no tag")))

    assert isinstance(error, FaregateError)
    assert (error.code, str(error)) == ("invalid-etag", "no tag")
