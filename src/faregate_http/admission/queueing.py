"""Requests in progress, and requests that wait for a place."""

from __future__ import annotations

import asyncio
import logging
import random
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from starlette.types import Receive

from faregate_http.admission.decisions import Decision, Load, Refuse, Step, Wait, admit, next_step, refuse
from faregate_http.options import AdmissionLimits
from faregate_http.protocol.bodies import ClientGone
from faregate_http.protocol.problems import Problem

_log = logging.getLogger("faregate.http")

_AVERAGED = 16
"""Number of requests over which the pace is averaged."""


class Admission:
    """The requests of one application that are in progress or wait (``load``); *timer* counts seconds."""

    def __init__(
        self, limits: AdmissionLimits, timer: Callable[[], float], jitter: Callable[[], float] = random.random
    ) -> None:
        self.load = Load(limits)
        self._timer = timer
        self._jitter = jitter
        self._queues = tuple(deque[asyncio.Event]() for _ in Step)
        self._left_at = timer()

    def check(self, step: Step) -> Decision:
        """Decide on a request, and refuse it before anything is done for it.

        Raises:
            Problem: 503, there are too many requests.
        """
        decision = admit(self.load, step, self._timer(), jitter=self._jitter())
        if isinstance(decision, Refuse):
            raise self._refused(decision)
        return decision

    async def enter(self, step: Step, receive: Receive) -> None:
        """Take a place for a request whose body has arrived; wait for one if necessary.

        Raises:
            Problem: 503, there are too many requests.
            ClientGone: the client closed the connection while its request waited.
        """
        decision = self.check(step)
        if isinstance(decision, Wait):
            await self._wait(step, decision.until - self._timer(), receive)
            return
        if not self.load.in_progress:
            self._left_at = self._timer()  # the pace does not include idle time
        self.load.in_progress += 1

    async def _wait(self, step: Step, seconds: float, receive: Receive) -> None:
        turn, begins = asyncio.Event(), False
        self._queues[step].append(turn)
        self._count_waiting()
        try:
            async with asyncio.timeout(seconds):
                await turn.wait()
            begins = not await _is_gone(receive)
        except TimeoutError:
            raise self._refused(refuse(self.load, self._timer(), jitter=self._jitter())) from None
        finally:
            if turn.is_set() and not begins:
                self.leave()
            elif not turn.is_set():
                self._queues[step].remove(turn)
                self._count_waiting()
        if not begins:
            raise ClientGone

    def _count_waiting(self) -> None:
        self.load.waiting = tuple(map(len, self._queues))

    def _refused(self, refusal: Refuse) -> Problem:
        if self.load.refusing_since is None:
            _log.warning("overload: requests are refused until none waits")
            self.load.refusing_since = self._timer()
        return Problem(503, "overloaded", retry_after=refusal.retry_after)

    def take(self) -> None:
        """Take a place without waiting, for a request that had one before."""
        self.load.in_progress += 1

    def leave(self) -> None:
        """Give a place back, and let the next request begin."""
        now, load = self._timer(), self.load
        load.in_progress -= 1
        if any(load.waiting):
            load.pace += (now - self._left_at - load.pace) / _AVERAGED
        else:
            load.pace, load.refusing_since = 0.0, None
        self._left_at = now
        step = next_step(load)
        if step is not None:
            self._queues[step].popleft().set()
            self._count_waiting()
            load.in_progress += 1


async def _is_gone(receive: Receive) -> bool:
    try:
        async with asyncio.timeout(0):
            while (await receive())["type"] != "http.disconnect":
                pass
    except TimeoutError:
        return False
    return True


class Place:
    """The place of the current request, which takes it in `Admission.enter`.

    The context of the request's task refers to its place. A place must not refer to the task, or each request
    would stay in memory until the next garbage collection.
    """

    def __init__(self, admission: Admission) -> None:
        self.admission = admission
        self.is_taken = False
        _current.set(self)

    def leave(self) -> None:
        """Give the place back, if it is taken."""
        if self.is_taken:
            self.is_taken = False
            self.admission.leave()


_current: ContextVar[Place | None] = ContextVar("faregate_place", default=None)


@contextmanager
def waiting_elsewhere() -> Iterator[None]:
    """Give up the place of the current request for a block that waits for another service or request."""
    place = _current.get()
    if place is None or not place.is_taken:
        yield
        return
    place.leave()
    try:
        yield
    finally:
        place.admission.take()
        place.is_taken = True
