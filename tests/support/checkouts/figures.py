"""The price of a checkout of the village half an hour later."""

from datetime import timedelta

from faregate.checkout.model import Checkout
from faregate.checkout.priced import PricedCheckout, price_checkout
from support.checkouts.strategies import VILLAGE
from support.shops.small_shop import NOW

LATER = NOW + timedelta(minutes=30)


def priced(checkout: Checkout) -> PricedCheckout:
    return price_checkout(checkout, catalogue=VILLAGE, at=LATER)


def figures(checkout: Checkout) -> dict[str, int]:
    """Return every amount of the whole checkout."""
    totals = priced(checkout).totals
    return {name: value for name, value in totals._asdict().items() if isinstance(value, int)}
