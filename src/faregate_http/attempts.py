"""Deciding again where somebody else was quicker: a write names what it was decided on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from faregate_http.locks import KeyedLocks
from faregate_http.problems import Problem
from faregate_http.store.contract import Stale

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

__all__ = ["Attempts"]

_MOST_ATTEMPTS = 20

_Result = TypeVar("_Result")


class Attempts:
    """Decisions on rows: one at a time for each key within this process, the store keeps others apart."""

    def __init__(self) -> None:
        self._locks = KeyedLocks()

    async def until_saved(self, key: str, decide: Callable[[], Awaitable[_Result]]) -> _Result:
        """What *decide* makes of the rows, which it has to load each time it is called.

        Raises:
            Problem: 503, others were quicker again and again.
        """
        async with self._locks.holding(key):
            for _ in range(_MOST_ATTEMPTS):
                try:
                    return await decide()
                except Stale:
                    continue
        raise Problem(503, "busy", "Too many changes at once; try again.", headers=((b"retry-after", b"1"),))
