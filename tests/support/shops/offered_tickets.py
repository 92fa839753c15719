"""The offer of one ticket at one instant, and a family that uses three units of it."""

from datetime import date, datetime, time

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Pool, PoolSize, PoolSlot, PoolUsage, PoolUse, TimeSlot
from faregate.catalogue.price_rules import PriceRule
from faregate.dates.durations import Duration
from faregate.validity.offers import Offer, ValidityOption
from support.shops.booking_shop import (
    ADULT,
    CHILD,
    COMBO,
    DAY,
    FAMILY,
    MOUNTAIN,
    PARK,
    THREE_DAYS,
    TICKET,
    at,
    shop,
    ticket,
    variant,
)

NOW = at("2026-12-21T09:00")
MONDAY = date(2026, 12, 28)
ON_MONDAY, ON_TUESDAY, ON_WEDNESDAY = (PoolSlot(MOUNTAIN, date(2026, 12, day)) for day in (28, 29, 30))
WEDNESDAYS = DayPattern(weekdays=frozenset({3}))
SLOTS = (TimeSlot(time(8), time(12)), TimeSlot(time(12), time(16)))


def offer(
    catalogue: Catalogue,
    *variants: int,
    taken: dict[PoolSlot, PoolUsage] | None = None,
    quantity: int = 1,
    now: datetime = NOW,
) -> Offer:
    """Return the offer of the ticket, in all variants or the given ones."""
    product = catalogue.product(TICKET)
    return Offer(
        product,
        [entry for entry in product.variants if not variants or entry.id in variants],
        catalogue=catalogue,
        capacity=taken or {},
        now=now,
        quantity=quantity,
    )


def option(made: Offer, day: date = MONDAY, duration: Duration = DAY) -> ValidityOption:
    """Return the only validity of *duration* that begins on *day*."""
    (found,) = made.options_on(day, [duration])
    return found


FAMILIES = ticket(
    variant(ADULT, uses=[(MOUNTAIN, 1)]),
    variant(FAMILY, PriceRule(20000), uses=[(MOUNTAIN, 4)]),
    variant(COMBO, PriceRule(10000), uses=[(MOUNTAIN, 1), (PARK, 1)]),
    variant(CHILD, PriceRule(0), uses=[(MOUNTAIN, 0)]),
    durations=[DAY, THREE_DAYS],
    pools=[PoolUse(MOUNTAIN), PoolUse(PARK)],
)
HILL = shop(
    FAMILIES, pools=[Pool(identifier=MOUNTAIN, size=9), Pool(identifier=PARK, size=9, sizes=(PoolSize(3),))]
)
