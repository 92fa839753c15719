"""Every way in which the entries of a catalogue can contradict one another: its place and its message."""

from dataclasses import replace

import pytest

from faregate.catalogue import (
    Catalogue,
    Category,
    DiscountCard,
    Medium,
    MediumIntent,
    Merchant,
    PriceComponent,
    Product,
    StaticPrice,
    Variant,
)
from faregate.catalogue_faults import Fault, Place, catalogue_faults, format_place
from faregate.dates import Duration
from faregate.discounts import (
    Absolute,
    AutomaticDiscount,
    BuyXGetY,
    Conditions,
    PromoCode,
    Scope,
    Threshold,
)
from faregate.text import Text
from faregate.vouchers import Voucher
from unit.small_shop import DAY_TICKET, DESK, LUNCH_VOUCHER, SHOP, VAT, WEB

DAY, WEEK = Duration(days=1), Duration(days=7)


def with_prices(*prices: StaticPrice) -> Catalogue:
    """The shop, its adult day ticket at these prices."""
    adult = replace(DAY_TICKET.variants[0], prices=prices)
    return with_variants(adult, DAY_TICKET.variants[1])


def with_variants(*variants: Variant) -> Catalogue:
    return with_products(replace(DAY_TICKET, variants=variants), *SHOP.products[1:])


def with_products(*products: Product) -> Catalogue:
    return replace(SHOP, products=products)


def with_code(scope: Scope, conditions: Conditions | None = None) -> Catalogue:
    code = PromoCode(code="A", kind=Absolute(1), scope=scope, conditions=conditions or Conditions())
    return replace(SHOP, promo_codes=(code,))


def test_a_sound_catalogue_has_no_faults() -> None:
    assert catalogue_faults(SHOP) == ()
    assert catalogue_faults(Catalogue()) == ()


# ---------------------------------------------------------------- ids


@pytest.mark.parametrize(
    ("catalogue", "place", "message"),
    [
        pytest.param(
            replace(SHOP, merchants=(*SHOP.merchants, Merchant("lifts", "Europe/Zurich", "CHF"))),
            ("merchants", 2, "identifier"),
            "'lifts' is used twice",
            id="merchant",
        ),
        pytest.param(
            replace(SHOP, categories=(*SHOP.categories, Category(1, Text("Again")))),
            ("categories", 2, "id"),
            "1 is used twice",
            id="category",
        ),
        pytest.param(
            replace(SHOP, discount_cards=(*SHOP.discount_cards, DiscountCard(5, Text("Again")))),
            ("discount_cards", 1, "id"),
            "5 is used twice",
            id="discount card",
        ),
        pytest.param(
            with_products(*SHOP.products, replace(LUNCH_VOUCHER, slug="dinner", variants=())),
            ("products", 6, "id"),
            "21 is used twice",
            id="product",
        ),
        pytest.param(
            with_products(*SHOP.products, replace(LUNCH_VOUCHER, id=22, variants=())),
            ("products", 6, "slug"),
            "'lunch' is used twice",
            id="slug",
        ),
        pytest.param(
            replace(SHOP, media=(*SHOP.media, Medium(id=1, type="PAPER", name=Text()))),
            ("media", 1, "id"),
            "1 is used twice",
            id="medium",
        ),
        pytest.param(
            replace(SHOP, channels=(WEB, DESK, replace(WEB, name="Again"))),
            ("channels", 2, "uuid"),
            "'web' is used twice",
            id="channel",
        ),
        pytest.param(
            replace(SHOP, automatic_discounts=(AutomaticDiscount(id=1, kind=Absolute(1)),) * 2),
            ("automatic_discounts", 1, "id"),
            "1 is used twice",
            id="automatic discount",
        ),
        pytest.param(
            with_variants(DAY_TICKET.variants[0], replace(DAY_TICKET.variants[1], id=201)),
            ("products", 1, "variants", 0, "id"),
            "201 is used twice",
            id="variants of two products",
        ),
        pytest.param(
            replace(SHOP, promo_codes=(*SHOP.promo_codes, PromoCode(code=" ten", kind=Absolute(1)))),
            ("promo_codes", 1, "code"),
            "'TEN' is used twice",
            id="promo code",
        ),
        pytest.param(
            replace(SHOP, vouchers=(*SHOP.vouchers, Voucher(code="ten", balance=1))),
            ("vouchers", 1, "code"),
            "'TEN' is used twice",
            id="promo code and voucher",
        ),
    ],
)
def test_an_id_is_used_once(catalogue: Catalogue, place: Place, message: str) -> None:
    assert catalogue_faults(catalogue) == (Fault(place, message),)


def test_every_further_use_of_an_id_is_a_fault() -> None:
    catalogue = replace(SHOP, categories=(*SHOP.categories, Category(1, Text()), Category(1, Text())))

    assert [fault.place for fault in catalogue_faults(catalogue)] == [
        ("categories", 2, "id"),
        ("categories", 3, "id"),
    ]


# ---------------------------------------------------------------- references


@pytest.mark.parametrize(
    ("catalogue", "place", "message"),
    [
        pytest.param(
            with_products(replace(DAY_TICKET, merchant="nobody"), *SHOP.products[1:]),
            ("products", 0, "merchant"),
            "there is no merchant 'nobody'",
            id="merchant of a product",
        ),
        pytest.param(
            with_products(replace(DAY_TICKET, category=9), *SHOP.products[1:]),
            ("products", 0, "category"),
            "there is no category 9",
            id="category of a product",
        ),
        pytest.param(
            with_products(replace(DAY_TICKET, media=(1, 9)), *SHOP.products[1:]),
            ("products", 0, "media", 1),
            "there is no medium 9",
            id="medium of a product",
        ),
        pytest.param(
            with_prices(StaticPrice(8000), StaticPrice(4000, None, 6)),
            ("products", 0, "variants", 0, "prices", 1, "discount_card"),
            "there is no discount card 6",
            id="discount card of a price",
        ),
        pytest.param(
            replace(
                SHOP,
                media=(
                    replace(
                        SHOP.media[0], price_components=(PriceComponent(999, 500, MediumIntent.DEPOSIT),)
                    ),
                ),
            ),
            ("media", 0, "price_components", 0, "variant"),
            "there is no variant 999",
            id="variant of a medium",
        ),
        pytest.param(
            replace(SHOP, channels=(WEB, replace(DESK, products=frozenset({11, 99})))),
            ("channels", 1, "products"),
            "there is no product 99",
            id="product of a channel",
        ),
        pytest.param(
            with_code(Scope(products=frozenset({11, 99}))),
            ("promo_codes", 0, "scope", "products"),
            "there is no product 99",
            id="product of a scope",
        ),
        pytest.param(
            with_code(Scope(variants=frozenset({11}))),
            ("promo_codes", 0, "scope", "variants"),
            "there is no variant 11",
            id="variant of a scope",
        ),
        pytest.param(
            with_code(Scope(categories=frozenset({9}))),
            ("promo_codes", 0, "scope", "categories"),
            "there is no category 9",
            id="category of a scope",
        ),
        pytest.param(
            with_code(Scope(discount_cards=frozenset({6}))),
            ("promo_codes", 0, "scope", "discount_cards"),
            "there is no discount card 6",
            id="discount card of a scope",
        ),
        pytest.param(
            with_code(Scope(), Conditions(channels=frozenset({"web", "app"}))),
            ("promo_codes", 0, "conditions", "channels"),
            "there is no channel 'app'",
            id="channel of conditions",
        ),
        pytest.param(
            with_code(
                Scope(),
                Conditions(thresholds=(Threshold(1), Threshold(1, counting=Scope(products=frozenset({99}))))),
            ),
            ("promo_codes", 0, "conditions", "thresholds", 1, "counting", "products"),
            "there is no product 99",
            id="product of a minimum",
        ),
        pytest.param(
            replace(
                SHOP,
                automatic_discounts=(
                    AutomaticDiscount(id=1, kind=BuyXGetY(2, 1, rewards=Scope(variants=frozenset({999})))),
                ),
            ),
            ("automatic_discounts", 0, "kind", "rewards", "variants"),
            "there is no variant 999",
            id="variant of a reward",
        ),
    ],
)
def test_what_is_named_exists(catalogue: Catalogue, place: Place, message: str) -> None:
    assert catalogue_faults(catalogue) == (Fault(place, message),)


def test_a_group_rule_without_rewards_of_its_own_names_nothing() -> None:
    rule = AutomaticDiscount(id=1, kind=BuyXGetY(2, 1))

    assert catalogue_faults(replace(SHOP, automatic_discounts=(rule,))) == ()


# ---------------------------------------------------------------- prices, variants, currencies


@pytest.mark.parametrize(
    ("catalogue", "place", "message"),
    [
        pytest.param(
            with_prices(StaticPrice(8000, DAY), StaticPrice(-1)),
            ("products", 0, "variants", 0, "prices", 1, "amount"),
            "negative price -1",
            id="negative price",
        ),
        pytest.param(
            with_prices(StaticPrice(8000, DAY), StaticPrice(7000, DAY)),
            ("products", 0, "variants", 0, "prices", 1),
            "two prices for one duration and discount card",
            id="two prices for one duration",
        ),
        pytest.param(
            with_prices(StaticPrice(8000, None, 5), StaticPrice(7000, None, 5)),
            ("products", 0, "variants", 0, "prices", 1),
            "two prices for one duration and discount card",
            id="two prices for one card",
        ),
        pytest.param(
            with_prices(StaticPrice(8000, DAY), StaticPrice(40_000, WEEK)),
            ("products", 0, "variants", 0, "prices", 1, "duration"),
            "the product has no duration P7D",
            id="a price that cannot apply",
        ),
        pytest.param(
            with_variants(*(replace(variant, is_standard=True) for variant in DAY_TICKET.variants)),
            ("products", 0, "variants"),
            "more than one standard variant",
            id="two standard variants",
        ),
        pytest.param(
            replace(SHOP, channels=(WEB, replace(DESK, products=frozenset({11, 51})))),
            ("channels", 1, "products"),
            "product 51 is sold in EUR",
            id="a product of another currency",
        ),
    ],
)
def test_entries_make_sense_with_one_another(catalogue: Catalogue, place: Place, message: str) -> None:
    assert catalogue_faults(catalogue) == (Fault(place, message),)


@pytest.mark.parametrize(
    "prices",
    [
        pytest.param((StaticPrice(0),), id="free"),
        pytest.param((StaticPrice(8000), StaticPrice(7000, DAY)), id="for any and for one duration"),
        pytest.param((StaticPrice(8000, DAY), StaticPrice(4000, DAY, 5)), id="with and without a card"),
        pytest.param((), id="none at all"),
    ],
)
def test_prices_that_do_not_contradict_each_other_are_sound(prices: tuple[StaticPrice, ...]) -> None:
    assert catalogue_faults(with_prices(*prices)) == ()


def test_a_product_of_an_unknown_merchant_is_one_fault_not_two() -> None:
    catalogue = with_products(replace(DAY_TICKET, merchant="nobody"), *SHOP.products[1:])

    assert len(catalogue_faults(catalogue)) == 1


def test_all_faults_are_told_at_once() -> None:
    variant = Variant(id=101, name="Twice", rate=VAT, prices=(StaticPrice(-5),))
    lost = replace(LUNCH_VOUCHER, id=22, slug="supper", category=9, variants=(variant,))

    assert catalogue_faults(with_products(*SHOP.products, lost)) == (
        Fault(("products", 6, "variants", 0, "id"), "101 is used twice"),
        Fault(("products", 6, "category"), "there is no category 9"),
        Fault(("products", 6, "variants", 0, "prices", 0, "amount"), "negative price -5"),
    )


# ---------------------------------------------------------------- places


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ((), ""),
        (("merchants",), "merchants"),
        (("merchants", 0), "merchants[0]"),
        (("products", 3, "variants", 0, "id"), "products[3].variants[0].id"),
        ((0, "id"), "[0].id"),
    ],
)
def test_a_place_reads_as_people_write_it(place: Place, text: str) -> None:
    assert format_place(place) == text


def test_money_and_places_nobody_knows_are_faults() -> None:
    nowhere = Merchant("nowhere", timezone="Europe/Zurych", currency="CHX")

    faults = catalogue_faults(replace(SHOP, merchants=(*SHOP.merchants, nowhere)))

    index = len(SHOP.merchants)
    assert faults == (
        Fault(("merchants", index, "currency"), "unknown currency 'CHX'"),
        Fault(("merchants", index, "timezone"), "there is no time zone 'Europe/Zurych'"),
    )


def test_a_floor_price_is_not_negative() -> None:
    adult = replace(DAY_TICKET.variants[0], floor_price=-1)

    faults = catalogue_faults(with_variants(adult, DAY_TICKET.variants[1]))

    assert [fault.message for fault in faults] == ["negative price -1"]
    assert faults[0].place[-1] == "floor_price"
