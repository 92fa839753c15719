"""Cache of recent responses, so that they need not be priced again."""

from collections.abc import Hashable

from faregate_http.protocol.compression import MIN_BYTES, KeptBody
from faregate_http.protocol.responses import Response

_MOST_BYTES = 64 << 20
_MOST_ANSWERS = 20_000
"""Maximum number of responses; each takes about a kilobyte of memory in addition to its content."""


class ResponseCache:
    """Cache of the last response to each question (a hashable key), with the state for which it is valid.

    Beyond *most_bytes* or *most_answers*, the oldest responses are dropped. Compressed bodies, which are
    created on demand, are not counted: they are a tenth of the size of plain bodies.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES, *, most_answers: int = _MOST_ANSWERS) -> None:
        self._most_bytes = most_bytes
        self._most_answers = most_answers
        self._bytes = 0
        self._responses: dict[Hashable, tuple[Hashable, Response, int]] = {}

    def get(self, question: Hashable, state: Hashable) -> Response | None:
        """Return the cached response to *question* if it is valid for *state*, otherwise None."""
        known = self._responses.get(question)
        return known[1] if known is not None and known[0] == state else None

    def put(self, question: Hashable, state: Hashable, response: Response) -> None:
        """Cache *response* in place of the previous response to *question*."""
        self._forget(question)
        size = _size(question, response)
        if len(response.body) >= MIN_BYTES:
            response = response._replace(body=KeptBody(response.body))
        self._responses[question] = state, response, size
        self._bytes += size
        while self._bytes > self._most_bytes or len(self._responses) > self._most_answers:
            self._forget(next(iter(self._responses)))

    def _forget(self, question: Hashable) -> None:
        known = self._responses.pop(question, None)
        if known is not None:
            self._bytes -= known[2]


def _size(question: Hashable, response: Response) -> int:
    """Return the size of a cache entry in bytes: body, question and headers, which may exceed the body."""
    return len(repr(question)) + len(response.body) + sum([len(value) for _, value in response.headers])
