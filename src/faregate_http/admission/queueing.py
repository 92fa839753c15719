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

# uvloop accepts one connection in each turn, and a request is read two turns later. Without turns in between,
# clients would wait unseen in the backlog of the socket, payments behind new checkouts.
_QUIET_TURNS = 4
_MOST_TURNS = 32


class Admission:
    """The requests of one application that are in progress or wait (``load``); *timer* counts seconds."""

    def __init__(
        self, limits: AdmissionLimits, timer: Callable[[], float], jitter: Callable[[], float] = random.random
    ) -> None:
        self.load = Load(limits)
        self._timer = timer
        self._jitter = jitter
        self._queues = tuple(deque[asyncio.Future[None]]() for _ in Step)
        self._left_at = timer()
        self._arrived = 0

    def check(self, step: Step) -> Decision:
        """Decide on a request, and refuse it before anything is done for it.

        Raises:
            Problem: 503, there are too many requests.
        """
        self._arrived += 1
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
        self._begin()

    def _begin(self) -> None:
        self.load = self.load._replace(in_progress=self.load.in_progress + 1, has_just_begun=True)
        asyncio.get_running_loop().call_soon(self._turn, self._arrived, 0, 0)

    def _turn(self, arrived: int, turns: int, quiet: int) -> None:
        """Wait for the arrivals of some turns of the event loop, then let the next request in."""
        quiet = quiet + 1 if arrived == self._arrived else 0
        if quiet < _QUIET_TURNS and turns < _MOST_TURNS:
            asyncio.get_running_loop().call_soon(self._turn, self._arrived, turns + 1, quiet)
            return
        self.load = self.load._replace(has_just_begun=False)
        self._let_in()

    def _let_in(self) -> None:
        step = next_step(self.load) if any(self.load.waiting) else None
        if step is not None:
            self._queues[step].popleft().set_result(None)
            self._count_waiting()
            self._begin()

    def _count_waiting(self) -> None:
        self.load = self.load._replace(waiting=tuple(map(len, self._queues)))

    async def _wait(self, step: Step, seconds: float, receive: Receive) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._queues[step].append(turn)
        self._count_waiting()
        gone, begins = asyncio.ensure_future(_end_of(receive)), False
        try:
            await asyncio.wait((turn, gone), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            begins = turn.done() and not gone.done()
        finally:
            gone.cancel()
            if turn.done() and not begins:
                self.leave()
            elif not turn.done():
                self._queues[step].remove(turn)
                self._count_waiting()
        if gone.done():
            raise ClientGone
        if not begins:
            raise self._refused(refuse(self.load, self._timer(), jitter=self._jitter()))

    def _refused(self, refusal: Refuse) -> Problem:
        if self.load.refusing_since is None:
            _log.warning("overload: requests are refused until none waits")
            self.load = self.load._replace(refusing_since=self._timer())
        return Problem(503, "overloaded", retry_after=refusal.retry_after)

    def take(self) -> None:
        """Take a place without waiting, for a request that had one before."""
        self.load = self.load._replace(in_progress=self.load.in_progress + 1)

    def leave(self) -> None:
        """Give a place back, and let the next request begin."""
        now, load = self._timer(), self.load
        if any(load.waiting):
            pace = load.pace + (now - self._left_at - load.pace) / _AVERAGED
            self.load = load._replace(in_progress=load.in_progress - 1, pace=pace)
        else:
            self.load = load._replace(in_progress=load.in_progress - 1, pace=0.0, refusing_since=None)
        self._left_at = now
        self._let_in()


async def _end_of(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Place:
    """The place of the current request, which takes it in `Admission.enter`."""

    is_taken = False

    def __init__(self, admission: Admission) -> None:
        self.admission = admission
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
