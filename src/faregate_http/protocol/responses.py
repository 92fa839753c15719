"""Responses, and the headers that several of them share."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

Header = tuple[bytes, bytes]

JSON: Header = (b"content-type", b"application/json")

NO_STORE: Header = (b"cache-control", b"no-store")
"""A header of responses that no cache may keep: personal data, and every problem."""

CURRENT: Header = (b"cache-control", b"private, no-cache")
"""A header of responses that are asked for again each time."""

# Private: a shared cache does not know which channels need a key.
A_SECOND: Header = (b"cache-control", b"private, max-age=1")
"""A header of responses that a browser may repeat for a second (decisions §8.9)."""

# RFC 9110, 5.3: several lines of one list are one list, so each concern adds a line of its own.
_VARY: Header = (b"vary", b"accept-language, service-channel-uuid")
VARY_ENCODING: Header = (b"vary", b"accept-encoding")
VARY_ORIGIN: Header = (b"vary", b"origin")

_encode = msgspec.json.Encoder().encode


class Response(NamedTuple):
    """A response. ``is_stored``: it was saved under the request's Idempotency-Key already."""

    status: int
    body: bytes
    headers: tuple[Header, ...] = ()
    is_stored: bool = False


def json_response(view: msgspec.Struct, *headers: Header, language: str | None = None) -> Response:
    """Return the response that shows *view*; in a *language*, it varies with that and with the channel."""
    return Response(
        200, _encode(view), (JSON, *headers) if language is None else json_headers(language, *headers)
    )


def json_headers(language: str, *others: Header) -> tuple[Header, ...]:
    """Return the headers of a response in *language*, which differs on other channels."""
    return JSON, *others, (b"content-language", language.encode()), _VARY
