"""Price ranges of the bookable validities in a season. Decisions §8.9."""

from datetime import datetime

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Counting, Pool, PoolSlot, PoolUsage, PoolUse
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.validity.offers import PriceRange
from faregate.validity.options import price_ranges
from support.booking.validity_questions import NOW, PAST, closed, sold
from support.shops.booking_shop import (
    ADULT,
    CHILD,
    FAMILY,
    MOUNTAIN,
    TICKET,
    at,
    shop,
    ticket,
    variant,
)


def ranges(
    catalogue: Catalogue, *, taken: dict[PoolSlot, PoolUsage] | None = None, now: datetime = NOW
) -> dict[int, PriceRange]:
    return price_ranges(catalogue.product(TICKET), catalogue=catalogue, capacity=taken or {}, now=now)


def priced(
    *, booking: BookingRules = BookingRules(seasons=("winter",)), counting: Counting = Counting.EACH_DAY
) -> Catalogue:
    """Return a catalogue with higher prices on Saturdays and half prices for children."""
    saturdays = DayPattern(weekdays=frozenset({6}))
    product = ticket(
        variant(ADULT, PriceRule(8000), PriceRule(9500, when=saturdays)),
        variant(CHILD, PriceRule(4000), PriceRule(5000, when=saturdays)),
        variant(FAMILY, PriceRule(20000), uses=[(MOUNTAIN, 4)]),
        price_model=PriceModel.CALENDAR,
        pools=[PoolUse(MOUNTAIN, counting)],
        booking=booking,
    )
    return shop(product, pools=[Pool(identifier=MOUNTAIN, size=9)])


def test_price_ranges_cover_what_can_be_booked() -> None:
    assert ranges(priced()) == {
        ADULT: PriceRange(8000, 9500),
        CHILD: PriceRange(4000, 5000),
        FAMILY: PriceRange(20000, 20000),
    }


def test_a_variant_that_fits_nowhere_has_no_range() -> None:
    """The last two days of winter, a Thursday and a Friday, have one unit left and none."""
    taken = {**sold("2027-04-29", count=8), **sold("2027-04-30")}

    assert ranges(priced(), taken=taken, now=at("2027-04-29T09:00")) == {
        ADULT: PriceRange(8000, 8000),
        CHILD: PriceRange(4000, 4000),
    }


def test_price_ranges_are_for_the_next_season_if_none_is_current() -> None:
    dear_winter = DayPattern(seasons=frozenset({"winter"}))
    product = ticket(
        variant(ADULT, PriceRule(8000), PriceRule(12000, when=dear_winter)),
        price_model=PriceModel.CALENDAR,
        booking=BookingRules(seasons=("winter", "summer")),
    )
    catalogue = shop(product)

    assert ranges(catalogue)[ADULT] == PriceRange(12000, 12000)
    assert ranges(catalogue, now=at("2027-05-01T09:00"))[ADULT] == PriceRange(8000, 8000)


def test_there_is_no_range_if_nothing_can_be_booked() -> None:
    assert ranges(closed(DayPattern())) == {}
    assert ranges(PAST) == {}
