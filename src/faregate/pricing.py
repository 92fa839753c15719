"""The list price of a variant: one function for checkout lines, calendars, the gate and the insights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.dates import spans
from faregate.errors import InvalidPeriod, UnknownEntry

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from faregate.catalogue import Product, Variant
    from faregate.dates import Duration, Interval
    from faregate.money import MinorUnits

__all__ = ["duration_of", "list_price"]


def list_price(
    variant: Variant, *, duration: Duration | None = None, discount_card: int | None = None
) -> MinorUnits:
    """What one unit costs before any discount, for *duration* and to the holder of *discount_card*.

    A price for the card beats one for everybody, a price for the duration one for any duration
    (decisions §3.8).

    Raises:
        UnknownEntry: the variant has no price for that duration.
    """
    for card in dict.fromkeys((discount_card, None)):
        for length in dict.fromkeys((duration, None)):
            for price in variant.prices:
                if price.discount_card == card and price.duration == length:
                    return price.amount
    raise UnknownEntry("price", f"of variant {variant.id} for {duration or 'any duration'}")


def duration_of(product: Product, validity: Interval, zone: ZoneInfo) -> Duration:
    """Which of the product's durations *validity* has.

    Raises:
        InvalidPeriod: none of them.
    """
    for duration in product.durations:
        if spans(duration, validity, zone):
            return duration
    offered = ", ".join(map(str, product.durations)) or "none"
    raise InvalidPeriod(f"{validity.start.isoformat()} to {validity.end.isoformat()} is none of: {offered}")
