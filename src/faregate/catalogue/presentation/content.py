"""The content of a product page: texts, images and a banner, passed to shops unchanged."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Enum

from faregate.translations import Text


class CtaColor(Enum):
    """The colour scheme of a call to action."""

    DEFAULT = "default"
    PRIMARY = "primary"


class CtaVariant(Enum):
    """The appearance of a call to action."""

    LINK = "link"
    BUTTON = "button"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hotspot:
    """The part of an image that must stay visible: its centre and size, as fractions from 0 to 1."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Image:
    """An image; ``lqip`` is a tiny preview of it as a data URL."""

    image_url: str
    _: KW_ONLY
    alt_text: Text = Text()
    lqip: str = ""
    hotspot: Hotspot | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A short label on a product page, with an icon."""

    caption: Text
    description: Text = Text()
    icon: str = ""


@dataclass(frozen=True, slots=True)
class CallToAction:
    """A link on a banner: to a product or page by its slug, or to a URL."""

    title: Text
    _: KW_ONLY
    color: CtaColor = CtaColor.DEFAULT
    variant: CtaVariant = CtaVariant.LINK
    product: str | None = None
    page: str | None = None
    link: str = ""
    new_tab: bool = False


@dataclass(frozen=True, slots=True)
class Banner:
    """A line of text across the page."""

    text: Text
    _: KW_ONLY
    color: str = ""
    icon: str = ""
    cta: CallToAction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProductContent:
    """The content of a product page."""

    title: Text = Text()
    caption: Text = Text()
    short_description: Text = Text()
    description: Text = Text()
    images: tuple[Image, ...] = ()
    tags: tuple[Tag, ...] = ()
    seo_title: Text = Text()
    seo_description: Text = Text()
    seo_keywords: tuple[Text, ...] = ()
    seo_images: tuple[Image, ...] = ()
    banner: Banner | None = None
