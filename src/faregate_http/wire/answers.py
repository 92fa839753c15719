"""What is sent back."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["JSON", "Answer", "Header", "json_headers"]

Header = tuple[bytes, bytes]

JSON: Header = (b"content-type", b"application/json")


class Answer(NamedTuple):
    """A response. ``is_kept``: it was saved under the request's Idempotency-Key already."""

    status: int
    body: bytes
    headers: tuple[Header, ...] = ()
    is_kept: bool = False


def json_headers(language: str, *others: Header) -> tuple[Header, ...]:
    """The headers of an answer in *language*, which is another in other languages and on other channels."""
    return JSON, *others, (b"content-language", language.encode()), _VARY


_VARY = (b"vary", b"accept-language, service-channel-uuid")
