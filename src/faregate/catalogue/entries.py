"""The unchecked entries of a catalogue, including merchants, categories and discount cards."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from faregate.amount_due.vouchers import Voucher
from faregate.arguments.fields import Derived
from faregate.catalogue.calendars import Calendar
from faregate.catalogue.channels import Channel
from faregate.catalogue.pools import Pool
from faregate.catalogue.presentation.form_fields import FormField
from faregate.catalogue.presentation.person_form import DEFAULT_PERSON_FORM
from faregate.catalogue.products import Medium, Product
from faregate.discounts.kinds import AutomaticDiscount, PromoCode
from faregate.translations import Text


@dataclass(frozen=True, slots=True)
class Merchant:
    """A seller of products, with the time zone of its service days and the currency of its prices.

    ``territory`` is the ISO 3166 code of the country whose date format is used in labels.
    """

    identifier: str
    _: KW_ONLY
    timezone: str
    currency: str
    territory: str | None = None


@dataclass(frozen=True, slots=True)
class Category:
    """A group of products in the shop."""

    id: int
    name: Text
    _: KW_ONLY
    description: Text = Text()
    sort_order: int = 0
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscountCard:
    """A card that entitles its holder to reduced prices, such as a half-fare card."""

    id: int
    name: Text


@dataclass(frozen=True, kw_only=True)
class Entries(Derived):
    """The unchecked fields of a ``Catalogue``.

    ``person_form`` holds the questions asked about every person, regardless of the product.
    """

    merchants: tuple[Merchant, ...] = ()
    categories: tuple[Category, ...] = ()
    discount_cards: tuple[DiscountCard, ...] = ()
    products: tuple[Product, ...] = ()
    media: tuple[Medium, ...] = ()
    channels: tuple[Channel, ...] = ()
    automatic_discounts: tuple[AutomaticDiscount, ...] = ()
    promo_codes: tuple[PromoCode, ...] = ()
    vouchers: tuple[Voucher, ...] = ()
    calendar: Calendar = Calendar()
    pools: tuple[Pool, ...] = ()
    person_form: tuple[FormField, ...] = DEFAULT_PERSON_FORM


def order_zones(channel: Channel, entries: Entries) -> frozenset[str]:
    """Return the time zone of *channel* or, if it has none, the zones of merchants that can sell on it."""
    if channel.timezone is not None:
        return frozenset({channel.timezone})
    sellers = {product.merchant for product in entries.products if channel.sells(product)}
    here = [own for own in entries.merchants if own.currency == channel.currency]
    found = frozenset(own.timezone for own in here if own.identifier in sellers)
    return found or frozenset(own.timezone for own in here)  # a channel that sells nothing yet
