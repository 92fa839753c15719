"""Whether an item can be sold as it stands, and the list price it is given. Decisions §3.8, §8.1, §11.7."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from faregate.checkout_inputs import Quote
from faregate.errors import FaregateError, UnknownEntry
from faregate.faults import Fault, FaultCode
from faregate.pricing import duration_of, list_price

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from faregate.catalogue import Catalogue, Channel, Merchant, Product, Variant
    from faregate.checkout_inputs import CheckoutItem
    from faregate.money import MinorUnits

__all__ = ["quote", "zone_of"]


def quote(
    item: CheckoutItem, *, channel: Channel, catalogue: Catalogue, at: datetime
) -> Quote | tuple[Fault, ...]:
    """What *item* costs when it is added at the aware instant *at*; or everything that keeps it from that.

    The places of the faults are the names of its fields.
    """
    try:
        product, variant = catalogue.variant(item.variant)
        merchant = catalogue.merchant(product.merchant)
    except UnknownEntry as error:
        unknown = Fault(("variant",), str(error), FaultCode.UNKNOWN_VARIANT)
        return unknown, *_card_faults(item, catalogue)
    faults = tuple(_not_sold(item, product, merchant, channel, catalogue))
    price = _list_price(item, product, variant, catalogue)
    if isinstance(price, Fault):
        return (*faults, price)
    return faults or Quote(price, variant.rate, at)


def zone_of(product: Product, catalogue: Catalogue) -> ZoneInfo:
    """Where the days of *product* begin: the zone of its merchant."""
    return ZoneInfo(catalogue.merchant(product.merchant).timezone)


def _not_sold(
    item: CheckoutItem, product: Product, merchant: Merchant, channel: Channel, catalogue: Catalogue
) -> Iterator[Fault]:
    if not channel.sells(product):
        message = f"product {product.id} is not sold on channel {channel.name}"
        yield Fault(("variant",), message, FaultCode.NOT_SOLD_HERE)
    if merchant.currency != channel.currency:
        message = f"product {product.id} is sold in {merchant.currency}, not {channel.currency}"
        yield Fault(("variant",), message, FaultCode.NOT_SOLD_HERE)
    if not product.standalone and item.parent is None:
        message = f"product {product.id} is only sold with another item"
        yield Fault(("parent",), message, FaultCode.NEEDS_PARENT)
    yield from _card_faults(item, catalogue)


def _card_faults(item: CheckoutItem, catalogue: Catalogue) -> Iterator[Fault]:
    if item.discount_card is not None:
        try:
            catalogue.discount_card(item.discount_card)
        except UnknownEntry as error:
            yield Fault(("discount_card",), str(error), FaultCode.UNKNOWN_DISCOUNT_CARD)


def _list_price(
    item: CheckoutItem, product: Product, variant: Variant, catalogue: Catalogue
) -> MinorUnits | Fault:
    validity, card = item.validity, item.discount_card
    if validity is None and product.has_validity:
        message = f"product {product.id} needs a validity"
        return Fault(("validity",), message, FaultCode.VALIDITY_REQUIRED)
    if validity is not None and not product.has_validity:
        message = f"product {product.id} has no validity"
        return Fault(("validity",), message, FaultCode.VALIDITY_NOT_WANTED)
    try:
        duration = validity and duration_of(product, validity, zone_of(product, catalogue))
        return list_price(variant, duration=duration, discount_card=card)
    except FaregateError as error:
        return Fault(("validity" if validity else "variant",), str(error), FaultCode.NOT_BOOKABLE)
