"""Gate prices by ids, dates and number of days. Decisions §9."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.price_rules import Degression, PriceModel, PriceRule
from faregate.catalogue.products import ExternalId
from faregate.dates.durations import Duration
from faregate.errors import InvalidAccessRequest
from faregate.gate.price import gate_price
from faregate.gate.requests import Moment
from support.shops.booking_shop import DAY, FOUR_HOURS, MONTH, THREE_DAYS, shop, ticket, variant
from support.shops.gate_shop import SATURDAY, SUNDAY, asked, price, resort

TWO_DAYS, WEEK = Duration(days=2), Duration(days=7)
WEEKEND = DayPattern(weekdays=frozenset({6, 7}))
SIMPLE = resort()
LADDER = resort(
    PriceRule(10_000, DAY),
    PriceRule(18_000, TWO_DAYS),
    PriceRule(17_000, THREE_DAYS),
    PriceRule(30_000, WEEK),
    durations=(DAY, TWO_DAYS, THREE_DAYS, WEEK),
)


def test_units_cost_a_multiple_of_the_gross_list_price() -> None:
    found = gate_price(asked(quantity=3), catalogue=SIMPLE)

    assert (found.unit_price, found.calculated_price, found.currency) == (8000, 24_000, "CHF")


BY_SYSTEM = {"system_product_id": "P1", "dta_product_id": None, "dta_consumer_category": None}


@pytest.mark.parametrize(
    ("ids", "unit_price"),
    [
        ({}, 8000),
        ({**BY_SYSTEM, "system_consumer_category": "A"}, 8000),
        pytest.param({"system_product_id": "P1", "system_consumer_category": "A"}, 8000, id="both pairs"),
    ],
)
def test_either_pair_of_ids_identifies_a_variant(ids: dict[str, Any], unit_price: int) -> None:
    assert price(SIMPLE, asked(**ids)) == unit_price


def test_a_variant_has_ids_in_several_systems() -> None:
    ids = [
        ExternalId(system="old gate", kind="dta_consumer_category", value="07"),
        ExternalId(system="gate", kind="dta_product_id", value="1"),
        ExternalId(system="old gate", kind="dta_product_id", value="9"),
        ExternalId(system="gate", kind="dta_consumer_category", value="1"),
    ]
    catalogue = shop(ticket(replace(variant(), external_ids=tuple(ids))))

    assert price(catalogue, asked()) == 8000
    assert price(catalogue, asked(dta_product_id=9, dta_consumer_category=7)) == 8000
    assert catalogue.access_point((9, 1)) is None


@pytest.mark.parametrize(
    "moment",
    [
        SATURDAY,
        datetime(2027, 1, 8, 23, 30, tzinfo=UTC),
        datetime(2027, 1, 8, 18, tzinfo=ZoneInfo("America/New_York")),
    ],
)
def test_a_day_in_any_form_is_a_local_day(moment: Moment) -> None:
    catalogue = resort(PriceRule(5000), PriceRule(9000, when=WEEKEND), model=PriceModel.CALENDAR)

    assert price(catalogue, asked(moment)) == 9000


@pytest.mark.parametrize(
    ("ordered", "unit_price"),
    [
        ("2027-01-01T23:59:59+01:00", 5000),
        pytest.param("2027-01-01T23:00:00Z", 6000, id="by local days"),
        ("2027-01-09T23:59:59+01:00", 7000),
    ],
)
def test_the_price_depends_on_the_days_ahead(ordered: Moment, unit_price: int) -> None:
    catalogue = resort(
        PriceRule(7000),
        PriceRule(6000, min_lead_days=1),
        PriceRule(5000, min_lead_days=8),
        model=PriceModel.STEPPED,
    )

    assert price(catalogue, asked(order_date=ordered)) == unit_price


@pytest.mark.parametrize(
    ("last", "unit_price"),
    [
        (None, 10_000),
        ("2027-01-09T23:59:59+01:00", 10_000),
        (SUNDAY, 17_000),
        pytest.param("2027-01-12", 30_000, id="four days, beyond every rung"),
    ],
)
def test_the_cheapest_rung_of_at_least_as_many_days_applies(last: Moment | None, unit_price: int) -> None:
    assert price(LADDER, asked(SATURDAY, last)) == unit_price


@pytest.mark.parametrize(
    ("start", "end", "unit_price"),
    [
        pytest.param("2027-01-09T09:00", "2027-01-09T23:59:59", 10_000, id="from nine to the end of the day"),
        pytest.param("2027-01-09T16:30", "2027-01-10T23:59:59", 17_000, id="a begun day and a whole one"),
        pytest.param("2027-01-09T00:00Z", "2027-01-09T23:59:59Z", 10_000, id="a day of UTC"),
    ],
)
def test_a_partial_day_and_a_utc_day_count_as_days(start: str, end: str, unit_price: int) -> None:
    assert price(LADDER, asked(start, end)) == unit_price


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param("2027-01-09T09:00", "2027-01-09T17:00", id="ends during the day"),
        pytest.param("2027-01-09T09:00Z", "2027-01-10T09:00Z", id="24 hours"),
        pytest.param("2027-01-09T00:00Z", "2027-01-09T23:59:58Z", id="a second short"),
    ],
)
def test_a_period_that_does_not_end_with_a_day_is_refused(start: str, end: str) -> None:
    with pytest.raises(InvalidAccessRequest, match="has none of"):
        gate_price(asked(start, end), catalogue=LADDER)


def test_a_day_costs_at_most_as_much_as_more_days() -> None:
    rung = PriceRule(10_000, DAY)
    summed = resort(
        PriceRule(4000), rung, model=PriceModel.CALENDAR, durations=(DAY, TWO_DAYS), degression=None
    )
    fewer = resort(
        PriceRule(4000),
        rung,
        PriceRule(9000, THREE_DAYS),
        model=PriceModel.CALENDAR,
        durations=(DAY, THREE_DAYS),
        degression=Degression((1_000_000, 0)),
    )

    assert [price(summed, asked(SATURDAY, last)) for last in (SATURDAY, SUNDAY)] == [8000, 8000]
    assert [price(fewer, asked(SATURDAY, last)) for last in (SATURDAY, SUNDAY, "2027-01-11")] == [
        4000,
        4000,
        9000,
    ]


def test_rungs_for_holders_of_a_card_are_not_for_the_gate() -> None:
    catalogue = resort(
        PriceRule(8000), PriceRule(4000, THREE_DAYS, discount_card=5), durations=(DAY, THREE_DAYS)
    )

    assert price(catalogue, asked(SATURDAY, "2027-01-11")) == 8000
    assert catalogue.access_point((1, 1))
    with pytest.raises(ValueError, match=r"has none of the product's durations: P1D, P3D$"):
        price(catalogue, asked(SATURDAY, SUNDAY))


@pytest.mark.parametrize(
    ("last", "unit_price"),
    [
        (None, 3000),
        ("2027-01-09T12:30:00+01:00", 3000),
        pytest.param(SATURDAY, 9000, id="a day"),
    ],
)
def test_other_durations_of_the_product_must_match_exactly(last: Moment | None, unit_price: int) -> None:
    catalogue = resort(
        PriceRule(3000, FOUR_HOURS),
        PriceRule(9000, DAY),
        PriceRule(50_000, MONTH),
        durations=(FOUR_HOURS, DAY, MONTH),
    )

    start = SATURDAY if last != "2027-01-09T12:30:00+01:00" else "2027-01-09T08:30"
    assert price(catalogue, asked(start, last)) == unit_price


def test_an_hour_may_end_at_the_clock_time_at_which_it_began() -> None:
    catalogue = resort(durations=(Duration(seconds=3600),))
    request = asked("2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00", order_date="2026-10-01")

    assert price(catalogue, request) == 8000


def test_without_durations_a_price_applies_to_any_validity_period() -> None:
    assert price(resort(durations=()), asked()) == 8000


def test_dates_make_no_difference_to_a_product_without_a_validity() -> None:
    catalogue = resort(has_validity=False, durations=())

    assert price(catalogue, asked(SATURDAY, "2027-01-09T11:17")) == 8000


@pytest.mark.parametrize(
    ("timezone", "first", "last", "unit_price"),
    [
        pytest.param("Europe/Zurich", "2027-03-28", "2027-03-28", 10_000, id="23 hours"),
        pytest.param("Pacific/Apia", "2011-12-29", "2011-12-29", 10_000, id="before a skipped day"),
    ],
)
def test_days_are_counted_in_the_time_zone_of_the_merchant(
    timezone: str, first: str, last: str, unit_price: int
) -> None:
    prices = (PriceRule(10_000, DAY), PriceRule(18_000, TWO_DAYS))
    catalogue = resort(*prices, durations=(DAY, TWO_DAYS), timezone=timezone)

    assert price(catalogue, asked(first, last, order_date="2011-01-01")) == unit_price
