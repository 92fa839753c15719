"""Places of pools: what a unit takes, what is free, and whether a party fits. Decisions §8.3, §8.4.

What is taken comes from the caller, as a ``Capacity``; how many places there are says the catalogue.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import time, timedelta
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from faregate.catalogue.pools import Counting, PoolSlot, PoolUsage
from faregate.dates.instants import in_utc, in_zone, local_instant, service_days
from faregate.errors import InvalidPeriod

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date, datetime

    from faregate.catalogue.catalogue import Catalogue
    from faregate.catalogue.pools import Capacity, Pool, PoolUse, TimeSlot
    from faregate.catalogue.products import Product, Variant
    from faregate.dates.instants import Interval

_DAY = timedelta(days=1)
_NOTHING = PoolUsage()


@dataclass(frozen=True, slots=True)
class Feasibility:
    """Whether a party fits, and where it lacks the most places if it does not."""

    ok: bool
    bottleneck: PoolSlot | None = None


def uses_of(variant: Variant, product: Product) -> dict[str, int]:
    """How many places of each pool a unit of *variant* takes, on each day that counts."""
    return dict(variant.uses) if variant.uses else {use.pool: 1 for use in product.pools}


def pool_slots(use: PoolUse, pool: Pool, validity: Interval) -> list[PoolSlot]:
    """The days of *pool*, or its time slots, on which *validity* takes places; in order.

    Raises:
        InvalidPeriod: *validity* is in no zone, and the pool has time slots.
    """
    if use.counting is Counting.NONE:
        return []
    days = service_days(validity)
    if pool.slots:
        slots = list(_overlapping(pool, validity))
    else:
        slots = [PoolSlot(pool.identifier, days.start + n * _DAY) for n in range(days.days)]
    if use.counting is not Counting.FIRST_DAY:
        return slots
    # A slot that runs since the day before is that of a validity for which the first day has no other.
    return ([slot for slot in slots if slot.day == days.start] or slots)[:1]


def _overlapping(pool: Pool, validity: Interval) -> Iterator[PoolSlot]:
    """The time slots that share an instant with *validity*; one that begins the day before may."""
    zone = validity.start.tzinfo
    if not isinstance(zone, ZoneInfo):
        raise InvalidPeriod(f"expected a validity in a zone, got {zone!r}")
    start, end = in_utc(validity.start), in_utc(validity.end)
    days = service_days(validity)
    for n in range(-1, days.days):
        day = days.start + n * _DAY
        for opens, closes, at in _hours(pool.slots, day, zone):
            if max(opens, start) < min(closes, end):
                yield PoolSlot(pool.identifier, day, at)


@lru_cache(maxsize=4096)  # 0.4 us, not 22 us for four slots: calendars ask for each day of each product
def _hours(slots: tuple[TimeSlot, ...], day: date, zone: ZoneInfo) -> list[tuple[datetime, datetime, time]]:
    """When each slot of *day* opens and closes, in UTC, and its local start; in order."""
    hours = []
    for slot in sorted(slots, key=attrgetter("start", "end")):
        opens = local_instant(day, slot.start, zone)
        closes = local_instant(day if slot.end > slot.start else day + _DAY, slot.end, zone)
        if opens.date() == day:  # unless the clocks skip its start into the next
            hours.append((in_utc(opens), in_utc(closes), slot.start))
    return hours


def pool_demand(units: Iterable[tuple[int, Interval | None]], *, catalogue: Catalogue) -> dict[PoolSlot, int]:
    """The places that *units* take together; each is a variant's id and its validity, in whatever zone.

    Raises:
        UnknownEntry: the catalogue has no such variant, or not its merchant.
        InvalidPeriod: a validity lacks its offset.
    """
    wanted: dict[PoolSlot, int] = {}
    alike = Counter((variant_id, validity, _folds(validity)) for variant_id, validity in units)
    for (variant_id, validity, _), count in alike.items():
        product, variant = catalogue.variant(variant_id)
        if validity is None or not product.pools:
            continue
        uses = uses_of(variant, product)
        local = in_zone(validity, ZoneInfo(catalogue.merchant(product.merchant).timezone))
        for use in product.pools:
            places = count * uses.get(use.pool, 0)
            if places:
                for slot in pool_slots(use, catalogue.pool(use.pool), local):
                    wanted[slot] = wanted.get(slot, 0) + places
    return wanted


def _folds(validity: Interval | None) -> tuple[int, ...]:
    """What tells two validities apart that are equal by the clock on the wall."""
    return () if validity is None else (validity.start.fold, validity.end.fold)


def free_units(slot: PoolSlot, *, catalogue: Catalogue, capacity: Capacity) -> int | None:
    """How many places of a pool-day are free; None: as many as are wanted."""
    for_sale = catalogue.for_sale(slot.pool, slot.day)
    if for_sale is None:
        return None
    sold, held = capacity.get(slot, _NOTHING)
    return max(for_sale - sold - held, 0)


def max_units(places: Mapping[PoolSlot, int], free: Mapping[PoolSlot, int | None]) -> int | None:
    """How many units still fit that take *places* each; None: as many as are wanted.

    >>> from datetime import date
    >>> monday, tuesday = PoolSlot("mtn", date(2026, 12, 28)), PoolSlot("mtn", date(2026, 12, 29))
    >>> max_units({monday: 4, tuesday: 4}, {monday: 9, tuesday: 5})
    1
    """
    fitting = (left // units for slot, units in places.items() if (left := free[slot]) is not None and units)
    return min(fitting, default=None)


def fits_capacity(demand: Mapping[PoolSlot, int], free: Mapping[PoolSlot, int | None]) -> Feasibility:
    """Whether a party's whole *demand* fits into what is *free*: on every pool-day, or not at all.

    >>> from datetime import date
    >>> slot = PoolSlot("mtn", date(2026, 12, 28))
    >>> fits_capacity({slot: 5}, {slot: 4})
    Feasibility(ok=False, bottleneck=PoolSlot(pool='mtn', day=datetime.date(2026, 12, 28), start=None))
    """
    short = [
        (left - wanted, slot)
        for slot, wanted in demand.items()
        if (left := free[slot]) is not None and left < wanted
    ]
    if not short:
        return Feasibility(ok=True)
    return Feasibility(False, min(short, key=lambda entry: (entry[0], *_order(entry[1])))[1])


def _order(slot: PoolSlot) -> tuple[object, ...]:
    """By time, then by pool: so no answer depends on the order of a party's items."""
    return slot.day, slot.start or time.min, slot.pool
