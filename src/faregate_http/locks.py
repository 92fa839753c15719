"""One change of a checkout at a time within this process; other processes are kept apart by the store."""

from __future__ import annotations

from asyncio import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType


class KeyedLocks:
    """A lock per key, which is forgotten when nobody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: dict[str, _KeyedLock] = {}

    def holding(self, key: str) -> _KeyedLock:
        """Hold the lock of *key* within an ``async with`` block."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = _KeyedLock(key, self._locks)
        return lock


class _KeyedLock(Lock):
    """Written out as a context: it stands on the way of every change, and a generator costs more."""

    def __init__(self, key: str, locks: dict[str, _KeyedLock]) -> None:
        super().__init__()
        self._key = key
        self._locks = locks
        self._users = 0

    async def __aenter__(self) -> None:
        self._users += 1
        try:
            await self.acquire()
        except BaseException:
            self._leave()
            raise

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.release()
        self._leave()

    def _leave(self) -> None:
        self._users -= 1
        if not self._users:
            del self._locks[self._key]
