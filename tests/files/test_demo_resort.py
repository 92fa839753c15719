"""The demo resort shows all features of a catalogue, and never goes stale."""

from dataclasses import replace

import pytest

from faregate.arguments.fields import fields_of
from faregate.catalogue.channels import ChannelType
from faregate.catalogue.presentation.form_fields import FieldKind
from faregate.catalogue.products import PriceComponent, ProductType, Surcharge
from faregate.discounts.kinds import DiscountType
from faregate.files import FileFormat, parse_catalogue
from faregate.gate.price import gate_price
from faregate.gate.requests import GateRequest
from faregate.money.amounts import format_percent
from faregate.subscriptions.rules import EveryDays, MonthlyOn, YearlyOn
from faregate.subscriptions.terms import FirstPeriod, SubscriptionTerms
from faregate.translations import LANGUAGES, Text
from support.files.demo import DATA, DEMO
from support.files.samples import WEB, as_json


def texts(value: object) -> list[Text]:
    """Return every text in a value of the catalogue."""
    if isinstance(value, Text):
        return [value]
    if type(value) is tuple:
        return [text for entry in value for text in texts(entry)]
    return [text for field in fields_of(value).values() for text in texts(field)]


@pytest.mark.parametrize(
    "pair",
    [
        {("dta_product_id", "1"), ("dta_consumer_category", "1")},
        {("system_product_id", "P1"), ("system_consumer_category", "A")},
    ],
)
def test_access_pair_identifies_one_variant(pair: set[tuple[str, str]]) -> None:
    found = [
        variant.id
        for product in DEMO.products
        for variant in product.variants
        if pair <= {(external.kind, external.value) for external in variant.external_ids}
    ]

    assert found == [101]


@pytest.mark.parametrize(
    ("ids", "is_online", "is_depot", "unit_price"),
    [
        pytest.param((1, 1), None, None, 7900, id="online"),
        pytest.param((1, 1), False, None, 8400, id="dearer on site"),
        pytest.param((7, 1), None, None, 6702, id="net, so 62.00 and 8.1 percent"),
    ],
)
def test_gates_get_the_price_of_a_day(
    ids: tuple[int, int], is_online: bool | None, is_depot: bool | None, unit_price: int
) -> None:
    product_id, category = ids
    asked = GateRequest(
        valid_from="2027-01-12",
        order_date="2027-01-12",
        quantity=12,
        currency_code="CHF",
        dta_product_id=product_id,
        dta_consumer_category=category,
    )
    found = gate_price(replace(asked, is_online_pos=is_online, depot_flag=is_depot), catalogue=DEMO)

    assert (found.unit_price, found.calculated_price) == (unit_price, 12 * unit_price)


def test_json_of_the_demo_is_the_same_catalogue() -> None:
    assert parse_catalogue(as_json(DATA), file_format=FileFormat.JSON) == DEMO


def test_everything_has_a_name_in_every_language() -> None:
    collections = (
        *(DEMO.categories, DEMO.discount_cards, DEMO.products, DEMO.media),
        *(DEMO.automatic_discounts, DEMO.promo_codes, DEMO.channels),
        *(DEMO.calendar.seasons, DEMO.calendar.holidays, DEMO.pools),
    )
    found = [text for text in texts(collections) if text != Text()]  # without empty descriptions

    assert len(found) > 200
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


def test_all_kinds_of_products_channels_discounts_and_rates_exist() -> None:
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


def test_passes_are_subscriptions_and_insurance_is_not_sold_alone() -> None:
    assert {product.slug: product.subscription for product in DEMO.products if product.is_subscription} == {
        "season-pass": SubscriptionTerms(rule=YearlyOn(month=11, day=1), minimal_run_periods=1),
        "monthly-pass": SubscriptionTerms(
            rule=MonthlyOn(1), first_period=FirstPeriod.PRORATE, minimal_run_periods=3, has_pickup=True
        ),
        "climbing-pass": SubscriptionTerms(rule=EveryDays(30)),
    }
    assert {product.slug for product in DEMO.products if not product.standalone} == {
        *("ticket-insurance", "sending-fee", "weather-guarantee", "keycard-deposit"),
    }


FEES: list[PriceComponent | Surcharge] = [
    *(fee for medium in DEMO.media for fee in medium.price_components),
    *(fee for product in DEMO.products for fee in product.weather_guarantee),
]


@pytest.mark.parametrize("fee", FEES, ids=str)
def test_variant_of_a_fee_costs_as_much_as_the_fee(fee: PriceComponent | Surcharge) -> None:
    product, variant = DEMO.variant(fee.variant)

    assert (product.type, product.standalone, product.has_validity) == (ProductType.FEE, False, False)
    assert [price.amount for price in variant.prices] == [fee.price]
    assert not product.discountable


def test_webshop_sells_every_fee_of_its_products() -> None:
    webshop = DEMO.channel(WEB)
    offered = [product for product in DEMO.products if webshop.sells(product)]
    fees = {fee.variant for product in offered for fee in product.weather_guarantee}
    fees |= {
        fee.variant
        for product in offered
        for medium_id in product.media
        for fee in DEMO.medium(medium_id).price_components
    }

    assert fees == {911, 921, 931}
    assert all(webshop.sells(DEMO.variant(variant_id)[0]) for variant_id in fees)


FLAGS = [
    *("display_price", "is_deletable", "requires_personalization", "requires_validation", "requires_medium"),
    *("is_confirmation_required", "is_flex_ticket", "is_max_one_ticket_per_person", "is_unique_item"),
    *("requires_owner", "requires_billing_address", "requires_shipping_address"),
    *("supports_weather_guarantee", "standalone", "has_validity", "discountable", "is_subscription"),
]


@pytest.mark.parametrize("flag", FLAGS)
def test_every_flag_occurs_both_set_and_unset(flag: str) -> None:
    assert {getattr(product, flag) for product in DEMO.products} == {True, False}


def test_every_kind_of_form_field_occurs() -> None:
    forms = [channel.form for channel in DEMO.channels] + [product.person_fields for product in DEMO.products]

    assert {field.kind for form in forms for field in form} == set(FieldKind)


def test_no_date_goes_stale() -> None:
    """Expired offers ended long ago, current ones end in the far future."""
    ends = [code.conditions.ends_at for code in DEMO.promo_codes]
    ends += [voucher.expires_at for voucher in DEMO.vouchers]
    years = {end.year for end in ends if end is not None}

    assert years == {2024, 2100}
