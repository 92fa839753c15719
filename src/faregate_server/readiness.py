"""Readiness of a process: an outage lasts, while a single failed check may be due to load. Decisions §18."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

FAILURES = 3
"""Number of failed checks in a row after which a process is not ready."""

SUCCESSES = 2
"""Number of successful checks in a row after which a process is ready again."""

CHECK_SECONDS = 1.0
"""Minimum time between two checks, in seconds; requests in between get the last result."""

OK = "ok"


class Readiness:
    """The readiness of one application, checked when asked for; *timer* counts seconds."""

    def __init__(self, timer: Callable[[], float]) -> None:
        self.is_ready = True
        self._timer = timer
        self._contrary = 0  # checks in a row that contradict `is_ready`
        self._results: Mapping[str, str] = {}
        self._checked_at = float("-inf")
        self._turn = asyncio.Lock()

    def note(self, *, succeeded: bool) -> None:
        """Take one more check into account."""
        self._contrary = self._contrary + 1 if succeeded != self.is_ready else 0
        if self._contrary >= (SUCCESSES if succeeded else FAILURES):
            self.is_ready, self._contrary = succeeded, 0

    async def results(self, check: Callable[[], Awaitable[Mapping[str, str]]]) -> Mapping[str, str]:
        """Return the results of *check*, keyed by name, or the last ones if they are recent."""
        async with self._turn:
            if self._timer() >= self._checked_at + CHECK_SECONDS:
                self._results = await check()
                self._checked_at = self._timer()
                self.note(succeeded=set(self._results.values()) == {OK})
        return self._results
