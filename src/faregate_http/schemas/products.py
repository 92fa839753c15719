"""Answers of the product operations, with the names and types of the specification."""

from __future__ import annotations

from typing import Any

from msgspec import UNSET, UnsetType

from faregate.catalogue.presentation.content import CtaColor, CtaVariant
from faregate.catalogue.price_rules import PriceModel
from faregate_http.schemas.base import Amount, Envelope, Percent, View
from faregate_http.schemas.booking import CapacityView, PriceRangeView
from faregate_http.schemas.checkout import (
    AttributeView,
    MerchantView,
    PriceComponentVariantView,
    ProductFieldsView,
    ValidityView,
)


class HotspotView(View):
    """What must stay visible of an image: its centre and its size, as parts of the whole from 0 to 1."""

    x: float
    y: float
    width: float
    height: float


class ImageView(View):
    """An image; without a text or a preview these are empty."""

    image_url: str
    alt_text: str
    lqip: str
    hotspot: HotspotView | None


class TagView(View):
    """A short remark with an icon."""

    caption: str
    description: str
    icon: str


class SlugView(View):
    """A product or a page, by its slug."""

    slug: str


class CallToActionView(View):
    """Where a banner leads: to a product, to a page, or to a link, which is empty otherwise."""

    title: str
    color: CtaColor
    variant: CtaVariant
    product: SlugView | None
    link: str
    page: SlugView | None
    new_tab: bool


class BannerView(View):
    """A line of text across the page."""

    text: str
    color: str
    icon: str
    cta: CallToActionView | None


class ProductContentView(View):
    """The page of a product; texts that it lacks are empty."""

    title: str
    caption: str
    short_description: str
    description: str
    images: tuple[ImageView, ...]
    tags: tuple[TagView, ...]
    seo_title: str
    seo_description: str
    seo_keywords: tuple[str, ...]
    seo_images: tuple[ImageView, ...]
    banner: BannerView | None


class ProductCategoryView(View):
    """The shelf of the shop on which a product stands."""

    id: int
    title: str
    description: str
    sort_order: int
    tags: tuple[str, ...]


class ExternalIdView(View):
    """The id of a variant in another system."""

    system: str
    kind: str
    value: str


class CatalogueMediumView(View):
    """What a variant can be issued on, and the variants that are then bought with it."""

    id: int
    type: str
    name: str
    description: str
    required_product_variants: tuple[PriceComponentVariantView, ...]


class CatalogueVariantView(View):
    """A way to buy a product; the range is null where none of its validities can be booked."""

    id: int
    name: str
    translation: str
    vat_rate: Percent
    product_id: int
    available_media: tuple[CatalogueMediumView, ...]
    attributes: tuple[AttributeView, ...]
    external_ids: tuple[ExternalIdView, ...]
    price_range: PriceRangeView | None


class NextAvailabilityView(ValidityView):
    """The first validity that can be booked, so many local days from today."""

    days_until: int
    available_capacity: CapacityView | None
    price: PriceRangeView


class ProductView(ProductFieldsView):
    """A product, what it costs from now on, and what is said of it."""

    price_model: PriceModel
    content: ProductContentView
    merchant: MerchantView
    category: ProductCategoryView
    standard_price_range: PriceRangeView | None
    standard_price_today: Amount | None
    standard_product_variant_id: int
    product_variants: tuple[CatalogueVariantView, ...]
    next_availability: NextAvailabilityView | UnsetType | None = UNSET
    person_form_definition: dict[str, Any] | UnsetType = UNSET


class ProductEnvelope(Envelope[ProductView]):
    """What is answered with a product."""
