"""The prices and availability of a product's validity periods at one instant. Decisions §8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from faregate._values import public_value
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Capacity, Counting, Pool, PoolSlot, PoolUse
from faregate.catalogue.products import Product, Variant
from faregate.dates.durations import Duration, validity_from
from faregate.dates.instants import DateRange, Interval, service_days
from faregate.errors import UnknownEntry
from faregate.list_prices.price import ListPriceQuery, list_price
from faregate.money.amounts import MinorUnits
from faregate.money.currency import currency
from faregate.validity.bookability import BookingRulesCheck, Obstacle
from faregate.validity.capacity import free_units, pool_slots, uses_of

_DAY = timedelta(days=1)
_UNLIMITED = (None, None)

_Room: TypeAlias = tuple[int, PoolSlot]
"""A number of free units, and the pool-day that has them."""


@public_value
class CapacityRange(NamedTuple):
    """The lowest and highest number of units left among the variants of a validity period."""

    min: int
    max: int


@public_value
class PriceRange(NamedTuple):
    """The lowest and highest list price of one unit, in minor units."""

    min: MinorUnits
    max: MinorUnits


class UnitOffer(NamedTuple):
    """A variant on offer for a validity period: its list price, the units left, and the limiting pool-day.

    ``left`` is None if the units are unlimited; in a party, it counts the units that fit beside the other
    variants. ``price`` is for one unit, ``quantity`` the number of units requested.
    """

    variant: int
    price: MinorUnits
    left: int | None
    bottleneck: PoolSlot | None
    quantity: int = 1

    def has(self, quantity: int) -> bool:
        """Return True if at least *quantity* units are left."""
        return self.left is None or self.left >= quantity


class OptionRow(NamedTuple):
    """One variant and one validity period as a table row of plain values.

    ``price`` is in minor units. ``places`` are the units left, limited by ``pool`` on ``pool_day``; all three
    are None if the units are unlimited. ``obstacle`` is the reason why the option cannot be booked, or None.
    ``quantity`` is the number of units requested.
    """

    first_day: date
    starts_at: datetime
    duration: str
    variant: int
    price: MinorUnits
    places: int | None
    pool: str | None
    pool_day: date | None
    obstacle: str | None
    quantity: int = 1


class Cursor(NamedTuple):
    """The position of an option in a list sorted by start, then by duration."""

    start: datetime
    duration: Duration


@public_value
class ValidityOption(NamedTuple):
    """A validity period with its prices and availability.

    ``units`` holds an offer for each queried variant that has a price for the period. ``obstacle`` is the
    reason why the units requested cannot be booked, or None. A party needs its units of every variant, other
    queries need the units of one variant.
    """

    validity: Interval
    duration: Duration
    units: tuple[UnitOffer, ...]
    obstacle: Obstacle | None
    is_party: bool = False

    @property
    def is_available(self) -> bool:
        """True if the units requested can be booked."""
        return self.obstacle is None

    @property
    def capacity(self) -> CapacityRange | None:
        """The lowest and highest number of units left among limited variants; None if all are unlimited."""
        left = [unit.left for unit in self.units if unit.left is not None]
        return CapacityRange(min(left), max(left)) if left else None

    @property
    def price(self) -> PriceRange:
        """The price range of the variants with enough units left; of all if none has, and for a party."""
        offered = [unit.price for unit in self.units if self.is_party or unit.has(unit.quantity)]
        prices = offered or [unit.price for unit in self.units]
        return PriceRange(min(prices), max(prices))

    @property
    def total(self) -> MinorUnits | None:
        """The list price of the whole party, in minor units; None if the query has no party."""
        return sum([unit.price * unit.quantity for unit in self.units]) if self.is_party else None

    @property
    def bottleneck(self) -> PoolSlot | None:
        """The pool-day that limits the variant with the most units left; None if nothing limits it.

        For a party, the variant with the fewest units left beyond its quantity counts.
        """
        if self.is_party:
            limited = [
                (unit.left - unit.quantity, unit.bottleneck) for unit in self.units if unit.left is not None
            ]
            return min(limited, key=_by_count, default=_UNLIMITED)[1]
        most = max(self.units, key=lambda unit: (unit.left is None, unit.left or 0))
        return most.bottleneck

    @property
    def cursor(self) -> Cursor:
        """The position of the option, for paging."""
        return Cursor(self.validity.start, self.duration)

    def rows(self) -> Iterator[OptionRow]:
        """Yield a table row for each variant of the option."""
        obstacle = None if self.obstacle is None else self.obstacle.value
        for variant, price, left, limit, quantity in self.units:
            pool, day = (None, None) if limit is None else (limit.pool, limit.day)
            yield OptionRow(
                first_day=self.validity.first_day,
                starts_at=self.validity.start,
                duration=str(self.duration),
                variant=variant,
                price=price,
                places=left,
                pool=pool,
                pool_day=day,
                obstacle=obstacle,
                quantity=quantity,
            )


class _Claim(NamedTuple):
    """The pool units that one unit takes, and those for the rest of the party, keyed by pool."""

    uses: Mapping[str, int]
    others: Mapping[str, int]


class _Wanted(NamedTuple):
    """The units requested of a variant, and the index of its claim; most variants share one."""

    variant: Variant
    quantity: int
    claim: int


class Offer:
    """The validity options of *product* for *quantity* units of a variant, at *now*, an aware datetime.

    A *party* replaces the quantity: units that must fit together, keyed by variant id.
    """

    def __init__(
        self,
        product: Product,
        variants: Sequence[Variant],
        *,
        catalogue: Catalogue,
        capacity: Capacity,
        now: datetime,
        quantity: int = 1,
        party: Mapping[int, int] | None = None,
    ) -> None:
        self.product = product
        merchant = catalogue.merchant(product.merchant)
        self.zone = ZoneInfo(merchant.timezone)
        self.currency = currency(merchant.currency)
        self._desk = BookingRulesCheck(product, zone=self.zone, catalogue=catalogue, now=now)
        self._is_party = party is not None
        self._wanted, self._claims = _wanted(product, variants, party, quantity)
        self._pools = [(use, catalogue.pool(use.pool)) for use in product.pools]
        self._catalogue = catalogue
        self._capacity = capacity
        # Each pool-day is looked up once, even if several validity periods use it.
        self._free: dict[PoolSlot, int | None] = {}
        self._days: dict[str, dict[date, _Room | None]] = {pool.identifier: {} for _, pool in self._pools}

    @property
    def today(self) -> date:
        """Today's date in the merchant's time zone."""
        return self._desk.today

    @property
    def has_capacities(self) -> bool:
        """True if at least one of the variants has limited capacity."""
        limited = {
            pool.identifier
            for use, pool in self._pools
            if use.counting is not Counting.NONE
            if pool.size is not None or any(entry.size is not None for entry in pool.sizes)
        }
        return any(units and pool in limited for each in self._claims for pool, units in each.uses.items())

    def options_on(
        self, day: date, durations: Iterable[Duration], *, only_available: bool = False
    ) -> list[ValidityOption]:
        """Return the options that begin on *day*, sorted by start, then by duration."""
        return [
            option
            for cursor in self._cursors(day, durations)
            if (not only_available or self._is_bookable(*cursor)) and (option := self.option(*cursor))
        ]

    def first_bookable(self, day: date, durations: Iterable[Duration]) -> Cursor | None:
        """Return the position of the first bookable option on *day*, or None, without pricing later ones."""
        return next((cursor for cursor in self._cursors(day, durations) if self._is_bookable(*cursor)), None)

    def option(self, start: datetime, duration: Duration) -> ValidityOption | None:
        """Return the option that begins at *start* and lasts *duration*.

        The result is None if no variant has a price or, for a party, if one has none.
        """
        validity, days = self._extent(start, duration)
        units = self._units(validity, days, duration)
        if not units or (self._is_party and len(units) < len(self._wanted)):
            return None
        found = self._desk.obstacle(duration, validity, days)
        if found is None and not self._enough(unit.has(unit.quantity) for unit in units):
            found = Obstacle.SOLD_OUT
        return ValidityOption(validity, duration, units, found, self._is_party)

    def _enough(self, fitting: Iterable[bool]) -> bool:
        """Return True if the units of one variant fit or, for a party, those of all."""
        return all(fitting) if self._is_party else any(fitting)

    def _cursors(self, day: date, durations: Iterable[Duration]) -> list[Cursor]:
        return sorted(
            Cursor(start, duration) for duration in durations for start in self._desk.starts_on(day, duration)
        )

    def _is_bookable(self, start: datetime, duration: Duration) -> bool:
        validity, days = self._extent(start, duration)
        if self._desk.obstacle(duration, validity, days):
            return False
        occasion, places = self._occasion(days, duration), self._places(validity, days)
        return self._enough(
            ((left := places[each.claim][0]) is None or left >= each.quantity)
            and self._price(each.variant, occasion) is not None
            for each in self._wanted
        )

    def _extent(self, start: datetime, duration: Duration) -> tuple[Interval, DateRange]:
        """Return the validity period that begins at *start* and lasts *duration*, and its service days."""
        if start.tzinfo is self.zone and duration.days and not duration.months and not duration.seconds:
            days = DateRange(start.date(), start.date() + duration.days * _DAY)
            begin, end = self._desk.beginning(days.start), self._desk.beginning(days.end)
            if begin is not None and end is not None and self._desk.beginning(days.end - _DAY) is not None:
                return Interval(begin, end), days
        validity = validity_from(duration, start, self.zone)
        return validity, service_days(validity)

    def _units(self, validity: Interval, days: DateRange, duration: Duration) -> tuple[UnitOffer, ...]:
        occasion, places = self._occasion(days, duration), self._places(validity, days)
        return tuple(
            [
                UnitOffer(variant.id, price, *places[claim], quantity)
                for variant, quantity, claim in self._wanted
                if (price := self._price(variant, occasion)) is not None
            ]
        )

    def _places(self, validity: Interval, days: DateRange) -> list[tuple[int | None, PoolSlot | None]]:
        """Return the units left and the limiting pool-day of each claim, both None if unlimited."""
        scarcest = self._scarcest(validity, days)
        found: list[tuple[int | None, PoolSlot | None]] = []
        for uses, others in self._claims:
            fitting = [
                (max(free - others.get(slot.pool, 0), 0) // units, slot)
                for free, slot in scarcest
                if (units := uses.get(slot.pool))
            ]
            found.append(min(fitting, default=_UNLIMITED, key=_by_count))
        return found

    def _occasion(self, days: DateRange, duration: Duration) -> ListPriceQuery:
        first = days.start
        return ListPriceQuery(duration=duration, first_day=first, ordered_on=min(self.today, first))

    def _price(self, variant: Variant, occasion: ListPriceQuery) -> MinorUnits | None:
        try:
            return list_price(
                variant,
                occasion,
                product=self.product,
                calendar=self._catalogue.calendar,
                capacity=self._capacity,
            ).amount
        except UnknownEntry:  # in a checked catalogue, only a price can be missing
            return None

    def _scarcest(self, validity: Interval, days: DateRange) -> list[_Room]:
        """Return each limited pool's lowest number of free units, with the first pool-day that has it."""
        rooms = (self._rooms(use, pool, validity, days) for use, pool in self._pools)
        return [min(limited, key=_by_count) for found in rooms if (limited := [*filter(None, found)])]

    def _rooms(self, use: PoolUse, pool: Pool, validity: Interval, days: DateRange) -> Iterable[_Room | None]:
        """Return the free units of each pool-day that *validity* uses, or None for an unlimited pool-day."""
        if pool.slots or use.counting is not Counting.EACH_DAY:
            return [self._room(slot) for slot in pool_slots(use, pool, validity)]
        known = self._days[pool.identifier]
        each = [days.start + n * _DAY for n in range(days.days)]
        for day in each:
            if day not in known:
                known[day] = self._room(PoolSlot(pool.identifier, day))
        return [known[day] for day in each]

    def _room(self, slot: PoolSlot) -> _Room | None:
        if slot not in self._free:
            self._free[slot] = free_units(slot, catalogue=self._catalogue, capacity=self._capacity)
        free = self._free[slot]
        return None if free is None else (free, slot)


def _by_count(entry: tuple[int, PoolSlot | None]) -> int:
    return entry[0]


def _wanted(
    product: Product, variants: Iterable[Variant], party: Mapping[int, int] | None, quantity: int
) -> tuple[list[_Wanted], list[_Claim]]:
    """Return the variants requested and their different claims."""
    units = {variant.id: quantity for variant in variants} if party is None else party
    members = [(each, units[each.id], uses_of(each, product)) for each in variants if each.id in units]
    demand: Counter[str] = Counter()
    for _, count, uses in members if party else ():
        demand.update({pool: count * each for pool, each in uses.items()})
    wanted: list[_Wanted] = []
    claims: dict[tuple[tuple[str, int], ...], tuple[int, _Claim]] = {}
    for variant, count, uses in members:
        others = {pool: demand[pool] - count * each for pool, each in uses.items() if party}
        claim = len(claims), _Claim(uses, others)
        index, _ = claims.setdefault((*uses.items(), *others.items()), claim)
        wanted.append(_Wanted(variant, count, index))
    return wanted, [claim for _, claim in claims.values()]
