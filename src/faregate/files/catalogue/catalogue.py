"""The model of a whole catalogue file."""

from typing import Annotated

from pydantic import Field

from faregate.catalogue.calendars import Calendar
from faregate.catalogue.entries import Category, DiscountCard, Entries
from faregate.catalogue.presentation.person_form import DEFAULT_PERSON_FORM
from faregate.files.catalogue.calendars import HolidayEntry, SeasonEntry
from faregate.files.catalogue.channels import ChannelEntry, MerchantEntry, VoucherEntry
from faregate.files.catalogue.content import FormFieldEntry
from faregate.files.catalogue.discounts import AutoDiscountEntry, PromoCodeEntry
from faregate.files.catalogue.pools import PoolEntry
from faregate.files.catalogue.products import MediumEntry, ProductEntry
from faregate.files.fields.models import AtOnce, Entry, core_values
from faregate.files.fields.types import CurrencyCode, Id, ListOf, Name, Ranking, Words


class CategoryEntry(Entry[Category]):
    """A group of products in the shop; the shop defines the meaning of ``tags``."""

    id: Id
    name: Words
    description: Words | None = None
    sort_order: Ranking = 0
    tags: ListOf[Name] = ()


class DiscountCardEntry(Entry[DiscountCard]):
    """A card that entitles its holder to reduced prices."""

    id: Id
    name: Words


class CatalogueFile(Entry[Entries]):
    """A catalogue file. Names are in camelCase, amounts in major units, and rates in percent.

    ``currency`` applies to discounts, thresholds, vouchers and media, and by default to merchants and
    channels. ``personForm`` holds the questions about every person, by default names and date of birth.
    """

    currency: Annotated[CurrencyCode, Field(exclude=True)]
    merchants: ListOf[MerchantEntry] = ()
    categories: ListOf[CategoryEntry] = ()
    discount_cards: ListOf[DiscountCardEntry] = ()
    seasons: Annotated[ListOf[SeasonEntry], Field(exclude=True)] = ()
    holidays: Annotated[ListOf[HolidayEntry], Field(exclude=True)] = ()
    pools: ListOf[PoolEntry] = ()
    products: ListOf[AtOnce[ProductEntry]] = ()
    media: ListOf[MediumEntry] = ()
    channels: ListOf[ChannelEntry] = ()
    automatic_discounts: Annotated[ListOf[AtOnce[AutoDiscountEntry]], Field(alias="autoDiscounts")] = ()
    promo_codes: ListOf[AtOnce[PromoCodeEntry]] = ()
    vouchers: ListOf[AtOnce[VoucherEntry]] = ()
    person_form: ListOf[FormFieldEntry] = ()

    def to_core(self, **values: object) -> Entries:
        """Return the entries of the catalogue; those without a currency get the currency of the file."""
        return super().to_core(
            merchants=tuple([merchant.in_file(self.currency) for merchant in self.merchants]),
            channels=tuple([channel.in_file(self.currency) for channel in self.channels]),
            calendar=Calendar(seasons=core_values(self.seasons), holidays=core_values(self.holidays)),
            person_form=core_values(self.person_form) or DEFAULT_PERSON_FORM,
            **values,
        )
