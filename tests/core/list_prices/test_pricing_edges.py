"""Edge cases of list prices: equal prices, the first stage of a sale, own and reduced prices."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.pools import PoolSlot, PoolUsage
from faregate.catalogue.price_rules import CardReduction, Degression, PriceModel, PriceRule, PriceSteps
from faregate.catalogue.products import Product
from faregate.dates.durations import Duration
from faregate.errors import UnknownEntry
from faregate.list_prices.price import ListPriceQuery, list_price
from faregate.list_prices.steps import ListPrice
from faregate.trace import StepKind
from support.shops.booking_shop import ADULT, DAY, THREE_DAYS, ticket, variant

ANY = ListPriceQuery()
TWO_DAYS = Duration(days=2)
SATURDAY, SUNDAY = date(2026, 12, 26), date(2026, 12, 27)
CARD = 5
HALF_FARE = CardReduction(CARD, 500_000)
KEPT = PriceSteps(ratchet=True)
OWN, ORDINARY = PriceRule(6000, discount_card=CARD), PriceRule(10_000)
STATIC, CALENDAR, STEPPED = PriceModel.STATIC, PriceModel.CALENDAR, PriceModel.STEPPED


def sold_as(model: PriceModel, *prices: PriceRule, steps: PriceSteps | None = None, **terms: Any) -> Product:
    return replace(
        ticket(replace(variant(ADULT, *prices), steps=steps), price_model=model, sold_pool="mtn"), **terms
    )


def priced(product: Product, occasion: ListPriceQuery = ANY, *, sold: int = 0) -> ListPrice:
    """Return the price with a number of units sold of that Saturday."""
    capacity = {PoolSlot("mtn", SATURDAY): PoolUsage(sold=sold)} if sold else {}
    return list_price(product.variants[0], occasion, product=product, capacity=capacity)


def test_the_price_for_any_duration_wins_over_an_equal_longer_rung() -> None:
    product = sold_as(STATIC, PriceRule(8000), PriceRule(8000, THREE_DAYS))

    assert priced(product, ListPriceQuery(DAY)).whole == PriceRule(8000)


def test_the_sum_of_the_days_wins_over_an_equal_longer_rung() -> None:
    product = sold_as(CALENDAR, PriceRule(4000), PriceRule(8000, THREE_DAYS))

    price = priced(product, ListPriceQuery(TWO_DAYS, SATURDAY))

    assert (price.amount, price.whole, len(price.days)) == (8000, None, 2)


@pytest.mark.parametrize("rung", [Duration(days=5, seconds=60), Duration(months=1, days=5)])
def test_only_rungs_of_whole_days_serve_shorter_validities(rung: Duration) -> None:
    product = sold_as(STATIC, PriceRule(100, rung))

    assert priced(product, ListPriceQuery(rung)).amount == 100
    with pytest.raises(UnknownEntry, match=r"^unknown price of variant 101 for P1D$"):
        priced(product, ListPriceQuery(DAY))


def test_a_degressive_sum_is_rounded_before_the_card_reduces_all_but_its_own_prices() -> None:
    degression = Degression((1_000_000, 500_000), increment=100)
    product = sold_as(CALENDAR, PriceRule(4050), degression=degression, card_reductions=(HALF_FARE,))
    with_own = replace(product, variants=(variant(ADULT, PriceRule(4050), replace(OWN, amount=3050)),))
    occasion = ListPriceQuery(TWO_DAYS, SATURDAY, discount_card=CARD)

    # 40.50 and 20.25 are 60.75, rounded to 61.00; 30.50 and 15.25 are 45.75, rounded to 46.00.
    price, own = priced(product, occasion), priced(with_own, occasion)

    assert (price.before_reduction, price.amount) == (6100, 3050)
    assert (own.before_reduction, own.amount, own.reduction) == (4600, 4600, None)
    assert [step.amount for step in own.trace()] == [3050, 3050, -1525, 25]


def test_a_rung_of_the_duration_comes_before_a_lower_price_for_any_duration() -> None:
    product = sold_as(STATIC, PriceRule(8000), PriceRule(9000, DAY, when=DayPattern(weekdays=frozenset({1}))))

    assert priced(product, ListPriceQuery(DAY)).amount == 9000  # a static price ignores its days


def test_parts_have_the_stage_of_their_own_first_day_and_are_reduced() -> None:
    rungs = PriceRule(8000, TWO_DAYS), PriceRule(20_000, THREE_DAYS)
    days = PriceRule(5000), PriceRule(5400, min_sold=5), PriceRule(4600, min_lead_days=2)
    lengths = DAY, TWO_DAYS, THREE_DAYS, Duration(seconds=3600)
    product = sold_as(STEPPED, *rungs, *days, durations=lengths, never_above_single_days=True)
    product = replace(product, card_reductions=(HALF_FARE,))

    price = priced(product, ListPriceQuery(THREE_DAYS, SATURDAY, SATURDAY, CARD), sold=5)

    # Two days at 80.00 and the third, two days ahead, at 46.00; 54.00, 50.00 and 46.00 are 150.00.
    assert (price.before_reduction, price.amount) == (12_600, 6300)
    assert [part.amount for part in price.parts] == [4000, 2300]


def test_without_a_date_or_sales_a_price_is_that_of_the_first_stage() -> None:
    later = PriceRule(7000, min_lead_days=1), PriceRule(9000, min_sold=1)
    product = sold_as(STEPPED, PriceRule(8000), *later)

    for own in (product, replace(product, sold_pool=None)):
        for occasion in (ANY, ListPriceQuery(DAY, SATURDAY), ListPriceQuery(DAY, SATURDAY, SATURDAY)):
            assert priced(own, occasion).amount == 8000


def test_every_step_of_a_day_has_its_date() -> None:
    steps = PriceSteps(step=100, every=1, ceiling=7350, ratchet=True)
    product = sold_as(STEPPED, PriceRule(7000), PriceRule(6000, min_sold=5), steps=steps)

    # 74.00 with at most four sold, limited to 73.50; now 60.00 and 5 or 20 x 1.00.
    told = [
        [(step.rule, step.source, step.amount) for step in price.trace().of("list_price")]
        for price in (
            priced(product, ListPriceQuery(DAY, SATURDAY, SATURDAY), sold=5),
            priced(product, ListPriceQuery(DAY, SATURDAY, SATURDAY), sold=20),
        )
    ]

    assert told == [
        [
            (StepKind.LIST_PRICE, "2026-12-26", 6000),
            (StepKind.PLACES_SOLD, "2026-12-26", 500),
            (StepKind.RATCHET, "2026-12-26", 850),
        ],
        [
            (StepKind.LIST_PRICE, "2026-12-26", 6000),
            (StepKind.PLACES_SOLD, "2026-12-26", 2000),
            (StepKind.PRICE_LIMIT, "2026-12-26", -650),
        ],
    ]


@pytest.mark.parametrize(
    ("prices", "amount", "kept"),
    [
        pytest.param(
            [ORDINARY, replace(OWN, min_sold=1)], 6000, 0, id="50.00 reduced, then 60.00 of its own"
        ),
        pytest.param(
            [ORDINARY, replace(OWN, amount=4000, min_sold=1)], 5000, 6000, id="50.00 reduced, then 40.00"
        ),
        ([ORDINARY, replace(OWN, amount=7000), replace(OWN, min_sold=1)], 7000, 1000),
    ],
)
def test_the_ratchet_compares_prices_as_paid_by_a_card_holder(
    prices: list[PriceRule], amount: int, kept: int
) -> None:
    product = sold_as(STEPPED, *prices, steps=KEPT, card_reductions=(HALF_FARE,))

    price = priced(product, ListPriceQuery(DAY, SATURDAY, SATURDAY, discount_card=CARD), sold=1)

    assert (price.amount, price.days[0].kept) == (amount, kept)


def test_a_day_price_of_the_card_is_not_reduced() -> None:
    product = sold_as(STEPPED, ORDINARY, replace(OWN, min_sold=1), card_reductions=(HALF_FARE,))
    occasion = ListPriceQuery(DAY, SATURDAY, SATURDAY, CARD)

    assert [priced(product, occasion, sold=sold).amount for sold in (0, 1)] == [5000, 6000]
