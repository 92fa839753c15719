"""Entries of a catalogue that contradict one another, each with its ``loc`` and its message."""

from dataclasses import replace
from datetime import timedelta

import pytest

from faregate.catalogue.channels import PaymentMethod, PaymentMethodType
from faregate.catalogue.entries import Entries, Merchant
from faregate.catalogue.price_rules import PriceRule
from faregate.catalogue.products import MediumIntent, PriceComponent, Surcharge
from faregate.dates.durations import Duration
from faregate.errors import Issue
from support.shops.refused_catalogues import (
    ENTRIES,
    faults_of,
    said,
    with_components,
    with_desk,
    with_guarantee,
    with_prices,
    with_products,
    with_ticket,
    with_variants,
)
from support.shops.small_shop import ADULT, DAY_TICKET, DESK, KEYCARD, LUNCH_VOUCHER, SHOP, WEB

DAY, WEEK = Duration(days=1), Duration(days=7)


def test_a_valid_catalogue_has_no_issues() -> None:
    assert faults_of(ENTRIES) == ()
    assert faults_of(Entries()) == ()


@pytest.mark.parametrize(
    ("catalogue", "fault"),
    [
        (
            with_prices(PriceRule(8000, DAY), PriceRule(-1)),
            "products[0].variants[0].prices[1].amount: negative price -1",
        ),
        (
            with_prices(PriceRule(8000, DAY), PriceRule(40_000, WEEK)),
            "products[0].variants[0].prices[1].duration: the product has no duration P7D",
        ),
        (
            with_variants(*(replace(variant, is_standard=True) for variant in DAY_TICKET.variants)),
            "products[0].variants: more than one standard variant",
        ),
        (
            with_desk(products=frozenset({11, 51})),
            "channels[1].products: product 51 is sold in EUR",
        ),
        (
            with_components(PriceComponent(variant=ADULT, price=500, intent=MediumIntent.DEPOSIT)),
            "media[0].price_components[0].variant: variant 101 is sold as TICKET, expected a FEE",
        ),
        (
            with_guarantee(Surcharge(KEYCARD, 500), Surcharge(ADULT, 500)),
            "products[0].weather_guarantee[1].variant: variant 101 is sold as TICKET, expected a FEE",
        ),
        (
            with_components(PriceComponent(variant=KEYCARD, price=-1, intent=MediumIntent.DEPOSIT)),
            "media[0].price_components[0].price: negative price -1",
        ),
        (with_guarantee(Surcharge(KEYCARD, -1)), "products[0].weather_guarantee[0].price: negative price -1"),
        (
            with_products(DAY_TICKET, replace(LUNCH_VOUCHER, requires_medium=True), *SHOP.products[2:]),
            "products[1].requires_medium: the product has no media",
        ),
        (
            replace(
                ENTRIES,
                channels=(
                    replace(
                        WEB,
                        payment_methods=(
                            PaymentMethod(PaymentMethodType.VIS),
                            PaymentMethod(PaymentMethodType.TWI),
                            PaymentMethod(PaymentMethodType.VIS, supports_alias=True),
                        ),
                    ),
                    DESK,
                ),
            ),
            "channels[0].payment_methods[2].type: 'VIS' is used twice",
        ),
        (
            with_desk(expires_after=timedelta()),
            "channels[1].expires_after: expected a positive duration, got 0:00:00",
        ),
        (
            with_desk(expires_after=timedelta(hours=2, seconds=1)),
            "channels[1].expires_after: 2:00:01 is longer than expires_at_most, 2:00:00",
        ),
        (
            with_desk(redirect_urls=("https://shop.example/thanks",)),
            "channels[1].redirect_urls[0]: expected an origin such as https://shop.example, got 'https://shop.example/thanks'",
        ),
        (
            with_desk(redirect_urls=("http://localhost",) * 2),
            "channels[1].redirect_urls[1]: 'http://localhost' is used twice",
        ),
        (
            with_desk(shop_origins=("null",)),
            "channels[1].shop_origins[0]: expected an origin such as https://shop.example, got 'null'",
        ),
    ],
)
def test_inconsistent_entries_are_reported(catalogue: Entries, fault: str) -> None:
    assert said(catalogue) == [fault]


@pytest.mark.parametrize(
    "prices",
    [
        pytest.param((PriceRule(0),), id="free"),
        pytest.param((), id="none at all"),
    ],
)
def test_prices_that_do_not_contradict_each_other_have_no_issues(prices: tuple[PriceRule, ...]) -> None:
    assert faults_of(with_prices(*prices)) == ()


def test_each_negative_expiry_setting_is_reported() -> None:
    desk = replace(DESK, expires_after=timedelta(seconds=-1), expires_at_most=timedelta(seconds=-2))

    faults = faults_of(replace(ENTRIES, channels=(WEB, desk)))

    assert [fault.loc[-1] for fault in faults] == ["expires_after", "expires_at_most", "expires_after"]


def test_a_product_of_an_unknown_merchant_is_reported_once() -> None:
    catalogue = with_ticket(merchant="nobody")

    assert len(faults_of(catalogue)) == 1


def test_unknown_currencies_and_time_zones_are_reported() -> None:
    nowhere = Merchant("nowhere", timezone="Europe/Zurych", currency="CHX")

    faults = faults_of(replace(ENTRIES, merchants=(*SHOP.merchants, nowhere)))

    index = len(SHOP.merchants)
    assert faults == (
        Issue(("merchants", index, "currency"), "unknown currency 'CHX'"),
        Issue(("merchants", index, "timezone"), "unknown time zone 'Europe/Zurych'"),
    )


def test_a_floor_price_is_not_negative() -> None:
    adult = replace(DAY_TICKET.variants[0], floor_price=-1)

    faults = faults_of(with_variants(adult, DAY_TICKET.variants[1]))

    assert [fault.message for fault in faults] == ["negative price -1"]
    assert faults[0].loc[-1] == "floor_price"


def test_a_channel_with_merchants_in_several_zones_needs_a_zone() -> None:
    tokyo = replace(SHOP.merchants[0], identifier="abroad", timezone="Asia/Tokyo")
    tour = replace(LUNCH_VOUCHER, id=990, merchant="abroad", variants=())
    far = replace(ENTRIES, merchants=(*SHOP.merchants, tokyo), products=(*SHOP.products, tour))

    unnamed = replace(far, channels=(replace(WEB, products=frozenset()),))
    named = replace(far, channels=(replace(WEB, products=frozenset(), timezone="Europe/Zurich"),))

    place = ("channels", 0, "timezone")
    found = [fault.message for fault in faults_of(unnamed) if fault.loc == place]
    zones = ", ".join(sorted({SHOP.merchants[0].timezone, "Asia/Tokyo"}))
    assert found == [f"its merchants are in {zones}: set the time zone of its orders"]
    assert not [fault for fault in faults_of(named) if fault.loc == place]
