"""The content of product pages and the questions of forms in a catalogue file.

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
    """An option of a choice: ``value`` is submitted, ``label`` is displayed."""

    value: Name
    label: Words


class FormFieldEntry(Entry[FormField]):
    """A question in a form, optional unless ``required``.

    ``maxLength`` limits a string, ``minimum`` and ``maximum`` an integer; ``choices`` are the options of a
    choice.
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
    """The part of an image that must stay visible: its centre and size, as fractions from 0 to 1."""

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
    """A short label on a product page; the shop defines the names that ``icon`` can have."""

    caption: Words
    description: Words | None = None
    icon: Name = ""


class SlugEntry(Entry[str]):
    """A reference to a product or a page by its slug, as in ``{slug: day-ticket}``."""

    slug: Slug

    def to_core(self, **_: object) -> str:
        """Return the slug as text."""
        return self.slug


class CallToActionEntry(Entry[CallToAction]):
    """A link on a banner: to a ``product`` of this file, a ``page`` of the shop, or a URL (``link``)."""

    title: Words
    color: OneOf[CtaColor] = CtaColor.DEFAULT
    variant: OneOf[CtaVariant] = CtaVariant.LINK
    product: SlugEntry | None = None
    page: SlugEntry | None = None
    link: Url = ""
    new_tab: bool = False


class BannerEntry(Entry[Banner]):
    """A line of text across the page; the shop defines the possible names in ``color`` and ``icon``."""

    text: Words
    color: Name = ""
    icon: Name = ""
    cta: CallToActionEntry | None = None


class ContentEntry(Entry[ProductContent]):
    """The content of a product page."""

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
