"""Gzip compression of bodies for clients that accept it. Decisions §15.

A compressed body has its own ETag: the ETag of the plain body with ``-gzip`` before the closing quote.
"""

import re
import zlib
from collections.abc import Iterable
from functools import cached_property

from faregate_http.protocol.etags import gzip_etag
from faregate_http.protocol.responses import VARY_ENCODING, Header, Response

MIN_BYTES = 4096
"""Size in bytes from which a body is compressed."""

MAX_CODINGS = 64
"""Maximum number of codings read from ``accept-encoding``."""

# A checkout of 60 items, 140 kB, shrinks to 2.9 % in 0.16 ms. Level 6 takes three times as long, for 2.3 %.
_LEVEL = 3
_GZIP_FORMAT = 31

_GZIPPED = (b"content-encoding", b"gzip")

_CODING = re.compile(
    r"[ \t]*(?P<coding>\*|[a-z0-9!#$%&'+.^_`|~-]+)[ \t]*"
    r"(?:;[ \t]*q=(?P<quality>0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)[ \t]*)?"
)


def gzipped(body: bytes) -> bytes:
    """Return *body* compressed with gzip, without a timestamp, so that equal bodies give equal bytes."""
    return zlib.compress(body, _LEVEL, _GZIP_FORMAT)


def accepts_gzip(accept_encoding: str) -> bool:
    """Return True if gzip is accepted and preferred at least as much as no coding (RFC 9110, 12.5.3).

    Malformed elements are skipped; ``x-gzip`` is an alias of gzip.

    >>> accepts_gzip("gzip, deflate, br")
    True
    >>> accepts_gzip("*, gzip;q=0")
    False
    >>> accepts_gzip("identity, gzip;q=0.5")
    False
    """
    parts = accept_encoding.lower().split(",", MAX_CODINGS)[:MAX_CODINGS]
    found = [match for part in parts if (match := _CODING.fullmatch(part))]
    wishes = {match["coding"].removeprefix("x-"): float(match["quality"] or 1) for match in found}
    wish = wishes.get("gzip", wishes.get("*", 0))
    return wish > 0 and wish >= wishes.get("identity", 0)


class KeptBody(bytes):
    """A body that is kept for repeated use and compressed on the first request for gzip."""

    @cached_property
    def gzipped(self) -> bytes:
        """The body, compressed with gzip."""
        return gzipped(self)


def encoded(response: Response, request_headers: Iterable[Header]) -> Response:
    """Return *response*, compressed if the client accepts gzip, with ``vary: accept-encoding`` added."""
    status, body = response.status, response.body
    headers = (*response.headers, VARY_ENCODING)
    accepted = [value for name, value in request_headers if name == b"accept-encoding"]
    if not body or not accepted or not accepts_gzip(b", ".join(accepted).decode("latin-1")):
        return Response(status, body, headers)
    tagged = [(name, gzip_etag(value) if name == b"etag" else value) for name, value in headers]
    packed = body.gzipped if isinstance(body, KeptBody) else gzipped(body)
    return Response(status, packed, (*tagged, _GZIPPED))
