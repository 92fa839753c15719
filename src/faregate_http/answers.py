"""What is sent back."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Answer", "Header"]

Header = tuple[bytes, bytes]


class Answer(NamedTuple):
    """A response. ``is_kept``: it was saved under the request's Idempotency-Key already."""

    status: int
    body: bytes
    headers: tuple[Header, ...] = ()
    is_kept: bool = False
