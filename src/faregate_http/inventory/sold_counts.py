"""What is sold of the pools that prices follow, kept in memory: turnstiles do not wait for a database.

Decisions §9: the counts are read before the first request and again and again beside the requests. Their
age is told by a timer, which no correction of the clock moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, NoReturn

from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate_http.inventory.slots import bounds_of, slot_of
from faregate_http.protocol.instants import millis
from faregate_http.protocol.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

    from faregate.catalogue.catalogue import Catalogue
    from faregate.catalogue.pools import Capacity
    from faregate_http.store.contract import Store

MAX_SECONDS = 5.0
"""So old the counts may be."""

READ_EVERY_SECONDS = 2.0
"""So that one attempt may fail before they are too old."""

REACH = timedelta(days=400)
"""So far back days are priced by what was sold; before, as if nothing was."""


class SoldCounts:
    """The counts of *store*, for the pools that products of *catalogue* are priced by.

    Where no product is, none are read. *clock* tells the day, *timer* the age in seconds.
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
        self._counts: Capacity = {}
        self._read_at = datetime.min.replace(tzinfo=UTC)
        self._best_before = float("-inf")

    @property
    def are_at_hand(self) -> bool:
        """Return whether `at_hand` has counts that are not too old."""
        return not self._pools or self._timer() < self._best_before

    def at_hand(self) -> Capacity:
        """The counts without a look at the store; while they are too old, nobody gets one out of them."""
        return self._counts if self.are_at_hand else _TOO_OLD

    async def fresh(self) -> Capacity:
        """The counts, read now if they are too old by the timer or by the clock.

        Raises:
            StoreUnavailable: they are, and cannot be read.
        """
        if not self.are_at_hand or self._are_of_another_time():
            await self.read()
        return self._counts

    async def read(self) -> None:
        """Read the counts.

        Raises:
            StoreUnavailable: they cannot be read.
        """
        if not self._pools:
            return
        at, best_before = self._clock(), self._timer() + MAX_SECONDS
        days = bounds_of(at.date() - REACH, date.max)
        counts = await self._store.taken(self._pools, *days, at=millis(at))
        self._counts = {
            slot_of(count.pool, count.slot): PoolUsage(count.sold) for count in counts if count.sold
        }
        self._read_at, self._best_before = at, best_before

    def _are_of_another_time(self) -> bool:
        age = self._clock() - self._read_at
        return bool(self._pools) and not timedelta() <= age < timedelta(seconds=MAX_SECONDS)


class _TooOld(Mapping[PoolSlot, PoolUsage]):
    """Stands where counts are too old: a price that does not follow them is found all the same."""

    def _refuse(self, *_: object) -> NoReturn:
        raise Problem(
            503,
            "sold-counts-stale",
            headers=((b"retry-after", b"1"),),
        )

    __getitem__ = __iter__ = __len__ = _refuse


_TOO_OLD = _TooOld()
