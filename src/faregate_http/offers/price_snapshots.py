"""Current prices of products, and their next availability. Decisions §8.9."""

from asyncio import Lock
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from functools import partial
from typing import NamedTuple
from weakref import WeakValueDictionary

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Capacity
from faregate.catalogue.products import Product
from faregate.checkout.quotes import zone_of
from faregate.dates.instants import DateRange
from faregate.errors import UnknownEntry
from faregate.list_prices.price import list_price
from faregate.money.amounts import MinorUnits
from faregate.validity.bookability import running_days
from faregate.validity.offered_prices import current_price
from faregate.validity.offers import PriceRange, ValidityOption
from faregate.validity.options import MAX_DAYS, ValidityQuery, next_available, price_ranges
from faregate_http.aside import aside, calendar_steps
from faregate_http.inventory.inventory import Inventory

REMEMBERED_FOR = timedelta(seconds=1)
"""Maximum age of today's price and the next availability, measured by the service's clock."""

RANGES_REMEMBERED_FOR = timedelta(minutes=1)
"""Maximum age of price ranges, which are expensive to compute: all days of a season are priced."""

_DAY = timedelta(days=1)


class PriceSnapshot(NamedTuple):
    """Prices of a product at the instant ``at``, in minor units; ``today`` is the local day.

    ``ranges`` has one range per variant; ``standard_range`` and ``price_today`` are for the whole product.
    ``next_option``, the next period that can be booked, is known only if ``has_next`` is True.
    """

    at: datetime
    today: date
    ranges: Mapping[int, PriceRange]
    standard_range: PriceRange | None
    price_today: MinorUnits | None
    next_option: ValidityOption | None
    has_next: bool


class _Ranges(NamedTuple):
    at: datetime
    today: date
    by_variant: Mapping[int, PriceRange]


class PriceSnapshots:
    """Prices of a catalogue's products, computed at most once a second for each product.

    Pricing a calendar takes milliseconds, so results are reused for a second and price ranges for a minute. A
    booking, or a booking deadline that has passed, may take that long to show here; the booking operations
    and the checkout always compute current prices. The cache does not depend on channel or language and has
    one entry per product.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[int, PriceSnapshot] = {}
        self._ranges: dict[int, _Ranges] = {}
        # A lock is dropped when nobody holds it or waits for it.
        self._locks: WeakValueDictionary[int, Lock] = WeakValueDictionary()

    async def of(
        self, product: Product, inventory: Inventory, *, at: datetime, with_next: bool = False
    ) -> PriceSnapshot:
        """Return the prices of *product* at the timezone-aware instant *at*.

        They may be up to a second old, price ranges up to a minute.

        Raises:
            StoreUnavailable: the pool usage cannot be read.
        """
        known = self._fresh(product, at, with_next=with_next)
        if known is not None:
            return known
        # Only one of many concurrent requests computes the prices.
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
            work = partial(self._calendar_prices, product, capacity, at, today, with_next=with_next)
            year = DateRange(today, today + MAX_DAYS * _DAY)
            steps = calendar_steps(product, self._catalogue, year)
            ranges, price, option = await aside(work, steps=steps)
        return PriceSnapshot(at, today, ranges, _standard_range(product, ranges), price, option, with_next)

    def _calendar_prices(
        self, product: Product, capacity: Capacity, at: datetime, today: date, *, with_next: bool
    ) -> tuple[Mapping[int, PriceRange], MinorUnits | None, ValidityOption | None]:
        catalogue = self._catalogue
        ranges = self._price_ranges(product, capacity, at, today)
        price = current_price(ValidityQuery(product.id), catalogue=catalogue, capacity=capacity, now=at)
        if not with_next:
            return ranges, price, None
        return ranges, price, next_available(product, catalogue=catalogue, capacity=capacity, now=at)

    def _price_ranges(
        self, product: Product, capacity: Capacity, at: datetime, today: date
    ) -> Mapping[int, PriceRange]:
        known = self._ranges.get(product.id)
        # The ranges of one day are not reused on the next.
        if known is None or known.today != today or not timedelta() <= at - known.at < RANGES_REMEMBERED_FOR:
            found = price_ranges(product, catalogue=self._catalogue, capacity=capacity, now=at)
            known = self._ranges[product.id] = _Ranges(at, today, found)
        return known.by_variant

    async def _capacity(
        self, product: Product, inventory: Inventory, at: datetime, today: date, *, with_next: bool
    ) -> Capacity:
        """Return the pool usage on all days to be priced, reading the store only once."""
        days = running_days(product, self._catalogue.calendar, today)
        last = max(days.end if days else today, today + (MAX_DAYS * _DAY if with_next else timedelta()))
        return await inventory.around(product, today, last, at=at)


def _prices_without_validity(product: Product, catalogue: Catalogue) -> Iterator[tuple[int, PriceRange]]:
    """Yield the id and list price of each variant that has a price for all customers."""
    for variant in product.variants:
        try:
            price = list_price(variant, product=product, calendar=catalogue.calendar).amount
        except UnknownEntry:
            continue
        yield variant.id, PriceRange(price, price)


def _standard_range(product: Product, ranges: Mapping[int, PriceRange]) -> PriceRange | None:
    """Return the price range of the standard variant or, if none is marked as standard, of all variants."""
    standard = product.standard_variant
    found = [ranges.get(standard.id)] if standard.is_standard else ranges.values()
    known = [prices for prices in found if prices is not None]
    if not known:
        return None
    return PriceRange(min(prices.min for prices in known), max(prices.max for prices in known))
