"""One request as it is observed: its id, what it asks for, and what becomes of it."""

from __future__ import annotations

import os
import re
from contextvars import ContextVar
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

REQUEST_ID = b"x-request-id"
"""The header that brings the id of a request, if who asks has one, and takes it back."""

CLIENT_GONE = 499
"""The status of a request whose client did not wait for it, as nginx has it."""

# Nothing that another line of a log could be begun with.
_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")


class Observed:
    """What is noted of one request while it is answered.

    ``operation`` and ``route`` are as they are declared: the path that was sent may hold the code of a
    voucher, which is money. ``problem`` is the code of the one it was answered with, ``status`` 0 while there
    is no answer. ``retries`` counts decisions that were made again because another write was quicker.
    A checkout that ``is_scarce`` expires sooner.
    """

    # As the class has them most requests have them: to set seven for each costs more than to make one.
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

_PROCESS = os.urandom(6).hex()
_numbers = count(1)


def observing(headers: Iterable[tuple[bytes, bytes]]) -> Observed:
    """Begin to observe a request with those *headers*: what runs on its behalf finds it with `observed`."""
    request = Observed(_id_of(headers))
    _current.set(request)
    return request


def observed() -> Observed:
    """The request that this is done for; where there is none, one without an id that nobody looks at."""
    return _current.get() or Observed("")


def _id_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The one that was sent, if it can be one; else one that no other request has."""
    for name, value in headers:
        if name == REQUEST_ID and _ID.fullmatch(value):
            return value.decode("ascii")
    return f"{_PROCESS}-{next(_numbers):x}"
