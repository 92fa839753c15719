"""The units left at a price step: the nearest step of any service day. Decisions §8.5."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from faregate.catalogue.calendars import Calendar, DayPattern, Holiday
from faregate.catalogue.pools import Counting, PoolSlot, PoolUsage, PoolUse
from faregate.catalogue.price_rules import PriceModel, PriceRule, PriceSteps
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.list_prices.price import ListPriceQuery, list_price
from faregate.validity.contingents import step_contingent
from support.shops.booking_shop import ADULT, DAY, MONTH, MOUNTAIN, THREE_DAYS, ticket, variant
from support.shops.small_shop import HALF_FARE

THURSDAY, CALENDAR = date(2027, 1, 14), Calendar(holidays=(Holiday(date(2027, 1, 16)),))
EARLY = (PriceRule(6000), PriceRule(7000, min_sold=100), PriceRule(8000, min_sold=250))


def stepped(
    *prices: PriceRule, steps: PriceSteps | None = None, counting: Counting = Counting.EACH_DAY, uses: int = 1
) -> Product:
    adult = replace(variant(ADULT, *prices, uses=[(MOUNTAIN, uses)] if uses != 1 else ()), steps=steps)
    return ticket(
        adult,
        pools=[PoolUse(MOUNTAIN, counting)],
        price_model=PriceModel.STEPPED,
        sold_pool=MOUNTAIN,
        durations=(DAY, THREE_DAYS),
    )


def left(
    product: Product,
    *sold: int,
    held: int = 0,
    duration: Duration = DAY,
    card: int | None = None,
    ordered_on: date | None = None,
) -> int | None:
    """Return the contingent from Thursday on, with a number of units sold of Thursday, Friday and so on."""
    taken = {
        PoolSlot(MOUNTAIN, THURSDAY + timedelta(days=n)): PoolUsage(count, held)
        for n, count in enumerate(sold)
    }
    occasion = ListPriceQuery(duration, THURSDAY, ordered_on, card)
    return step_contingent(product.variants[0], occasion, product=product, calendar=CALENDAR, capacity=taken)


@pytest.mark.parametrize(("sold", "units"), [(0, 100), (100, 150), (250, None)])
def test_a_contingent_ends_where_the_next_rule_begins(sold: int, units: int | None) -> None:
    assert left(stepped(*EARLY), sold) == units


def test_held_units_use_up_a_contingent_only_if_they_count() -> None:
    product = stepped(*EARLY)
    counting = replace(product, counts_holds=True)

    assert (left(product, 97, held=2), left(counting, 97, held=2), left(counting, 97, held=3)) == (3, 1, 150)
    taken = {PoolSlot(MOUNTAIN, THURSDAY): PoolUsage(97, 3)}
    assert [
        list_price(
            each.variants[0], ListPriceQuery(DAY, THURSDAY), product=each, calendar=CALENDAR, capacity=taken
        ).amount
        for each in (product, counting)
    ] == [6000, 7000]


@pytest.mark.parametrize(
    ("counting", "units"), [(Counting.EACH_DAY, 2), (Counting.FIRST_DAY, 40), (Counting.NONE, None)]
)
def test_several_days_have_the_contingent_of_the_day_with_the_nearest_step(
    counting: Counting, units: int | None
) -> None:
    assert left(stepped(*EARLY, counting=counting), 60, 98, 0, duration=THREE_DAYS) == units


@pytest.mark.parametrize(("uses", "units"), [(0, None), (2, 4), (7, 1)])
def test_a_unit_that_takes_several_places_reaches_the_step_sooner(uses: int, units: int | None) -> None:
    assert left(stepped(*EARLY, uses=uses), 93) == units


@pytest.mark.parametrize(
    ("steps", "units"),
    [(PriceSteps(step=100, every=10), 5), (PriceSteps(every=10), None), (PriceSteps(step=100, every=40), 15)],
)
def test_regular_steps_end_a_contingent_as_rules_do(steps: PriceSteps, units: int | None) -> None:
    assert left(stepped(PriceRule(6000), steps=steps), 25) == units


def test_only_rules_that_may_apply_end_a_contingent() -> None:
    rules = [
        PriceRule(9000, min_sold=10, when=DayPattern(is_holiday=True)),
        PriceRule(9000, min_sold=20, discount_card=HALF_FARE),
        PriceRule(9000, min_sold=30, min_lead_days=1),
        PriceRule(9000, THREE_DAYS, min_sold=40),
    ]
    product = stepped(PriceRule(6000), *rules)
    month_ago = THURSDAY - timedelta(days=30)

    assert left(product, 0) == 40  # a rung for more days may be cheaper
    assert left(product, 0, ordered_on=month_ago) == 30
    assert left(product, 0, card=HALF_FARE) == 20
    assert left(stepped(*EARLY), 97, card=HALF_FARE) == 3
    assert left(product, 0, duration=THREE_DAYS) == 10
    assert left(product, 0, duration=MONTH) == 40
    assert left(replace(product, never_above_single_days=True), 0) == 20


@pytest.mark.parametrize(
    ("changes", "first_day"),
    [
        ({"price_model": PriceModel.CALENDAR}, THURSDAY),
        ({"sold_pool": None}, THURSDAY),
        ({"pools": ()}, THURSDAY),
        ({}, None),
    ],
)
def test_without_steps_or_a_day_there_is_no_contingent(
    changes: dict[str, object], first_day: date | None
) -> None:
    product = replace(stepped(*EARLY), **changes)  # type: ignore[arg-type]
    occasion = ListPriceQuery(DAY, first_day)

    assert (
        step_contingent(product.variants[0], occasion, product=product, calendar=CALENDAR, capacity={})
        is None
    )
