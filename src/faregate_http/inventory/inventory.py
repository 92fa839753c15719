"""Pool usage and the holds of checkouts, converted between the core and the store."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Capacity, PoolSlot, PoolUsage
from faregate.catalogue.products import Product
from faregate.checkout.code_limits import CodeLimit, code_limits
from faregate.checkout.held_units import check_capacity, units_held_by
from faregate.checkout.model import Checkout
from faregate.checkout.requirements import claimed_code_limits
from faregate.dates.durations import Duration
from faregate.errors import UnknownEntry
from faregate.totals.pipeline import CheckoutTotals
from faregate_http.inventory.slots import ALLOWANCES, bounds_of, is_allowance, slot_of, text_of
from faregate_http.protocol.instants import millis
from faregate_http.store.contract import Hold, SoldOut, Store

FULL_FOR = timedelta(seconds=5)
"""Time for which a slot's free capacity is checked before new holds, once the store has refused some."""

LEVELS_KEPT_FOR = timedelta(seconds=1)
"""Maximum age of the usage counts that decide whether a slot is nearly full and its holds expire sooner."""

_MAX_FULL = 10_000
_DAY = timedelta(days=1)
_LONGEST_MONTH = 31
_DAY_SECONDS = 86_400


class Inventory:
    """The usage of a catalogue's capacity pools.

    Holds are saved without checking free capacity first; the store refuses holds that do not fit. Only slots
    that the store refused a moment ago are checked first, so that a rush on a full day does not burden the
    store.
    """

    def __init__(self, store: Store, catalogue: Catalogue, *, scarce_percent: int | None = None) -> None:
        self._store = store
        self._catalogue = catalogue
        self._scarce_percent = scarce_percent
        self._full: dict[tuple[str, str], datetime] = {}
        self._levels: dict[tuple[str, str], tuple[datetime, int]] = {}

    async def around(
        self, product: Product, first: date, last: date, *, at: datetime, without: str | None = None
    ) -> Capacity:
        """Return the pool usage that affects periods of *product* starting on a day from *first* to *last*.

        The holds of the checkout with the id *without* are left out.
        """
        pools = {use.pool for use in product.pools}
        if product.sold_pool is not None:
            pools.add(product.sold_pool)
        longest = max((_days_of(duration) for duration in product.durations), default=1)
        return await self._taken(sorted(pools), first - _DAY, last + longest * _DAY, at, without)

    async def claim(
        self, before: Checkout, after: Checkout, *, checkout_id: str, at: datetime
    ) -> list[Hold] | None:
        """Return the holds that a checkout needs *after* a change, or None if they equal those *before* it.

        Raises:
            UnknownEntry: an item is no longer sold.
            CheckoutConflict: a slot was refused a moment ago and still lacks capacity; the error names the
                pool and day with the largest shortage.
        """
        if after.items == before.items:
            return None
        wanted = units_held_by(after, catalogue=self._catalogue)
        held = self._held(before)
        if wanted == held:
            return None
        holds = [*self._limited(wanted, held)]
        if self._is_doubtful(holds, at):
            await self._check(wanted, held, checkout_id=checkout_id, at=at)
        return holds

    def holds_of(self, checkout: Checkout, totals: CheckoutTotals | None = None) -> list[Hold]:
        """Return all holds that a checkout needs: on pools and, if *totals* are given, on code limits.

        Raises:
            UnknownEntry: an item is no longer sold.
        """
        places = [*self._limited(units_held_by(checkout, catalogue=self._catalogue), {})]
        if totals is None:
            return places
        sizes = code_limits(checkout.codes, self._catalogue, checkout.promo_codes)
        claimed = claimed_code_limits(totals)
        return places + [
            Hold(allowance.code, allowance.kind.value, units, sizes[allowance])
            for allowance, units in claimed.items()
        ]

    async def spent(
        self, checkout: Checkout, *, checkout_id: str, at: datetime
    ) -> tuple[tuple[CodeLimit, int], ...]:
        """Return *checkout*'s code limits with the amounts used up by other paid or pending checkouts."""
        allowances = code_limits(checkout.codes, self._catalogue, checkout.promo_codes)
        if not allowances:
            return ()
        codes = sorted({allowance.code for allowance in allowances})
        counts = await self._store.taken(codes, *ALLOWANCES, at=millis(at), without=checkout_id)
        taken = {(count.pool, count.slot): count.sold + count.held for count in counts}
        found = [
            (allowance, taken.get((allowance.code, allowance.kind.value), 0)) for allowance in allowances
        ]
        return tuple([(allowance, units) for allowance, units in found if units])

    def _is_doubtful(self, holds: Sequence[Hold], at: datetime) -> bool:
        """Return True if the store refused a slot of *holds* in the last few seconds."""
        return bool(self._full) and any(
            hold[:2] in self._full and at - self._full[hold[:2]] < FULL_FOR for hold in holds
        )

    def found_full(self, refusal: SoldOut, at: datetime) -> None:
        """Remember the slot that the store refused, unless it is a code limit, which is always read anew."""
        if is_allowance(refusal.slot):
            return
        if len(self._full) >= _MAX_FULL:
            self._full.clear()
        self._full[refusal.pool, refusal.slot] = at

    async def is_scarce(self, checkout: Checkout, holds: Sequence[Hold] | None, at: datetime) -> bool:
        """Return True if any slot of *holds* (None: of *checkout*'s current holds) is nearly full with them.

        Counts of other holds may be up to a second old.
        """
        if self._scarce_percent is None:
            return False
        if holds is None:
            places = self._held(checkout)
            holds = [*self._limited(places, places)]
        levels = self._levels
        old = at - LEVELS_KEPT_FOR
        unknown = [hold for hold in holds if hold[:2] not in levels or not old < levels[hold[:2]][0] <= at]
        if unknown:
            await self._read_levels(unknown, at)
        is_scarce = False
        for hold in holds:
            read_at, taken = levels.get(hold[:2], (at, 0))
            taken += max(hold.units - hold.before, 0)
            levels[hold[:2]] = read_at, taken
            is_scarce |= taken * 100 >= hold.size * self._scarce_percent
        return is_scarce

    async def _read_levels(self, holds: Sequence[Hold], at: datetime) -> None:
        if len(self._levels) >= _MAX_FULL:
            self._levels.clear()
        pools = sorted({hold.pool for hold in holds})
        slots = sorted(hold.slot for hold in holds)
        counts = await self._store.taken(pools, slots[0], slots[-1], at=millis(at))
        self._levels.update({hold[:2]: (at, 0) for hold in holds})
        self._levels.update({count[:2]: (at, count.sold + count.held) for count in counts})

    async def check_places_of(self, checkout: Checkout, *, checkout_id: str, at: datetime) -> None:
        """Check that there is enough capacity for all items of a checkout.

        Raises:
            CheckoutConflict: lack of capacity; the error names the pool and day with the largest shortage.
        """
        wanted = units_held_by(checkout, catalogue=self._catalogue)
        await self._check(wanted, {}, checkout_id=checkout_id, at=at)

    async def _check(
        self,
        wanted: Mapping[PoolSlot, int],
        held: Mapping[PoolSlot, int],
        *,
        checkout_id: str,
        at: datetime,
    ) -> None:
        days = sorted(slot.day for slot in wanted)
        if days:
            pools = sorted({slot.pool for slot in wanted})
            capacity = await self._taken(pools, days[0], days[-1], at, checkout_id)
            check_capacity(wanted, held, catalogue=self._catalogue, capacity=capacity)

    def _held(self, checkout: Checkout) -> dict[PoolSlot, int]:
        try:
            return units_held_by(checkout, catalogue=self._catalogue)
        except UnknownEntry:  # an item is no longer sold: count it as not held
            return {}

    def _limited(self, wanted: Mapping[PoolSlot, int], held: Mapping[PoolSlot, int]) -> Iterable[Hold]:
        for slot, places in wanted.items():
            size = self._catalogue.for_sale(slot.pool, slot.day)
            if size is not None:
                yield Hold(slot.pool, text_of(slot), places, size, held.get(slot, 0))

    async def _taken(
        self, pools: list[str], first: date, last: date, at: datetime, without: str | None = None
    ) -> dict[PoolSlot, PoolUsage]:
        if not pools:
            return {}
        counts = await self._store.taken(pools, *bounds_of(first, last), at=millis(at), without=without)
        return {slot_of(count.pool, count.slot): PoolUsage(count.sold, count.held) for count in counts}


def _days_of(duration: Duration) -> int:
    return duration.months * _LONGEST_MONTH + duration.days + duration.seconds // _DAY_SECONDS + 1
