"""Choice of the channel and the products that the shop page and printed examples show."""

from collections.abc import Sequence
from typing import Any

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel, ChannelType
from faregate.catalogue.price_rules import PriceModel
from faregate.catalogue.products import Product, ProductType
from faregate.money.currency import currency
from faregate.translations import LANGUAGES


def shown_channel(catalogue: Catalogue) -> Channel:
    """Return the first public web shop, otherwise the first public channel, otherwise the first channel.

    >>> from faregate.files import demo_catalogue
    >>> shown_channel(demo_catalogue()).name
    'Webshop'
    """
    return min(
        catalogue.channels, key=lambda channel: (channel.is_protected, channel.type is not ChannelType.WEB)
    )


def shown_products(catalogue: Catalogue, channel: Channel) -> Sequence[Product]:
    """Return the products, except fees, that are sold individually on *channel* and in its currency.

    >>> from faregate.files import demo_catalogue
    >>> resort = demo_catalogue()
    >>> shown_products(resort, shown_channel(resort))[0].slug
    'day-ticket'
    """
    return [
        product
        for product in catalogue.products
        if product.standalone
        and product.type is not ProductType.FEE
        and channel.sells(product)
        and catalogue.merchant(product.merchant).currency == channel.currency
    ]


def sold(catalogue: Catalogue, *, tells_codes: bool) -> dict[str, Any]:
    """Return the data for the shop page, which preselects a product whose price varies, if there is one."""
    channel = shown_channel(catalogue)
    products = sorted(shown_products(catalogue, channel), key=lambda product: product.sort_order)
    first = min(products, key=lambda product: product.price_model is PriceModel.STATIC, default=None)
    return {
        "channel": channel.uuid,
        "currency": channel.currency,
        "decimals": currency(channel.currency).exponent,
        "territory": first and catalogue.merchant(first.merchant).territory,
        "first": first and first.slug,
        "products": [{"slug": product.slug, "name": _names(product)} for product in products],
        "codes": _codes(catalogue, channel) if tells_codes else [],
    }


def _codes(catalogue: Catalogue, channel: Channel) -> list[str]:
    """Return the promo codes that *channel* accepts, and all voucher codes."""
    promo_codes = [
        code.code
        for code in catalogue.promo_codes
        if not code.conditions.channels or channel.uuid in code.conditions.channels
    ]
    return [*promo_codes, *(voucher.code for voucher in catalogue.vouchers)]


def _names(product: Product) -> dict[str, str]:
    return {language: product.translation.in_language(language) or product.name for language in LANGUAGES}
