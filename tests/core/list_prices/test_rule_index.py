"""The price rules that apply to a length, on a day, at a stage of the sale. Decisions §8.5, §9."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from faregate.catalogue.calendars import DayPattern, Span
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.catalogue.price_rules import PriceModel, PriceRule, PriceSteps
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.errors import InvalidPeriod, UnknownEntry
from faregate.list_prices import rule_index as rule_books
from faregate.list_prices.price import ListPriceQuery, list_price
from faregate.list_prices.rule_index import PriceRuleIndex, describe_rule
from faregate.list_prices.steps import ListPrice
from faregate.trace import StepKind
from support.shops.price_lists import (
    CALENDAR,
    DAY,
    FRI_SAT_SUN,
    FRIDAY,
    HOURS,
    JULY,
    THREE_DAYS,
    TWO_DAYS,
    WEEK,
    WINTER,
    by_day,
    dated,
    static,
    variant,
)
from support.shops.small_shop import DAY_TICKET, HALF_FARE

PISTE = "piste"


def stepped(*prices: PriceRule, steps: PriceSteps | None = None) -> Product:
    return replace(
        DAY_TICKET,
        price_model=PriceModel.STEPPED,
        sold_pool=PISTE,
        variants=(replace(variant(*prices), steps=steps),),
    )


def priced(
    product: Product,
    *,
    ahead: int = 0,
    sold: int | dict[date, int] = 0,
    duration: Duration | None = DAY,
    card: int | None = None,
) -> ListPrice:
    """Return the price from Friday, a number of days ahead; a single number is sold of each day."""
    by_date = sold if isinstance(sold, dict) else {FRIDAY + n * timedelta(days=1): sold for n in range(3)}
    return list_price(
        product.variants[0],
        ListPriceQuery(duration, FRIDAY, FRIDAY - timedelta(days=ahead), card),
        product=product,
        calendar=CALENDAR,
        capacity={PoolSlot(PISTE, day): PoolUsage(number, held=500) for day, number in by_date.items()},
    )


LADDER = variant(
    PriceRule(8000, DAY), PriceRule(21_000, THREE_DAYS), PriceRule(20_500, WEEK), PriceRule(5000, HOURS)
)


@pytest.mark.parametrize(
    ("duration", "price"),
    [
        pytest.param(TWO_DAYS, 20_500, id="a longer rung covers it"),
        pytest.param(HOURS, 5000, id="hours are met exactly"),
    ],
)
def test_a_validity_of_days_costs_the_cheapest_rung_that_covers_it(duration: Duration, price: int) -> None:
    assert static(LADDER, duration) == price


@pytest.mark.parametrize(
    "duration", [Duration.parse(text) for text in ("P8D", "PT2H", "PT24H", "P1DT2H", "P1M")]
)
def test_a_validity_beyond_all_rungs_costs_the_price_for_any_duration(duration: Duration) -> None:
    with_rest = replace(LADDER, prices=(*LADDER.prices, PriceRule(99_000)))

    assert static(with_rest, duration) == 99_000
    with pytest.raises(UnknownEntry):
        static(LADDER, duration)


MOST_SPECIFIC_FIRST = (
    DayPattern(dates=(Span(FRIDAY, FRIDAY),), is_holiday=False, seasons=WINTER, weekdays=FRI_SAT_SUN),
    DayPattern(dates=(Span(FRIDAY, FRIDAY),), seasons=WINTER, weekdays=FRI_SAT_SUN),
    DayPattern(dates=(Span(FRIDAY, FRIDAY),)),
    DayPattern(is_holiday=False, seasons=WINTER, weekdays=FRI_SAT_SUN),
    DayPattern(is_holiday=False),
    DayPattern(seasons=WINTER, weekdays=FRI_SAT_SUN),
    DayPattern(seasons=WINTER),
    DayPattern(weekdays=FRI_SAT_SUN),
    DayPattern(),
)


@pytest.mark.parametrize("first", range(len(MOST_SPECIFIC_FIRST) - 1))
def test_the_more_specific_rule_applies(first: int) -> None:
    rules = [PriceRule(1000 + n, when=when) for n, when in enumerate(MOST_SPECIFIC_FIRST) if n >= first]

    assert dated(by_day(*rules), DAY, FRIDAY) == 1000 + first
    assert dated(by_day(*rules[::-1]), DAY, FRIDAY) == 1000 + first


def test_holidays_and_seasons_come_from_the_calendar() -> None:
    product = by_day(
        PriceRule(1), PriceRule(2, when=DayPattern(WINTER)), PriceRule(3, when=DayPattern(is_holiday=True))
    )

    assert [dated(product, DAY, day) for day in (JULY, FRIDAY, date(2026, 12, 25))] == [1, 2, 3]


TABLE = stepped(
    PriceRule(7900),
    PriceRule(7500, min_lead_days=3),
    PriceRule(6800, min_lead_days=7),
    PriceRule(8500, min_sold=10),
    PriceRule(8100, min_sold=10, min_lead_days=7),
    PriceRule(9000, min_sold=20),
)


@pytest.mark.parametrize(
    ("ahead", "sold", "price"),
    [
        *((0, 0, 7900), (2, 9, 7900), (3, 0, 7500), (6, 9, 7500), (7, 0, 6800), (400, 9, 6800)),
        *((0, 10, 8500), (6, 19, 8500), (7, 10, 8100), (99, 19, 8100), (0, 20, 9000), (99, 9999, 9000)),
    ],
)
def test_the_step_with_most_sold_and_then_most_days_ahead_applies(ahead: int, sold: int, price: int) -> None:
    backwards = stepped(*TABLE.variants[0].prices[::-1])

    assert priced(TABLE, ahead=ahead, sold=sold).amount == price
    assert priced(backwards, ahead=ahead, sold=sold).amount == price


def test_an_order_without_a_date_is_placed_on_the_first_day() -> None:
    assert list_price(TABLE.variants[0], ListPriceQuery(DAY, FRIDAY), product=TABLE).amount == 7900
    assert list_price(TABLE.variants[0], ListPriceQuery(DAY, None, FRIDAY), product=TABLE).amount == 7900


def test_an_order_after_the_first_day_is_refused() -> None:
    with pytest.raises(InvalidPeriod) as raised:
        priced(TABLE, ahead=-1)

    assert str(raised.value) == "the order date 2027-01-09 is after the first day, 2027-01-08"


@pytest.mark.parametrize(("ahead", "sold"), [(6, 3), (0, 3), (7, 2), (7, 0)])
def test_a_missing_price_says_at_which_stage(ahead: int, sold: int) -> None:
    with pytest.raises(UnknownEntry, match=f"for P1D on 2027-01-08, {ahead} days ahead with {sold} sold"):
        priced(stepped(PriceRule(6000, min_lead_days=7, min_sold=3)), ahead=ahead, sold=sold)


@pytest.mark.parametrize(("sold", "price"), [(10, 6500), (10_000, 6800)])
def test_prices_rise_with_places_sold_up_to_the_ceiling(sold: int, price: int) -> None:
    steps = PriceSteps(step=500, every=10, floor=100, ceiling=6800)

    assert priced(stepped(PriceRule(6000), steps=steps), sold=sold).amount == price


def test_service_days_share_the_lead_days_but_not_the_places_sold() -> None:
    sold = {FRIDAY: 20, FRIDAY + timedelta(days=1): 10}

    assert priced(TABLE, ahead=6, sold=sold, duration=THREE_DAYS).amount == 9000 + 8500 + 7500


def test_rungs_follow_the_stage_of_the_first_day_and_are_not_adjusted() -> None:
    ladder = PriceRule(20_000, THREE_DAYS, min_lead_days=7), PriceRule(22_000, THREE_DAYS, min_sold=10)
    steps = PriceSteps(step=100, floor=30_000, ratchet=True)
    product = stepped(PriceRule(8000), *ladder, steps=steps)

    assert priced(product, ahead=7, duration=THREE_DAYS).amount == 20_000
    assert priced(product, ahead=7, sold={FRIDAY: 12}, duration=THREE_DAYS).amount == 22_000
    later = {FRIDAY + timedelta(days=1): 12}
    assert priced(product, sold=later, duration=THREE_DAYS).amount == 90_000


def test_no_price_is_below_the_floor() -> None:
    product = stepped(PriceRule(6000), steps=PriceSteps(step=500, every=10, floor=6400))

    assert [priced(product, sold=sold).amount for sold in (0, 10)] == [6400, 6500]


def test_steps_are_for_stepped_prices_only() -> None:
    steps = PriceSteps(step=500, floor=9000, ratchet=True)
    product = replace(stepped(PriceRule(6000), steps=steps), price_model=PriceModel.CALENDAR)

    assert priced(product, sold=50).amount == 6000


RATCHET = PriceSteps(step=1000, every=10, ceiling=10_000, ratchet=True)
FALLING = (
    PriceRule(9000, min_lead_days=14),
    PriceRule(5000),
    PriceRule(7000, min_sold=10),
    PriceRule(6000, min_sold=20),
)


@pytest.mark.parametrize(
    ("ahead", "sold", "without", "price"),
    [
        pytest.param(0, 0, 5000, 9000, id="was dearer earlier"),
        pytest.param(3, 25, 8000, 9000, id="both"),
        pytest.param(0, 40, 10_000, 10_000, id="has become dearer"),
    ],
)
def test_with_a_ratchet_a_price_never_falls_below_an_earlier_one(
    ahead: int, sold: int, without: int, price: int
) -> None:
    loose = replace(RATCHET, ratchet=False)

    assert priced(stepped(*FALLING, steps=RATCHET), ahead=ahead, sold=sold).amount == price
    assert priced(stepped(*FALLING, steps=loose), ahead=ahead, sold=sold).amount == without


def test_a_ratchet_keeps_no_price_of_a_later_stage() -> None:
    rising = PriceRule(8000), PriceRule(7000, min_lead_days=7), PriceRule(9000, min_sold=10)
    product = stepped(*rising, steps=PriceSteps(ratchet=True))

    stages = (7, 9), (6, 9), (7, 10)
    assert [priced(product, ahead=days, sold=sold).amount for days, sold in stages] == [7000, 8000, 9000]


def told(price: ListPrice) -> list[tuple[StepKind, int]]:
    assert price.trace().amount("list_price") == price.amount
    return [(step.rule, step.amount) for step in price.trace()]


def test_the_trace_has_the_adjustments_of_a_day_price() -> None:
    limited = stepped(PriceRule(6000), steps=PriceSteps(step=500, every=10, ceiling=6800))

    assert told(priced(limited, sold=25)) == [
        (StepKind.LIST_PRICE, 6000),
        (StepKind.PLACES_SOLD, 1000),
        (StepKind.PRICE_LIMIT, -200),
    ]
    assert told(priced(stepped(*FALLING, steps=RATCHET), ahead=3, sold=25)) == [
        (StepKind.LIST_PRICE, 6000),
        (StepKind.PLACES_SOLD, 2000),
        (StepKind.RATCHET, 1000),
    ]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (PriceRule(1), ""),
        (PriceRule(1, DAY, discount_card=HALF_FARE, min_sold=8), "discount card 5, at least 8 sold"),
        (
            PriceRule(
                1, when=DayPattern(frozenset({"winter", "easter"}), frozenset({7, 1})), min_lead_days=15
            ),
            "easter winter, Mon Sun, at least 15 days ahead",
        ),
        (PriceRule(1, when=DayPattern(is_holiday=True)), "public holidays"),
        (
            PriceRule(1, when=DayPattern(dates=(Span(JULY, JULY),), is_holiday=False)),
            "special dates, no public holidays",
        ),
    ],
)
def test_a_rule_is_described_by_its_criteria(rule: PriceRule, words: str) -> None:
    assert describe_rule(rule) == words


def test_the_index_drops_cached_days_beyond_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_books, "_MAX_DAYS", 3)
    rules = PriceRule(1), PriceRule(2, when=DayPattern(weekdays=FRI_SAT_SUN))
    book = PriceRuleIndex(rules, model=PriceModel.CALENDAR, calendar=CALENDAR)

    for _ in range(2):
        for n in range(8):
            price = book.on(FRIDAY + n * timedelta(days=1)).unstaged.day(None)
            assert price is not None
            assert price.amount == (2 if n in {0, 1, 2, 7} else 1)
            assert len(book._by_day) <= 3
    assert len(book._holding) == 2
