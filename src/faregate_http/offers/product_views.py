"""A product as JSON: its content and its current prices. Decisions §8.9."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.presentation.content import CallToAction, ProductContent
from faregate.catalogue.products import Product, Variant
from faregate_http.offers.booking_views import BookingViews, capacity_view, validity_view
from faregate_http.offers.catalogue_views import component_variant, written
from faregate_http.offers.price_snapshots import PriceSnapshot
from faregate_http.protocol.view_writer import ViewWriter
from faregate_http.schemas import products as wire
from faregate_http.schemas.checkout import MerchantView


class _Page(NamedTuple):
    """Parts of a product that depend only on the catalogue and the language, already encoded."""

    product: wire.ProductView
    views: BookingViews


class ProductViews:
    """Builds the API views of a catalogue's products, which are the same on every channel."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._page = cache(self._written_page)

    def product(
        self, product: Product, language: str, snapshot: PriceSnapshot, *, with_next: bool = False
    ) -> wire.ProductView:
        """Return a view of *product* with its current prices and, if *with_next*, its next availability."""
        page = self._page(product.id, language)
        price, ranges = page.views.price, snapshot.ranges
        next_availability = _next_availability(snapshot, page.views) if with_next else UNSET
        today = snapshot.price_today
        return replace(
            page.product,
            standard_price_range=snapshot.standard_range and price(snapshot.standard_range),
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
        writer = ViewWriter(language, merchant.currency)
        media = written(tuple(self._media(product, writer)))
        view = writer.write(
            wire.ProductView,
            product,
            content=written(_content(product.content, writer)),
            merchant=written(writer.write(MerchantView, merchant)),
            category=written(writer.write(wire.ProductCategoryView, category, title=category.name)),
            standard_price_range=None,
            standard_price_today=None,
            standard_product_variant_id=product.standard_variant.id,
            product_variants=[_variant(variant, product, media, writer) for variant in product.variants],
            next_availability=UNSET,
            person_form_definition=UNSET,
        )
        return _Page(view, BookingViews(merchant, language))

    def _media(self, product: Product, writer: ViewWriter) -> Iterator[wire.CatalogueMediumView]:
        for medium_id in product.media:
            medium = self._catalogue.medium(medium_id)
            required = dict.fromkeys(component.variant for component in medium.price_components)
            variants = [component_variant(variant_id, self._catalogue, writer) for variant_id in required]
            yield writer.write(wire.CatalogueMediumView, medium, required_product_variants=variants)


def _variant(
    variant: Variant, product: Product, media: tuple[wire.CatalogueMediumView, ...], writer: ViewWriter
) -> wire.CatalogueVariantView:
    view = writer.write(
        wire.CatalogueVariantView,
        variant,
        vat_rate=variant.rate,
        product_id=product.id,
        available_media=media,
        price_range=None,
    )
    return replace(view, attributes=written(view.attributes), external_ids=written(view.external_ids))


def _next_availability(snapshot: PriceSnapshot, views: BookingViews) -> wire.NextAvailabilityView | None:
    option = snapshot.next_option
    if option is None:
        return None
    validity = validity_view(option.validity)
    return wire.NextAvailabilityView(
        start=validity.start,
        end=validity.end,
        days_until=(option.validity.first_day - snapshot.today).days,
        available_capacity=capacity_view(option.capacity),
        price=views.price(option.price),
    )


def _content(content: ProductContent, writer: ViewWriter) -> wire.ProductContentView:
    banner = content.banner and writer.write(
        wire.BannerView,
        content.banner,
        cta=content.banner.cta and _call_to_action(content.banner.cta, writer),
    )
    return writer.write(wire.ProductContentView, content, banner=banner)


def _call_to_action(cta: CallToAction, writer: ViewWriter) -> wire.CallToActionView:
    product, page = (slug and wire.SlugView(slug) for slug in (cta.product, cta.page))
    return writer.write(wire.CallToActionView, cta, product=product, page=page)
