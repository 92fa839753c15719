"""The entries of a catalogue before they are checked, among them merchants, categories and discount cards."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass

from faregate.amount_due.vouchers import Voucher
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
    """Who sells: its days begin in its time zone, its prices are in its currency.

    ``territory`` is the country, by ISO 3166, whose way of writing dates its labels follow.
    """

    identifier: str
    _: KW_ONLY
    timezone: str
    currency: str
    territory: str | None = None


@dataclass(frozen=True, slots=True)
class Category:
    """A shelf of the shop."""

    id: int
    name: Text
    _: KW_ONLY
    description: Text = Text()
    sort_order: int = 0
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscountCard:
    """A card that entitles its holder to reduced prices, for example a half-fare card."""

    id: int
    name: Text


@dataclass(frozen=True, kw_only=True)
class Entries:
    """The fields of a ``Catalogue``, not checked.

    ``person_form`` is what is asked of every person, whatever is bought for them.
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
    """Return the zone that *channel* names, else those of the merchants who can sell there."""
    if channel.timezone is not None:
        return frozenset({channel.timezone})
    sellers = {product.merchant for product in entries.products if channel.sells(product)}
    here = [own for own in entries.merchants if own.currency == channel.currency]
    found = frozenset(own.timezone for own in here if own.identifier in sellers)
    return found or frozenset(own.timezone for own in here)  # a channel that sells nothing yet
