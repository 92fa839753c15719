"""Validities on a day: their prices, the units left and their availability. Decisions §8.3 to §8.5."""

from datetime import date, time

import pytest

from faregate.catalogue.booking_rules import BookingRules
from faregate.catalogue.calendars import DayPattern, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.pools import Counting, Pool, PoolSize, PoolSlot, PoolUsage, PoolUse
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import Variant
from faregate.dates.durations import Duration
from faregate.dates.instants import Interval
from faregate.validity.bookability import Obstacle
from faregate.validity.offers import CapacityRange, Cursor, PriceRange, UnitOffer
from support.shops.booking_shop import (
    ADULT,
    CHILD,
    COMBO,
    DAY,
    FAMILY,
    FOUR_HOURS,
    MONTH,
    MOUNTAIN,
    PARK,
    THREE_DAYS,
    ZURICH,
    at,
    shop,
    ticket,
    variant,
)
from support.shops.offered_tickets import (
    HILL,
    MONDAY,
    ON_MONDAY,
    SLOTS,
    WEDNESDAYS,
    offer,
    option,
)


def test_validities_of_a_day_are_ordered_by_start_and_then_by_duration() -> None:
    product = ticket(
        durations=[THREE_DAYS, FOUR_HOURS, DAY], booking=BookingRules(start_times=(time(14), time(9)))
    )
    made = offer(shop(product))

    found = made.options_on(MONDAY, [THREE_DAYS, FOUR_HOURS, DAY])

    assert [(entry.validity.start, entry.duration) for entry in found] == [
        (at("2026-12-28T00:00"), DAY),
        (at("2026-12-28T00:00"), THREE_DAYS),
        (at("2026-12-28T09:00"), FOUR_HOURS),
        (at("2026-12-28T14:00"), FOUR_HOURS),
    ]
    assert [entry.cursor for entry in found] == [
        Cursor(entry.validity.start, entry.duration) for entry in found
    ]
    assert found[1].validity == Interval(at("2026-12-28T00:00"), at("2026-12-31T00:00"))
    assert found[3].validity == Interval(at("2026-12-28T14:00"), at("2026-12-28T18:00"))


def test_day_validities_start_with_their_first_day_whatever_the_time() -> None:
    made = offer(shop(ticket()))

    assert made.option(at("2026-12-28T13:00"), DAY) == made.option(at("2026-12-28T00:00"), DAY)


@pytest.mark.parametrize(("text", "end"), [("P1M2D", "2027-01-30T00:00"), ("P1DT4H", "2026-12-29T04:00")])
def test_a_validity_has_the_months_and_hours_beside_its_days(text: str, end: str) -> None:
    duration = Duration.parse(text)

    assert option(offer(shop(ticket(durations=[duration]))), duration=duration).validity.end == at(end)


def test_a_skipped_day_takes_no_places_at_the_end_of_a_validity() -> None:
    two_days = Duration(days=2)
    product = ticket(durations=[two_days], pools=[PoolUse(MOUNTAIN)])
    pool = Pool(
        identifier=MOUNTAIN,
        size=9,
        sizes=(PoolSize(0, DayPattern(dates=(Span(date(2011, 12, 30), date(2011, 12, 30)),))),),
    )
    made = offer(shop(product, pools=[pool], timezone="Pacific/Apia"), now=at("2011-12-01T00:00Z"))

    found = option(made, date(2011, 12, 29), two_days)

    assert found.validity.end.isoformat() == "2011-12-31T00:00:00+14:00"
    assert found.capacity == CapacityRange(9, 9)


def test_a_validity_without_a_price_is_not_offered() -> None:
    made = offer(shop(ticket(variant(ADULT, PriceRule(8000, DAY)), durations=[DAY, MONTH])))

    assert made.option(at("2026-12-28T00:00"), MONTH) is None
    assert [entry.duration for entry in made.options_on(MONDAY, [DAY, MONTH])] == [DAY]
    assert made.first_bookable(MONDAY, [DAY, MONTH]) == Cursor(at("2026-12-28T00:00"), DAY)


def test_a_variant_without_a_price_is_left_out_of_a_validity() -> None:
    adult = variant(ADULT, PriceRule(8000, DAY), PriceRule(60000, MONTH))
    child = variant(CHILD, PriceRule(4000, DAY))
    made = offer(shop(ticket(adult, child, durations=[DAY, MONTH])))

    assert [unit.variant for unit in option(made).units] == [ADULT, CHILD]
    assert [unit.variant for unit in option(made, duration=MONTH).units] == [ADULT]


def test_the_price_is_that_of_the_variants_with_a_place_left() -> None:
    taken = {ON_MONDAY: PoolUsage(sold=6)}  # a family is four

    assert option(offer(HILL)).price == PriceRange(0, 20000)
    assert option(offer(HILL, taken=taken)).price == PriceRange(0, 10000)
    assert option(offer(HILL, ADULT, FAMILY, taken=taken)).price == PriceRange(8000, 8000)


def test_the_price_is_that_of_the_variants_that_have_the_quantity_left() -> None:
    assert option(offer(HILL, ADULT, FAMILY, quantity=2)).price == PriceRange(8000, 20000)
    assert option(offer(HILL, ADULT, FAMILY, quantity=9)).price == PriceRange(8000, 8000)
    # Ten units are not available, as on a sold-out day.
    assert option(offer(HILL, ADULT, FAMILY, quantity=10)).price == PriceRange(8000, 20000)


def stepped(*prices: PriceRule) -> Catalogue:
    pool = Pool(identifier=MOUNTAIN, size=9)
    entry: Variant = variant(ADULT, *prices)
    product = ticket(entry, pools=[PoolUse(MOUNTAIN)], price_model=PriceModel.STEPPED, sold_pool=MOUNTAIN)
    return shop(product, pools=[pool])


def test_a_past_day_has_the_price_without_lead_days() -> None:
    made = offer(stepped(PriceRule(8000), PriceRule(7000, min_lead_days=7)))
    found = option(made, date(2026, 12, 14))

    assert option(made).price == PriceRange(7000, 7000)  # seven days ahead
    assert found.obstacle is Obstacle.TOO_LATE
    assert found.price == PriceRange(8000, 8000)


def test_a_price_depends_on_places_sold_and_not_on_places_held() -> None:
    catalogue = stepped(PriceRule(8000), PriceRule(9000, min_sold=5))

    def price(taken: PoolUsage) -> int:
        return option(offer(catalogue, taken={ON_MONDAY: taken})).price.min

    assert [price(PoolUsage(sold=4, held=4)), price(PoolUsage(sold=5))] == [8000, 9000]


def test_offers_are_in_the_time_zone_of_the_merchant() -> None:
    made = offer(shop(ticket(), timezone="America/Santiago"), now=at("2024-09-01T00:00Z"))

    assert made.zone.key == "America/Santiago"
    assert option(made, date(2024, 9, 8)).validity.start.isoformat() == "2024-09-08T01:00:00-03:00"
    assert offer(shop(ticket())).zone is ZURICH


def test_the_places_of_each_variant_depend_on_its_uses() -> None:
    assert option(offer(HILL)).units == (
        UnitOffer(ADULT, 8000, 9, ON_MONDAY),
        UnitOffer(FAMILY, 20000, 2, ON_MONDAY),
        UnitOffer(COMBO, 10000, 3, PoolSlot(PARK, MONDAY)),
        UnitOffer(CHILD, 0, None, None),
    )


def test_has_capacities_says_whether_a_variant_takes_limited_places() -> None:
    assert offer(HILL).has_capacities
    assert offer(HILL, CHILD, ADULT).has_capacities
    assert not offer(HILL, CHILD).has_capacities
    assert not offer(shop(ticket())).has_capacities


@pytest.mark.parametrize(
    ("pool", "counting", "has_capacities"),
    [
        (Pool(identifier=MOUNTAIN, size=9), Counting.EACH_DAY, True),
        (Pool(identifier=MOUNTAIN, size=None), Counting.EACH_DAY, False),
        pytest.param(
            Pool(identifier=MOUNTAIN, size=None, sizes=(PoolSize(5, WEDNESDAYS),)),
            Counting.EACH_DAY,
            True,
            id="limited on Wednesdays",
        ),
        pytest.param(Pool(identifier=MOUNTAIN, size=9), Counting.NONE, False, id="not counted"),
    ],
)
def test_places_are_limited_where_a_pool_has_a_size_and_counts(
    pool: Pool, counting: Counting, has_capacities: bool
) -> None:
    catalogue = shop(ticket(pools=[PoolUse(MOUNTAIN, counting)]), pools=[pool])

    assert offer(catalogue).has_capacities is has_capacities


@pytest.mark.parametrize(("quantity", "reason"), [(9, None), (10, Obstacle.SOLD_OUT)])
def test_a_validity_can_be_booked_if_some_variant_has_places_for_the_quantity(
    quantity: int, reason: Obstacle | None
) -> None:
    made = offer(HILL, ADULT, FAMILY, COMBO, quantity=quantity)
    found = option(made)

    assert (found.obstacle, made.first_bookable(MONDAY, [DAY]) is None) == (reason, reason is not None)
    assert found.is_available is (reason is None)


def test_the_bottleneck_is_that_of_the_variant_with_the_most_places() -> None:
    assert option(offer(HILL, ADULT, COMBO)).bottleneck == ON_MONDAY
    assert option(offer(HILL, FAMILY, COMBO)).bottleneck == PoolSlot(PARK, MONDAY)
    assert option(offer(HILL, FAMILY, CHILD)).bottleneck is None


def test_of_equally_limiting_pools_the_first_of_the_product_is_named() -> None:
    product = ticket(pools=[PoolUse(PARK), PoolUse(MOUNTAIN)])
    made = offer(shop(product, pools=[Pool(identifier=name, size=9) for name in (MOUNTAIN, PARK)]))

    assert option(made).bottleneck == PoolSlot(PARK, MONDAY)


def test_the_first_bookable_validity_of_a_day_is_the_first_available_one() -> None:
    product = ticket(
        pools=[PoolUse(MOUNTAIN)],
        durations=[FOUR_HOURS, DAY],
        booking=BookingRules(start_times=(time(8), time(12))),
    )
    catalogue = shop(product, pools=[Pool(identifier=MOUNTAIN, size=9, slots=SLOTS)])
    made = offer(catalogue, taken={ON_MONDAY._replace(start=time(8)): PoolUsage(sold=9)})

    # A day overlaps both slots.
    assert made.first_bookable(MONDAY, [FOUR_HOURS, DAY]) == Cursor(at("2026-12-28T12:00"), FOUR_HOURS)
    assert made.first_bookable(date(2026, 12, 29), [FOUR_HOURS, DAY]) == Cursor(at("2026-12-29T00:00"), DAY)
    assert made.first_bookable(date(2026, 12, 20), [FOUR_HOURS, DAY]) is None
