"""Bodies as they come in: each in pieces as small as its client likes, and many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate_http.protocol.problems import Problem

if TYPE_CHECKING:
    from starlette.types import Receive

MOST_BYTES = 1 << 20
"""Larger bodies are refused."""

MOST_LARGE_BYTES = 64 << 20
"""So many bytes of large bodies are in work in a process: more would fill its memory."""

_SMALL = 1 << 16
"""Who sends less is not counted: it costs no more than the connection."""


class ClientGone(Exception):
    """The client closed the connection before its request was complete."""


class Share:
    """What the body of one request takes of the room for large ones; it is free again with the request."""

    all_taken = 0
    _taken = 0

    def grow(self, size: int) -> None:
        """Take room for a body of that *size* in all.

        Raises:
            Problem: 503, there is none left.
        """
        more = size - self._taken
        if Share.all_taken + more > MOST_LARGE_BYTES:
            raise Problem(503, "busy", retry_after=1)
        Share.all_taken += more
        self._taken += more

    def __del__(self) -> None:
        Share.all_taken -= self._taken


async def read_body(receive: Receive) -> tuple[bytes, Share | None]:
    """The whole body, and its share if it is a large one: to be kept as long as there is the request.

    Raises:
        Problem: 413, it is too large; 503, too many large ones come at once.
        ClientGone: the client closed the connection.
    """
    # Joined once: pieces may be as small as the client likes.
    pieces: list[bytes] = []
    size, more, share = 0, True, None
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        if size > MOST_BYTES:
            raise too_large()
        if size > _SMALL:
            share = share or Share()
            share.grow(size)
        more = message.get("more_body", False)
    return b"".join(pieces), share


def too_large() -> Problem:
    """The refusal of a body."""
    return Problem(413, "body-too-large")
