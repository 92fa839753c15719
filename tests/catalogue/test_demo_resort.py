from __future__ import annotations

from importlib.resources import files

import pytest

from catalogue.samples import WEB, as_json
from faregate.catalogue import ChannelType, MediumIntent, ProductType
from faregate.discounts import DiscountType
from faregate.money import format_percent
from faregate.policy import PriceBasis
from faregate.text import LANGUAGES, Text
from faregate_catalogue import FileFormat, demo_catalogue, parse_catalogue
from faregate_catalogue.yaml_documents import read_yaml

DEMO = demo_catalogue()
DATA, _ = read_yaml((files("faregate_catalogue") / "demo_resort.yaml").read_text("utf-8"), "demo")


def texts(value: object) -> list[Text]:
    """Every text in a value of the catalogue."""
    if isinstance(value, Text):
        return [value]
    if isinstance(value, tuple):
        return [text for entry in value for text in texts(entry)]
    slots = getattr(type(value), "__slots__", ())
    return [text for name in slots for text in texts(getattr(value, name))]


def test_web_channel_sells_in_francs() -> None:
    channel = DEMO.channel(WEB)

    assert (channel.type, channel.currency) == (ChannelType.WEB, "CHF")


def test_day_ticket_is_product_11_with_the_adult_as_standard_variant_101() -> None:
    product, variant = DEMO.variant(101)

    assert (product.id, product.slug, DEMO.merchant(product.merchant).timezone) == (
        *(11, "day-ticket", "Europe/Zurich"),
    )
    assert variant.is_standard
    assert ("age", "adult") in {(entry.identifier, entry.value) for entry in variant.attributes}


@pytest.mark.parametrize(
    "pair",
    [
        {("dta_product_id", "1"), ("dta_consumer_category", "1")},
        {("system_product_id", "P1"), ("system_consumer_category", "A")},
    ],
)
def test_access_pair_leads_to_one_variant(pair: set[tuple[str, str]]) -> None:
    found = [
        variant.id
        for product in DEMO.products
        for variant in product.variants
        if pair <= {(external.kind, external.value) for external in variant.external_ids}
    ]

    assert found == [101]


def test_demo_is_cached() -> None:
    assert demo_catalogue() is DEMO


def test_json_of_the_demo_is_the_same_catalogue() -> None:
    assert parse_catalogue(as_json(DATA), file_format=FileFormat.JSON) == DEMO


def test_everything_has_a_name_in_every_language() -> None:
    collections = (
        *(DEMO.categories, DEMO.discount_cards, DEMO.products, DEMO.media),
        *(DEMO.automatic_discounts, DEMO.promo_codes),
    )
    found = texts(collections)

    assert len(found) > 100
    assert [text for text in found for language in LANGUAGES if not getattr(text, language)] == []


def test_every_product_has_one_standard_variant() -> None:
    assert {
        product.slug: sum(variant.is_standard for variant in product.variants) for product in DEMO.products
    } == {product.slug: 1 for product in DEMO.products}


def test_every_duration_of_a_product_has_a_price_in_each_variant() -> None:
    unpriced = [
        (variant.id, duration)
        for product in DEMO.products
        for variant in product.variants
        for duration in product.durations
        if not {duration, None} & {price.duration for price in variant.prices if price.discount_card is None}
    ]

    assert unpriced == []


def test_every_product_is_sold_somewhere() -> None:
    assert frozenset().union(*(channel.products for channel in DEMO.channels)) == {
        product.id for product in DEMO.products
    }


def test_all_kinds_of_things_are_there() -> None:
    assert {product.type for product in DEMO.products} == set(ProductType)
    assert {channel.type for channel in DEMO.channels} == set(ChannelType)
    assert {code.kind.type for code in DEMO.promo_codes} == set(DiscountType)
    assert {
        *(DiscountType.ABSOLUTE, DiscountType.PERCENTAGE, DiscountType.FIXED_PRICE),
        *(DiscountType.PER_UNIT, DiscountType.BUY_X_GET_Y),
    } == {discount.kind.type for discount in DEMO.automatic_discounts}
    assert {format_percent(v.rate.parts_per_million) for p in DEMO.products for v in p.variants} == {
        *("0", "2.6", "8.1"),
    }


def test_season_pass_is_a_subscription_and_insurance_no_product_of_its_own() -> None:
    assert [product.slug for product in DEMO.products if product.is_subscription] == ["season-pass"]
    assert {product.slug for product in DEMO.products if not product.standalone} == {
        *("ticket-insurance", "sending-fee"),
    }


def test_sending_a_keycard_costs_what_its_fee_costs() -> None:
    component = DEMO.media[0].price_components[0]
    product, variant = DEMO.variant(component.variant)

    assert (component.intent, product.type) == (MediumIntent.SENDING_FEE, ProductType.FEE)
    assert [price.amount for price in variant.prices] == [component.price]


def test_counter_rounds_cash_and_partners_see_net_prices() -> None:
    by_type = {channel.type: channel.policy for channel in DEMO.channels}

    assert by_type[ChannelType.POS].cash_increment == 5
    assert by_type[ChannelType.CONSUMPTION].price_basis is PriceBasis.NET


def test_no_date_goes_stale() -> None:
    """What has ended did so long ago, what has not will in the far future."""
    ends = [code.conditions.ends_at for code in DEMO.promo_codes]
    ends += [voucher.expires_at for voucher in DEMO.vouchers]
    years = {end.year for end in ends if end is not None}

    assert years == {2024, 2100}


def test_vouchers_of_each_sort_are_there() -> None:
    assert {(v.expires_at is not None, v.single_purpose is not None) for v in DEMO.vouchers} == {
        *((False, False), (True, False), (True, True)),
    }
