"""Baskets as files: the items of a checkout in the shape of the service, and the instant they are priced at."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, NamedTuple
from zoneinfo import ZoneInfo

from pydantic import BaseModel, Field

from faregate.catalogue_faults import Fault
from faregate.checkout import Checkout, CheckoutItem
from faregate.dates import Interval, parse_interval
from faregate.errors import InvalidCheckout, InvalidPeriod, UnknownEntry
from faregate_catalogue.documents import FileFormat, format_of, read_document, read_file
from faregate_catalogue.faults import FaultyFile, FileFault
from faregate_catalogue.fields import FILE_MODEL, Amount, Code, Currencies, Id, Instant, ListOf, Uuid
from faregate_catalogue.nodes import line_at
from faregate_catalogue.units import known_currency
from faregate_catalogue.validation import validated

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from faregate.catalogue import Catalogue
    from faregate.currency import Currency

__all__ = ["Basket", "BasketFile", "ItemEntry", "ValidityEntry", "load_basket", "parse_basket"]

_MOST_ITEMS = 500
_ItemId = Annotated[int, Field(ge=1, le=2**31 - 1)]
_Moment = Annotated[str, Field(max_length=40)]


class Basket(NamedTuple):
    """A checkout, and the instant as of which it is priced, in the merchant's zone."""

    checkout: Checkout
    ordered_at: datetime


class ValidityEntry(BaseModel):
    """When a ticket is valid, in any form of decisions §8.1; dates are of the merchant, ``to`` included."""

    model_config = FILE_MODEL

    start: Annotated[_Moment, Field(alias="from")]
    end: Annotated[_Moment, Field(alias="to")]

    def to_core(self, zone: ZoneInfo) -> Interval:
        """The core's value."""
        return parse_interval(self.start, self.end, zone)


class ItemEntry(BaseModel):
    """One unit; what is null may be left out. ``personId`` and ``originatedItemId`` change no price."""

    model_config = FILE_MODEL

    id: _ItemId
    product_variant_id: Id
    validity: ValidityEntry | None = None
    parent_item_id: _ItemId | None = None
    discount_card_type_id: Id | None = None
    person_id: Id | None = None
    originated_item_id: _ItemId | None = None

    def to_core(self, zone: ZoneInfo) -> CheckoutItem:
        """The core's value."""
        return CheckoutItem(
            id=self.id,
            variant=self.product_variant_id,
            validity=self.validity.to_core(zone) if self.validity else None,
            parent=self.parent_item_id,
            discount_card=self.discount_card_type_id,
        )


class BasketFile(BaseModel):
    """A basket: the channel's UUID, the instant of the order, items, codes as entered, a donation.

    ``orderedAt`` has an offset. ``donation`` is in the channel's currency. ``codes`` are promo codes and
    vouchers alike.
    """

    model_config = FILE_MODEL

    channel: Uuid
    ordered_at: Instant
    items: Annotated[ListOf[ItemEntry], Field(max_length=_MOST_ITEMS)] = ()
    codes: Annotated[ListOf[Code], Field(max_length=_MOST_ITEMS)] = ()
    donation: Amount = 0
    account_id: Id | None = None

    def to_core(self, catalogue: Catalogue) -> Basket:
        """The core's values. The instant is in the zone of the merchant of the lowest item id (else of the first)."""
        zones = _Zones(catalogue)
        checkout = Checkout(
            channel=self.channel,
            items=tuple(item.to_core(zones.of_item(item)) for item in self.items),
            codes=self.codes,
            donation=self.donation,
            account=self.account_id,
        )
        return Basket(checkout, self.ordered_at.astimezone(zones.of_order(self)))
