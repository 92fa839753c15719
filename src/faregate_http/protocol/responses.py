"""Responses, and the headers that several of them share."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

Header = tuple[bytes, bytes]

JSON: Header = (b"content-type", b"application/json")

NO_STORE: Header = (b"cache-control", b"no-store")
"""A header of responses that no cache may keep: personal data, and every problem."""

CURRENT: Header = (b"cache-control", b"private, no-cache")
"""A header of responses that are asked for again each time."""

# Private: a shared cache does not know which channels need a key.
A_SECOND: Header = (b"cache-control", b"private, max-age=1")
"""A header of responses that a browser may repeat for a second (decisions §8.9)."""

_VARY: Header = (b"vary", b"accept-language, service-channel-uuid")

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


def varying_with(headers: Iterable[Header], name: bytes) -> tuple[Header, ...]:
    """Return *headers* that say in one ``vary`` that the response differs with the request header *name*."""
    varied = [*headers]
    for index, (key, value) in enumerate(varied):
        if key == b"vary":
            varied[index] = (b"vary", b"%b, %b" % (value, name))
            return (*varied,)
    return (*varied, (b"vary", name))
