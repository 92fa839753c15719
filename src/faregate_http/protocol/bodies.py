"""Request bodies, received in pieces and limited in number and size."""

from starlette.types import Receive

from faregate_http.protocol.problems import Problem

MOST_BYTES = 1 << 20
"""Maximum size of a body in bytes."""

MOST_LARGE_BYTES = 64 << 20
"""Maximum total size in bytes of the large bodies that a process handles at once, which limits its memory."""

_SMALL = 1 << 16
"""Size in bytes up to which a body is not large: it takes no more memory than its connection."""


class ClientGone(Exception):
    """The client closed the connection before the request was complete."""


class Share:
    """One request body's share of the space for large bodies, released with the request."""

    all_taken = 0
    _taken = 0

    def grow(self, size: int) -> None:
        """Reserve space for a body of *size* bytes in total.

        Raises:
            Problem: 503, the space is used up.
        """
        more = size - self._taken
        if Share.all_taken + more > MOST_LARGE_BYTES:
            raise Problem(503, "busy", retry_after=1)
        Share.all_taken += more
        self._taken += more

    def __del__(self) -> None:
        Share.all_taken -= self._taken


async def read_body(receive: Receive) -> tuple[bytes, Share | None]:
    """Return the whole body and, if it is large, its share, which must live as long as the request.

    Raises:
        Problem: 413, the body is too large; 503, too many large bodies arrive at once.
        ClientGone: the client closed the connection.
    """
    # Joined once, because the pieces may be tiny.
    pieces: list[bytes] = []
    size, more, share = 0, True, None
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        pieces.append(message.get("body", b""))
        size += len(pieces[-1])
        if size > MOST_BYTES:
            raise Problem(413, "body-too-large")
        if size > _SMALL:
            share = share or Share()
            share.grow(size)
        more = message.get("more_body", False)
    return b"".join(pieces), share
