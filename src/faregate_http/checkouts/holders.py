"""Limits on anonymous holds: the holder of a checkout, and the response to a rejected hold.

Decisions §11.7.
"""

from datetime import datetime
from hashlib import blake2b
from math import ceil
from typing import NamedTuple

from faregate_http.protocol.instants import millis
from faregate_http.protocol.problems import ErrorView, Problem
from faregate_http.store.contract import HoldLimits, TooManyHeld
from faregate_http.throttling import network_of


class Holders(NamedTuple):
    """Limits on anonymous holds, and the key for hashing client addresses."""

    limits: HoldLimits
    key: bytes

    def holder(self, client: str) -> int:
        """Return a keyed hash of the network of the address *client*; the address itself is never stored."""
        network = network_of(client).encode(errors="replace")
        return int.from_bytes(blake2b(network, key=self.key, digest_size=8).digest(), signed=True)


def too_many_held(refused: TooManyHeld, at: datetime) -> Problem:
    """Return the problem for a rejected hold: 429 if waiting helps, otherwise 422."""
    fault = ErrorView(refused.message)
    if refused.until is None:
        return Problem(422, "too-many-units", errors=[fault])
    wait = max(ceil((refused.until - millis(at)) / 1000), 1)
    return Problem(429, "too-many-held", errors=[fault], retry_after=wait)
