"""List prices of a variant by duration, day and card, and their traces. Decisions §3.8, §8.2, §9."""

import gc
import weakref
from dataclasses import replace
from datetime import date, timedelta

import pytest

from faregate.catalogue.calendars import Calendar, DayPattern, Season, Span
from faregate.catalogue.price_rules import CardReduction, Degression, PriceModel, PriceRule
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.errors import UnknownEntry
from faregate.list_prices import price as pricing
from faregate.list_prices.price import ListPriceQuery, list_price
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
    WEDNESDAY,
    WINTER,
    by_day,
    dated,
    static,
    variant,
)
from support.shops.small_shop import DAY_TICKET, HALF_FARE

FULL = variant(
    PriceRule(1000),
    PriceRule(900, DAY),
    PriceRule(600, discount_card=HALF_FARE),
    PriceRule(500, DAY, discount_card=HALF_FARE),
)


@pytest.mark.parametrize(
    ("duration", "card", "price"),
    [
        (DAY, None, 900),
        (None, HALF_FARE, 600),
        (DAY, HALF_FARE, 500),
        (DAY, 6, 900),
    ],
)
def test_the_price_for_the_card_comes_before_that_for_the_duration(
    duration: Duration | None, card: int | None, price: int
) -> None:
    for prices in (FULL.prices, FULL.prices[::-1]):
        assert static(replace(FULL, prices=prices), duration, card) == price


def test_a_list_price_needs_no_query() -> None:
    assert list_price(FULL, product=DAY_TICKET).amount == 1000


def test_the_cache_of_prices_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pricing, "_MAX_PRICES", 1)
    full = replace(FULL)

    assert [static(full), static(full), static(full, DAY), static(full, DAY)] == [1000, 1000, 900, 900]
    remembered = full.derived[pricing.VariantPrices]
    assert isinstance(remembered, pricing.VariantPrices)
    assert len(remembered._prices) == 1


def test_cached_prices_are_freed_with_their_variant() -> None:
    short_lived = replace(FULL)
    static(short_lived)
    remembered = weakref.ref(short_lived)

    del short_lived
    gc.collect()

    assert remembered() is None


def test_a_variant_is_priced_by_the_product_and_calendar_passed() -> None:
    winter_dearer = by_day(PriceRule(1000), PriceRule(2000, when=DayPattern(WINTER)))
    free = replace(winter_dearer, card_reductions=(CardReduction(HALF_FARE, 1_000_000),))
    no_winter = Calendar(seasons=(Season(identifier="winter", spans=(Span(JULY, JULY),)),))
    sold, asked = winter_dearer.variants[0], ListPriceQuery(DAY, FRIDAY, discount_card=HALF_FARE)

    assert dated(winter_dearer, DAY, FRIDAY, card=HALF_FARE) == 2000
    assert list_price(sold, asked, product=winter_dearer, calendar=no_winter).amount == 1000
    assert list_price(sold, asked, product=free, calendar=no_winter).amount == 0


WEEKENDS_DEARER = by_day(PriceRule(6000), PriceRule(7000, when=DayPattern(weekdays=FRI_SAT_SUN)))


@pytest.mark.parametrize(
    ("duration", "price"),
    [
        (None, 6000),
        pytest.param(HOURS, 6000, id="hours use the first day"),
        (THREE_DAYS, 19_000),
        pytest.param(Duration.parse("P2DT1H"), 19_000, id="a started day counts in full"),
    ],
)
def test_a_validity_costs_the_sum_of_its_service_days(duration: Duration | None, price: int) -> None:
    assert dated(WEEKENDS_DEARER, duration, WEDNESDAY) == price


@pytest.mark.parametrize(
    ("factors", "increment", "price"),
    [
        ((1_000_000, 900_000, 700_000), 1, 6000 + 6300 + 4900),
        ((1_000_000, 899_929), 1, 18_599),  # 18599.006: each day alone would be 6299.503 and round to 6300
        ((1_000_000, 900_000, 770_000), 50, 17_700),  # 17690
        ((1_000_000, 900_000, 775_000), 50, 17_750),  # 17725, half up
    ],
)
def test_later_days_cost_less_and_the_sum_is_rounded_once(
    factors: tuple[int, ...], increment: int, price: int
) -> None:
    product = replace(
        by_day(PriceRule(6000), PriceRule(7000, when=DayPattern(weekdays=FRI_SAT_SUN))),
        degression=Degression(factors, increment),
    )

    assert dated(product, THREE_DAYS, WEDNESDAY + timedelta(days=1)) == price


def test_a_longer_rung_serves_a_static_price_only_where_it_is_cheaper() -> None:
    for general, price in ((12_000, 11_000), (6000, 6000)):
        product = replace(
            by_day(PriceRule(general), PriceRule(11_000, THREE_DAYS)), price_model=PriceModel.STATIC
        )
        assert dated(product, DAY, JULY) == price


def test_without_a_first_day_only_rules_for_all_days_count() -> None:
    product = by_day(PriceRule(6000), PriceRule(7000, when=DayPattern(WINTER)), PriceRule(15_000, THREE_DAYS))

    durations = (None, DAY, TWO_DAYS, THREE_DAYS)
    assert [dated(product, duration, None) for duration in durations] == [6000, 6000, 12_000, 15_000]
    assert dated(by_day(PriceRule(6000)), THREE_DAYS, None) == 18_000


def reduced(product: Product, parts_per_million: int, increment: int = 1) -> Product:
    return replace(
        product,
        card_reductions=(
            CardReduction(6, 1_000_000),
            CardReduction(HALF_FARE, parts_per_million, increment=increment),
            CardReduction(HALF_FARE, 1_000_000),
        ),
    )


@pytest.mark.parametrize(
    ("parts", "increment", "price"),
    [
        (500_000, 1, 4003),  # 4002.5
        (250_000, 50, 6000),  # 6003.75
        pytest.param(100, 9000, 8005, id="never dearer"),
    ],
)
def test_holders_of_a_card_pay_less(parts: int, increment: int, price: int) -> None:
    whole = reduced(replace(DAY_TICKET, variants=(variant(PriceRule(8005)),)), parts, increment)
    rung = reduced(by_day(PriceRule(8005, DAY)), parts, increment)
    of_days = reduced(by_day(PriceRule(8005)), parts, increment)

    for product in (whole, rung, of_days):
        assert dated(product, DAY, FRIDAY, card=HALF_FARE) == price
        assert dated(product, DAY, FRIDAY) == dated(product, DAY, FRIDAY, card=7) == 8005


def test_a_price_of_the_card_beats_its_reduction() -> None:
    whole = replace(
        DAY_TICKET, variants=(variant(PriceRule(8000), PriceRule(7000, discount_card=HALF_FARE)),)
    )
    own_rung = by_day(PriceRule(8000), PriceRule(7000, DAY, discount_card=HALF_FARE))
    own_day = by_day(PriceRule(8000), PriceRule(1, DAY), PriceRule(7000, discount_card=HALF_FARE))

    for product in (whole, own_rung, own_day):
        assert dated(reduced(product, 500_000), DAY, FRIDAY, card=HALF_FARE) == 7000


OWN_WEEKENDS = by_day(
    PriceRule(8000), PriceRule(7000, discount_card=HALF_FARE, when=DayPattern(weekdays=FRI_SAT_SUN))
)


@pytest.mark.parametrize(
    ("prices", "duration", "card", "message"),
    [
        ((), None, None, "unknown price of variant 101 for any duration"),
        ((PriceRule(900, DAY),), THREE_DAYS, None, "unknown price of variant 101 for P3D"),
        (
            (PriceRule(500, DAY, discount_card=HALF_FARE),),
            DAY,
            None,
            "unknown price of variant 101 for P1D",
        ),
    ],
)
def test_a_missing_price_is_an_error_and_never_0(
    prices: tuple[PriceRule, ...], duration: Duration | None, card: int | None, message: str
) -> None:
    with pytest.raises(UnknownEntry) as raised:
        static(variant(*prices), duration, card)

    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("duration", "first_day", "words"),
    [
        (DAY, JULY, "for P1D on 2027-07-07"),
        pytest.param(THREE_DAYS, date(2027, 4, 30), "for P3D on 2027-05-01", id="of a later day"),
        pytest.param(Duration.parse("P1M1D"), FRIDAY, "for P1M1D on 2027-01-08", id="months have no days"),
        (DAY, None, "for P1D"),
        (None, None, "for any duration"),
    ],
)
def test_a_missing_price_of_a_day_names_the_day(
    duration: Duration | None, first_day: date | None, words: str
) -> None:
    winter_only = by_day(PriceRule(7000, when=DayPattern(WINTER)))

    with pytest.raises(UnknownEntry) as raised:
        dated(winter_only, duration, first_day)

    assert str(raised.value) == f"unknown price of variant 101 {words}"


def told(product: Product, occasion: ListPriceQuery) -> list[tuple[StepKind, str, int, str]]:
    price = list_price(product.variants[0], occasion, product=product, calendar=CALENDAR)
    trace = price.trace()
    assert trace.amount("list_price") == price.amount
    assert trace.figures() == (("list_price", None),)
    return [(step.rule, step.source, step.amount, step.note) for step in trace]


def test_the_price_of_a_whole_validity_names_its_rung_and_the_reduction() -> None:
    product = reduced(by_day(PriceRule(20_000, THREE_DAYS, when=DayPattern(WINTER, FRI_SAT_SUN))), 500_000)

    assert told(product, ListPriceQuery(TWO_DAYS, FRIDAY, discount_card=HALF_FARE)) == [
        (StepKind.LIST_PRICE, "P3D", 20_000, "winter, Fri Sat Sun"),
        (StepKind.CARD_REDUCTION, "discount card 5", -10_000, "50 % off"),
    ]
    assert told(replace(DAY_TICKET, variants=(FULL,)), ListPriceQuery()) == [
        (StepKind.LIST_PRICE, "", 1000, "")
    ]


def test_a_sum_of_days_has_a_step_per_day_and_one_for_rounding() -> None:
    product = replace(reduced(OWN_WEEKENDS, 333_333), degression=Degression((1_000_000, 666_667), 5))
    thursday = FRIDAY - timedelta(days=1)

    assert told(product, ListPriceQuery(TWO_DAYS, thursday, discount_card=HALF_FARE)) == [
        (StepKind.LIST_PRICE, "2027-01-07", 8000, ""),
        (StepKind.LIST_PRICE, "2027-01-08", 7000, "discount card 5, Fri Sat Sun"),
        (StepKind.DEGRESSION, "2027-01-08", -2334, "at 66.6667 %"),
        (StepKind.PRICE_ROUNDING, "", -1, ""),
        (StepKind.CARD_REDUCTION, "discount card 5", -2667, "33.3333 % off"),
    ]


def test_days_without_a_date_are_numbered() -> None:
    assert told(by_day(PriceRule(8000)), ListPriceQuery(TWO_DAYS)) == [
        (StepKind.LIST_PRICE, "day 1", 8000, ""),
        (StepKind.LIST_PRICE, "day 2", 8000, ""),
    ]
