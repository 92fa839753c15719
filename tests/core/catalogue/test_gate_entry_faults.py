"""Faults of gate entries in a catalogue: ids, tariffs and tiers."""

from dataclasses import replace
from typing import Any

import pytest

from faregate.catalogue.calendars import DayPattern
from faregate.catalogue.entries import Entries
from faregate.catalogue.gate_rules import MOST_UNITS, AccessTariff, QuantityTier
from faregate.catalogue.pools import Pool
from faregate.catalogue.price_rules import PriceModel, PriceRule, PriceSteps
from faregate.catalogue.products import ExternalId
from faregate.dates.durations import Duration
from support.shops.refused_catalogues import ENTRIES, faults_of, said, with_ticket
from support.shops.small_shop import DAY_TICKET, SHOP

POOLS = (Pool(identifier="mountain", size=100),)


def with_ids(*adult: ExternalId, child: tuple[ExternalId, ...] = ()) -> Entries:
    """Return the shop with these ids for the two variants of its day ticket."""
    first, second = DAY_TICKET.variants
    variants = replace(first, external_ids=adult), replace(second, external_ids=child)
    return with_ticket(variants=variants)


def dta(product: str, category: str, *, system: str = "gate") -> tuple[ExternalId, ExternalId]:
    return (
        ExternalId(system=system, kind="dta_product_id", value=product),
        ExternalId(system=system, kind="dta_consumer_category", value=category),
    )


def system_ids(product: str, category: str) -> tuple[ExternalId, ExternalId]:
    return (
        ExternalId(system="gate", kind="system_product_id", value=product),
        ExternalId(system="gate", kind="system_consumer_category", value=category),
    )


@pytest.mark.parametrize(
    "catalogue",
    [
        with_ids(*dta("1", "1"), *system_ids("1", "1"), child=(*dta("1", "2"), *system_ids("1", "2"))),
        with_ids(*dta("1", "1"), *dta("1", "1", system="old"), child=dta("2", "1")),
        with_ids(
            ExternalId(system="till", kind="article", value="x"),
            ExternalId(system="till", kind="article", value="y"),
        ),
    ],
)
def test_ids_that_identify_one_variant_have_no_issues(catalogue: Entries) -> None:
    assert faults_of(catalogue) == ()


NO_NUMBER = "expected a whole number of at most 18 digits, got"


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        (
            with_ids(*dta("1", "1"), child=dta("1", "1")),
            "products[0].variants[1].external_ids[0]: 1 with 1 already identifies variant 101",
        ),
        (
            with_ids(*dta("1", "2"), child=dta("01", "2", system="other")[::-1]),
            "products[0].variants[1].external_ids[1]: 1 with 2 already identifies variant 101",
        ),
        (
            with_ids(*system_ids("P", "A"), child=system_ids("P", "A")),
            "products[0].variants[1].external_ids[0]: P with A already identifies variant 101",
        ),
        (
            with_ids(*dta("1", "1")[:1]),
            "products[0].variants[0].external_ids[0]: needs a dta_consumer_category of system 'gate'",
        ),
        (
            with_ids(*system_ids("P", "A")[1:]),
            "products[0].variants[0].external_ids[0]: needs a system_product_id of system 'gate'",
        ),
        (
            with_ids(*dta("1", "1"), *dta("2", "1")[:1]),
            "products[0].variants[0].external_ids[2]: system 'gate' has more than one dta_product_id",
        ),
        *(
            (
                with_ids(*dta(text, "1")),
                f"products[0].variants[0].external_ids[0].value: {NO_NUMBER} {text!r}",
            )
            for text in ("P1", "-1", "1.0", "\uff11", "", "9" * 19)
        ),
        (with_ids(*dta("1", "x")), f"products[0].variants[0].external_ids[1].value: {NO_NUMBER} 'x'"),
    ],
)
def test_ids_that_do_not_identify_one_variant_are_reported(catalogue: Entries, fault: str) -> None:
    assert said(catalogue) == [fault]


def test_ids_for_other_systems_do_not_hide_an_issue() -> None:
    (fault,) = faults_of(with_ids(ExternalId(system="till", kind="article", value="x"), dta("1", "1")[0]))

    assert fault.message == "needs a dta_consumer_category of system 'gate'"


def with_tariffs(*tariffs: AccessTariff, model: PriceModel = PriceModel.STATIC, **product: Any) -> Entries:
    first, second = DAY_TICKET.variants
    first = replace(first, access_tariffs=tariffs)
    changed = replace(DAY_TICKET, price_model=model, variants=(first, second), **product)
    return replace(ENTRIES, products=(changed, *SHOP.products[1:]), pools=POOLS)


ONE = (PriceRule(1),)


@pytest.mark.parametrize(
    "catalogue",
    [
        with_tariffs(AccessTariff(ONE, is_depot=True), AccessTariff(ONE, is_depot=False), allows_depot=True),
        with_tariffs(
            AccessTariff((PriceRule(1, min_sold=9),), steps=PriceSteps(step=1)),
            model=PriceModel.STEPPED,
            sold_pool="mountain",
        ),
        with_tariffs(quantity_tiers=(QuantityTier(2, 1), QuantityTier(MOST_UNITS, 1_000_000, increment=50))),
    ],
)
def test_valid_tariffs_and_tiers_have_no_issues(catalogue: Entries) -> None:
    assert faults_of(catalogue) == ()


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        (
            with_tariffs(AccessTariff(())),
            "products[0].variants[0].access_tariffs[0].prices: expected at least one",
        ),
        (
            with_tariffs(AccessTariff((PriceRule(-1),))),
            "products[0].variants[0].access_tariffs[0].prices[0].amount: negative price -1",
        ),
        (
            with_tariffs(AccessTariff((PriceRule(1, Duration(days=9)),))),
            "products[0].variants[0].access_tariffs[0].prices[0].duration: the product has no duration P9D",
        ),
        (
            with_tariffs(AccessTariff((PriceRule(1), PriceRule(2)))),
            "products[0].variants[0].access_tariffs[0].prices[1]: two prices under the same conditions",
        ),
        (
            with_tariffs(AccessTariff((PriceRule(1, discount_card=9),))),
            "products[0].variants[0].access_tariffs[0].prices[0].discount_card: there is no discount card 9",
        ),
        (
            with_tariffs(
                AccessTariff((PriceRule(1, when=DayPattern(frozenset({"fall"}))),)), model=PriceModel.CALENDAR
            ),
            "products[0].variants[0].access_tariffs[0].prices[0].when.seasons: there is no season 'fall'",
        ),
        (
            with_tariffs(
                AccessTariff((PriceRule(1, when=DayPattern(weekdays=frozenset({8}))),)),
                model=PriceModel.CALENDAR,
            ),
            "products[0].variants[0].access_tariffs[0].prices[0].when.weekdays: expected 1 to 7, got 8",
        ),
        (
            with_tariffs(AccessTariff(ONE, steps=PriceSteps())),
            "products[0].variants[0].access_tariffs[0].steps: not allowed with price model STATIC",
        ),
        (
            with_tariffs(AccessTariff(ONE, steps=PriceSteps(floor=-1)), model=PriceModel.STEPPED),
            "products[0].variants[0].access_tariffs[0].steps.floor: expected at least 0, got -1",
        ),
        *(
            (
                with_tariffs(tariff, model=PriceModel.STEPPED),
                "products[0].sold_pool: required because prices depend on the units sold",
            )
            for tariff in (
                AccessTariff((PriceRule(1, min_sold=1),)),
                AccessTariff(ONE, steps=PriceSteps(step=1)),
            )
        ),
        (
            with_tariffs(AccessTariff(ONE, is_depot=True)),
            "products[0].variants[0].access_tariffs[0]: never applies to a sale",
        ),
        (
            with_tariffs(AccessTariff(ONE), AccessTariff(ONE, is_online=False)),
            "products[0].variants[0].access_tariffs[1]: never applies to a sale",
        ),
        (
            with_tariffs(
                AccessTariff(ONE, is_online=True),
                AccessTariff(ONE, is_depot=False),
                AccessTariff(ONE, is_online=False),
            ),
            "products[0].variants[0].access_tariffs[2]: never applies to a sale",
        ),
        *(
            (with_tariffs(quantity_tiers=(tier,)), f"products[0].quantity_tiers[0].{field}: {message}")
            for tier, field, message in (
                (QuantityTier(1, 1), "min_quantity", "expected 2 to 1000000, got 1"),
                (QuantityTier(1_000_001, 1), "min_quantity", "expected 2 to 1000000, got 1000001"),
                (QuantityTier(2, 0), "parts_per_million", "expected 1 to 1000000 parts per million, got 0"),
                (
                    QuantityTier(2, 1_000_001),
                    "parts_per_million",
                    "expected 1 to 1000000 parts per million, got 1000001",
                ),
                (QuantityTier(2, 1, increment=0), "increment", "expected at least 1, got 0"),
            )
        ),
        (
            with_tariffs(quantity_tiers=(QuantityTier(2, 1), QuantityTier(2, 2))),
            "products[0].quantity_tiers[1].min_quantity: 2 is used twice",
        ),
    ],
)
def test_invalid_tariffs_and_tiers_are_reported(catalogue: Entries, fault: str) -> None:
    assert said(catalogue) == [fault]
