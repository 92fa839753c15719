"""In-memory counts of the units sold in pools that prices depend on, so that gate prices need no database.

Decisions §9: the counts are read before the first request and then regularly in the background. A timer
measures their age, because the clock may be adjusted.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import NoReturn

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Capacity, PoolSlot, PoolUsage
from faregate.checkout.held_units import units_held_by
from faregate.checkout.model import Checkout
from faregate.errors import UnknownEntry
from faregate_http.inventory.slots import bounds_of, slot_of
from faregate_http.protocol.instants import millis
from faregate_http.protocol.problems import Problem
from faregate_http.store.contract import Store

MAX_SECONDS = 5.0
"""Maximum age of the counts of sold units, in seconds."""

READ_EVERY_SECONDS = 2.0
"""Interval between reads of the counts, in seconds; one read may fail before the counts are too old."""

REACH = timedelta(days=400)
"""Period before today in which sold units count; earlier days are priced as if nothing had been sold."""


class SoldCounts:
    """Counts of the units sold in *store*, for the pools on which prices in *catalogue* depend.

    If no price depends on a pool, no counts are read. *clock* gives the day; *timer* counts seconds, to
    measure the age of the counts.
    """

    def __init__(
        self,
        store: Store,
        catalogue: Catalogue,
        *,
        clock: Callable[[], datetime],
        timer: Callable[[], float],
    ) -> None:
        self._store = store
        self._clock = clock
        self._timer = timer
        self._pools = sorted({p.sold_pool for p in catalogue.products if p.sold_pool is not None})
        self._held_pools = {p.sold_pool for p in catalogue.products if p.counts_holds}
        self._catalogue = catalogue
        self._counts: Capacity = {}
        self._read_at = datetime.min.replace(tzinfo=UTC)
        self._best_before = float("-inf")

    @property
    def are_at_hand(self) -> bool:
        """True if the counts in memory are recent enough to be used."""
        return not self._pools or self._timer() < self._best_before

    def at_hand(self) -> Capacity:
        """Return the counts in memory; if they are too old, every lookup in them raises a 503 problem."""
        return self._counts if self.are_at_hand else _TOO_OLD

    async def fresh(self, without: Checkout | None = None) -> Capacity:
        """Return the counts, rereading them first if the timer or the clock says they are too old.

        Units held by the checkout *without* are left out, so that its own units do not raise its prices.

        Raises:
            StoreUnavailable: the counts are too old and cannot be read.
        """
        if not self.are_at_hand or self._are_of_another_time():
            await self.read()
        if without is None or not self._held_pools:
            return self._counts
        return {**self._counts, **dict(self._held_by_others(without))}

    def _held_by_others(self, checkout: Checkout) -> Iterator[tuple[PoolSlot, PoolUsage]]:
        try:
            own = units_held_by(checkout, catalogue=self._catalogue)
        except UnknownEntry:  # an item is no longer sold; the change is refused when the checkout is priced
            return
        for slot, units in own.items():
            taken = self._counts.get(slot)
            if taken is not None:
                yield slot, taken._replace(held=max(taken.held - units, 0))

    async def read(self) -> None:
        """Read the counts from the store into memory.

        Raises:
            StoreUnavailable: the counts cannot be read.
        """
        if not self._pools:
            return
        at, best_before = self._clock(), self._timer() + MAX_SECONDS
        days = bounds_of(at.date() - REACH, date.max)
        counts = await self._store.taken(self._pools, *days, at=millis(at))
        held = self._held_pools
        usages = ((count, PoolUsage(count.sold, count.held if count.pool in held else 0)) for count in counts)
        self._counts = {slot_of(count.pool, count.slot): usage for count, usage in usages if any(usage)}
        self._read_at, self._best_before = at, best_before

    def _are_of_another_time(self) -> bool:
        age = self._clock() - self._read_at
        return bool(self._pools) and not timedelta() <= age < timedelta(seconds=MAX_SECONDS)


class _TooOld(Mapping[PoolSlot, PoolUsage]):
    """Placeholder for counts that are too old; prices that do not depend on counts can still be computed."""

    def _refuse(self, *_: object) -> NoReturn:
        raise Problem(
            503,
            "sold-counts-stale",
            headers=((b"retry-after", b"1"),),
        )

    __getitem__ = __iter__ = __len__ = _refuse


_TOO_OLD = _TooOld()
