"""A record of each request for logs and metrics: its id, its operation and its outcome."""

import os
import re
from collections.abc import Iterable
from contextvars import ContextVar
from itertools import count

REQUEST_ID = b"x-request-id"
"""Header with the id of a request, accepted from the client and returned in the response."""

CLIENT_GONE = 499
"""Status logged for a request whose client closed the connection, as in nginx."""

# Without characters that could start a new line in a log.
_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")


class Observed:
    """Record of one request for logs and metrics.

    ``operation`` and ``route`` are the declared name and path; the path as sent may contain a voucher code.
    ``problem`` is the code of a problem response; ``status`` is 0 before the response. ``retries`` counts
    repetitions because another writer came first. ``is_scarce`` is True if the request saved a checkout that
    expires sooner because a slot is nearly full.
    """

    # Class attributes, because setting seven defaults would cost more than creating the object.
    operation = "none"
    route = ""
    problem = ""
    status = 0
    retries = 0
    is_replay = False
    is_scarce = False

    def __init__(self, request_id: str) -> None:
        self.id = request_id


_current: ContextVar[Observed | None] = ContextVar("faregate_observed", default=None)


class _RequestIds:
    """Unique ids of requests; a forked process begins anew."""

    def __init__(self) -> None:
        self._begin()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._process, self._numbers = os.urandom(6).hex(), count(1)

    def next(self) -> str:
        return f"{self._process}-{next(self._numbers):x}"


_ids = _RequestIds()


def observing(headers: Iterable[tuple[bytes, bytes]]) -> Observed:
    """Start and return the record of a request; `observed` returns it while the request is handled."""
    request = Observed(_id_of(headers))
    _current.set(request)
    return request


def observed() -> Observed:
    """Return the record of the current request or, outside a request, a record that nothing reads."""
    return _current.get() or Observed("")


def _id_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """Return the id that the client sent if it is valid, otherwise a new unique one."""
    for name, value in headers:
        if name == REQUEST_ID and _ID.fullmatch(value):
            return value.decode("ascii")
    return _ids.next()
