"""What shops show of a product, and the questions of a form, in a catalogue file.

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
from faregate.catalogue.presentation.form_fields import Choice, FieldKind, FormField
from faregate.files.fields.models import Entry
from faregate.files.fields.types import (
    FieldName,
    ImagePreview,
    ImageUrl,
    ListOf,
    MinimumCount,
    Name,
    OneOf,
    PartOfOne,
    Slug,
    Url,
    WholeNumber,
    Words,
)


class ChoiceEntry(Entry[Choice]):
    """One answer to choose: ``value`` is what is sent, ``label`` what is read."""

    value: Name
    label: Words


class FormFieldEntry(Entry[FormField]):
    """One question. ``maxLength`` goes with a text, ``minimum`` and ``maximum`` with an integer.

    ``choices`` are the answers of a choice, at least one. Without ``required`` it may stay unanswered.
    """

    name: FieldName
    kind: OneOf[FieldKind]
    title: Words
    description: Words | None = None
    required: bool = False
    max_length: MinimumCount | None = None
    minimum: WholeNumber | None = None
    maximum: WholeNumber | None = None
    choices: ListOf[ChoiceEntry] = ()


class HotspotEntry(Entry[Hotspot]):
    """What must stay visible of an image: its centre and its size, as parts of the whole from 0 to 1."""

    x: PartOfOne
    y: PartOfOne
    width: PartOfOne
    height: PartOfOne


class ImageEntry(Entry[Image]):
    """An image; ``lqip`` is a tiny preview of it as a data URL."""

    image_url: ImageUrl
    alt_text: Words | None = None
    lqip: ImagePreview = ""
    hotspot: HotspotEntry | None = None


class TagEntry(Entry[Tag]):
    """A short remark; ``icon`` is a name that shops know."""

    caption: Words
    description: Words | None = None
    icon: Name = ""


class SlugEntry(Entry[str]):
    """``{slug: day-ticket}``: a product or a page."""

    slug: Slug

    def to_core(self, **_: object) -> str:
        """Return the slug alone."""
        return self.slug


class CallToActionEntry(Entry[CallToAction]):
    """Where a banner leads: to a ``product`` of this file, to a ``page`` of the shop, or to a ``link``."""

    title: Words
    color: OneOf[CtaColor] = CtaColor.DEFAULT
    variant: OneOf[CtaVariant] = CtaVariant.LINK
    product: SlugEntry | None = None
    page: SlugEntry | None = None
    link: Url = ""
    new_tab: bool = False


class BannerEntry(Entry[Banner]):
    """A line of text across the page; ``color`` and ``icon`` are names that shops know."""

    text: Words
    color: Name = ""
    icon: Name = ""
    cta: CallToActionEntry | None = None


class ContentEntry(Entry[ProductContent]):
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


NO_CONTENT = ContentEntry()
