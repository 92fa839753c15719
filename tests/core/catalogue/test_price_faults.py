"""Faults of prices: numbers out of range, and settings that the price model does not allow."""

from dataclasses import replace
from datetime import time
from typing import Any

import pytest

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.entries import Entries
from faregate.catalogue.pools import Pool, TimeSlot
from faregate.catalogue.price_rules import CardReduction, Degression, PriceModel, PriceRule, PriceSteps
from faregate.dates.durations import Duration
from faregate.errors import Issue, Loc
from support.shops.refused_catalogues import ENTRIES, faults_of, said
from support.shops.small_shop import DAY_TICKET, HALF_FARE, LUNCH_VOUCHER, SHOP

STATIC, CALENDAR, STEPPED = PriceModel.STATIC, PriceModel.CALENDAR, PriceModel.STEPPED
DAY = Duration(days=1)
WEEKEND = DayPattern(weekdays=frozenset({6, 7}))
POOLS = (
    Pool(identifier="mountain", size=100),
    Pool(identifier="sledge-run", size=40, slots=(TimeSlot(time(10), time(12)),)),
)


def with_ticket(
    model: PriceModel, *prices: PriceRule, steps: PriceSteps | None = None, **changes: Any
) -> Entries:
    """Return the shop with these prices for its adult day ticket."""
    adult, child = DAY_TICKET.variants
    if prices:
        adult = replace(adult, prices=prices)
    product = replace(DAY_TICKET, price_model=model, variants=(replace(adult, steps=steps), child), **changes)
    return replace(ENTRIES, products=(product, *SHOP.products[1:]), pools=POOLS)


REDUCTION, STEPS = CardReduction(HALF_FARE, 200_000), PriceSteps(step=200, every=50, floor=100, ceiling=100)


@pytest.mark.parametrize(
    "catalogue",
    [
        *(with_ticket(model) for model in PriceModel),
        with_ticket(CALENDAR, PriceRule(1), PriceRule(2, when=WEEKEND), PriceRule(2, DAY, when=WEEKEND)),
        with_ticket(CALENDAR, degression=Degression((1_000_000, 0), increment=50)),
        with_ticket(STATIC, card_reductions=(REDUCTION,)),
        with_ticket(
            STEPPED,
            PriceRule(1),
            PriceRule(2, min_lead_days=7),
            PriceRule(2, DAY, discount_card=HALF_FARE, when=WEEKEND, min_lead_days=7),
        ),
        with_ticket(STEPPED, steps=STEPS, sold_pool="mountain"),
    ],
)
def test_prices_that_fit_their_price_model_have_no_issues(catalogue: Entries) -> None:
    assert faults_of(catalogue) == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (PriceRule(1, when=WEEKEND), PriceRule(2, when=WEEKEND)),
        (
            PriceRule(1, DAY, discount_card=HALF_FARE, when=WEEKEND, min_lead_days=7, min_sold=9),
            PriceRule(2, DAY, discount_card=HALF_FARE, when=WEEKEND, min_lead_days=7, min_sold=9),
        ),
    ],
)
def test_prices_under_the_same_conditions_are_reported(first: PriceRule, second: PriceRule) -> None:
    catalogue = with_ticket(STEPPED, first, second, sold_pool="mountain")

    place = ("products", 0, "variants", 0, "prices", 1)
    assert faults_of(catalogue) == (Issue(place, "two prices under the same conditions"),)


@pytest.mark.parametrize(
    "other",
    [
        PriceRule(1, DAY),
        PriceRule(1, discount_card=HALF_FARE),
        PriceRule(1, when=WEEKEND),
        PriceRule(1, min_lead_days=1),
        PriceRule(1, min_sold=1),
    ],
)
def test_prices_that_differ_in_any_condition_have_no_issues(other: PriceRule) -> None:
    assert faults_of(with_ticket(STEPPED, PriceRule(1), other, sold_pool="mountain")) == ()


MISPLACED = [
    *(
        (
            with_ticket(STATIC, PriceRule(1), PriceRule(2, when=days)),
            "STATIC",
            ("variants", 0, "prices", 1, "when"),
        )
        for days in (WEEKEND, DayPattern(is_holiday=False))
    ),
    (with_ticket(STATIC, degression=Degression((1,))), "STATIC", ("degression",)),
    *(
        row
        for model in (STATIC, CALENDAR)
        for row in (
            (
                with_ticket(model, PriceRule(1, min_lead_days=1)),
                model.value,
                ("variants", 0, "prices", 0, "min_lead_days"),
            ),
            (
                with_ticket(model, PriceRule(1, min_sold=1)),
                model.value,
                ("variants", 0, "prices", 0, "min_sold"),
            ),
            (with_ticket(model, steps=PriceSteps()), model.value, ("variants", 0, "steps")),
            (with_ticket(model, sold_pool="mountain"), model.value, ("sold_pool",)),
        )
    ),
]


@pytest.mark.parametrize(("catalogue", "model", "place"), MISPLACED)
def test_fields_that_the_price_model_does_not_allow_are_reported(
    catalogue: Entries, model: str, place: Loc
) -> None:
    assert faults_of(catalogue) == (Issue(("products", 0, *place), f"not allowed with price model {model}"),)


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        (
            with_ticket(STEPPED, PriceRule(1, min_lead_days=-1)),
            "variants[0].prices[0].min_lead_days: expected at least 0, got -1",
        ),
        (
            with_ticket(STEPPED, PriceRule(1, min_sold=-1), sold_pool="mountain"),
            "variants[0].prices[0].min_sold: expected at least 0, got -1",
        ),
        *(
            (
                with_ticket(STEPPED, steps=steps, sold_pool="mountain"),
                f"variants[0].steps.{field}: expected at least {least}, got {least - 1}",
            )
            for field, least, steps in (
                ("step", 0, PriceSteps(step=-1)),
                ("every", 1, PriceSteps(every=0)),
                ("floor", 0, PriceSteps(floor=-1)),
            )
        ),
        (
            with_ticket(STEPPED, steps=PriceSteps(floor=200, ceiling=199)),
            "variants[0].steps.ceiling: 199 is below the floor 200",
        ),
        (with_ticket(CALENDAR, degression=Degression(())), "degression.factors: expected at least one"),
        *(
            (
                with_ticket(CALENDAR, degression=Degression((1_000_000, factor))),
                f"degression.factors[1]: expected 0 to 1000000 parts per million, got {factor}",
            )
            for factor in (-1, 1_000_001)
        ),
        (
            with_ticket(CALENDAR, degression=Degression((1,), increment=0)),
            "degression.increment: expected at least 1, got 0",
        ),
        *(
            (
                with_ticket(STATIC, card_reductions=(CardReduction(HALF_FARE, parts),)),
                f"card_reductions[0].parts_per_million: expected 1 to 1000000 parts per million, got {parts}",
            )
            for parts in (0, 1_000_001)
        ),
        (
            with_ticket(STATIC, card_reductions=(replace(REDUCTION, increment=0),)),
            "card_reductions[0].increment: expected at least 1, got 0",
        ),
        (
            with_ticket(STATIC, card_reductions=(REDUCTION, REDUCTION)),
            "card_reductions[1].discount_card: 5 is used twice",
        ),
        (with_ticket(STEPPED, sold_pool="sledge-run"), "sold_pool: pool 'sledge-run' has time slots"),
        (
            with_ticket(STEPPED, counts_holds=True),
            "counts_holds: needs a pool of sold units",
        ),
        (
            with_ticket(CALENDAR, counts_holds=True),
            "counts_holds: not allowed with price model CALENDAR",
        ),
        (
            with_ticket(STEPPED, steps=PriceSteps(ratchet=True), sold_pool="mountain", counts_holds=True),
            "variants[0].steps.ratchet: not allowed if held units count, because holds can be released",
        ),
        *(
            (catalogue, "sold_pool: required because prices depend on the units sold")
            for catalogue in (
                with_ticket(STEPPED, PriceRule(1, min_sold=1)),
                with_ticket(STEPPED, steps=PriceSteps(step=1)),
            )
        ),
    ],
)
def test_numbers_out_of_range_and_missing_sold_pools_are_reported(catalogue: Entries, fault: str) -> None:
    assert said(catalogue) == [f"products[0].{fault}"]


def test_a_negative_ceiling_is_also_below_the_floor() -> None:
    faults = faults_of(with_ticket(STEPPED, steps=PriceSteps(ceiling=-1)))

    assert [fault.message for fault in faults] == ["expected at least 0, got -1", "-1 is below the floor 0"]


@pytest.mark.parametrize("model", [CALENDAR, STEPPED])
def test_prices_by_day_need_a_validity(model: PriceModel) -> None:
    lunch = replace(LUNCH_VOUCHER, price_model=model)
    catalogue = replace(ENTRIES, products=(DAY_TICKET, lunch, *SHOP.products[2:]))

    assert faults_of(catalogue) == (Issue(("products", 1, "price_model"), "the product has no validity"),)
