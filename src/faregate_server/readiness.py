"""Readiness of a process: an outage lasts, while a single failed check may be due to load. Decisions §18."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

FAILURES = 3
"""Number of failed checks in a row after which a process is not ready."""

SUCCESSES = 2
"""Number of successful checks in a row after which a process is ready again."""

CHECK_SECONDS = 1.0
"""Minimum time between two checks, in seconds; requests in between get the last result."""

OK = "ok"


class Health(NamedTuple):
    """Readiness, and how many checks in a row have contradicted it."""

    is_ready: bool = True
    contrary: int = 0

    def after(self, *, succeeded: bool) -> Health:
        """Return the health after one more check.

        >>> Health(contrary=2).after(succeeded=False)
        Health(is_ready=False, contrary=0)
        """
        if succeeded == self.is_ready:
            return Health(self.is_ready)
        if self.contrary + 1 < (SUCCESSES if succeeded else FAILURES):
            return Health(self.is_ready, self.contrary + 1)
        return Health(succeeded)


class Readiness:
    """The health of one application, checked when asked for; *timer* counts seconds."""

    def __init__(self, timer: Callable[[], float]) -> None:
        self._timer = timer
        self._health = Health()
        self._results: Mapping[str, str] = {}
        self._checked_at = float("-inf")
        self._turn = asyncio.Lock()

    async def asked(
        self, checks: Callable[[], Awaitable[Mapping[str, str]]]
    ) -> tuple[bool, Mapping[str, str]]:
        """Return whether the process is ready, and the last results of *checks*, keyed by name."""
        async with self._turn:
            if self._timer() >= self._checked_at + CHECK_SECONDS:
                self._results = await checks()
                self._checked_at = self._timer()
                self._health = self._health.after(succeeded=set(self._results.values()) == {OK})
        return self._health.is_ready, self._results
