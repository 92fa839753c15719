"""Pool capacity: the demand for units, the free units, and whether a party fits. Decisions §8.3, §8.4.

The caller passes the units sold and held as a ``Capacity``; the pool sizes come from the catalogue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from operator import attrgetter
from zoneinfo import ZoneInfo

from faregate._values import public_value
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Capacity, Counting, Pool, PoolSlot, PoolUsage, PoolUse, TimeSlot
from faregate.catalogue.products import Product, Variant
from faregate.dates.instants import Interval, in_utc, in_zone, local_instant, service_days
from faregate.errors import InvalidPeriod

_DAY = timedelta(days=1)
_NOTHING = PoolUsage()


@public_value
@dataclass(frozen=True, slots=True)
class Feasibility:
    """The result of a capacity check; ``bottleneck`` is the pool-day with the largest shortage, or None."""

    ok: bool
    bottleneck: PoolSlot | None = None


def uses_of(variant: Variant, product: Product) -> dict[str, int]:
    """Return the pool units that one unit of *variant* takes per day or time slot, keyed by pool."""
    return dict(variant.uses) if variant.uses else {use.pool: 1 for use in product.pools}


def pool_slots(use: PoolUse, pool: Pool, validity: Interval) -> list[PoolSlot]:
    """Return the days or time slots of *pool* from which *use* takes units during *validity*, in order.

    Raises:
        InvalidPeriod: the pool has time slots, and *validity* has no ``ZoneInfo`` time zone.
    """
    if use.counting is Counting.NONE:
        return []
    days = service_days(validity)
    if pool.slots:
        slots = list(_overlapping(pool, validity))
    else:
        slots = [PoolSlot(pool.identifier, day) for day in days.dates]
    if use.counting is not Counting.FIRST_DAY:
        return slots
    # A slot that began the day before is used only if the first day has no slot of its own.
    return ([slot for slot in slots if slot.day == days.start] or slots)[:1]


def _overlapping(pool: Pool, validity: Interval) -> Iterator[PoolSlot]:
    """Yield the time slots of *pool* that overlap *validity*, including those from the day before."""
    zone = validity.start.tzinfo
    if not isinstance(zone, ZoneInfo):
        raise InvalidPeriod(f"expected a validity period in a ZoneInfo time zone, got {zone!r}")
    start, end = in_utc(validity.start), in_utc(validity.end)
    days = service_days(validity)
    for n in range(-1, days.days):
        day = days.start + n * _DAY
        for opens, closes, at in _hours(pool.slots, day, zone):
            if max(opens, start) < min(closes, end):
                yield PoolSlot(pool.identifier, day, at)


@lru_cache(maxsize=4096)  # 0.4 us, not 22 us for four slots; a calendar needs every day of every product
def _hours(slots: tuple[TimeSlot, ...], day: date, zone: ZoneInfo) -> list[tuple[datetime, datetime, time]]:
    """Return the opening and closing time (in UTC) and the local start of each slot on *day*, in order."""
    hours = []
    for slot in sorted(slots, key=attrgetter("start", "end")):
        opens = local_instant(day, slot.start, zone)
        closes = local_instant(day if slot.end > slot.start else day + _DAY, slot.end, zone)
        if opens.date() == day:  # a clock change can move the start to the next day
            hours.append((in_utc(opens), in_utc(closes), slot.start))
    return hours


def pool_demand(units: Iterable[tuple[int, Interval | None]], *, catalogue: Catalogue) -> dict[PoolSlot, int]:
    """Return the total pool units taken by *units* (pairs of variant id and validity), keyed by pool-day.

    Raises:
        UnknownEntry: a variant or its merchant is not in the catalogue.
        InvalidPeriod: a validity period has no UTC offset.
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
    """Return the ``fold`` of both ends of *validity*, to distinguish periods with the same local times."""
    return () if validity is None else (validity.start.fold, validity.end.fold)


def free_units(slot: PoolSlot, *, catalogue: Catalogue, capacity: Capacity) -> int | None:
    """Return the number of free units in *slot*; None if the pool is unlimited on that day."""
    for_sale = catalogue.for_sale(slot.pool, slot.day)
    if for_sale is None:
        return None
    sold, held = capacity.get(slot, _NOTHING)
    return max(for_sale - sold - held, 0)


def max_units(places: Mapping[PoolSlot, int], free: Mapping[PoolSlot, int | None]) -> int | None:
    """Return the maximum number of units that fit if each takes *places*; None if nothing limits them.

    *places* are the pool units that each unit needs, *free* those available; both are keyed by pool-day.

    >>> from datetime import date
    >>> monday, tuesday = PoolSlot("mtn", date(2026, 12, 28)), PoolSlot("mtn", date(2026, 12, 29))
    >>> max_units({monday: 4, tuesday: 4}, {monday: 9, tuesday: 5})
    1
    """
    fitting = (left // units for slot, units in places.items() if (left := free[slot]) is not None and units)
    return min(fitting, default=None)


def fits_capacity(demand: Mapping[PoolSlot, int], free: Mapping[PoolSlot, int | None]) -> Feasibility:
    """Check whether the whole *demand* of a party fits into the *free* units; both are keyed by pool-day.

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
    """Return a sort key, by time and then by pool; without it, ties would depend on the input order."""
    return slot.day, slot.start or time.min, slot.pool
