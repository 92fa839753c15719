"""Checks of merchants and channels: currency, time zone, access, payment and checkout expiry."""

from collections.abc import Iterator
from datetime import timedelta
from zoneinfo import ZoneInfo

from faregate.catalogue.channels import Channel, ChannelAccess, ChannelType
from faregate.catalogue.checks.parts import Parts, repeated, repeated_in
from faregate.catalogue.entries import Merchant, order_zones
from faregate.catalogue.presentation.redirects import parse_origin
from faregate.errors import InvalidInput, Issue, Loc, UnknownCurrency
from faregate.money.currency import currency


def channel_issues(parts: Parts) -> Iterator[Issue]:
    """Yield issues for contradictions within and between merchants and channels."""
    sellers: list[tuple[Loc, Merchant | Channel]] = [*parts.of(Merchant), *parts.of(Channel)]
    for loc, seller in sellers:
        yield from _unknown_money_and_zone(loc, seller)
    for loc, channel in parts.of(Channel):
        yield from _odd_currency_and_zone(loc, channel, parts)
        yield from _odd_access(loc, channel)
        yield from _odd_origins((*loc, "redirect_urls"), channel.redirect_urls)
        yield from _odd_origins((*loc, "shop_origins"), channel.shop_origins)
        yield from repeated(
            ((*loc, "payment_methods", n, "type"), method.type.value)
            for n, method in enumerate(channel.payment_methods)
        )
        yield from _odd_expiry(loc, channel)


def _unknown_money_and_zone(loc: Loc, seller: Merchant | Channel) -> Iterator[Issue]:
    try:
        currency(seller.currency)
    except UnknownCurrency as error:
        yield Issue((*loc, "currency"), str(error))
    try:
        ZoneInfo(seller.timezone or "UTC")
    except (ValueError, OSError, LookupError):
        yield Issue((*loc, "timezone"), f"unknown time zone {seller.timezone!r}")


def _odd_currency_and_zone(loc: Loc, channel: Channel, parts: Parts) -> Iterator[Issue]:
    currencies = {merchant.identifier: merchant.currency for _, merchant in parts.of(Merchant)}
    for product in parts.catalogue.products:
        expected = currencies.get(product.merchant, channel.currency)
        if product.id in channel.products and expected != channel.currency:
            yield Issue((*loc, "products"), f"product {product.id} is sold in {expected}")
    zones = order_zones(channel, parts.catalogue)
    if len(zones) > 1:
        found = ", ".join(sorted(zones))
        yield Issue((*loc, "timezone"), f"its merchants are in {found}: set the time zone of its orders")


def _odd_access(loc: Loc, channel: Channel) -> Iterator[Issue]:
    yield from repeated_in((*loc, "keys"), channel.keys, "name")
    access = (*loc, "access")
    if channel.access is None and channel.type is ChannelType.CONSUMPTION:
        yield Issue(access, "required on a CONSUMPTION channel: expected 'public' or 'protected'")
    elif channel.access is ChannelAccess.PUBLIC and channel.can_pay_on_site:
        yield Issue(access, "expected 'protected' on a channel with payments on site, got 'public'")
    elif channel.keys and not channel.is_protected:
        yield Issue((*loc, "keys"), "not allowed on a public channel: set access to 'protected'")


def _odd_origins(loc: Loc, origins: tuple[str, ...]) -> Iterator[Issue]:
    yield from repeated(((*loc, n), origin) for n, origin in enumerate(origins))
    for n, origin in enumerate(origins):
        try:
            parse_origin(origin)
        except InvalidInput as error:
            yield Issue((*loc, n), str(error))


def _odd_expiry(loc: Loc, channel: Channel) -> Iterator[Issue]:
    for field in ("expires_after", "expires_at_most"):
        if getattr(channel, field) <= timedelta():
            yield Issue((*loc, field), f"expected a positive duration, got {getattr(channel, field)}")
    if channel.expires_after > channel.expires_at_most:
        message = f"{channel.expires_after} is longer than expires_at_most, {channel.expires_at_most}"
        yield Issue((*loc, "expires_after"), message)
