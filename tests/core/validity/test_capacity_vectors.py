"""Published examples of capacity on one day and over several; SOURCES.md lists the sources."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from types import MappingProxyType
from zoneinfo import ZoneInfo

import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.entries import Category, Merchant
from faregate.catalogue.pools import Counting, Pool, PoolSlot, PoolUsage, PoolUse
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import Product, ProductType, Variant
from faregate.dates.durations import Duration, validity_from
from faregate.dates.instants import Interval
from faregate.tax.rates import VatRate
from faregate.translations import Text
from faregate.validity.capacity import fits_capacity, free_units, max_units, pool_demand
from faregate.validity.offers import CapacityRange, ValidityOption
from faregate.validity.options import ValidityQuery, coming_saturday, validity_options

ZURICH = ZoneInfo("Europe/Zurich")
NOW = datetime(2026, 12, 1, 9, tzinfo=ZURICH)
DAY = timedelta(days=1)
MONDAY = date(2026, 12, 14)
TICKET, ADULT, FAMILY, COMBO = 11, 101, 102, 103


def shop(
    *pools: Pool,
    days: int = 1,
    counting: Counting = Counting.EACH_DAY,
    uses: Mapping[int, Mapping[str, int]] = MappingProxyType({ADULT: {}}),
) -> Catalogue:
    """Return a shop with a ticket for one or several days; *uses* maps variants to the demand of a unit."""
    variants = [
        Variant(
            id=variant,
            name=f"variant {variant}",
            rate=VatRate(parts_per_million=0),
            prices=(PriceRule(8000),),
            uses=tuple(places.items()),
        )
        for variant, places in uses.items()
    ]
    ticket = Product(
        id=TICKET,
        slug="ticket",
        identifier="TICKET",
        name="Ticket",
        type=ProductType.TICKET,
        category=1,
        merchant="lifts",
        variants=tuple(variants),
        durations=tuple(Duration(days=length) for length in dict.fromkeys((1, days))),
        pools=tuple(PoolUse(pool.identifier, counting) for pool in pools),
    )
    return Catalogue(
        merchants=(Merchant("lifts", timezone="Europe/Zurich", currency="CHF"),),
        categories=(Category(1, Text("Tickets")),),
        products=(ticket,),
        pools=pools,
    )


def sold(pool: str, *counts: int) -> dict[PoolSlot, PoolUsage]:
    """Return the units sold of *pool* on Monday and on the days after it."""
    return {PoolSlot(pool, MONDAY + n * DAY): PoolUsage(sold=count) for n, count in enumerate(counts)}


def validity(first: int, days: int = 1) -> Interval:
    """Return a validity of *days* days that begins *first* days after Monday."""
    start = datetime(2026, 12, 14 + first, tzinfo=ZURICH)
    return validity_from(Duration(days=days), start, ZURICH)


def left(catalogue: Catalogue, taken: dict[PoolSlot, PoolUsage], variant: int, valid: Interval) -> int | None:
    """Return the number of units that fit, computed as in a checkout."""
    places = pool_demand([(variant, valid)], catalogue=catalogue)
    free = {slot: free_units(slot, catalogue=catalogue, capacity=taken) for slot in places}
    units = max_units(places, free)
    if units is not None:
        party = [(variant, valid)] * units
        assert fits_capacity(pool_demand(party, catalogue=catalogue), free).ok
        assert not fits_capacity(pool_demand([*party, (variant, valid)], catalogue=catalogue), free).ok
    return units


def option(catalogue: Catalogue, taken: dict[PoolSlot, PoolUsage], valid: Interval) -> ValidityOption:
    """Return the same as displayed in a calendar."""
    days = (valid.end.date() - valid.first_day).days
    query = ValidityQuery(TICKET, valid.first_day, valid.first_day, durations=(Duration(days=days),))
    (found,) = validity_options(query, catalogue=catalogue, capacity=taken, now=NOW).options
    assert found.validity == valid
    return found


RESORT = shop(
    Pool(identifier="mtn", size=10),
    Pool(identifier="park", size=10),
    days=2,
    uses={ADULT: {"mtn": 1}, FAMILY: {"mtn": 4}, COMBO: {"mtn": 1, "park": 1}},
)
# Free units: 5, 2, 9 and 3, 4, 0.
RESORT_SOLD = {**sold("mtn", 5, 8, 1), **sold("park", 7, 6, 10)}


@pytest.mark.parametrize(
    ("first", "days", "units", "capacity"),
    [
        # computed
        pytest.param(0, 1, (5, 1, 3), CapacityRange(1, 5), id="CAP-C1"),
        pytest.param(1, 1, (2, 0, 2), CapacityRange(0, 2), id="CAP-C2-day1"),
        pytest.param(0, 2, (2, 0, 2), CapacityRange(0, 2), id="CAP-C2-days0-1"),
    ],
)
def test_as_many_units_fit_as_on_the_worst_day_of_the_scarcest_pool(
    first: int, days: int, units: tuple[int, ...], capacity: CapacityRange
) -> None:
    valid = validity(first, days)
    found = option(RESORT, RESORT_SOLD, valid)

    assert tuple(left(RESORT, RESORT_SOLD, variant, valid) for variant in (ADULT, FAMILY, COMBO)) == units
    assert tuple(unit.left for unit in found.units) == units
    assert found.capacity == capacity


def test_bookings_of_different_days_do_not_add_up() -> None:
    """CAP-C4: chobbledotcom/tickets PR #994; a sum of all overlapping bookings leaves no unit."""
    room = shop(Pool(identifier="room", size=2), days=2)
    held = {slot: PoolUsage(held=1) for slot in sold("room", 0, 0)}
    both_days = validity(0, 2)

    assert left(room, held, ADULT, both_days) == 1
    assert option(room, held, both_days).is_available
    assert option(room, held, both_days).capacity == CapacityRange(1, 1)


def test_partly_booked_days_have_the_remaining_rooms_left() -> None:
    """CAP-C5: woocommerce-accommodation#127; partly booked days were displayed as full."""
    rooms = shop(Pool(identifier="rooms", size=15), days=5)
    booked = sold("rooms", 5, 5, 5, 5, 5)

    for valid in (*(validity(first) for first in range(5)), validity(0, 5)):
        assert left(rooms, booked, ADULT, valid) == 10
        assert option(rooms, booked, valid).is_available
    assert left(rooms, booked, ADULT, validity(5)) == 15


@pytest.mark.parametrize(
    ("second", "counting", "units", "is_available"),
    [
        # pretix
        pytest.param(1, Counting.EACH_DAY, 1, True, id="CAP-C7-OK"),
        pytest.param(0, Counting.EACH_DAY, 0, False, id="CAP-C7-GONE"),
        pytest.param(1, Counting.NONE, None, True, id="CAP-C7-both-ignored"),
    ],
)
def test_the_scarcest_of_several_pools_counts(
    second: int, counting: Counting, units: int | None, is_available: bool
) -> None:
    quotas = Pool(identifier="first", size=2), Pool(identifier="second", size=second)
    item = shop(*quotas, counting=counting)

    found = option(item, {}, validity(0))

    assert left(item, {}, ADULT, validity(0)) == units
    assert found.capacity == (None if units is None else CapacityRange(units, units))
    assert found.is_available is is_available


@pytest.mark.parametrize(
    ("today", "saturday"),
    [
        # computed
        pytest.param(date(2025, 12, 22), date(2025, 12, 27), id="CAP-C13-Monday"),
        pytest.param(date(2025, 12, 26), date(2025, 12, 27), id="CAP-C13-Friday"),
        pytest.param(date(2025, 12, 27), date(2025, 12, 27), id="CAP-C13-Saturday"),
        pytest.param(date(2025, 12, 28), date(2026, 1, 3), id="CAP-C13-Sunday"),
    ],
)
def test_the_coming_saturday_is_today_or_the_next_one(today: date, saturday: date) -> None:
    assert coming_saturday(today) == saturday
