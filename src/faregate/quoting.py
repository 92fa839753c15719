"""Whether an item can be sold as it stands, and the list price it is given. Decisions §3.8, §8.1, §11.7."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from faregate.bookability import BookingDesk
from faregate.checkout_inputs import Quote
from faregate.errors import FaregateError, UnknownEntry
from faregate.faults import Fault, FaultCode
from faregate.pools import NOTHING_TAKEN
from faregate.pricing import Occasion, duration_of, list_price

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from faregate.catalogue import Catalogue, Channel, Merchant, Product, Variant
    from faregate.checkout_inputs import CheckoutItem
    from faregate.money import MinorUnits
    from faregate.pools import Capacity

__all__ = ["quote", "quote_bookable", "zone_of"]


def quote(
    item: CheckoutItem,
    *,
    channel: Channel,
    catalogue: Catalogue,
    at: datetime,
    sold: Capacity = NOTHING_TAKEN,
) -> Quote | tuple[Fault, ...]:
    """What *item* costs at the aware instant *at*; or everything that keeps it from having a price.

    STEPPED prices follow what is *sold*. The places of the faults are the names of its fields.
    """
    try:
        product, variant = catalogue.variant(item.variant)
        merchant = catalogue.merchant(product.merchant)
    except UnknownEntry as error:
        unknown = Fault(("variant",), str(error), FaultCode.UNKNOWN_VARIANT)
        return unknown, *_card_faults(item, catalogue)
    faults = tuple(_not_sold(item, product, merchant, channel, catalogue))
    price = _list_price(item, product, variant, catalogue, at, sold)
    if isinstance(price, Fault):
        return (*faults, price)
    return faults or Quote(price, variant.rate, at)


def quote_bookable(
    item: CheckoutItem,
    *,
    channel: Channel,
    catalogue: Catalogue,
    at: datetime,
    sold: Capacity = NOTHING_TAKEN,
) -> Quote | tuple[Fault, ...]:
    """As ``quote``, but only what can be booked *at* that instant, as ``faregate.validity`` tells it.

    Whether there are places left is asked of the whole checkout, by ``check_places``.
    """
    quoted = quote(item, channel=channel, catalogue=catalogue, at=at, sold=sold)
    if not isinstance(quoted, Quote) or item.validity is None:
        return quoted
    product, _ = catalogue.variant(item.variant)
    zone = zone_of(product, catalogue)
    duration = duration_of(product, item.validity, zone)
    desk = BookingDesk(product, zone=zone, catalogue=catalogue, now=at)
    found = desk.obstacle(duration, item.validity)
    if found is None:
        return quoted
    return (Fault(("validity",), f"cannot be booked: {found.value}", FaultCode.NOT_BOOKABLE),)


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
    item: CheckoutItem,
    product: Product,
    variant: Variant,
    catalogue: Catalogue,
    at: datetime,
    sold: Capacity,
) -> MinorUnits | Fault:
    validity = item.validity
    if validity is None and product.has_validity:
        message = f"product {product.id} needs a validity"
        return Fault(("validity",), message, FaultCode.VALIDITY_REQUIRED)
    if validity is not None and not product.has_validity:
        message = f"product {product.id} has no validity"
        return Fault(("validity",), message, FaultCode.VALIDITY_NOT_WANTED)
    try:
        occasion = _occasion(item, product, zone_of(product, catalogue), at)
        return list_price(
            variant, occasion, product=product, calendar=catalogue.calendar, capacity=sold
        ).amount
    except FaregateError as error:
        return Fault(("validity" if validity else "variant",), str(error), FaultCode.NOT_BOOKABLE)


def _occasion(item: CheckoutItem, product: Product, zone: ZoneInfo, at: datetime) -> Occasion:
    validity, today = item.validity, at.astimezone(zone).date()
    if validity is None:
        return Occasion(ordered_on=today, discount_card=item.discount_card)
    first = validity.start.astimezone(zone).date()
    return Occasion(
        duration=duration_of(product, validity, zone),
        first_day=first,
        ordered_on=min(today, first),  # what has begun is not dearer than on its first day
        discount_card=item.discount_card,
    )
