"""Rate limits for client addresses after repeated failures. Decisions §15."""

from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address
from math import ceil

from faregate_http.options import FailureLimit
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import PlainRequest

MOST_CLIENTS = 10_000
"""Maximum number of addresses with failures; beyond it, the address that failed least recently is dropped."""

_HOME_NETWORK = 64

_LONGEST_NAME = 64
"""Maximum length of a client name that is not an address, because a proxy may pass on anything."""


class Throttle:
    """Rejects a client whose failures have reached *limit*, until the oldest of them no longer counts.

    Failures are counted in the memory of this process. *timer* counts seconds.
    """

    def __init__(self, limit: FailureLimit, timer: Callable[[], float]) -> None:
        self._limit = limit
        self._timer = timer
        self._failures: OrderedDict[str, list[float]] = OrderedDict()

    def check(self, request: PlainRequest) -> None:
        """Reject *request* if its client has failed too often.

        Raises:
            Problem: 429, with the number of seconds to wait.
        """
        failures = self._recent(network_of(request.client))
        if len(failures) >= self._limit.most:
            wait = ceil(failures[-self._limit.most] + self._limit.seconds - self._timer())
            raise Problem(429, "too-many-failures", retry_after=max(wait, 1))

    def failed(self, request: PlainRequest) -> None:
        """Count a failure by the client that sent *request*."""
        client = network_of(request.client)
        self._failures[client] = [*self._recent(client), self._timer()][-self._limit.most :]
        self._failures.move_to_end(client)
        if len(self._failures) > MOST_CLIENTS:
            self._failures.popitem(last=False)

    def _recent(self, client: str) -> list[float]:
        since = self._timer() - self._limit.seconds
        return [at for at in self._failures.get(client, ()) if at > since]


def network_of(client: str) -> str:
    """Return *client* unchanged or, for an IPv6 address, the network that a household is usually assigned."""
    if ":" not in client:
        return client[:_LONGEST_NAME]
    try:
        address = IPv6Address(client)
    except ValueError:
        return client[:_LONGEST_NAME]
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(int(address) >> _HOME_NETWORK)
