"""A product as it stands at one instant: what its validities cost, and for how many. Decisions §8."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from faregate.bookability import Obstacle, obstacle, starts_on
from faregate.capacity import free_places, pool_slots, uses_of
from faregate.dates import Interval, lasting
from faregate.errors import UnknownEntry
from faregate.pricing import Occasion, list_price

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date, datetime

    from faregate.capacity import Capacity
    from faregate.catalogue import Catalogue
    from faregate.dates import Duration
    from faregate.money import MinorUnits
    from faregate.pools import PoolSlot
    from faregate.products import Product, Variant

__all__ = ["CapacityRange", "Cursor", "Offer", "PriceRange", "UnitOffer", "ValidityOption"]


class CapacityRange(NamedTuple):
    """For how many units there are places: of the variant with the fewest, and of that with the most."""

    min: int
    max: int


class PriceRange(NamedTuple):
    """The list prices of one unit, in minor units: of the cheapest, and of the dearest."""

    min: MinorUnits
    max: MinorUnits


class UnitOffer(NamedTuple):
    """One variant for one validity: its list price, how many units fit, and which pool-day limits them.

    ``left`` is None where any number fits.
    """

    variant: int
    price: MinorUnits
    left: int | None
    bottleneck: PoolSlot | None

    def has(self, quantity: int) -> bool:
        """Whether there are places for *quantity* units."""
        return self.left is None or self.left >= quantity


class Cursor(NamedTuple):
    """The place of an option in their order: by start, then by duration."""

    start: datetime
    duration: Duration


class ValidityOption(NamedTuple):
    """One validity and how it stands.

    ``units`` are the variants asked for that have a price for it. ``obstacle`` is why it cannot be booked.
    """

    validity: Interval
    duration: Duration
    units: tuple[UnitOffer, ...]
    obstacle: Obstacle | None

    @property
    def is_available(self) -> bool:
        """Whether it can be booked."""
        return self.obstacle is None

    @property
    def capacity(self) -> CapacityRange | None:
        """Over the limited variants; None: all are unlimited."""
        left = [unit.left for unit in self.units if unit.left is not None]
        return CapacityRange(min(left), max(left)) if left else None

    @property
    def price(self) -> PriceRange:
        """Over the variants of which a unit fits; if none does, over all: a sold-out day shows a price."""
        prices = [unit.price for unit in self.units if unit.has(1)] or [unit.price for unit in self.units]
        return PriceRange(min(prices), max(prices))

    @property
    def bottleneck(self) -> PoolSlot | None:
        """The pool-day that limits the variant with the most places; None: nothing limits it."""
        most = max(self.units, key=lambda unit: (unit.left is None, unit.left or 0))
        return most.bottleneck

    @property
    def cursor(self) -> Cursor:
        """Its place in the order of all options."""
        return Cursor(self.validity.start, self.duration)


class Offer:
    """Some variants of *product*, for *quantity* units, as they stand at the aware instant *now*."""

    def __init__(
        self,
        product: Product,
        variants: Sequence[Variant],
        *,
        catalogue: Catalogue,
        capacity: Capacity,
        now: datetime,
        quantity: int = 1,
    ) -> None:
        self.product = product
        self.zone = ZoneInfo(catalogue.merchant(product.merchant).timezone)
        self.today = now.astimezone(self.zone).date()
        self._variants = [(variant, uses_of(variant, product)) for variant in variants]
        self._pools = [(use, catalogue.pool(use.pool)) for use in product.pools]
        self._catalogue = catalogue
        self._capacity = capacity
        self._now = now
        self._quantity = quantity
        self._free: dict[PoolSlot, int | None] = {}  # asked once, used by every validity that overlaps

    @property
    def has_capacities(self) -> bool:
        """Whether places of any variant are limited."""
        limited = {
            pool.identifier
            for _, pool in self._pools
            if pool.size is not None or any(entry.size is not None for entry in pool.sizes)
        }
        return any(units and pool in limited for _, uses in self._variants for pool, units in uses.items())

    def options_on(self, day: date, durations: Iterable[Duration]) -> list[ValidityOption]:
        """Those that begin on *day*, by start, then by duration; none where that day does not exist."""
        starts = (
            Cursor(start, duration)
            for duration in durations
            for start in starts_on(day, duration, self.product, self.zone, self._catalogue)
        )
        return [option for cursor in sorted(starts) if (option := self.option(*cursor))]

    def option(self, start: datetime, duration: Duration) -> ValidityOption | None:
        """The validity of *duration* from *start*; None where no variant has a price for it."""
        validity = lasting(duration, start, self.zone)
        units = tuple(self._units(validity, duration))
        if not units:
            return None
        found = obstacle(
            self.product, duration, validity, zone=self.zone, catalogue=self._catalogue, now=self._now
        )
        if found is None and not any(unit.has(self._quantity) for unit in units):
            found = Obstacle.SOLD_OUT
        return ValidityOption(validity, duration, units, found)

    def _units(self, validity: Interval, duration: Duration) -> Iterator[UnitOffer]:
        first = validity.start.date()
        occasion = Occasion(duration=duration, first_day=first, ordered_on=min(self.today, first))
        scarcest = self._scarcest(validity)
        for variant, uses in self._variants:
            try:
                price = list_price(
                    variant,
                    occasion,
                    product=self.product,
                    calendar=self._catalogue.calendar,
                    capacity=self._capacity,
                )
            except UnknownEntry:
                continue
            fitting = [(free // uses[pool], slot) for pool, free, slot in scarcest if uses.get(pool)]
            left, slot = min(fitting, default=(None, None), key=_by_count)
            yield UnitOffer(variant.id, price.amount, left, slot)

    def _scarcest(self, validity: Interval) -> list[tuple[str, int, PoolSlot]]:
        """Of each limited pool the day on which the fewest places are free; the first of equals."""
        scarcest = []
        for use, pool in self._pools:
            slots = [
                (free, slot)
                for slot in pool_slots(use, pool, validity)
                if (free := self._free_on(slot)) is not None
            ]
            if slots:
                free, slot = min(slots, key=_by_count)
                scarcest.append((pool.identifier, free, slot))
        return scarcest

    def _free_on(self, slot: PoolSlot) -> int | None:
        if slot not in self._free:
            self._free[slot] = free_places(slot, catalogue=self._catalogue, capacity=self._capacity)
        return self._free[slot]


def _by_count(entry: tuple[int, PoolSlot]) -> int:
    return entry[0]
