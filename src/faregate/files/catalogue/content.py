"""What shops show of a product, in a catalogue file.

::

    content:
      title: {en: Day ticket, de: Tageskarte}
      images:
        - imageUrl: /images/peak.jpg
          altText: A peak
          hotspot: {x: 0.5, y: 0.4, width: 0.3, height: 0.2}
      tags: [{caption: Bestseller, icon: star}]
      seoKeywords: [ski, {en: snow, de: Schnee}]
      banner: {text: Book early, cta: {title: More, variant: button, product: {slug: saver-ticket}}}
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from faregate.catalogue.presentation.content import (
    Banner,
    CallToAction,
    CtaColor,
    CtaVariant,
    Hotspot,
    Image,
    ProductContent,
    Tag,
)
from faregate.files.fields.types import FileModel, ImagePreview, ImageUrl, ListOf, Name, PartOfOne, Slug, Url
from faregate.files.fields.words import Words
from faregate.translations import Text


def _text(words: Words | None) -> Text:
    return words.to_core() if words else Text()


class HotspotEntry(FileModel):
    """What must stay visible of an image: its centre and its size, as parts of the whole from 0 to 1."""

    x: PartOfOne
    y: PartOfOne
    width: PartOfOne
    height: PartOfOne

    def to_core(self) -> Hotspot:
        """The core's value."""
        return Hotspot(x=self.x, y=self.y, width=self.width, height=self.height)


class ImageEntry(FileModel):
    """An image; ``lqip`` is a tiny preview of it as a data URL."""

    image_url: ImageUrl
    alt_text: Words | None = None
    lqip: ImagePreview = ""
    hotspot: HotspotEntry | None = None

    def to_core(self) -> Image:
        """The core's value."""
        hotspot = self.hotspot.to_core() if self.hotspot else None
        return Image(self.image_url, alt_text=_text(self.alt_text), lqip=self.lqip, hotspot=hotspot)


class TagEntry(FileModel):
    """A short remark; ``icon`` is a name that shops know."""

    caption: Words
    description: Words | None = None
    icon: Name = ""

    def to_core(self) -> Tag:
        """The core's value."""
        return Tag(caption=self.caption.to_core(), description=_text(self.description), icon=self.icon)


class SlugEntry(FileModel):
    """``{slug: day-ticket}``: a product or a page."""

    slug: Slug


class CallToActionEntry(FileModel):
    """Where a banner leads: to a ``product`` of this file, to a ``page`` of the shop, or to a ``link``."""

    title: Words
    color: Annotated[CtaColor, Field(strict=False)] = CtaColor.DEFAULT
    variant: Annotated[CtaVariant, Field(strict=False)] = CtaVariant.LINK
    product: SlugEntry | None = None
    page: SlugEntry | None = None
    link: Url = ""
    new_tab: bool = False

    def to_core(self) -> CallToAction:
        """The core's value."""
        return CallToAction(
            title=self.title.to_core(),
            color=self.color,
            variant=self.variant,
            product=self.product.slug if self.product else None,
            page=self.page.slug if self.page else None,
            link=self.link,
            new_tab=self.new_tab,
        )


class BannerEntry(FileModel):
    """A line of text across the page; ``color`` and ``icon`` are names that shops know."""

    text: Words
    color: Name = ""
    icon: Name = ""
    cta: CallToActionEntry | None = None

    def to_core(self) -> Banner:
        """The core's value."""
        return Banner(
            self.text.to_core(),
            color=self.color,
            icon=self.icon,
            cta=self.cta.to_core() if self.cta else None,
        )


class ContentEntry(FileModel):
    """The page of a product."""

    title: Words | None = None
    caption: Words | None = None
    short_description: Words | None = None
    description: Words | None = None
    images: ListOf[ImageEntry] = ()
    tags: ListOf[TagEntry] = ()
    seo_title: Words | None = None
    seo_description: Words | None = None
    seo_keywords: ListOf[Words] = ()
    seo_images: ListOf[ImageEntry] = ()
    banner: BannerEntry | None = None

    def to_core(self) -> ProductContent:
        """The core's value."""
        return ProductContent(
            title=_text(self.title),
            caption=_text(self.caption),
            short_description=_text(self.short_description),
            description=_text(self.description),
            images=tuple(image.to_core() for image in self.images),
            tags=tuple(tag.to_core() for tag in self.tags),
            seo_title=_text(self.seo_title),
            seo_description=_text(self.seo_description),
            seo_keywords=tuple(keyword.to_core() for keyword in self.seo_keywords),
            seo_images=tuple(image.to_core() for image in self.seo_images),
            banner=self.banner.to_core() if self.banner else None,
        )


NO_CONTENT = ContentEntry()
