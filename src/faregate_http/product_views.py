"""A product as the wire has it: what the catalogue says, and how it stands now. Decisions §8.9."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from faregate.bookability import running_days
from faregate.errors import UnknownEntry
from faregate.offers import PriceRange
from faregate.pricing import list_price
from faregate.quoting import zone_of
from faregate.validity import MOST_DAYS, ValidityQuery, next_available, price_ranges, validity_options
from faregate_http.booking_views import BookingViews, capacity_view, validity_view
from faregate_http.catalogue_views import attribute_views, component_variant, written
from faregate_http.locks import KeyedLocks
from faregate_http.schemas import products as wire
from faregate_http.schemas.checkout import MerchantView
from faregate_http.wire_numbers import percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date, datetime
    from zoneinfo import ZoneInfo

    from faregate.catalogue import Catalogue, Medium, Product, Variant
    from faregate.content import Banner, CallToAction, Image, ProductContent
    from faregate.money import MinorUnits
    from faregate.offers import ValidityOption
    from faregate.pools import Capacity
    from faregate_http.stock import Stock

__all__ = [
    "RANGES_REMEMBERED_FOR",
    "REMEMBERED_FOR",
    "ProductViews",
    "Standing",
    "Standings",
    "standard_variant",
]

REMEMBERED_FOR = timedelta(seconds=1)
"""So old at most, by the clock of the service, is what is said of today's price and the next availability."""

RANGES_REMEMBERED_FOR = timedelta(minutes=1)
"""So old at most are the price ranges: a whole season has to be walked for them."""

_DAY = timedelta(days=1)


# ---------------------------------------------------------------- how a product stands


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


class Standings:
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

    async def of(self, product: Product, stock: Stock, *, at: datetime, with_next: bool = False) -> Standing:
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
                capacity = await self._capacity(product, stock, at, with_next=with_next)
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

    async def _capacity(self, product: Product, stock: Stock, at: datetime, *, with_next: bool) -> Capacity:
        """What is taken on all the days that are looked at, read once."""
        if not product.has_validity:
            return {}
        today = at.astimezone(zone_of(product, self._catalogue)).date()
        days = running_days(product, self._catalogue.calendar, today)
        last = max(days.end if days else today, today + (MOST_DAYS * _DAY if with_next else timedelta()))
        return await stock.around(product, today, last, at=at)


def standard_variant(product: Product) -> Variant:
    """The variant that the catalogue calls standard; else the first."""
    return next((variant for variant in product.variants if variant.is_standard), product.variants[0])


def _standing(
    product: Product,
    ranges: Mapping[int, PriceRange],
    catalogue: Catalogue,
    capacity: Capacity,
    at: datetime,
    *,
    with_next: bool,
) -> Standing:
    standard, today = standard_variant(product), at.astimezone(zone_of(product, catalogue)).date()
    if not product.has_validity:
        price = ranges[standard.id].min if standard.id in ranges else None
        return Standing(at, today, ranges, _standard_range(product, ranges), price, None, with_next)
    return Standing(
        at=at,
        today=today,
        ranges=ranges,
        standard_range=_standard_range(product, ranges),
        price_today=_price_today(product, standard, today, catalogue=catalogue, capacity=capacity, at=at),
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
    standard = standard_variant(product)
    found = [ranges.get(standard.id)] if standard.is_standard else ranges.values()
    known = [prices for prices in found if prices is not None]
    if not known:
        return None
    return PriceRange(min(prices.min for prices in known), max(prices.max for prices in known))


def _price_today(
    product: Product,
    standard: Variant,
    today: date,
    *,
    catalogue: Catalogue,
    capacity: Capacity,
    at: datetime,
) -> MinorUnits | None:
    """What the standard variant costs from today for the product's first duration, if it can be booked."""
    query = ValidityQuery(
        product.id,
        first_day=today,
        last_day=today,
        durations=product.durations[:1],
        variants=(standard.id,),
        only_available=True,
        limit=1,
    )
    found = validity_options(query, catalogue=catalogue, capacity=capacity, now=at)
    return next((option.price.min for option in found.options), None)


# ---------------------------------------------------------------- what the wire says of it


class _Page(NamedTuple):
    """All of a product that depends on the catalogue and the language only, its parts written already."""

    product: wire.ProductView
    views: BookingViews


class ProductViews:
    """The products of a catalogue, written once per language: no channel says anything else of them."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._page = cache(self._written_page)

    def product(
        self, product: Product, language: str, standing: Standing, *, with_next: bool = False
    ) -> wire.ProductView:
        """*product* as it stands, with its next availability if that is asked for."""
        page = self._page(product.id, language)
        price, ranges = page.views.price, standing.ranges
        next_availability = _next_availability(standing, page.views) if with_next else UNSET
        today = standing.price_today
        return replace(
            page.product,
            standard_price_range=standing.standard_range and price(standing.standard_range),
            standard_price_today=None if today is None else page.views.amount(today),
            product_variants=tuple(
                [
                    replace(variant, price_range=price(ranges[variant.id]))
                    if variant.id in ranges
                    else variant
                    for variant in page.product.product_variants
                ]
            ),
            next_availability=next_availability,
        )

    def _written_page(self, product_id: int, language: str) -> _Page:
        product = self._catalogue.product(product_id)
        merchant = self._catalogue.merchant(product.merchant)
        category = self._catalogue.category(product.category)
        media = written(tuple(self._media(product, language)))
        view = wire.ProductView(
            id=product.id,
            sort_order=product.sort_order,
            name=product.name,
            translation=product.translation.in_language(language),
            identifier=product.identifier,
            type=product.type,
            is_subscription=product.is_subscription,
            standalone=product.standalone,
            has_validity=product.has_validity,
            price_model=product.price_model,
            content=written(_content(product.content, language)),
            merchant=written(MerchantView(merchant.identifier, merchant.timezone)),
            category=written(
                wire.ProductCategoryView(
                    id=category.id,
                    title=category.name.in_language(language),
                    description=category.description.in_language(language),
                    sort_order=category.sort_order,
                    tags=category.tags,
                )
            ),
            standard_price_range=None,
            standard_price_today=None,
            standard_product_variant_id=standard_variant(product).id,
            product_variants=tuple(
                _variant(variant, product, media, language) for variant in product.variants
            ),
        )
        return _Page(view, BookingViews(merchant, language))

    def _media(self, product: Product, language: str) -> Iterator[wire.CatalogueMediumView]:
        for medium_id in product.media:
            medium = self._catalogue.medium(medium_id)
            yield wire.CatalogueMediumView(
                id=medium.id,
                type=medium.type,
                name=medium.name.in_language(language),
                description=medium.description.in_language(language),
                required_product_variants=tuple(
                    component_variant(variant_id, self._catalogue, language)
                    for variant_id in _required_variants(medium)
                ),
            )


def _required_variants(medium: Medium) -> Iterable[int]:
    return dict.fromkeys(component.variant for component in medium.price_components)


def _variant(
    variant: Variant, product: Product, media: tuple[wire.CatalogueMediumView, ...], language: str
) -> wire.CatalogueVariantView:
    return wire.CatalogueVariantView(
        id=variant.id,
        name=variant.name,
        translation=variant.translation.in_language(language),
        vat_rate=percent(variant.rate.parts_per_million),
        product_id=product.id,
        available_media=media,
        attributes=written(attribute_views(variant, language)),
        external_ids=written(tuple(wire.ExternalIdView(*entry) for entry in variant.external_ids)),
        price_range=None,
    )


def _next_availability(standing: Standing, views: BookingViews) -> wire.NextAvailabilityView | None:
    option = standing.next_option
    if option is None:
        return None
    validity = validity_view(option.validity)
    return wire.NextAvailabilityView(
        start=validity.start,
        end=validity.end,
        days_until=(option.validity.first_day - standing.today).days,
        available_capacity=capacity_view(option.capacity),
        price=views.price(option.price),
    )


def _content(content: ProductContent, language: str) -> wire.ProductContentView:
    return wire.ProductContentView(
        title=content.title.in_language(language),
        caption=content.caption.in_language(language),
        short_description=content.short_description.in_language(language),
        description=content.description.in_language(language),
        images=_images(content.images, language),
        tags=tuple(
            wire.TagView(tag.caption.in_language(language), tag.description.in_language(language), tag.icon)
            for tag in content.tags
        ),
        seo_title=content.seo_title.in_language(language),
        seo_description=content.seo_description.in_language(language),
        seo_keywords=tuple(keyword.in_language(language) for keyword in content.seo_keywords),
        seo_images=_images(content.seo_images, language),
        banner=_banner(content.banner, language) if content.banner else None,
    )


def _images(images: Iterable[Image], language: str) -> tuple[wire.ImageView, ...]:
    return tuple(
        wire.ImageView(
            image_url=image.image_url,
            alt_text=image.alt_text.in_language(language),
            lqip=image.lqip,
            hotspot=wire.HotspotView(*image.hotspot) if image.hotspot else None,
        )
        for image in images
    )


def _banner(banner: Banner, language: str) -> wire.BannerView:
    cta = _call_to_action(banner.cta, language) if banner.cta else None
    return wire.BannerView(banner.text.in_language(language), banner.color, banner.icon, cta)


def _call_to_action(cta: CallToAction, language: str) -> wire.CallToActionView:
    return wire.CallToActionView(
        title=cta.title.in_language(language),
        color=cta.color,
        variant=cta.variant,
        product=wire.SlugView(cta.product) if cta.product else None,
        link=cta.link,
        page=wire.SlugView(cta.page) if cta.page else None,
        new_tab=cta.new_tab,
    )
