"""A whole catalogue file."""

from __future__ import annotations

from faregate.catalogue.calendars import Calendar
from faregate.catalogue.entries import Category, DiscountCard, Entries
from faregate.catalogue.presentation.person_form import DEFAULT_PERSON_FORM
from faregate.files.catalogue.calendars import HolidayEntry, SeasonEntry
from faregate.files.catalogue.channels import ChannelEntry, MerchantEntry, VoucherEntry
from faregate.files.catalogue.discounts import AutoDiscountEntry, PromoCodeEntry
from faregate.files.catalogue.form_fields import FormFieldEntry
from faregate.files.catalogue.media import MediumEntry
from faregate.files.catalogue.pools import PoolEntry
from faregate.files.catalogue.products import ProductEntry
from faregate.files.fields.types import CurrencyCode, FileModel, Id, ListOf, Name, Ranking
from faregate.files.fields.words import Words
from faregate.translations import Text


class CategoryEntry(FileModel):
    """A shelf of the shop; ``tags`` are words that shops know."""

    id: Id
    name: Words
    description: Words | None = None
    sort_order: Ranking = 0
    tags: ListOf[Name] = ()

    def to_core(self) -> Category:
        """The core's value."""
        return Category(
            id=self.id,
            name=self.name.to_core(),
            description=self.description.to_core() if self.description else Text(),
            sort_order=self.sort_order,
            tags=self.tags,
        )


class DiscountCardEntry(FileModel):
    """A card that entitles its holder to reduced prices."""

    id: Id
    name: Words

    def to_core(self) -> DiscountCard:
        """The core's value."""
        return DiscountCard(self.id, self.name.to_core())


class CatalogueFile(FileModel):
    """A catalogue as it is written: camelCase names, amounts in major units, percentages in percent.

    ``currency`` is that of discounts, thresholds, vouchers and media, and of every merchant and channel
    that names none. ``personForm`` is what is asked of every person; without it, names and date of birth.
    """

    currency: CurrencyCode
    merchants: ListOf[MerchantEntry] = ()
    categories: ListOf[CategoryEntry] = ()
    discount_cards: ListOf[DiscountCardEntry] = ()
    seasons: ListOf[SeasonEntry] = ()
    holidays: ListOf[HolidayEntry] = ()
    pools: ListOf[PoolEntry] = ()
    products: ListOf[ProductEntry] = ()
    media: ListOf[MediumEntry] = ()
    channels: ListOf[ChannelEntry] = ()
    auto_discounts: ListOf[AutoDiscountEntry] = ()
    promo_codes: ListOf[PromoCodeEntry] = ()
    vouchers: ListOf[VoucherEntry] = ()
    person_form: ListOf[FormFieldEntry] = ()

    def to_core(self) -> Entries:
        """The core's value."""
        return Entries(
            merchants=tuple(merchant.to_core(self.currency) for merchant in self.merchants),
            categories=tuple(category.to_core() for category in self.categories),
            discount_cards=tuple(card.to_core() for card in self.discount_cards),
            products=tuple(product.to_core() for product in self.products),
            media=tuple(medium.to_core() for medium in self.media),
            channels=tuple(channel.to_core(self.currency) for channel in self.channels),
            automatic_discounts=tuple(discount.to_core() for discount in self.auto_discounts),
            promo_codes=tuple(promo_code.to_core() for promo_code in self.promo_codes),
            vouchers=tuple(voucher.to_core() for voucher in self.vouchers),
            calendar=Calendar(
                seasons=tuple(season.to_core() for season in self.seasons),
                holidays=tuple(holiday.to_core() for holiday in self.holidays),
            ),
            pools=tuple(pool.to_core() for pool in self.pools),
            person_form=tuple(field.to_core() for field in self.person_form) or DEFAULT_PERSON_FORM,
        )
