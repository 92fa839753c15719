"""A product as the wire has it: what the catalogue says, and how it stands now. Decisions §8.9."""

from __future__ import annotations

from dataclasses import asdict
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from faregate_http.offers.booking_views import BookingViews, capacity_view, validity_view
from faregate_http.offers.catalogue_views import attribute_views, component_variant, written
from faregate_http.protocol.numbers import percent
from faregate_http.schemas import products as wire
from faregate_http.schemas.checkout import MerchantView

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from faregate.catalogue.catalogue import Catalogue
    from faregate.catalogue.presentation.content import Banner, CallToAction, Image, ProductContent
    from faregate.catalogue.products import Medium, Product, Variant
    from faregate_http.offers.price_snapshots import Standing


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
            standard_product_variant_id=product.standard_variant.id,
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
        external_ids=written(
            tuple(
                wire.ExternalIdView(entry.system, entry.kind, entry.value) for entry in variant.external_ids
            )
        ),
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
            hotspot=wire.HotspotView(**asdict(image.hotspot)) if image.hotspot else None,
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
