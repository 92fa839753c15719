"""A limit on the connections that saves of one slot use at once, which leaves the others to other slots."""

from asyncio import Semaphore
from collections import defaultdict
from collections.abc import AsyncIterator, Collection
from contextlib import AsyncExitStack, asynccontextmanager

Slot = tuple[str, str]


class SlotGate:
    """Admits at most *most* saves of a slot at once, in order of arrival, on one event loop.

    ``waiting`` is the number of saves that wait.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._semaphores: defaultdict[Slot, Semaphore] = defaultdict(lambda: Semaphore(most))
        self._users: defaultdict[Slot, int] = defaultdict(int)
        self.waiting = 0

    @asynccontextmanager
    async def entered(self, slots: Collection[Slot]) -> AsyncIterator[None]:
        """Run the block once *slots*, sorted like those of all other saves, have room for it."""
        for slot in slots:
            self._users[slot] += 1
        try:
            async with AsyncExitStack() as places:
                self.waiting += 1
                try:
                    for slot in slots:
                        await places.enter_async_context(self._semaphores[slot])
                finally:
                    self.waiting -= 1
                yield
        finally:
            for slot in slots:
                self._users[slot] -= 1
                if not self._users[slot]:
                    del self._users[slot], self._semaphores[slot]
