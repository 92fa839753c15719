from __future__ import annotations

from dataclasses import fields
from datetime import timedelta
from enum import Enum
from importlib.resources import files
from inspect import Parameter, signature
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel

from catalogue import bookable
from catalogue.bookable import BOOKABLE
from catalogue.everything import EVERYTHING, EXPECTED
from catalogue.samples import CATALOGUE, WEB, as_json, spoilt
from faregate.access_rules import AccessTariff, QuantityTier
from faregate.booking_rules import BookingRules, CutOff, StayRule
from faregate.calendars import Calendar, Days, Holiday, Season, Span
from faregate.catalogue import (
    Attribute,
    Catalogue,
    Category,
    Channel,
    Merchant,
    PaymentMethod,
    PaymentMethodType,
    Product,
    Surcharge,
    Variant,
)
from faregate.content import (
    Banner,
    CallToAction,
    CtaColor,
    CtaVariant,
    Hotspot,
    Image,
    ProductContent,
    Tag,
)
from faregate.currency import currency
from faregate.discounts import (
    Conditions,
    DiscountType,
    Scope,
)
from faregate.form_fields import Choice, FieldKind, FormField
from faregate.policy import (
    CodeOrder,
    Fairness,
    PercentRounding,
    PriceBasis,
    Stacking,
    SubscriptionBasis,
    ThresholdBase,
    TotalsPolicy,
)
from faregate.pools import Blocked, Counting, Pool, PoolSize, PoolUse, TimeSlot
from faregate.price_rules import CardReduction, PriceModel, PriceRule, PriceSteps
from faregate.tax import Tie, VatLevel
from faregate_catalogue import FileFormat, access, booking, calendars, content, parse_catalogue, pools, prices
from faregate_catalogue.access import AccessTariffEntry, QuantityTierEntry
from faregate_catalogue.booking import BookingEntry, CutOffEntry, StayEntry
from faregate_catalogue.calendars import HolidayEntry, SeasonEntry, SpanEntry, WhenEntry
from faregate_catalogue.catalogue_file import CatalogueFile, CategoryEntry
from faregate_catalogue.channels import (
    ChannelEntry,
    MerchantEntry,
    PaymentMethodEntry,
    PolicyEntry,
    VoucherEntry,
)
from faregate_catalogue.content import (
    BannerEntry,
    CallToActionEntry,
    ContentEntry,
    HotspotEntry,
    ImageEntry,
    TagEntry,
)
from faregate_catalogue.discounts import ConditionsEntry, ScopeEntry
from faregate_catalogue.form_fields import ChoiceEntry, FormFieldEntry
from faregate_catalogue.pools import BlockedEntry, PoolEntry, PoolSizeEntry, PoolUseEntry, TimeSlotEntry
from faregate_catalogue.prices import CardReductionEntry, DegressionEntry, PriceEntry, PriceStepsEntry
from faregate_catalogue.products import AttributeEntry, ProductEntry, SurchargeEntry, VariantEntry
from faregate_catalogue.territories import TERRITORIES
from faregate_catalogue.units import Currencies
from faregate_catalogue.yaml_documents import read_yaml


@pytest.mark.parametrize(
    ("text", "expected"), [(EVERYTHING, EXPECTED), (BOOKABLE, bookable.EXPECTED)], ids=["sales", "bookings"]
)
@pytest.mark.parametrize("field", [field.name for field in fields(Catalogue)])
def test_every_field_becomes_its_core_value(field: str, text: str, expected: Catalogue) -> None:
    assert getattr(parse_catalogue(text), field) == getattr(expected, field)


def test_json_and_yaml_of_one_catalogue_are_equal() -> None:
    for text in (CATALOGUE, EVERYTHING, BOOKABLE):
        data, _ = read_yaml(text, "c")

        assert parse_catalogue(as_json(data), file_format=FileFormat.JSON) == parse_catalogue(text)


def test_json_is_also_yaml() -> None:
    data, _ = read_yaml(EVERYTHING, "c")

    assert parse_catalogue(as_json(data)) == EXPECTED


def test_catalogue_of_nothing_but_a_currency_is_sound() -> None:
    assert parse_catalogue("currency: CHF") == Catalogue()


def test_every_choice_of_the_policy_can_be_written() -> None:
    assert set(PolicyEntry.model_fields) == {field.name for field in fields(TotalsPolicy)}


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
def test_every_member_of_a_policy_is_written_by_its_value(key: str, member: Enum) -> None:
    text = spoilt(CATALOGUE, "type: WEB}", f"type: WEB, policy: {{{key}: {member.value}}}}}")

    assert member in [getattr(parse_catalogue(text).channels[0].policy, f.name) for f in fields(TotalsPolicy)]


@pytest.mark.parametrize(
    ("code", "increment"), [("CHF", 5), ("EUR", 1), ("JPY", 1), ("SEK", 100), ("KWD", 1)]
)
def test_cash_increment_is_the_currencys_unless_given(code: str, increment: int) -> None:
    text = f"currency: {code}\nchannels: [{{uuid: {WEB}, name: Till, type: POS}}]"

    assert parse_catalogue(text).channels[0].policy.cash_increment == increment


@pytest.mark.parametrize(
    ("code", "amount", "minor_units"), [("CHF", "8.1", 810), ("JPY", "810", 810), ("KWD", "0.81", 810)]
)
def test_amount_is_in_major_units_of_the_currency(code: str, amount: str, minor_units: int) -> None:
    text = f"currency: {code}\nvouchers: [{{code: V, balance: {amount}}}]"

    assert parse_catalogue(text).vouchers[0].balance == minor_units


def test_every_criterion_of_a_scope_can_be_written_but_lines() -> None:
    """Lines are keys of one basket, of which a catalogue knows nothing."""
    assert {"variants" if name == "product_variants" else name for name in ScopeEntry.model_fields} == {
        field.name for field in fields(Scope)
    } - {"lines"}


def test_every_condition_can_be_written() -> None:
    assert set(ConditionsEntry.model_fields) == {field.name for field in fields(Conditions)}


def test_every_discount_type_can_be_written() -> None:
    codes = parse_catalogue(EVERYTHING)
    kinds = [discount.kind.type for discount in codes.automatic_discounts]
    kinds += [promo_code.kind.type for promo_code in codes.promo_codes]

    assert set(kinds) == set(DiscountType)


def test_every_collection_of_a_catalogue_can_be_written() -> None:
    written = {
        "automatic_discounts" if name == "auto_discounts" else name for name in CatalogueFile.model_fields
    }

    collections = {field.name for field in fields(Catalogue)} - {"calendar"}
    assert written == collections | {field.name for field in fields(Calendar)} | {"currency"}


NAMES_IN_THE_CORE = {
    "product_variants": "variants",
    "product_variant": "variant",
    "holidays": "is_holiday",
    "percent": "parts_per_million",
    "vat_rate": "rate",
}


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        (ProductEntry, Product),
        (VariantEntry, Variant),
        (ChannelEntry, Channel),
        (MerchantEntry, Merchant),
        (CategoryEntry, Category),
        (FormFieldEntry, FormField),
        (ChoiceEntry, Choice),
        (AttributeEntry, Attribute),
        (PaymentMethodEntry, PaymentMethod),
        (SurchargeEntry, Surcharge),
        (SeasonEntry, Season),
        (HolidayEntry, Holiday),
        (SpanEntry, Span),
        (WhenEntry, Days),
        (PoolEntry, Pool),
        (PoolSizeEntry, PoolSize),
        (BlockedEntry, Blocked),
        (TimeSlotEntry, TimeSlot),
        (PoolUseEntry, PoolUse),
        (BookingEntry, BookingRules),
        (StayEntry, StayRule),
        (CutOffEntry, CutOff),
        (PriceEntry, PriceRule),
        (PriceStepsEntry, PriceSteps),
        (CardReductionEntry, CardReduction),
        (AccessTariffEntry, AccessTariff),
        (QuantityTierEntry, QuantityTier),
        (ContentEntry, ProductContent),
        (ImageEntry, Image),
        (HotspotEntry, Hotspot),
        (TagEntry, Tag),
        (BannerEntry, Banner),
        (CallToActionEntry, CallToAction),
    ],
)
def test_every_field_of_an_entry_can_be_written(entry: type[BaseModel], value: type) -> None:
    written = {NAMES_IN_THE_CORE.get(name, name): field for name, field in entry.model_fields.items()}
    has_default = {name: not field.is_required() for name, field in written.items()}

    known = signature(value).parameters
    assert set(written) == set(known)
    assert {name for name in known if known[name].default is not Parameter.empty} <= {
        name for name in written if has_default[name]
    }


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        (WhenEntry, Days),
        (BookingEntry, BookingRules),
        (StayEntry, StayRule),
        (CutOffEntry, CutOff),
        (PriceStepsEntry, PriceSteps),
        (ContentEntry, ProductContent),
    ],
)
def test_an_entry_of_nothing_is_as_in_the_core(entry: type[BaseModel], value: type) -> None:
    assert entry().to_core() == value()  # type: ignore[attr-defined]


def test_what_a_file_leaves_out_is_as_in_the_core() -> None:
    product, channel = parse_catalogue(CATALOGUE).products[0], parse_catalogue(CATALOGUE).channels[0]

    assert product == Product(
        id=product.id,
        slug=product.slug,
        identifier=product.identifier,
        name=product.name,
        type=product.type,
        category=product.category,
        merchant=product.merchant,
        variants=product.variants,
        translation=product.translation,
        durations=product.durations,
        media=product.media,
    )
    assert channel == Channel(
        uuid=channel.uuid,
        name=channel.name,
        type=channel.type,
        currency=channel.currency,
        policy=channel.policy,
    )


@pytest.mark.parametrize("kind", FieldKind)
def test_every_kind_of_question_is_written_by_its_value(kind: FieldKind) -> None:
    choices = ", choices: [{value: a, label: A}]" if kind is FieldKind.CHOICE else ""
    field = f"{{name: a, kind: {kind.value}, title: A{choices}}}"

    text = spoilt(CATALOGUE, "type: WEB}", f"type: WEB, form: [{field}]}}")

    assert parse_catalogue(text).channels[0].form[0].kind is kind


@pytest.mark.parametrize("method", PaymentMethodType)
def test_every_payment_method_is_written_by_its_code(method: PaymentMethodType) -> None:
    text = spoilt(CATALOGUE, "type: WEB}", f"type: WEB, paymentMethods: [{{type: {method.value}}}]}}")

    assert parse_catalogue(text).channels[0].payment_methods == (PaymentMethod(method),)


@pytest.mark.parametrize("model", PriceModel)
def test_every_price_model_is_written_by_its_name(model: PriceModel) -> None:
    text = spoilt(CATALOGUE, "category: 1", f"category: 1\n    priceModel: {model.value}")

    assert parse_catalogue(text).products[0].price_model is model


@pytest.mark.parametrize("counting", Counting)
def test_every_way_of_counting_is_written_by_its_name(counting: Counting) -> None:
    text = spoilt(BOOKABLE, "counting: FIRST_DAY", f"counting: {counting.value}")

    assert parse_catalogue(text).products[0].pools[1].counting is counting


@pytest.mark.parametrize(("color", "variant"), [*zip(CtaColor, CtaVariant, strict=True)])
def test_every_look_of_a_call_to_action_is_written_by_its_name(color: CtaColor, variant: CtaVariant) -> None:
    look = f"color: {color.value}, variant: {variant.value}"
    text = spoilt(BOOKABLE, "color: primary, variant: button", look)

    banner = parse_catalogue(text).products[0].content.banner

    assert banner is not None
    assert banner.cta is not None
    assert (banner.cta.color, banner.cta.variant) == (color, variant)


def test_time_zones_have_the_same_countries() -> None:
    table = files("tzdata.zoneinfo").joinpath("iso3166.tab").read_text("utf-8")

    assert {line[:2] for line in table.splitlines() if not line.startswith("#")} == TERRITORIES


EXAMPLES: list[tuple[ModuleType, dict[str, type[BaseModel]]]] = [
    (access, {"accessTariffs": AccessTariffEntry, "quantityTiers": QuantityTierEntry}),
    (booking, {"booking": BookingEntry}),
    (calendars, {"seasons": SeasonEntry, "holidays": HolidayEntry, "when": WhenEntry}),
    (content, {"content": ContentEntry}),
    (pools, {"pools": PoolEntry}),
    (
        prices,
        {
            "degression": DegressionEntry,
            "cardReductions": CardReductionEntry,
            "steps": PriceStepsEntry,
            "prices": PriceEntry,
        },
    ),
]


@pytest.mark.parametrize(("module", "models"), EXAMPLES)
def test_examples_of_a_module_are_files(module: ModuleType, models: dict[str, type[BaseModel]]) -> None:
    blocks = str(module.__doc__).split("::\n\n")[1:]
    shown: dict[str, Any] = {}
    for block in blocks:
        data, faults = read_yaml(block.partition("\n\n")[0], module.__name__)
        assert not faults
        assert isinstance(data, dict)
        shown |= data

    assert models.keys() <= shown.keys()
    for key, model in models.items():
        entries = shown[key] if isinstance(shown[key], list) else [shown[key]]
        for entry in entries:
            model.model_validate(entry, context=Currencies(currency("CHF")))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("PT1M", 60), ("PT90S", 90), ("PT1H30M", 5400), ("PT24H", 86_400), ("PT168H", 604_800)],
)
def test_a_checkout_lasts_from_a_minute_to_a_week(text: str, seconds: int) -> None:
    channel = f"type: WEB, expiresAfter: {text}, expiresAtMost: PT168H}}"

    catalogue = parse_catalogue(spoilt(CATALOGUE, "type: WEB}", channel))

    assert catalogue.channels[0].expires_after == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "url",
    [
        "/",
        "/images/a.jpg",
        "/images//a.jpg?width=200&x=[1]#top",
        "https://images.example",
        "https://images.example?x=1",
        "https://images.example:8443/a/%20b.jpg",
        "HTTPS://IMAGES.EXAMPLE/A.JPG",
    ],
)
def test_an_image_is_at_an_https_url_or_a_path(url: str) -> None:
    text = spoilt(CATALOGUE, "category: 1", f"category: 1\n    imageUrl: '{url}'")

    assert parse_catalogue(text).products[0].image_url == url


def test_entry_with_amounts_is_not_validated_without_its_currencies() -> None:
    with pytest.raises(TypeError, match="Currencies"):
        VoucherEntry.model_validate({"code": "V", "balance": 1})
