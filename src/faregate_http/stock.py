"""The places of pools between the store and the core: what is taken, and what a checkout holds."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from faregate.errors import UnknownEntry
from faregate.pools import PoolSlot, Taken
from faregate.reservations import check_places, places_of
from faregate_http.instants import millis
from faregate_http.store.contract import Hold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from faregate.catalogue import Catalogue, Product
    from faregate.checkout_inputs import Checkout
    from faregate.dates import Duration
    from faregate.pools import Capacity
    from faregate_http.store.contract import Store

__all__ = ["Stock"]

SNAPSHOT_FOR = timedelta(seconds=5)
"""So old the counts of what is sold may be that prices follow (decisions §9)."""

_DAY = timedelta(days=1)
_LONGEST_MONTH = 31
_DAY_SECONDS = 86_400


class Stock:
    """What is taken of the pools of a catalogue."""

    def __init__(self, store: Store, catalogue: Catalogue) -> None:
        self._store = store
        self._catalogue = catalogue
        self._pools_priced_by = sorted({p.sold_pool for p in catalogue.products if p.sold_pool is not None})
        self._sold: dict[PoolSlot, Taken] = {}
        self._sold_at = datetime.min.replace(tzinfo=UTC)

    async def around(
        self, product: Product, first: date, last: date, *, at: datetime, without: str | None = None
    ) -> Capacity:
        """What is taken on the days of validities of *product* that begin from *first* to *last*.

        The holds of the checkout *without* are left out.
        """
        pools = {use.pool for use in product.pools}
        if product.sold_pool is not None:
            pools.add(product.sold_pool)
        longest = max((_days_of(duration) for duration in product.durations), default=1)
        return await self._taken(sorted(pools), first - _DAY, last + longest * _DAY, at, without)

    async def sold(self, at: datetime) -> Capacity:
        """What is sold of the pools that prices follow, a few seconds old at most."""
        if self._pools_priced_by and not timedelta() <= at - self._sold_at < SNAPSHOT_FOR:
            self._sold = await self._taken(self._pools_priced_by, at.date() - _DAY, date.max, at)
            self._sold_at = at
        return self._sold

    async def holds(
        self, before: Checkout, after: Checkout, *, checkout_id: str, at: datetime
    ) -> list[Hold] | None:
        """What the checkout *after* a change must hold; None: the same as *before*.

        Raises:
            CheckoutConflict: there are not so many places left.
        """
        if after.items == before.items:
            return None
        wanted = places_of(after, catalogue=self._catalogue)
        held = self._held(before)
        if wanted == held:
            return None
        if any(places > held.get(slot, 0) for slot, places in wanted.items()):
            capacity = await self._on(wanted, at, checkout_id)
            check_places(wanted, held, catalogue=self._catalogue, capacity=capacity)
        return [*self._limited(wanted)]

    def _held(self, checkout: Checkout) -> dict[PoolSlot, int]:
        try:
            return places_of(checkout, catalogue=self._catalogue)
        except UnknownEntry:  # something in it is sold no longer: count it as not held
            return {}

    def _limited(self, wanted: Mapping[PoolSlot, int]) -> Iterable[Hold]:
        for slot, places in wanted.items():
            size = self._catalogue.pool(slot.pool).for_sale(slot.day, self._catalogue.calendar)
            if size is not None:
                yield Hold(slot.pool, _text(slot), places, size)

    async def _on(self, slots: Iterable[PoolSlot], at: datetime, without: str) -> Capacity:
        days = sorted(slot.day for slot in slots)
        pools = sorted({slot.pool for slot in slots})
        return await self._taken(pools, days[0], days[-1], at, without)

    async def _taken(
        self, pools: list[str], first: date, last: date, at: datetime, without: str | None = None
    ) -> dict[PoolSlot, Taken]:
        if not pools:
            return {}
        counts = await self._store.taken(
            pools, first.isoformat(), f"{last.isoformat()}~", at=millis(at), without=without
        )
        return {_slot(count.pool, count.slot): Taken(count.sold, count.held) for count in counts}


def _days_of(duration: Duration) -> int:
    return duration.months * _LONGEST_MONTH + duration.days + duration.seconds // _DAY_SECONDS + 1


def _text(slot: PoolSlot) -> str:
    """A day, or a time slot of it, so that text sorts by time."""
    return f"{slot.day}T{slot.start:%H:%M}" if slot.start else f"{slot.day}"


def _slot(pool: str, text: str) -> PoolSlot:
    day, _, start = text.partition("T")
    return PoolSlot(pool, date.fromisoformat(day), time.fromisoformat(start) if start else None)
