"""The checkout as a value, and its price from a catalogue: items in, every figure of every item out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from faregate.catalogue import ProductType
from faregate.dates import Interval, in_utc
from faregate.discounts import UnknownCode
from faregate.eligibility import Context
from faregate.errors import FaregateError, InvalidCheckout
from faregate.lines import Line, pricing_lines
from faregate.pricing import duration_of, list_price
from faregate.totals import checkout_totals, item_totals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from faregate.catalogue import Catalogue, Channel, Product, Variant
    from faregate.discounts import PromoCode
    from faregate.money import MinorUnits
    from faregate.totals import CheckoutTotals, LineTotals
    from faregate.vouchers import Voucher

__all__ = ["Checkout", "CheckoutItem", "PricedCheckout", "price_checkout"]


class CheckoutItem(NamedTuple):
    """One unit in a checkout; ``id`` is the client's number for it."""

    id: int
    variant: int
    validity: Interval | None = None
    parent: int | None = None
    discount_card: int | None = None


class Checkout(NamedTuple):
    """The inputs of a checkout. ``codes`` are as entered: promo codes and vouchers alike."""

    channel: str
    items: tuple[CheckoutItem, ...] = ()
    codes: tuple[str, ...] = ()
    donation: MinorUnits = 0
    account: int | None = None


class PricedCheckout(NamedTuple):
    """A checkout and what it costs: ``items`` in the order of the checkout, ``totals`` over its lines.

    ``members`` are the item ids of each line.
    """

    checkout: Checkout
    channel: Channel
    items: tuple[LineTotals, ...]
    totals: CheckoutTotals
    members: tuple[tuple[int, ...], ...]


def price_checkout(checkout: Checkout, *, catalogue: Catalogue, at: datetime) -> PricedCheckout:
    """Price *checkout* from *catalogue* as of the aware instant *at*.

    Raises:
        UnknownEntry: the channel does not exist.
        InvalidCheckout: lists every item that cannot be sold as it stands, and why.
        InvalidPeriod: *at* lacks its offset.
    """
    channel = catalogue.channel(checkout.channel)
    joined = pricing_lines(_lines(checkout, channel, catalogue))
    promo_codes, vouchers = _codes(checkout, catalogue)
    totals = checkout_totals(
        joined.lines,
        automatic=catalogue.automatic_discounts,
        promo_codes=promo_codes,
        donation=checkout.donation,
        vouchers=vouchers,
        policy=channel.policy,
        context=Context(_local(at, checkout, catalogue), channel.uuid, checkout.account),
    )
    items = {item.key: item for item in item_totals(totals, joined.members)}
    return PricedCheckout(
        checkout, channel, tuple([items[item.id] for item in checkout.items]), totals, joined.members
    )


def _local(at: datetime, checkout: Checkout, catalogue: Catalogue) -> datetime:
    """*at* where the order is placed: in the zone of the merchant who sells the item of the lowest id."""
    first = min(checkout.items, key=lambda item: item.id, default=None)
    if first is None:
        return in_utc(at)
    product, _ = catalogue.variant(first.variant)
    return in_utc(at).astimezone(ZoneInfo(catalogue.merchant(product.merchant).timezone))


def _lines(checkout: Checkout, channel: Channel, catalogue: Catalogue) -> list[Line]:
    lines, faults = [], list(_parent_faults(checkout))
    for item in checkout.items:
        try:
            lines.append(_line(item, channel, catalogue))
        except FaregateError as error:
            faults.append(f"item {item.id}: {error}")
    if faults:
        raise InvalidCheckout(*faults)
    return lines


def _parent_faults(checkout: Checkout) -> Iterator[str]:
    parents = {item.id: item.parent for item in checkout.items}
    for item in checkout.items:
        ancestor, steps = item.parent, 0
        while ancestor is not None and ancestor in parents and steps < len(parents):
            ancestor, steps = parents[ancestor], steps + 1
        if steps == len(parents):
            yield f"item {item.id}: its parents form a circle"
        elif item.parent is not None and item.parent not in parents:
            yield f"item {item.id}: there is no parent item {item.parent}"


def _line(item: CheckoutItem, channel: Channel, catalogue: Catalogue) -> Line:
    product, variant = catalogue.variant(item.variant)
    merchant = catalogue.merchant(product.merchant)
    if not channel.sells(product):
        raise InvalidCheckout(f"product {product.id} is not sold on channel {channel.name}")
    if merchant.currency != channel.currency:
        raise InvalidCheckout(f"product {product.id} is sold in {merchant.currency}, not {channel.currency}")
    if not product.standalone and item.parent is None:
        raise InvalidCheckout(f"product {product.id} is only sold with another item")
    if item.discount_card is not None:
        catalogue.discount_card(item.discount_card)
    is_fee = product.type is ProductType.FEE
    zone = ZoneInfo(merchant.timezone)
    return Line(
        key=item.id,
        unit_price=_list_price(item, product, variant, zone),
        quantity=1,
        rate=variant.rate,
        product=product.id,
        variant=variant.id,
        category=product.category,
        attributes=frozenset((entry.identifier, entry.value) for entry in variant.attributes),
        discount_card=item.discount_card,
        validity=item.validity and Interval(*[in_utc(bound).astimezone(zone) for bound in item.validity]),
        floor_price=variant.floor_price,
        discountable=product.discountable and not is_fee,
        counted=not is_fee,
        is_subscription=product.is_subscription,
    )


def _list_price(item: CheckoutItem, product: Product, variant: Variant, zone: ZoneInfo) -> MinorUnits:
    if (item.validity is not None) is not product.has_validity:
        wanted = "needs a validity" if product.has_validity else "has no validity"
        raise InvalidCheckout(f"product {product.id} {wanted}")
    duration = None if item.validity is None else duration_of(product, item.validity, zone)
    return list_price(variant, duration=duration, discount_card=item.discount_card)


def _codes(checkout: Checkout, catalogue: Catalogue) -> tuple[list[PromoCode | UnknownCode], list[Voucher]]:
    """What was entered, each as a promo code or else as a voucher; what is entered twice counts once."""
    promo_codes: dict[str, PromoCode | UnknownCode] = {}
    vouchers: dict[str, Voucher] = {}
    for code in checkout.codes:
        promo_code, voucher = catalogue.promo_code(code), catalogue.voucher(code)
        if promo_code is None and voucher is not None:
            vouchers[voucher.code] = voucher
        else:
            entered = promo_code or UnknownCode(code)
            promo_codes[entered.code] = entered
    return list(promo_codes.values()), list(vouchers.values())
