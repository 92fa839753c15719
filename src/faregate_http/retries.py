"""Repetition of work after another writer came first; every write names the revision it is based on."""

from __future__ import annotations

import asyncio
import random
from asyncio import Lock
from collections.abc import Awaitable, Callable, Sequence
from contextlib import nullcontext, suppress
from typing import TypeVar
from weakref import WeakValueDictionary

from faregate_http.admission.queueing import waiting_elsewhere
from faregate_http.protocol.observed import observed
from faregate_http.protocol.problems import Problem
from faregate_http.store.contract import SoldOut, Stale

MOST_ATTEMPTS = 20

PAUSE_SECONDS = 0.002
"""Maximum pause before the second attempt, in seconds. Later pauses are longer. All are random, so that
two processes do not collide again."""

_AT_ONCE = 10

_Result = TypeVar("_Result")
_Row = TypeVar("_Row")


class Retries:
    """Runs functions that load and save rows, one at a time per key, and repeats them after a conflict.

    The store reports a conflict if another writer saved first or took the capacity.
    """

    def __init__(self) -> None:
        # A lock is dropped when nobody holds it or waits for it.
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    async def until_saved(self, key: str, decide: Callable[[], Awaitable[_Result]]) -> _Result:
        """Call *decide*, which must load its rows on every call, until its write succeeds; return its result.

        Raises:
            Problem: 503, other writers came first in every attempt.
        """
        lock = self._locks.setdefault(key, Lock())
        with waiting_elsewhere() if lock.locked() else nullcontext():
            await lock.acquire()
        try:
            return await _repeated(decide)
        finally:
            lock.release()


async def _repeated(decide: Callable[[], Awaitable[_Result]]) -> _Result:
    for attempt in range(1, MOST_ATTEMPTS + 1):
        with suppress(Stale, SoldOut):
            return await decide()
        observed().retries += 1
        await asyncio.sleep(random.uniform(0, PAUSE_SECONDS * attempt))  # noqa: S311 - no secret
    raise Problem(503, "busy", retry_after=1)


async def side_by_side(work: Callable[[_Row], Awaitable[None]], rows: Sequence[_Row]) -> None:
    """Run *work* on each of *rows*, several at a time, so that a row that hangs delays few others.

    Raises:
        Exception: the first exception, once all rows are done.
    """
    turns = asyncio.Semaphore(_AT_ONCE)

    async def in_turn(row: _Row) -> None:
        async with turns:
            await work(row)

    for outcome in await asyncio.gather(*map(in_turn, rows), return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
