"""Entity tags that begin with a revision, and the conditions that use them (RFC 9110, 13.1).

``If-Match`` guards a change and compares only the revision, so a checkout read in German can be changed
through an English page. ``If-None-Match`` saves a transfer and compares the whole tag, with or without the
suffix of a compressed body.
"""

import re
from functools import lru_cache
from hashlib import sha256

from faregate.errors import InvalidInput

MOST_SHOWN = 40

_NEXT_TAG = re.compile(r'[ \t,]*(?P<weak>W/)?"(?P<opaque>[!#-~\x80-\xff]*)"[ \t]*(?=,|\Z)')
_NO_MORE = re.compile(r"[ \t,]*")


class InvalidETag(InvalidInput):
    """A header is not a list of entity tags."""

    code = "invalid-etag"


@lru_cache(maxsize=4096)
def make_etag(revision: int, *parts: str) -> str:
    """Return the strong entity tag of one representation of a revision.

    The *parts* are letters, digits and hyphens.

    >>> make_etag(7, "OPEN", "en")
    '"7.OPEN.en"'
    """
    return f'"{".".join([str(revision), *parts])}"'


def etag_of(body: bytes, *parts: str) -> str:
    """Return the strong entity tag of a *body* that has no revision.

    >>> etag_of(b"{}", "en")
    '"44136fa355b3678a1146ad16f7e8649e.en"'
    """
    return f'"{".".join([sha256(body).hexdigest()[:32], *parts])}"'


def gzip_etag(etag: bytes) -> bytes:
    """Return the entity tag of the compressed form of the body that has the tag *etag*.

    >>> gzip_etag(b'"7.OPEN.en"')
    b'"7.OPEN.en-gzip"'
    """
    return b'%b-gzip"' % etag[:-1]


def etag_matches(if_match: str, revision: int | None) -> bool:
    """Return True if the header ``If-Match`` accepts *revision*, which is None if nothing exists yet.

    >>> etag_matches('"6.OPEN.en", "7.OPEN.de"', 7)
    True
    >>> etag_matches("*", None)
    False

    Weak tags never match, because a change needs the strong comparison.

    Raises:
        InvalidETag: the header is neither ``*`` nor a list of entity tags.
    """
    tags = _tags(if_match)
    if revision is None:
        return False
    return tags is None or any(
        not is_weak and opaque.partition(".")[0] == str(revision) for opaque, is_weak in tags
    )


def known_etag(if_none_match: str | None, etag: str) -> str | None:
    """Return the tag in *if_none_match* that matches *etag*, compressed or not, or None.

    The response is then a 304 with that tag and without a body.

    >>> known_etag('W/"7.OPEN.en"', '"7.OPEN.en"')
    '"7.OPEN.en"'
    >>> known_etag('"7.OPEN.en-gzip"', '"7.OPEN.en"')
    '"7.OPEN.en-gzip"'
    >>> known_etag('"7.OPEN.de"', '"7.OPEN.en"') is None
    True

    Raises:
        InvalidETag: the header is neither ``*`` nor a list of entity tags.
    """
    if if_none_match is None:
        return None
    tags = _tags(if_none_match)
    if tags is None:
        return etag
    known = {f'"{opaque}"' for opaque, _ in tags}
    forms = (etag, gzip_etag(etag.encode()).decode())
    return next((form for form in forms if form.removeprefix("W/") in known), None)


def _tags(header: str) -> list[tuple[str, bool]] | None:
    """Return the tags of a header, each with True if it is weak, or None for ``*``."""
    if header.strip(" \t") == "*":
        return None
    tags, position = [], 0
    while match := _NEXT_TAG.match(header, position):
        tags.append((match["opaque"], match["weak"] is not None))
        position = match.end()
    if not tags or not _NO_MORE.fullmatch(header, position):
        shown = header if len(header) <= MOST_SHOWN else header[:MOST_SHOWN] + "…"
        raise InvalidETag(f"expected * or entity tags in quotes, got {shown!r}")
    return tags
