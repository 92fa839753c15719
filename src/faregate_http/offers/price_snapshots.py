"""How products stand: what they cost now, and when they can be booked next. Decisions §8.9."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from faregate.checkout.quotes import zone_of
from faregate.errors import UnknownEntry
from faregate.list_prices.price import list_price
from faregate.validity.bookability import running_days
from faregate.validity.offered_prices import current_price
from faregate.validity.offers import PriceRange
from faregate.validity.options import MAX_DAYS, ValidityQuery, next_available, price_ranges
from faregate_http.locks import KeyedLocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date, datetime
    from zoneinfo import ZoneInfo

    from faregate.catalogue.catalogue import Catalogue
    from faregate.catalogue.pools import Capacity
    from faregate.catalogue.products import Product
    from faregate.money.amounts import MinorUnits
    from faregate.validity.offers import ValidityOption
    from faregate_http.inventory.inventory import Inventory

REMEMBERED_FOR = timedelta(seconds=1)
"""So old at most, by the clock of the service, is what is said of today's price and the next availability."""

RANGES_REMEMBERED_FOR = timedelta(minutes=1)
"""So old at most are the price ranges: a whole season has to be walked for them."""

_DAY = timedelta(days=1)


class Standing(NamedTuple):
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
    """The price ranges of a product's variants, found at an instant."""

    at: datetime
    by_variant: Mapping[int, PriceRange]

    def serves(self, now: datetime, zone: ZoneInfo) -> bool:
        """Whether they are not too old; what a new day brings is seen with the day."""
        is_young = timedelta() <= now - self.at < RANGES_REMEMBERED_FOR
        return is_young and now.astimezone(zone).date() == self.at.astimezone(zone).date()


class PriceSnapshots:
    """How the products of a catalogue stand, worked out at most once a second for each.

    A calendar of prices takes milliseconds to walk, so that what was found is said again for a second, the
    ranges of a season for a minute: that long a booking, or the passing of a cut-off, may go unnoticed here.
    The booking operations and the checkout always look anew. Nothing that is remembered depends on channel
    or language, and there is one entry for each product, so that it grows no further than the catalogue.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[int, Standing] = {}
        self._ranges: dict[int, _Ranges] = {}
        self._locks = KeyedLocks()

    async def of(
        self, product: Product, inventory: Inventory, *, at: datetime, with_next: bool = False
    ) -> Standing:
        """How *product* stands at the aware instant *at*, or did within the last second.

        Raises:
            StoreUnavailable: what is taken of the pools cannot be read.
        """
        known = self._fresh(product, at, with_next=with_next)
        if known is not None:
            return known
        # Of many who ask at once one works it out.
        async with self._locks.holding(str(product.id)):
            known = self._fresh(product, at, with_next=with_next)
            if known is None:
                capacity = await self._capacity(product, inventory, at, with_next=with_next)
                ranges = self._price_ranges(product, capacity, at)
                known = _standing(product, ranges, self._catalogue, capacity, at, with_next=with_next)
                self._known[product.id] = known
            return known

    def _fresh(self, product: Product, at: datetime, *, with_next: bool) -> Standing | None:
        known = self._known.get(product.id)
        if known is None or with_next > known.has_next:
            return None
        return known if timedelta() <= at - known.at < REMEMBERED_FOR else None

    def _price_ranges(self, product: Product, capacity: Capacity, at: datetime) -> Mapping[int, PriceRange]:
        if not product.has_validity:
            return dict(_prices_without_validity(product, self._catalogue))
        known = self._ranges.get(product.id)
        if known is not None and known.serves(at, self._zone(product)):
            return known.by_variant
        found = price_ranges(product, catalogue=self._catalogue, capacity=capacity, now=at)
        self._ranges[product.id] = _Ranges(at, found)
        return found

    def _zone(self, product: Product) -> ZoneInfo:
        return zone_of(product, self._catalogue)

    async def _capacity(
        self, product: Product, inventory: Inventory, at: datetime, *, with_next: bool
    ) -> Capacity:
        """What is taken on all the days that are looked at, read once."""
        if not product.has_validity:
            return {}
        today = at.astimezone(zone_of(product, self._catalogue)).date()
        days = running_days(product, self._catalogue.calendar, today)
        last = max(days.end if days else today, today + (MAX_DAYS * _DAY if with_next else timedelta()))
        return await inventory.around(product, today, last, at=at)


def _standing(
    product: Product,
    ranges: Mapping[int, PriceRange],
    catalogue: Catalogue,
    capacity: Capacity,
    at: datetime,
    *,
    with_next: bool,
) -> Standing:
    standard, today = product.standard_variant, at.astimezone(zone_of(product, catalogue)).date()
    if not product.has_validity:
        price = ranges[standard.id].min if standard.id in ranges else None
        return Standing(at, today, ranges, _standard_range(product, ranges), price, None, with_next)
    return Standing(
        at=at,
        today=today,
        ranges=ranges,
        standard_range=_standard_range(product, ranges),
        price_today=current_price(ValidityQuery(product.id), catalogue=catalogue, capacity=capacity, now=at),
        next_option=(
            next_available(product, catalogue=catalogue, capacity=capacity, now=at) if with_next else None
        ),
        has_next=with_next,
    )


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
