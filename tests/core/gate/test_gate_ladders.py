"""The price ladder of a gate: longer validities that may cost less. Decisions §9."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from faregate.catalogue.calendars import Calendar, DayPattern, Holiday
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.gate_ids import access_ids, access_point
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.catalogue.price_rules import PriceModel, PriceRule
from faregate.catalogue.products import ExternalId
from faregate.dates.durations import Duration
from faregate.errors import InvalidAccessRequest
from faregate.gate.price import gate_price
from support.shops.booking_shop import DAY, MONTH, THREE_DAYS, ticket, variant
from support.shops.gate_shop import SATURDAY, asked, price, resort

TWO_DAYS, EIGHT_DAYS = Duration(days=2), Duration(days=8)
WEEKEND, HOLIDAYS = DayPattern(weekdays=frozenset({6, 7})), DayPattern(is_holiday=True)


def longer(*prices: PriceRule, durations: tuple[Duration, ...] = ()) -> dict[int, list[int]]:
    """Return, for the days of each rung, the numbers of days whose price may be lower."""
    sold = ticket(variant(1, *prices), durations=durations)
    point = access_point(sold, sold.variants[0], currency="CHF", timezone="Europe/Zurich", is_net=False)
    offer = point.offers[True, False]
    assert offer.longest == max(offer.longer, default=0)
    return {days: [length.days for length in lengths] for days, lengths in offer.longer.items()}


def rung(days: int, **changes: Any) -> PriceRule:
    return replace(PriceRule(1000, Duration(days=days)), **changes)


@pytest.mark.parametrize(
    ("prices", "durations", "looked_at"),
    [
        pytest.param([rung(2), rung(1), rung(3)], (EIGHT_DAYS,), {1: [8], 2: [8], 3: [8]}, id="beyond"),
        pytest.param([rung(1), rung(3), rung(5)], (), {1: [2], 3: [4], 5: []}, id="the first of each gap"),
        pytest.param([rung(1), rung(2, when=WEEKEND)], (), {1: [2], 2: []}, id="only on some days"),
        pytest.param([rung(1, min_sold=1)], (), {1: []}, id="never the rung itself"),
        pytest.param(
            [rung(1), rung(2, when=WEEKEND), rung(3, when=WEEKEND)],
            (EIGHT_DAYS,),
            {1: [2, 3, 8], 2: [3, 8], 3: [8]},
            id="one uncertain rung after the other",
        ),
        pytest.param([rung(1), rung(2), rung(2, when=WEEKEND)], (), {1: [], 2: []}, id="all days, then some"),
        pytest.param(
            [rung(1), PriceRule(1, MONTH), PriceRule(1, Duration(days=9, seconds=60))],
            (MONTH, Duration(days=4, seconds=60), Duration(months=1, days=4)),
            {1: []},
            id="whole days only",
        ),
    ],
)
def test_longer_rungs_are_considered_until_one_is_certain(
    prices: list[PriceRule], durations: tuple[Duration, ...], looked_at: dict[int, list[int]]
) -> None:
    assert longer(*prices, durations=durations) == looked_at


def test_ids_that_gates_cannot_send_do_not_hide_other_ids() -> None:
    ids = [
        ExternalId(system=system, kind=kind, value=value)
        for system, value in (("till", "P1"), ("gate", "1"))
        for kind in ("dta_product_id", "dta_consumer_category")
    ]

    assert list(access_ids(replace(variant(), external_ids=tuple(ids)))) == [((1, 1), 2)]


def on_holiday(catalogue: Catalogue) -> Catalogue:
    """Return the resort with that Saturday as a public holiday."""
    return replace(catalogue, calendar=Calendar(holidays=(Holiday(date(2027, 1, 9)),)))


def test_a_price_uses_the_calendar_of_the_catalogue() -> None:
    dearer = resort(PriceRule(5000), PriceRule(9000, when=HOLIDAYS), model=PriceModel.CALENDAR)

    assert (price(dearer, asked()), price(on_holiday(dearer), asked())) == (5000, 9000)


def test_more_days_may_have_a_price_on_some_days_only() -> None:
    longer_day = Duration(days=1, seconds=3600)
    prices = PriceRule(8000, DAY), PriceRule(9000, longer_day), PriceRule(7000, TWO_DAYS, when=HOLIDAYS)
    usual = resort(*prices, model=PriceModel.CALENDAR, durations=(DAY, longer_day, TWO_DAYS))
    day, day_and_hour = asked(SATURDAY, SATURDAY), asked("2027-01-09T00:00", "2027-01-10T01:00")

    assert (price(usual, day), price(on_holiday(usual), day)) == (8000, 7000)
    assert price(on_holiday(usual), day_and_hour) == 9000  # compared with no whole days


def test_a_day_costs_as_much_as_three_days_if_the_product_has_only_these() -> None:
    only = resort(PriceRule(17_000, THREE_DAYS), durations=(THREE_DAYS,))

    assert price(only, asked(SATURDAY, SATURDAY)) == 17_000


def test_prices_of_more_days_depend_on_the_units_sold() -> None:
    summed = resort(
        PriceRule(6000),
        PriceRule(3000, min_sold=10),
        PriceRule(10_000, DAY),
        model=PriceModel.STEPPED,
        durations=(DAY, TWO_DAYS),
        sold_pool="mountain",
    )
    sold = {PoolSlot("mountain", date(2027, 1, 10)): PoolUsage(10)}
    request = asked(SATURDAY, SATURDAY)

    assert gate_price(request, catalogue=summed).unit_price == 10_000
    assert gate_price(request, catalogue=summed, sold=sold).unit_price == 9000


def test_a_tie_goes_to_the_requested_days() -> None:
    rung = PriceRule(8000, DAY)
    summed = resort(PriceRule(4000), rung, model=PriceModel.CALENDAR, durations=(DAY, TWO_DAYS))

    assert gate_price(asked(SATURDAY, SATURDAY), catalogue=summed).list_price.whole == rung


FEW = resort(PriceRule(10_000, DAY), PriceRule(17_000, THREE_DAYS), durations=(DAY, THREE_DAYS))


@pytest.mark.parametrize("time", ["00:30:00", "00:00:30"])
def test_days_end_at_midnight_and_not_a_second_later(time: str) -> None:
    with pytest.raises(InvalidAccessRequest, match=r"or whole days up to 3$"):
        price(FEW, asked(f"2027-01-09T{time}", f"2027-01-11T{time}"))
    with pytest.raises(InvalidAccessRequest, match=r"or whole days up to 3$"):
        price(FEW, asked("2027-01-09T00:00", f"2027-01-11T{time}"))


@pytest.mark.parametrize(
    ("first", "last"), [("2024-09-08", "2024-09-09"), ("2024-09-06", "2024-09-07")], ids=["first", "last"]
)
def test_a_day_may_begin_where_its_midnight_was_skipped(first: str, last: str) -> None:
    # In Chile 8 September 2024 began at 01:00.
    rungs = PriceRule(10_000, DAY), PriceRule(17_000, THREE_DAYS)
    catalogue = resort(*rungs, durations=(DAY, THREE_DAYS), timezone="America/Santiago")

    assert price(catalogue, asked(first, last, order_date="2024-01-01")) == 17_000
    assert price(catalogue, asked("2024-09-07T09:00", "2024-09-07", order_date="2024-01-01")) == 10_000
