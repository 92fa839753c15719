"""Responses, and headers that several of them share."""

from typing import NamedTuple

import msgspec

Header = tuple[bytes, bytes]

JSON: Header = (b"content-type", b"application/json")

NO_STORE: Header = (b"cache-control", b"no-store")
"""Header of responses that must not be cached: personal data and all problems."""

CURRENT: Header = (b"cache-control", b"private, no-cache")
"""Header of responses that clients must revalidate before each use."""

# Private, because a shared cache does not know which channels need a key.
A_SECOND: Header = (b"cache-control", b"private, max-age=1")
"""Header of responses that a browser may reuse for a second (decisions §8.9)."""

# RFC 9110, 5.3: repeated header lines form one list, so each part of the code can add its own line.
_VARY: Header = (b"vary", b"accept-language, service-channel-uuid")
VARY_ENCODING: Header = (b"vary", b"accept-encoding")
VARY_ORIGIN: Header = (b"vary", b"origin")

_encode = msgspec.json.Encoder().encode


class Response(NamedTuple):
    """A response. ``is_stored`` is True if it was already stored under the request's Idempotency-Key."""

    status: int
    body: bytes
    headers: tuple[Header, ...] = ()
    is_stored: bool = False


def json_response(view: msgspec.Struct, *headers: Header, language: str | None = None) -> Response:
    """Return a response with *view* as JSON; with a *language*, ``vary`` names language and channel."""
    return Response(
        200, _encode(view), (JSON, *headers) if language is None else json_headers(language, *headers)
    )


def json_headers(language: str, *others: Header) -> tuple[Header, ...]:
    """Return the headers of a JSON response that is written in *language* and varies by channel."""
    return JSON, *others, (b"content-language", language.encode()), _VARY
