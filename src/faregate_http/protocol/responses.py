"""What is sent back."""

from __future__ import annotations

from typing import NamedTuple

Header = tuple[bytes, bytes]

JSON: Header = (b"content-type", b"application/json")

NO_STORE: Header = (b"cache-control", b"no-store")
"""A header of answers that no cache may keep: personal data, and every problem."""

CURRENT: Header = (b"cache-control", b"private, no-cache")
"""A header of answers that are asked for again each time."""

# Private: a shared cache does not know which channels need a key.
A_SECOND: Header = (b"cache-control", b"private, max-age=1")
"""A header of answers that a browser may repeat for a second (decisions §8.9)."""


class Response(NamedTuple):
    """A response. ``is_stored``: it was saved under the request's Idempotency-Key already."""

    status: int
    body: bytes
    headers: tuple[Header, ...] = ()
    is_stored: bool = False


def json_headers(language: str, *others: Header) -> tuple[Header, ...]:
    """The headers of an answer in *language*, which is another in other languages and on other channels."""
    return JSON, *others, (b"content-language", language.encode()), _VARY


_VARY = (b"vary", b"accept-language, service-channel-uuid")
