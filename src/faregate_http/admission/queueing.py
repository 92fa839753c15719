"""Requests in progress, and requests that wait for a place."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

from faregate_http.admission.decisions import Admit, Load, Refuse, Step, Wait, admit, next_step, refuse
from faregate_http.protocol.bodies import ClientGone
from faregate_http.protocol.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from starlette.types import Receive

    from faregate_http.options import AdmissionLimits


class Admission:
    """The requests of one application that are in progress or wait; *timer* counts seconds."""

    def __init__(
        self, limits: AdmissionLimits, timer: Callable[[], float], jitter: Callable[[], float] = random.random
    ) -> None:
        self.limits = limits
        self._timer = timer
        self._jitter = jitter
        self._in_progress = 0
        self._queues = tuple(deque[asyncio.Future[None]]() for _ in Step)
        self._refusing_since: float | None = None

    @property
    def load(self) -> Load:
        """The load at this moment."""
        return Load(self.limits, self._in_progress, tuple(map(len, self._queues)), self._refusing_since)

    async def enter(self, step: Step, receive: Receive) -> None:
        """Take a place for a request whose body has arrived; wait for one if necessary.

        Raises:
            Problem: 503, there are too many requests.
            ClientGone: the client closed the connection while its request waited.
        """
        now = self._timer()
        match admit(self.load, step, now, jitter=self._jitter()):
            case Admit():
                self._in_progress += 1
            case Wait(until):
                await self._wait(step, until - now, receive)
            case Refuse() as refusal:
                raise self._refused(refusal)

    async def _wait(self, step: Step, seconds: float, receive: Receive) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._queues[step].append(turn)
        gone, begins = asyncio.ensure_future(_end_of(receive)), False
        try:
            await asyncio.wait((turn, gone), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if turn.done() and not gone.done():
                begins = True
                return
        finally:
            if not begins:
                self.leave() if turn.done() else self._queues[step].remove(turn)
            gone.cancel()
        if gone.done():
            raise ClientGone
        raise self._refused(refuse(self.load, self._timer(), jitter=self._jitter()))

    def check(self, step: Step) -> None:
        """Refuse a request as early as possible, before anything is done for it.

        Raises:
            Problem: 503, there are too many requests.
        """
        decision = admit(self.load, step, self._timer(), jitter=self._jitter())
        if isinstance(decision, Refuse):
            raise self._refused(decision)

    def _refused(self, refusal: Refuse) -> Problem:
        if self._refusing_since is None:
            self._refusing_since = self._timer()
        return Problem(503, "overloaded", retry_after=refusal.retry_after)

    def take(self) -> None:
        """Take a place without waiting, for a request that had one before."""
        self._in_progress += 1

    def leave(self) -> None:
        """Give a place back, and let the next request begin."""
        self._in_progress -= 1
        while (step := next_step(self.load)) is not None:
            self._in_progress += 1
            self._queues[step].popleft().set_result(None)
        if not any(self._queues):
            self._refusing_since = None


async def _end_of(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class Place:
    """The place of the current request, which has none before it enters."""

    def __init__(self, admission: Admission) -> None:
        self.admission = admission
        self.is_taken = False
        _current.set(self)

    async def enter(self, step: Step, receive: Receive) -> None:
        """Take the place; see `Admission.enter`."""
        await self.admission.enter(step, receive)
        self.is_taken = True

    def leave(self) -> None:
        """Give the place back, if it is taken."""
        if self.is_taken:
            self.is_taken = False
            self.admission.leave()

    def take(self) -> None:
        """Take the place again, without waiting."""
        self.is_taken = True
        self.admission.take()


_current: ContextVar[Place | None] = ContextVar("faregate_place", default=None)


@contextmanager
def waiting_elsewhere() -> Iterator[None]:
    """Give up the place of the current request for a block that waits for another service."""
    place = _current.get()
    if place is None or not place.is_taken:
        yield
        return
    place.leave()
    try:
        yield
    finally:
        place.take()
