"""Entity tags whose first part is a revision, and the two conditions that carry them (RFC 9110, 13.1).

``If-Match`` guards a change and asks for the revision alone: whoever read revision 7 in German may
change it through an English page. ``If-None-Match`` saves a transfer and asks for the whole tag, with or
without the end that a compressed body has.
"""

from __future__ import annotations

import re
from functools import lru_cache
from hashlib import sha256

from faregate.errors import InvalidInput

MOST_SHOWN = 40

# What RFC 9110 allows, without the comma and the backslash that some recipients trip over.
_PART = re.compile(r"[!#-+\--\[\]-~]+")
_NEXT_TAG = re.compile(r'[ \t,]*(?P<weak>W/)?"(?P<opaque>[!#-~\x80-\xff]*)"[ \t]*(?=,|\Z)')
_NO_MORE = re.compile(r"[ \t,]*")


class InvalidETag(InvalidInput):
    """A header is no list of entity tags, or a part cannot stand in one."""

    code = "invalid-etag"


@lru_cache(maxsize=4096)
def make_etag(revision: int, *parts: str) -> str:
    """The strong entity tag of one representation of a revision.

    >>> make_etag(7, "OPEN", "en")
    '"7.OPEN.en"'

    Raises:
        InvalidETag: a negative revision, or a part that is empty or holds anything but visible ASCII
            without quotes, commas and backslashes.
    """
    if revision < 0:
        raise InvalidETag(f"expected a revision from 0 on, got {revision}")
    for part in parts:
        if not _PART.fullmatch(part):
            raise InvalidETag(f"{_shown(part)} cannot stand in an entity tag")
    return f'"{".".join([str(revision), *parts])}"'


def etag_of(body: bytes, *parts: str) -> str:
    """The strong entity tag of a *body*, where nothing has a revision.

    >>> etag_of(b"{}", "en")
    '"44136fa355b3678a1146ad16f7e8649e.en"'
    """
    return f'"{".".join([sha256(body).hexdigest()[:32], *parts])}"'


def gzip_etag(etag: bytes) -> bytes:
    """The entity tag of the compressed body of what has this *etag*.

    >>> gzip_etag(b'"7.OPEN.en"')
    b'"7.OPEN.en-gzip"'
    """
    return b'%b-gzip"' % etag[:-1]


def etag_matches(if_match: str, revision: int | None) -> bool:
    """Whether an ``If-Match`` holds for what is at *revision*; None where nothing exists yet.

    >>> etag_matches('"6.OPEN.en", "7.OPEN.de"', 7)
    True
    >>> etag_matches("*", None)
    False

    Weak tags never match: a change needs the strong comparison.

    Raises:
        InvalidETag: neither ``*`` nor a list of entity tags.
    """
    tags = _tags(if_match)
    if revision is None:
        return False
    return tags is None or any(
        not is_weak and opaque.partition(".")[0] == str(revision) for opaque, is_weak in tags
    )


def known_etag(if_none_match: str | None, etag: str) -> str | None:
    """Return the tag under which the client already has *etag*, compressed or not; None: it has not.

    With one, 304 without a body is the answer, and repeats it.

    >>> known_etag('W/"7.OPEN.en"', '"7.OPEN.en"')
    '"7.OPEN.en"'
    >>> known_etag('"7.OPEN.en-gzip"', '"7.OPEN.en"')
    '"7.OPEN.en-gzip"'
    >>> known_etag('"7.OPEN.de"', '"7.OPEN.en"') is None
    True

    Raises:
        InvalidETag: neither ``*`` nor a list of entity tags.
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
    """Return the tags of a header, and whether each is weak; None for ``*``."""
    if header.strip(" \t") == "*":
        return None
    tags, position = [], 0
    while match := _NEXT_TAG.match(header, position):
        tags.append((match["opaque"], match["weak"] is not None))
        position = match.end()
    if not tags or not _NO_MORE.fullmatch(header, position):
        raise InvalidETag(f"expected * or entity tags in quotes, got {_shown(header)}")
    return tags


def _shown(text: str) -> str:
    return repr(text if len(text) <= MOST_SHOWN else text[:MOST_SHOWN] + "…")
