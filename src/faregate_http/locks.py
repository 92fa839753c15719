"""One change of a checkout at a time within this process; other processes are kept apart by the store."""

from __future__ import annotations

from asyncio import Lock
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

__all__ = ["KeyedLocks"]


class KeyedLocks:
    """A lock per key, which is forgotten when nobody holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: dict[str, tuple[Lock, int]] = {}

    @asynccontextmanager
    async def holding(self, key: str) -> AsyncIterator[None]:
        """Hold the lock of *key* within the block."""
        lock, users = self._locks.get(key, (None, 0))
        lock = lock or Lock()
        self._locks[key] = lock, users + 1
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks.pop(key)
            if users > 1:
                self._locks[key] = lock, users - 1
