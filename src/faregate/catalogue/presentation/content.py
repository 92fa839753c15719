"""What shops show of a product: texts, images and a banner, as they are; nothing here computes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from faregate.translations import Text


class CtaColor(Enum):
    """How a call to action is coloured."""

    DEFAULT = "default"
    PRIMARY = "primary"


class CtaVariant(Enum):
    """How a call to action looks."""

    LINK = "link"
    BUTTON = "button"


class Hotspot(NamedTuple):
    """What must stay visible of an image: its centre and its size, as parts of the whole from 0 to 1."""

    x: float
    y: float
    width: float
    height: float


class Image(NamedTuple):
    """An image; ``lqip`` is a tiny preview of it as a data URL."""

    image_url: str
    alt_text: Text = Text()
    lqip: str = ""
    hotspot: Hotspot | None = None


class Tag(NamedTuple):
    """A short remark with an icon."""

    caption: Text
    description: Text = Text()
    icon: str = ""


class CallToAction(NamedTuple):
    """Where a banner leads: to a product or a page by its slug, or to a link."""

    title: Text
    color: CtaColor = CtaColor.DEFAULT
    variant: CtaVariant = CtaVariant.LINK
    product: str | None = None
    page: str | None = None
    link: str = ""
    new_tab: bool = False


class Banner(NamedTuple):
    """A line of text across the page."""

    text: Text
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
