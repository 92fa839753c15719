"""Checkouts priced by the small shop, optionally with one rule or some codes."""

from dataclasses import replace
from datetime import datetime

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.model import Checkout, CheckoutConditions, CheckoutItem
from faregate.checkout.priced import PricedCheckout, price_checkout
from faregate.dates.instants import Interval
from faregate.discounts.kinds import AutomaticDiscount, PromoCode
from support.shops.small_shop import ADULT, NOW, SHOP, days

SUNDAY = days("2026-12-27", "2026-12-27")


def priced(
    *items: CheckoutItem,
    codes: tuple[str, ...] = (),
    catalogue: Catalogue = SHOP,
    channel: str = "web",
    at: datetime = NOW,
    donation: int = 0,
    account: int | None = None,
) -> PricedCheckout:
    checkout = Checkout(
        channel, items, codes=codes, conditions=CheckoutConditions(donation=donation or None), account=account
    )
    return price_checkout(checkout, catalogue=catalogue, at=at)


def adult(number: int, validity: Interval | None = SUNDAY) -> CheckoutItem:
    return CheckoutItem(number, ADULT, validity)


def selling(rule: AutomaticDiscount) -> Catalogue:
    return replace(SHOP, automatic_discounts=(rule,))


def accepting(*codes: PromoCode) -> Catalogue:
    return replace(SHOP, promo_codes=codes)
