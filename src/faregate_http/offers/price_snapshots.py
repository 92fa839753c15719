"""Products' prices now, and when each can be booked next. Decisions §8.9."""

from __future__ import annotations

from asyncio import Lock
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakValueDictionary

from faregate.checkout.quotes import zone_of
from faregate.errors import UnknownEntry
from faregate.list_prices.price import list_price
from faregate.validity.bookability import running_days
from faregate.validity.offered_prices import current_price
from faregate.validity.offers import PriceRange, ValidityOption
from faregate.validity.options import MAX_DAYS, ValidityQuery, next_available, price_ranges

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from faregate.catalogue.catalogue import Catalogue
    from faregate.catalogue.pools import Capacity
    from faregate.catalogue.products import Product
    from faregate.money.amounts import MinorUnits
    from faregate_http.inventory.inventory import Inventory

REMEMBERED_FOR = timedelta(seconds=1)
"""So old at most, by the clock of the service, is what is said of today's price and the next availability."""

RANGES_REMEMBERED_FOR = timedelta(minutes=1)
"""So old at most are the price ranges: a whole season has to be walked for them."""

_DAY = timedelta(days=1)


class PriceSnapshot(NamedTuple):
    """What a product costs from the instant ``at`` on, in minor units; ``today`` is the local day.

    ``ranges`` are by variant, ``standard_range`` and ``price_today`` those of the product. ``next_option``
    was only looked for if ``has_next``.
    """

    at: datetime
    today: date
    ranges: Mapping[int, PriceRange]
    standard_range: PriceRange | None
    price_today: MinorUnits | None
    next_option: ValidityOption | None
    has_next: bool


class _Ranges(NamedTuple):
    """The price ranges of a product's variants, found at an instant of a local day."""

    at: datetime
    today: date
    by_variant: Mapping[int, PriceRange]


class PriceSnapshots:
    """What the products of a catalogue cost, worked out at most once a second for each.

    A calendar of prices takes milliseconds to walk, so that what was found is said again for a second, the
    ranges of a season for a minute: that long a booking, or the passing of a cut-off, may go unnoticed here.
    The booking operations and the checkout always look anew. Nothing that is remembered depends on channel
    or language, and there is one entry for each product, so that it grows no further than the catalogue.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[int, PriceSnapshot] = {}
        self._ranges: dict[int, _Ranges] = {}
        # A lock is forgotten when nobody holds it or waits for it.
        self._locks: WeakValueDictionary[int, Lock] = WeakValueDictionary()

    async def of(
        self, product: Product, inventory: Inventory, *, at: datetime, with_next: bool = False
    ) -> PriceSnapshot:
        """Return what *product* costs at the aware instant *at*, or did within the last second.

        Raises:
            StoreUnavailable: what is taken of the pools cannot be read.
        """
        known = self._fresh(product, at, with_next=with_next)
        if known is not None:
            return known
        # Of many who ask at once one works it out.
        async with self._locks.setdefault(product.id, Lock()):
            known = self._fresh(product, at, with_next=with_next)
            if known is None:
                known = await self._new(product, inventory, at, with_next=with_next)
                self._known[product.id] = known
            return known

    def _fresh(self, product: Product, at: datetime, *, with_next: bool) -> PriceSnapshot | None:
        known = self._known.get(product.id)
        if known is None or with_next > known.has_next:
            return None
        return known if timedelta() <= at - known.at < REMEMBERED_FOR else None

    async def _new(
        self, product: Product, inventory: Inventory, at: datetime, *, with_next: bool
    ) -> PriceSnapshot:
        today, standard = at.astimezone(zone_of(product, self._catalogue)).date(), product.standard_variant
        if not product.has_validity:
            ranges: Mapping[int, PriceRange] = dict(_prices_without_validity(product, self._catalogue))
            price, option = ranges[standard.id].min if standard.id in ranges else None, None
        else:
            capacity = await self._capacity(product, inventory, at, today, with_next=with_next)
            catalogue = self._catalogue
            ranges = self._price_ranges(product, capacity, at, today)
            price = current_price(ValidityQuery(product.id), catalogue=catalogue, capacity=capacity, now=at)
            option = (
                next_available(product, catalogue=catalogue, capacity=capacity, now=at) if with_next else None
            )
        return PriceSnapshot(at, today, ranges, _standard_range(product, ranges), price, option, with_next)

    def _price_ranges(
        self, product: Product, capacity: Capacity, at: datetime, today: date
    ) -> Mapping[int, PriceRange]:
        known = self._ranges.get(product.id)
        # What a new day brings is seen with the day.
        if known is None or known.today != today or not timedelta() <= at - known.at < RANGES_REMEMBERED_FOR:
            found = price_ranges(product, catalogue=self._catalogue, capacity=capacity, now=at)
            known = self._ranges[product.id] = _Ranges(at, today, found)
        return known.by_variant

    async def _capacity(
        self, product: Product, inventory: Inventory, at: datetime, today: date, *, with_next: bool
    ) -> Capacity:
        """Return what is taken on all the days that are looked at, read once."""
        days = running_days(product, self._catalogue.calendar, today)
        last = max(days.end if days else today, today + (MAX_DAYS * _DAY if with_next else timedelta()))
        return await inventory.around(product, today, last, at=at)


def _prices_without_validity(product: Product, catalogue: Catalogue) -> Iterator[tuple[int, PriceRange]]:
    """The one list price of each variant; a variant without one for everybody is left out."""
    for variant in product.variants:
        try:
            price = list_price(variant, product=product, calendar=catalogue.calendar).amount
        except UnknownEntry:
            continue
        yield variant.id, PriceRange(price, price)


def _standard_range(product: Product, ranges: Mapping[int, PriceRange]) -> PriceRange | None:
    """The range of the standard variant; over all variants where the catalogue calls none standard."""
    standard = product.standard_variant
    found = [ranges.get(standard.id)] if standard.is_standard else ranges.values()
    known = [prices for prices in found if prices is not None]
    if not known:
        return None
    return PriceRange(min(prices.min for prices in known), max(prices.max for prices in known))
