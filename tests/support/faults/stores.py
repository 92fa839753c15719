"""Untrustworthy stores, by name; a test must detect the error of each."""

import asyncio
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from faregate_http.store.contract import CheckoutRow, Hold, HoldLimits, Store, StoredAnswer, StoreUnavailable
from faregate_http.store.records import OrderRow, Record, TicketRow
from support.processes.real_server import STORES as OTHERS
from support.stores.wrapped_store import WrappedStore


class OrderingLaterStore(WrappedStore):
    """A store that settles a checkout, and saves its order and tickets a moment later."""

    async def save(
        self,
        row: CheckoutRow | None,
        answer: StoredAnswer | None = None,
        holds: Sequence[Hold] | None = None,
        *,
        records: Sequence[Record] = (),
        erased: Sequence[Record] = (),
        limits: HoldLimits | None = None,
    ) -> None:
        if not any(isinstance(record, OrderRow) for record in records):
            await self.inner.save(row, answer, holds, records=records, erased=erased, limits=limits)
            return
        now = [record for record in records if hasattr(record, "deadline")]
        await self.inner.save(row, answer, holds, records=now, erased=erased, limits=limits)
        await asyncio.sleep(0.02)
        await self.inner.save(None, records=[record for record in records if record not in now])


class ShruggingStore(WrappedStore):
    """A store that reports success where the database failed."""

    async def save(
        self,
        row: CheckoutRow | None,
        answer: StoredAnswer | None = None,
        holds: Sequence[Hold] | None = None,
        *,
        records: Sequence[Record] = (),
        erased: Sequence[Record] = (),
        limits: HoldLimits | None = None,
    ) -> None:
        with suppress(StoreUnavailable):
            await self.inner.save(row, answer, holds, records=records, erased=erased, limits=limits)


class DyingStore(WrappedStore):
    """A store that kills its process after *saves* saves of requests, before the response."""

    def __init__(self, inner: Store, saves: int) -> None:
        super().__init__(inner)
        self._left = saves

    async def save(
        self,
        row: CheckoutRow | None,
        answer: StoredAnswer | None = None,
        holds: Sequence[Hold] | None = None,
        *,
        records: Sequence[Record] = (),
        erased: Sequence[Record] = (),
        limits: HoldLimits | None = None,
    ) -> None:
        await self.inner.save(row, answer, holds, records=records, erased=erased, limits=limits)
        self._count(records)

    def _count(self, records: Sequence[Record]) -> None:
        if records and all(isinstance(record, TicketRow) for record in records):
            return  # issued by a background task
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class DyingHalfwayStore(DyingStore):
    """A store that dies like that, and saves each stored response after its change."""

    async def save(
        self,
        row: CheckoutRow | None,
        answer: StoredAnswer | None = None,
        holds: Sequence[Hold] | None = None,
        *,
        records: Sequence[Record] = (),
        erased: Sequence[Record] = (),
        limits: HoldLimits | None = None,
    ) -> None:
        await super().save(row, None, holds, records=records, erased=erased, limits=limits)
        if answer is not None:
            await self.inner.save(None, answer)


_STORES: Mapping[str, Callable[[Store], Store]] = {
    **OTHERS,
    "ordering-later": OrderingLaterStore,
    "shrugging": ShruggingStore,
}
_DYING = {"dying": DyingStore, "dying-halfway": DyingHalfwayStore}


def store_named(name: str, inner: Store) -> Store:
    """Return the store of that name around *inner*; ``dying:2`` dies after the second save."""
    kind, _, number = name.partition(":")
    return _DYING[kind](inner, int(number)) if number else _STORES[kind](inner)
