"""Every way in which the entries of a catalogue can contradict one another: its place and its message."""

from dataclasses import replace
from datetime import timedelta

import pytest

from faregate.catalogue import (
    Catalogue,
    Category,
    DiscountCard,
    Medium,
    MediumIntent,
    Merchant,
    PaymentMethod,
    PaymentMethodType,
    PriceComponent,
    PriceRule,
    Product,
    Surcharge,
    Variant,
)
from faregate.catalogue_faults import catalogue_faults
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
from faregate.faults import Fault, Place, format_place
from faregate.form_fields import Choice, FieldKind, FormField
from faregate.text import Text
from faregate.vouchers import Voucher
from unit.small_shop import ADULT, DAY_TICKET, DESK, KEYCARD, LUNCH_VOUCHER, SHOP, VAT, WEB

DAY, WEEK = Duration(days=1), Duration(days=7)


def with_prices(*prices: PriceRule) -> Catalogue:
    """The shop, its adult day ticket at these prices."""
    adult = replace(DAY_TICKET.variants[0], prices=prices)
    return with_variants(adult, DAY_TICKET.variants[1])


def with_variants(*variants: Variant) -> Catalogue:
    return with_products(replace(DAY_TICKET, variants=variants), *SHOP.products[1:])


def with_products(*products: Product) -> Catalogue:
    return replace(SHOP, products=products)


def with_guarantee(*surcharges: Surcharge) -> Catalogue:
    return with_products(replace(DAY_TICKET, weather_guarantee=surcharges), *SHOP.products[1:])


def with_components(*components: PriceComponent) -> Catalogue:
    return replace(SHOP, media=(replace(SHOP.media[0], price_components=components),))


def with_form(*form: FormField) -> Catalogue:
    """The shop, its ticket desk asking these questions."""
    return replace(SHOP, channels=(WEB, replace(DESK, form=form)))


def with_person_fields(*form: FormField) -> Catalogue:
    return with_products(replace(DAY_TICKET, person_fields=form), *SHOP.products[1:])


def question(name: str = "age", kind: FieldKind = FieldKind.TEXT) -> FormField:
    return FormField(name=name, kind=kind, title=Text("A question"))


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
            with_prices(PriceRule(8000), PriceRule(4000, None, 6)),
            ("products", 0, "variants", 0, "prices", 1, "discount_card"),
            "there is no discount card 6",
            id="discount card of a price",
        ),
        pytest.param(
            with_components(PriceComponent(999, 500, MediumIntent.DEPOSIT)),
            ("media", 0, "price_components", 0, "variant"),
            "there is no variant 999",
            id="variant of a medium",
        ),
        pytest.param(
            with_guarantee(Surcharge(KEYCARD, 500), Surcharge(999, 500)),
            ("products", 0, "weather_guarantee", 1, "variant"),
            "there is no variant 999",
            id="variant of a weather guarantee",
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
            with_prices(PriceRule(8000, DAY), PriceRule(-1)),
            ("products", 0, "variants", 0, "prices", 1, "amount"),
            "negative price -1",
            id="negative price",
        ),
        pytest.param(
            with_prices(PriceRule(8000, DAY), PriceRule(7000, DAY)),
            ("products", 0, "variants", 0, "prices", 1),
            "two prices for one duration and discount card",
            id="two prices for one duration",
        ),
        pytest.param(
            with_prices(PriceRule(8000, None, 5), PriceRule(7000, None, 5)),
            ("products", 0, "variants", 0, "prices", 1),
            "two prices for one duration and discount card",
            id="two prices for one card",
        ),
        pytest.param(
            with_prices(PriceRule(8000, DAY), PriceRule(40_000, WEEK)),
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
        pytest.param(
            with_components(PriceComponent(ADULT, 500, MediumIntent.DEPOSIT)),
            ("media", 0, "price_components", 0, "variant"),
            "variant 101 is sold as TICKET, expected a FEE",
            id="a medium that costs a ticket",
        ),
        pytest.param(
            with_guarantee(Surcharge(KEYCARD, 500), Surcharge(ADULT, 500)),
            ("products", 0, "weather_guarantee", 1, "variant"),
            "variant 101 is sold as TICKET, expected a FEE",
            id="a weather guarantee that is a ticket",
        ),
        pytest.param(
            with_components(PriceComponent(KEYCARD, -1, MediumIntent.DEPOSIT)),
            ("media", 0, "price_components", 0, "price"),
            "negative price -1",
            id="a medium of negative price",
        ),
        pytest.param(
            with_guarantee(Surcharge(KEYCARD, -1)),
            ("products", 0, "weather_guarantee", 0, "price"),
            "negative price -1",
            id="a weather guarantee of negative price",
        ),
        pytest.param(
            with_products(DAY_TICKET, replace(LUNCH_VOUCHER, requires_medium=True), *SHOP.products[2:]),
            ("products", 1, "requires_medium"),
            "the product has no media",
            id="no medium to choose",
        ),
        pytest.param(
            replace(
                SHOP,
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
            ("channels", 0, "payment_methods", 2, "type"),
            "'VIS' is used twice",
            id="a payment method twice",
        ),
        pytest.param(
            replace(SHOP, channels=(WEB, replace(DESK, expires_after=timedelta()))),
            ("channels", 1, "expires_after"),
            "expected more than no time, got 0:00:00",
            id="checkouts that expire at once",
        ),
        pytest.param(
            replace(SHOP, channels=(WEB, replace(DESK, expires_after=timedelta(hours=2, seconds=1)))),
            ("channels", 1, "expires_after"),
            "2:00:01 is longer than the 2:00:00 allowed at most",
            id="checkouts that never expire after their last change",
        ),
    ],
)
def test_entries_make_sense_with_one_another(catalogue: Catalogue, place: Place, message: str) -> None:
    assert catalogue_faults(catalogue) == (Fault(place, message),)


@pytest.mark.parametrize(
    "prices",
    [
        pytest.param((PriceRule(0),), id="free"),
        pytest.param((PriceRule(8000), PriceRule(7000, DAY)), id="for any and for one duration"),
        pytest.param((PriceRule(8000, DAY), PriceRule(4000, DAY, 5)), id="with and without a card"),
        pytest.param((), id="none at all"),
    ],
)
def test_prices_that_do_not_contradict_each_other_are_sound(prices: tuple[PriceRule, ...]) -> None:
    assert catalogue_faults(with_prices(*prices)) == ()


@pytest.mark.parametrize("price", [0, 500])
def test_fees_of_media_and_guarantees_are_sound(price: int) -> None:
    assert catalogue_faults(with_guarantee(Surcharge(KEYCARD, price))) == ()
    assert catalogue_faults(with_components(PriceComponent(KEYCARD, price, MediumIntent.DEPOSIT))) == ()


def test_a_required_medium_that_can_be_chosen_is_sound() -> None:
    assert (
        catalogue_faults(with_products(replace(DAY_TICKET, requires_medium=True), *SHOP.products[1:])) == ()
    )


def test_a_checkout_may_live_no_longer_than_since_its_last_change() -> None:
    minute = timedelta(minutes=1)
    desk = replace(DESK, expires_after=minute, expires_at_most=minute)

    assert catalogue_faults(replace(SHOP, channels=(WEB, desk))) == ()


def test_an_end_before_the_start_is_told_of_each_setting() -> None:
    desk = replace(DESK, expires_after=timedelta(seconds=-1), expires_at_most=timedelta(seconds=-2))

    faults = catalogue_faults(replace(SHOP, channels=(WEB, desk)))

    assert [fault.place[-1] for fault in faults] == ["expires_after", "expires_at_most", "expires_after"]


def test_a_product_of_an_unknown_merchant_is_one_fault_not_two() -> None:
    catalogue = with_products(replace(DAY_TICKET, merchant="nobody"), *SHOP.products[1:])

    assert len(catalogue_faults(catalogue)) == 1


def test_all_faults_are_told_at_once() -> None:
    variant = Variant(id=101, name="Twice", rate=VAT, prices=(PriceRule(-5),))
    lost = replace(LUNCH_VOUCHER, id=22, slug="supper", category=9, variants=(variant,))

    assert catalogue_faults(with_products(*SHOP.products, lost)) == (
        Fault(("products", 6, "variants", 0, "id"), "101 is used twice"),
        Fault(("products", 6, "category"), "there is no category 9"),
        Fault(("products", 6, "variants", 0, "prices", 0, "amount"), "negative price -5"),
    )


# ---------------------------------------------------------------- forms

A, B = Choice("a", Text("A")), Choice("b", Text("B"))
SOUND_QUESTIONS = [
    *(question(kind=kind) for kind in FieldKind if kind is not FieldKind.CHOICE),
    replace(question(), max_length=1),
    replace(question(kind=FieldKind.INTEGER), minimum=0, maximum=0),
    replace(question(kind=FieldKind.INTEGER), minimum=-5),
    replace(question(kind=FieldKind.INTEGER), maximum=-5),
    replace(question(kind=FieldKind.CHOICE), choices=(A,)),
    replace(question(kind=FieldKind.CHOICE), choices=(A, B)),
]
ODD_QUESTIONS = [
    (replace(question(), max_length=0), ("max_length",), "expected at least 1, got 0"),
    (replace(question(), minimum=0), ("minimum",), "does not go with kind text"),
    (replace(question(), maximum=0), ("maximum",), "does not go with kind text"),
    (replace(question(), choices=(A,)), ("choices",), "does not go with kind text"),
    (
        replace(question(kind=FieldKind.INTEGER), max_length=3),
        ("max_length",),
        "does not go with kind integer",
    ),
    (
        replace(question(kind=FieldKind.INTEGER), minimum=2, maximum=1),
        ("maximum",),
        "1 is below the minimum 2",
    ),
    (
        replace(question(kind=FieldKind.CHOICE), choices=(A,), minimum=1),
        ("minimum",),
        "does not go with kind choice",
    ),
    (question(kind=FieldKind.CHOICE), ("choices",), "expected at least one"),
    (
        replace(question(kind=FieldKind.CHOICE), choices=(A, B, A)),
        ("choices", 2, "value"),
        "'a' is used twice",
    ),
    *(
        (replace(question(kind=kind), max_length=3), ("max_length",), f"does not go with kind {kind.value}")
        for kind in (FieldKind.BOOLEAN, FieldKind.DATE, FieldKind.EMAIL)
    ),
]


@pytest.mark.parametrize("field", SOUND_QUESTIONS, ids=str)
def test_a_question_that_can_be_answered_is_sound(field: FormField) -> None:
    assert catalogue_faults(with_form(field)) == ()
    assert catalogue_faults(with_person_fields(field)) == ()


@pytest.mark.parametrize(("field", "place", "message"), ODD_QUESTIONS)
def test_what_does_not_fit_a_question_is_a_fault_in_every_form(
    field: FormField, place: Place, message: str
) -> None:
    first = question("first")

    assert catalogue_faults(with_form(first, field)) == (Fault(("channels", 1, "form", 1, *place), message),)
    assert catalogue_faults(with_person_fields(first, field)) == (
        Fault(("products", 0, "person_fields", 1, *place), message),
    )


def test_everything_odd_about_a_question_is_told() -> None:
    field = replace(question(kind=FieldKind.DATE), max_length=-1, minimum=2, maximum=1, choices=(A,))

    faults = catalogue_faults(with_form(field))

    assert [fault.place[-1] for fault in faults] == ["max_length", "minimum", "maximum", "choices"]


def test_a_form_asks_everything_once() -> None:
    twice = question(), question("name"), question(kind=FieldKind.DATE)

    assert catalogue_faults(with_form(*twice)) == (
        Fault(("channels", 1, "form", 2, "name"), "'age' is used twice"),
    )
    assert catalogue_faults(with_person_fields(*twice)) == (
        Fault(("products", 0, "person_fields", 2, "name"), "'age' is used twice"),
    )


def test_two_forms_may_ask_the_same() -> None:
    channels = (replace(WEB, form=(question(),)), replace(DESK, form=(question(),)))

    assert catalogue_faults(replace(SHOP, channels=channels)) == ()


@pytest.mark.parametrize(
    "name", ["donation", "billingAddress", "shippingAddress", "weatherGuarantee", "acceptTerms", "media"]
)
def test_a_channel_does_not_ask_again_what_every_checkout_asks(name: str) -> None:
    place = ("channels", 1, "form", 0, "name")

    assert catalogue_faults(with_form(question(name))) == (Fault(place, f"every checkout asks for {name!r}"),)
    assert catalogue_faults(with_person_fields(question(name))) == ()


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
