"""Rate limits for client addresses after repeated failures. Decisions §15."""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv6Address
from math import ceil
from typing import NamedTuple

from faregate_http.options import FailureLimit
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import PlainRequest
from faregate_http.store.contract import StoreUnavailable
from faregate_http.store.failures import SharesFailures

MOST_CLIENTS = 10_000
"""Maximum number of addresses with failures; beyond it, the address that failed least recently is dropped."""

_HOME_NETWORK = 64

_LONGEST_NAME = 64
"""Maximum length of a client name that is not an address, because a proxy may pass on anything."""


class SharedCount(NamedTuple):
    """Failures of one kind in a store; ``holder`` hashes an address, which is never stored."""

    store: SharesFailures
    kind: str
    holder: Callable[[str], int]


class Throttle:
    """Rejects a client whose failures have reached *limit*, until the oldest of them no longer counts.

    Failures are counted in the memory of this process, where *timer* counts seconds, and in *shared*, if
    given, for all processes. A client rejected by memory causes no work in the database. While the database
    is unavailable, memory alone counts.
    """

    def __init__(
        self, limit: FailureLimit, timer: Callable[[], float], shared: SharedCount | None = None
    ) -> None:
        self._limit = limit
        self._timer = timer
        self._shared = shared
        self._failures: OrderedDict[str, list[float]] = OrderedDict()

    async def check(self, request: PlainRequest) -> None:
        """Reject *request* if its client has failed too often in any process.

        Raises:
            Problem: 429, with the number of seconds to wait.
        """
        self.check_here(request)
        await self._check_shared(request.client)

    async def failed(self, request: PlainRequest) -> None:
        """Count a failure by the client that sent *request*, for all processes."""
        self.failed_here(request)
        await self._add_shared(request.client)

    async def share(self, client: str) -> None:
        """Share a failure by the address *client* that this process has counted, unless it is rejected.

        Raises:
            Problem: 429, the client had failed too often in other processes.
        """
        await self._check_shared(client)
        await self._add_shared(client)

    async def _check_shared(self, client: str) -> None:
        wait = 0.0
        if self._shared is not None:
            store, kind, holder = self._shared
            with suppress(StoreUnavailable):
                wait = await store.failure_wait(kind, holder(client), self._limit.most)
        if wait > 0:
            raise Problem(429, "too-many-failures", retry_after=max(ceil(wait), 1))

    async def _add_shared(self, client: str) -> None:
        if self._shared is not None:
            store, kind, holder = self._shared
            with suppress(StoreUnavailable):
                await store.add_failure(kind, holder(client), self._limit.seconds)

    def check_here(self, request: PlainRequest) -> None:
        """Reject *request* if its client has failed too often in this process.

        Raises:
            Problem: 429, with the number of seconds to wait.
        """
        failures = self._recent(network_of(request.client))
        if len(failures) >= self._limit.most:
            wait = ceil(failures[-self._limit.most] + self._limit.seconds - self._timer())
            raise Problem(429, "too-many-failures", retry_after=max(wait, 1))

    def failed_here(self, request: PlainRequest) -> None:
        """Count a failure by the client that sent *request* in this process alone."""
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
