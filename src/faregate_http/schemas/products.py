"""Responses of the product operations, with the specification's names and types."""

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
    """Part of an image that must stay visible: centre and size as fractions of the image."""

    x: float
    y: float
    width: float
    height: float


class ImageView(View):
    """An image; a missing text or preview is empty."""

    image_url: str
    alt_text: str
    lqip: str
    hotspot: HotspotView | None


class TagView(View):
    """Short remark with an icon."""

    caption: str
    description: str
    icon: str


class SlugView(View):
    """Reference to a product or page by its slug."""

    slug: str


class CallToActionView(View):
    """Call to action of a banner, which leads to a product, a page or a link; an unused link is empty."""

    title: str
    color: CtaColor
    variant: CtaVariant
    product: SlugView | None
    link: str
    page: SlugView | None
    new_tab: bool


class BannerView(View):
    """Line of text across a product page, with a call to action if there is one."""

    text: str
    color: str
    icon: str
    cta: CallToActionView | None


class ProductContentView(View):
    """Content of a product page; missing texts are empty."""

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
    """Shop category with its texts."""

    id: int
    title: str
    description: str
    sort_order: int
    tags: tuple[str, ...]


class ExternalIdView(View):
    """Id of a variant in another system."""

    system: str
    kind: str
    value: str


class CatalogueMediumView(View):
    """Medium on which a variant can be issued, and the variants that are sold with it."""

    id: int
    type: str
    name: str
    description: str
    required_product_variants: tuple[PriceComponentVariantView, ...]


class CatalogueVariantView(View):
    """Variant of a product; the price range is null if the variant cannot be booked."""

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
    """First validity period that can be booked, and the number of local days until then."""

    days_until: int
    available_capacity: CapacityView | None
    price: PriceRangeView


class ProductView(ProductFieldsView):
    """A product with its content and current prices."""

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
    """Response with a product."""
