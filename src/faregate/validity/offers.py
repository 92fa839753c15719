"""The prices and availability of a product's validity periods at one instant. Decisions §8."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import partial
from operator import itemgetter
from typing import NamedTuple, TypeAlias
from zoneinfo import ZoneInfo

from faregate._values import public_value
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Capacity, Counting, PoolSlot
from faregate.catalogue.products import Product, Variant
from faregate.dates.durations import Duration, validity_from
from faregate.dates.instants import DateRange, Interval, service_days
from faregate.errors import UnknownEntry
from faregate.list_prices.price import ListPriceQuery, VariantPrices, prices_of
from faregate.money.amounts import MinorUnits
from faregate.money.currency import currency
from faregate.validity.bookability import BookingRulesCheck, Found, Obstacle
from faregate.validity.capacity import free_units, pool_slots, uses_of

_DAY = timedelta(days=1)
_UNLIMITED = (None, None)

_Room: TypeAlias = tuple[int, PoolSlot]
"""A number of free units, and the pool-day that has them."""

_Claim: TypeAlias = tuple[tuple[int, int], ...]
"""For each pool of a product, the pool units that one unit takes, and those for the rest of the party."""


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


class _Wanted(NamedTuple):
    """The units requested of a variant, its prices, and the index of its claim; most variants share one."""

    variant: int
    prices: VariantPrices
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
        prices = [prices_of(each, product=product, calendar=catalogue.calendar) for each in variants]
        self._wanted, self._claims = _wanted(product, prices, party, quantity)
        self._pools = [(use, catalogue.pool(use.pool)) for use in product.pools]
        self._capacity = capacity
        # Each pool-day is looked up once, even if several validity periods use it.
        self._rooms = Found(partial(_room, catalogue=catalogue, capacity=capacity))

    @property
    def today(self) -> date:
        """Today's date in the merchant's time zone."""
        return self._desk.today

    @property
    def has_capacities(self) -> bool:
        """True if at least one of the variants has limited capacity."""
        return any(
            any(units for units, _ in takes)
            for (use, pool), *takes in zip(self._pools, *self._claims, strict=True)
            if use.counting is not Counting.NONE
            if pool.size is not None or any(entry.size is not None for entry in pool.sizes)
        )

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
            and self._price(each.prices, occasion) is not None
            for each in self._wanted
        )

    def _extent(self, start: datetime, duration: Duration) -> tuple[Interval, DateRange]:
        """Return the validity period that begins at *start* and lasts *duration*, and its service days."""
        if start.tzinfo is self.zone and duration.days and not duration.months and not duration.seconds:
            days = DateRange(start.date(), start.date() + duration.days * _DAY)
            begin, end = self._desk.beginnings[days.start], self._desk.beginnings[days.end]
            if begin is not None and end is not None and self._desk.beginnings[days.end - _DAY] is not None:
                return Interval(begin, end), days
        validity = validity_from(duration, start, self.zone)
        return validity, service_days(validity)

    def _units(self, validity: Interval, days: DateRange, duration: Duration) -> tuple[UnitOffer, ...]:
        occasion, places = self._occasion(days, duration), self._places(validity, days)
        units = []
        for variant, prices, quantity, claim in self._wanted:
            price = self._price(prices, occasion)
            if price is not None:
                left, limit = places[claim]
                units.append(UnitOffer(variant, price, left, limit, quantity))
        return tuple(units)

    def _places(self, validity: Interval, days: DateRange) -> list[tuple[int | None, PoolSlot | None]]:
        """Return the units left and the limiting pool-day of each claim, both None if unlimited."""
        scarcest = self._scarcest(validity, days)
        found: list[tuple[int | None, PoolSlot | None]] = []
        for claim in self._claims:
            fitting = [
                (max(room[0] - others, 0) // units, room[1])
                for room, (units, others) in zip(scarcest, claim, strict=True)
                if room and units
            ]
            found.append(min(fitting, default=_UNLIMITED, key=_by_count))
        return found

    def _occasion(self, days: DateRange, duration: Duration) -> ListPriceQuery:
        return ListPriceQuery(duration, days.start, min(self.today, days.start))

    def _price(self, prices: VariantPrices, occasion: ListPriceQuery) -> MinorUnits | None:
        try:
            return prices.price(occasion, self._capacity).amount
        except UnknownEntry:  # in a checked catalogue, only a price can be missing
            return None

    def _scarcest(self, validity: Interval, days: DateRange) -> list[_Room | None]:
        """Return each pool's lowest number of free units, with the first pool-day that has it.

        The entry of a pool is None if all pool-days that *validity* uses are unlimited.
        """
        rooms, scarcest = self._rooms, []
        dates = days.dates if self._pools else []
        for use, pool in self._pools:
            if pool.slots or use.counting is not Counting.EACH_DAY:
                found = [rooms[slot] for slot in pool_slots(use, pool, validity)]
            else:
                name = pool.identifier
                found = [rooms[name, day, None] for day in dates]
            scarcest.append(min(filter(None, found), default=None, key=_by_count))
        return scarcest


def _room(key: tuple[str, date, time | None], catalogue: Catalogue, capacity: Capacity) -> _Room | None:
    slot = PoolSlot(*key)
    free = free_units(slot, catalogue=catalogue, capacity=capacity)
    return None if free is None else (free, slot)


_by_count = itemgetter(0)


def _wanted(
    product: Product, prices: Sequence[VariantPrices], party: Mapping[int, int] | None, quantity: int
) -> tuple[list[_Wanted], list[_Claim]]:
    """Return the variants requested and their different claims."""
    units = {each.variant.id: quantity for each in prices} if party is None else party
    members = [
        (each, units[each.variant.id], uses_of(each.variant, product))
        for each in prices
        if each.variant.id in units
    ]
    demand: Counter[str] = Counter()
    for _, count, uses in members if party else ():
        demand.update({pool: count * each for pool, each in uses.items()})
    wanted: list[_Wanted] = []
    claims: dict[_Claim, int] = {}
    for own, count, uses in members:
        each = [(use.pool, uses.get(use.pool, 0)) for use in product.pools]
        claim = tuple([(units, demand[pool] - count * units if party else 0) for pool, units in each])
        index = claims.setdefault(claim, len(claims))
        wanted.append(_Wanted(own.variant.id, own, count, index))
    return wanted, [*claims]
