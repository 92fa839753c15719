"""Deciding again where somebody else was quicker: a write names what it was decided on."""

from __future__ import annotations

import asyncio
import random
from asyncio import Lock
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakValueDictionary

from faregate_http.protocol.observed import observed
from faregate_http.protocol.problems import Problem
from faregate_http.store.contract import SoldOut, Stale

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

MOST_ATTEMPTS = 20

PAUSE_SECONDS = 0.002
"""The longest before the second attempt; it grows with each. How long in fact is left to chance, or two
processes that are in each other's way would be so again."""

_AT_ONCE = 10

_Result = TypeVar("_Result")
_Row = TypeVar("_Row")


class Retries:
    """Decisions on rows: one at a time for each key within this process, the store keeps others apart.

    They are made again where another writer was quicker, or has taken what they need.
    """

    def __init__(self) -> None:
        # A lock is forgotten when nobody holds it or waits for it.
        self._locks: WeakValueDictionary[str, Lock] = WeakValueDictionary()

    async def until_saved(self, key: str, decide: Callable[[], Awaitable[_Result]]) -> _Result:
        """What *decide* makes of the rows, which it has to load each time it is called.

        Raises:
            Problem: 503, others were quicker again and again.
        """
        async with self._locks.setdefault(key, Lock()):
            for attempt in range(1, MOST_ATTEMPTS + 1):
                with suppress(Stale, SoldOut):
                    return await decide()
                observed().retries += 1
                await asyncio.sleep(random.uniform(0, PAUSE_SECONDS * attempt))  # noqa: S311 - no secret
        raise Problem(503, "busy", retry_after=1)


async def side_by_side(work: Callable[[_Row], Awaitable[None]], rows: Sequence[_Row]) -> None:
    """Do *work* on each of *rows*, on some at once: one that hangs holds up few others.

    Raises:
        Exception: the first that was raised, once all is done.
    """
    turns = asyncio.Semaphore(_AT_ONCE)

    async def in_turn(row: _Row) -> None:
        """Do it when there is room."""
        async with turns:
            await work(row)

    for outcome in await asyncio.gather(*map(in_turn, rows), return_exceptions=True):
        if isinstance(outcome, BaseException):
            raise outcome
