"""Formats of values in a catalogue file: amounts, rates, names of choices, forms, durations, URLs."""

from dataclasses import fields
from datetime import timedelta
from enum import Enum
from importlib.resources import files

import pytest

from faregate.basket.policy import (
    CodeOrder,
    Fairness,
    PercentRounding,
    PriceBasis,
    Stacking,
    SubscriptionBasis,
    ThresholdBase,
    TotalsPolicy,
)
from faregate.catalogue.channels import PaymentMethod, PaymentMethodType
from faregate.catalogue.pools import Counting
from faregate.catalogue.presentation.content import CtaColor, CtaVariant
from faregate.catalogue.presentation.form_fields import FieldKind, FormField
from faregate.catalogue.presentation.person_form import DEFAULT_PERSON_FORM
from faregate.catalogue.price_rules import PriceModel
from faregate.errors import InvalidCatalogue
from faregate.files import parse_catalogue
from faregate.files.fields.territories import TERRITORIES
from faregate.tax.rates import Tie, VatCategory, VatLevel, VatRate
from faregate.translations import Text
from support.files.bookable import BOOKABLE
from support.files.samples import CATALOGUE, WEB, catalogue_faults, spoilt

POLICY_ENUMS: list[tuple[str, type[Enum]]] = [
    ("priceBasis", PriceBasis),
    ("vatLevel", VatLevel),
    ("tie", Tie),
    ("stacking", Stacking),
    ("codeOrder", CodeOrder),
    ("percentRounding", PercentRounding),
    ("thresholdBase", ThresholdBase),
    ("fairness", Fairness),
    ("subscriptionBasis", SubscriptionBasis),
]


@pytest.mark.parametrize(
    ("key", "member"), [(key, member) for key, choices in POLICY_ENUMS for member in choices]
)
def test_every_member_of_a_policy_is_written_as_its_value(key: str, member: Enum) -> None:
    text = spoilt(CATALOGUE, "type: WEB}", f"type: WEB, policy: {{{key}: {member.value}}}}}")

    assert member in [getattr(parse_catalogue(text).channels[0].policy, f.name) for f in fields(TotalsPolicy)]


@pytest.mark.parametrize(("code", "increment"), [("CHF", 5), ("SEK", 100)])
def test_cash_increment_defaults_to_that_of_the_currency(code: str, increment: int) -> None:
    text = f"currency: {code}\nchannels: [{{uuid: {WEB}, name: Till, type: POS}}]"

    assert parse_catalogue(text).channels[0].policy.cash_increment == increment


@pytest.mark.parametrize(("code", "amount", "minor_units"), [("CHF", "8.1", 810), ("JPY", "810", 810)])
def test_amount_is_in_major_units_of_the_currency(code: str, amount: str, minor_units: int) -> None:
    text = f"currency: {code}\nvouchers: [{{code: V, balance: {amount}}}]"

    assert parse_catalogue(text).vouchers[0].balance == minor_units


@pytest.mark.parametrize("kind", FieldKind)
def test_every_kind_of_form_field_is_written_as_its_value(kind: FieldKind) -> None:
    choices = ", choices: [{value: a, label: A}]" if kind is FieldKind.CHOICE else ""
    field = f"{{name: a, kind: {kind.value}, title: A{choices}}}"

    text = spoilt(CATALOGUE, "type: WEB}", f"type: WEB, form: [{field}]}}")

    assert parse_catalogue(text).channels[0].form[0].kind is kind


@pytest.mark.parametrize("method", PaymentMethodType)
def test_every_payment_method_is_written_as_its_code(method: PaymentMethodType) -> None:
    text = spoilt(CATALOGUE, "type: WEB}", f"type: WEB, paymentMethods: [{{type: {method.value}}}]}}")

    assert parse_catalogue(text).channels[0].payment_methods == (PaymentMethod(method),)


@pytest.mark.parametrize("model", PriceModel)
def test_every_price_model_is_written_as_its_name(model: PriceModel) -> None:
    text = spoilt(CATALOGUE, "category: 1", f"category: 1\n    priceModel: {model.value}")

    assert parse_catalogue(text).products[0].price_model is model


@pytest.mark.parametrize("counting", Counting)
def test_every_way_of_counting_is_written_as_its_name(counting: Counting) -> None:
    text = spoilt(BOOKABLE, "counting: FIRST_DAY", f"counting: {counting.value}")

    assert parse_catalogue(text).products[0].pools[1].counting is counting


@pytest.mark.parametrize(("color", "variant"), [*zip(CtaColor, CtaVariant, strict=True)])
def test_every_style_of_a_call_to_action_is_written_as_its_name(color: CtaColor, variant: CtaVariant) -> None:
    look = f"color: {color.value}, variant: {variant.value}"
    text = spoilt(BOOKABLE, "color: primary, variant: button", look)

    banner = parse_catalogue(text).products[0].content.banner

    assert banner is not None
    assert banner.cta is not None
    assert (banner.cta.color, banner.cta.variant) == (color, variant)


def test_territories_are_the_countries_of_the_time_zone_data() -> None:
    table = files("tzdata.zoneinfo").joinpath("iso3166.tab").read_text("utf-8")

    assert {line[:2] for line in table.splitlines() if not line.startswith("#")} == TERRITORIES


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("PT1M", 60), ("PT168H", 604_800)],
)
def test_a_checkout_lasts_from_a_minute_to_a_week(text: str, seconds: int) -> None:
    channel = f"type: WEB, expiresAfter: {text}, expiresAtMost: PT168H}}"

    catalogue = parse_catalogue(spoilt(CATALOGUE, "type: WEB}", channel))

    assert catalogue.channels[0].expires_after == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("piece", "key", "least", "most"),
    [
        ("id: 11\n", "id: {}\n", 1, 2**53 - 1),
        ("category: 1\n", "category: 1\n    sortOrder: {}\n", -(10**9), 10**9),
        ("spend: 50", "spend: 50, quantity: {}", 0, 10**9),
        ("media: [1]", "booking: {{minLeadDays: {}}}", 0, 36_525),
        (
            "discountType: PERCENTAGE, percent: 8",
            "discountType: FIXED_PRICE, price: 1, groupSize: {}",
            1,
            10**9,
        ),
        ("media: [1]", "booking: {{stays: [{{minDays: {}}}]}}", 1, 36_525),
        ("media: [1]", "booking: {{cutOff: {{minutesBefore: {}}}}}", 0, 1440 * 36_525),
    ],
)
def test_numbers_have_bounds(piece: str, key: str, least: int, most: int) -> None:
    texts = [spoilt(CATALOGUE, piece, key.format(n)) for n in (least, most, least - 1, most + 1)]

    assert parse_catalogue(texts[0]) != parse_catalogue(texts[1])
    for text, bound in zip(texts[2:], (f"least {least}, got", f"most {most}, got"), strict=True):
        assert any(f"expected at {bound}" in fault for fault in catalogue_faults(text))


@pytest.mark.parametrize(
    ("piece", "longest"), [("DAY", 200), ("Keycard", 4000), ("TEN", 64), ("day-ticket", 200)]
)
def test_strings_have_a_greatest_length(piece: str, longest: int) -> None:
    text, longer = (spoilt(CATALOGUE, f": {piece}", f": {'k' * length}") for length in (longest, longest + 1))

    assert parse_catalogue(text) != parse_catalogue(CATALOGUE)
    assert f"expected at most {longest} characters" in catalogue_faults(longer)[0]


@pytest.mark.parametrize(
    "url",
    [
        "/images//a.jpg?width=200&x=[1]#top",
        "https://images.example?x=1",
        "https://images.example:8443/a/%20b.jpg",
        "HTTPS://IMAGES.EXAMPLE/A.JPG",
    ],
)
def test_an_image_may_have_an_https_url_or_a_path(url: str) -> None:
    text = spoilt(CATALOGUE, "category: 1", f"category: 1\n    imageUrl: '{url}'")

    assert parse_catalogue(text).products[0].image_url == url


def test_a_file_defines_the_form_for_every_person() -> None:
    text = f"{CATALOGUE}\npersonForm: [{{name: height, kind: integer, title: Height, minimum: 50}}]\n"

    assert parse_catalogue(text).person_form == (
        FormField(name="height", kind=FieldKind.INTEGER, title=Text("Height"), minimum=50),
    )


@pytest.mark.parametrize("nothing", ["", "\npersonForm: []\n"])
def test_a_file_without_a_person_form_has_the_default(nothing: str) -> None:
    assert parse_catalogue(f"{CATALOGUE}{nothing}").person_form == DEFAULT_PERSON_FORM


def test_an_issue_of_the_person_form_has_its_location() -> None:
    with pytest.raises(InvalidCatalogue, match=r"personForm.*0.*maxLength"):
        parse_catalogue(f"{CATALOGUE}\npersonForm: [{{name: a, kind: date, title: A, maxLength: 3}}]\n")


RATE = "c:21: products[0].productVariants[0].vatRate"
EXEMPT = VatRate(parts_per_million=0, category=VatCategory.E, reason_code="VATEX-EU-I", reason="Museum")


@pytest.mark.parametrize(
    ("written", "rate"),
    [
        ('"8.1"', VatRate.percent("8.1")),
        ("{percent: 8.1}", VatRate.percent("8.1")),
        ("{percent: 0, category: E, reason: Museum, reasonCode: VATEX-EU-I}", EXEMPT),
    ],
)
def test_a_rate_is_read_with_its_category(written: str, rate: VatRate) -> None:
    catalogue = parse_catalogue(spoilt(CATALOGUE, "vatRate: 8.1", f"vatRate: {written}"))

    assert catalogue.products[0].variants[0].rate == rate


def test_a_single_purpose_voucher_names_the_category_of_its_goods() -> None:
    rate = "singlePurposeVatRate: {percent: 0, category: E, reason: Museum, reasonCode: VATEX-EU-I}"
    catalogue = parse_catalogue(spoilt(CATALOGUE, "balance: 100", f"balance: 100, faceValue: 100, {rate}"))

    assert catalogue.vouchers[0].single_purpose == EXEMPT


@pytest.mark.parametrize(
    ("written", "fault"),
    [
        ("{percent: 0, category: X}", ".category: expected S, Z, E, AE, O, got 'X'"),
        ("{percent: 0, category: S}", ": a rate of 0 % needs category Z, E, AE or O, got S"),
        ("{percent: 8.1, category: E}", ": a rate of 8.1 % needs category S, got E"),
        (
            "{percent: 0, reason: A}",
            ": a rate of category Z takes no reason, got 'A': give category E, AE or O, or",
        ),
        ("{category: E}", ".percent: is missing"),
        ("[8.1]", ": expected a percentage, got a list"),
    ],
)
def test_an_issue_of_a_rate_is_reported_with_its_location(written: str, fault: str) -> None:
    [found] = catalogue_faults(spoilt(CATALOGUE, "vatRate: 8.1", f"vatRate: {written}"))

    assert found.startswith(RATE + fault)
