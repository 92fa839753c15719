"""What shops show of a product: texts, images and a banner, as they are; nothing here computes."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from enum import Enum

from faregate.translations import Text


class CtaColor(Enum):
    """How a call to action is coloured."""

    DEFAULT = "default"
    PRIMARY = "primary"


class CtaVariant(Enum):
    """How a call to action looks."""

    LINK = "link"
    BUTTON = "button"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hotspot:
    """What must stay visible of an image: its centre and its size, as parts of the whole from 0 to 1."""

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
    """A short remark with an icon."""

    caption: Text
    description: Text = Text()
    icon: str = ""


@dataclass(frozen=True, slots=True)
class CallToAction:
    """Where a banner leads: to a product or a page by its slug, or to a link."""

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
    """The page of a product."""

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
