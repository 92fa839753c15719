"""Untrustworthy stores, by name; a test must detect the error of each."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from faregate_http.store.contract import SlotCount, Store, StoreUnavailable
from faregate_http.store.records import OrderRow, TicketRow
from support.processes.real_server import STORES as OTHERS
from support.stores.wrapped_store import Save, WrappedStore


class OrderingLaterStore(WrappedStore):
    """A store that settles a checkout, and saves its order and tickets a moment later."""

    async def keep(self, save: Save) -> None:
        if not any(isinstance(record, OrderRow) for record in save.records):
            await super().keep(save)
            return
        now = [record for record in save.records if hasattr(record, "deadline")]
        await super().keep(save._replace(records=now))
        await asyncio.sleep(0.02)
        await self.inner.save(None, records=[record for record in save.records if record not in now])


class ShruggingStore(WrappedStore):
    """A store that reports success where the database failed."""

    async def keep(self, save: Save) -> None:
        with suppress(StoreUnavailable):
            await super().keep(save)


class OverbookingStore(WrappedStore):
    """A store that has one unit more than there is, in its holds and in its counts."""

    async def taken(self, *arguments: Any, **named: Any) -> list[SlotCount]:
        counts = await self.inner.taken(*arguments, **named)
        return [count._replace(sold=max(count.sold - 1, 0)) for count in counts]

    async def keep(self, save: Save) -> None:
        holds = save.holds and [hold._replace(size=hold.size + 1) for hold in save.holds]
        await super().keep(save._replace(holds=holds))


class DyingStore(WrappedStore):
    """A store that kills its process after *saves* saves of requests, before the response."""

    def __init__(self, inner: Store, saves: int) -> None:
        super().__init__(inner)
        self._left = saves

    async def keep(self, save: Save) -> None:
        await super().keep(save)
        if save.records and all(isinstance(record, TicketRow) for record in save.records):
            return  # issued by a background task
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class DyingHalfwayStore(DyingStore):
    """A store that dies like that, and saves each stored response after its change."""

    async def keep(self, save: Save) -> None:
        await super().keep(save._replace(answer=None))
        if save.answer is not None:
            await self.inner.save(None, save.answer)


_STORES: Mapping[str, Callable[[Store], Store]] = {
    **OTHERS,
    "ordering-later": OrderingLaterStore,
    "shrugging": ShruggingStore,
    "overbooking": OverbookingStore,
}
_DYING = {"dying": DyingStore, "dying-halfway": DyingHalfwayStore}


def store_named(name: str, inner: Store) -> Store:
    """Return the store of that name around *inner*; ``dying:2`` dies after the second save."""
    kind, _, number = name.partition(":")
    return _DYING[kind](inner, int(number)) if number else _STORES[kind](inner)
