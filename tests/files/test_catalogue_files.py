"""Catalogue files convert completely and exactly to values of the core, with their defaults."""

from collections.abc import Iterator
from dataclasses import fields
from inspect import Parameter, signature
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel

from faregate.basket.policy import TotalsPolicy
from faregate.catalogue.booking_rules import BookingRules, CutOff, StayRule
from faregate.catalogue.calendars import Calendar, DayPattern, Holiday, MonthDay, Season, Span
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel, PaymentMethod
from faregate.catalogue.entries import Category, Merchant
from faregate.catalogue.gate_rules import AccessTariff, QuantityTier
from faregate.catalogue.pools import Blocked, Pool, PoolSize, PoolUse, TimeSlot
from faregate.catalogue.presentation.content import Banner, CallToAction, Hotspot, Image, ProductContent, Tag
from faregate.catalogue.presentation.form_fields import Choice, FormField
from faregate.catalogue.price_rules import CardReduction, PriceRule, PriceSteps
from faregate.catalogue.products import Attribute, Product, Surcharge, Variant
from faregate.discounts.kinds import Conditions, Scope
from faregate.files import FileFormat, parse_catalogue
from faregate.files.catalogue import calendars, content, pools, prices, products
from faregate.files.catalogue.calendars import (
    BookingEntry,
    CutOffEntry,
    HolidayEntry,
    SeasonEntry,
    SpanEntry,
    StayEntry,
    WhenEntry,
)
from faregate.files.catalogue.catalogue import CatalogueFile, CategoryEntry
from faregate.files.catalogue.channels import ChannelEntry, MerchantEntry, PaymentMethodEntry, PolicyEntry
from faregate.files.catalogue.content import (
    BannerEntry,
    CallToActionEntry,
    ChoiceEntry,
    ContentEntry,
    FormFieldEntry,
    HotspotEntry,
    ImageEntry,
    TagEntry,
)
from faregate.files.catalogue.discounts import ConditionsEntry, ScopeEntry
from faregate.files.catalogue.pools import BlockedEntry, PoolEntry, PoolSizeEntry, PoolUseEntry, TimeSlotEntry
from faregate.files.catalogue.prices import (
    AccessTariffEntry,
    CardReductionEntry,
    DegressionEntry,
    PriceEntry,
    PriceStepsEntry,
    QuantityTierEntry,
)
from faregate.files.catalogue.products import (
    AttributeEntry,
    ProductEntry,
    SubscriptionEntry,
    SurchargeEntry,
    VariantEntry,
)
from faregate.files.fields import models, rates
from faregate.files.fields.currencies import Currencies
from faregate.files.fields.models import Entry
from faregate.files.fields.rates import VatRateEntry
from faregate.files.rules import RulesFile
from faregate.files.text.yaml_text import read_yaml
from faregate.money.currency import currency
from faregate.tax.rates import VatRate
from support.files import bookable
from support.files.bookable import BOOKABLE
from support.files.everything import EVERYTHING
from support.files.everything_expected import EXPECTED
from support.files.samples import CATALOGUE, as_json


@pytest.mark.parametrize(
    ("text", "expected"), [(EVERYTHING, EXPECTED), (BOOKABLE, bookable.EXPECTED)], ids=["sales", "bookings"]
)
@pytest.mark.parametrize("field", [field.name for field in fields(Catalogue)])
def test_every_field_becomes_its_core_value(field: str, text: str, expected: Catalogue) -> None:
    assert getattr(parse_catalogue(text), field) == getattr(expected, field)


def test_json_and_yaml_of_one_catalogue_are_equal() -> None:
    for text in (CATALOGUE, EVERYTHING, BOOKABLE):
        data, _ = read_yaml(text)

        assert parse_catalogue(as_json(data), file_format=FileFormat.JSON) == parse_catalogue(text)


def test_json_is_also_yaml() -> None:
    data, _ = read_yaml(EVERYTHING)

    assert parse_catalogue(as_json(data)) == EXPECTED


def test_catalogue_with_only_a_currency_is_valid() -> None:
    assert parse_catalogue("currency: CHF") == Catalogue()


def test_every_policy_option_can_be_written() -> None:
    assert set(PolicyEntry.model_fields) == {field.name for field in fields(TotalsPolicy)}


def test_every_criterion_of_a_scope_but_lines_can_be_written() -> None:
    """Lines are keys of a single basket, which a catalogue does not know."""
    assert set(ScopeEntry.model_fields) == {field.name for field in fields(Scope)} - {"lines"}


def test_every_condition_can_be_written() -> None:
    assert set(ConditionsEntry.model_fields) == {field.name for field in fields(Conditions)}


def test_every_collection_of_a_catalogue_can_be_written() -> None:
    collections = {field.name for field in (*fields(Catalogue), *fields(Calendar))} - {"calendar"}

    assert set(CatalogueFile.model_fields) == collections | {"currency"}


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
        (WhenEntry, DayPattern),
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
        (VatRateEntry, VatRate),
        (ContentEntry, ProductContent),
        (ImageEntry, Image),
        (HotspotEntry, Hotspot),
        (TagEntry, Tag),
        (BannerEntry, Banner),
        (CallToActionEntry, CallToAction),
    ],
)
def test_every_field_of_an_entry_can_be_written(entry: type[BaseModel], value: type) -> None:
    optional = {name for name, field in entry.model_fields.items() if not field.is_required()}

    known = signature(value).parameters
    assert set(entry.model_fields) == set(known)
    assert {name for name in known if known[name].default is not Parameter.empty} <= optional


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        (WhenEntry, DayPattern),
        (BookingEntry, BookingRules),
        (StayEntry, StayRule),
        (CutOffEntry, CutOff),
        (PriceStepsEntry, PriceSteps),
        (ContentEntry, ProductContent),
    ],
)
def test_an_empty_entry_has_the_defaults_of_the_core(entry: type[BaseModel], value: type) -> None:
    assert entry().to_core() == value()  # type: ignore[attr-defined]


def test_omitted_keys_have_the_defaults_of_the_core() -> None:
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


EXAMPLES: list[tuple[ModuleType, dict[str, type[BaseModel]]]] = [
    (
        calendars,
        {
            "seasons": SeasonEntry,
            "holidays": HolidayEntry,
            "when": WhenEntry,
            "booking": BookingEntry,
        },
    ),
    (content, {"content": ContentEntry}),
    (pools, {"pools": PoolEntry}),
    (
        prices,
        {
            "degression": DegressionEntry,
            "cardReductions": CardReductionEntry,
            "steps": PriceStepsEntry,
            "prices": PriceEntry,
            "accessTariffs": AccessTariffEntry,
            "quantityTiers": QuantityTierEntry,
        },
    ),
    (products, {"subscription": SubscriptionEntry}),
    (rates, {"vatRate": VatRateEntry}),
]


@pytest.mark.parametrize(("module", "models"), EXAMPLES)
def test_examples_in_a_docstring_are_valid_files(
    module: ModuleType, models: dict[str, type[BaseModel]]
) -> None:
    blocks = str(module.__doc__).split("::\n\n")[1:]
    shown: dict[str, Any] = {}
    for block in blocks:
        data, faults = read_yaml(block.partition("\n\n")[0])
        assert not faults
        assert isinstance(data, dict)
        shown |= data

    assert models.keys() <= shown.keys()
    for key, model in models.items():
        entries = shown[key] if isinstance(shown[key], list) else [shown[key]]
        for entry in entries:
            model.model_validate(entry, context=Currencies(currency("CHF")))


def entries(kind: type[Entry[Any]] = Entry) -> Iterator[type[Entry[Any]]]:
    """Yield every subclass of *kind* that stands for a value."""
    for entry in kind.__subclasses__():
        yield entry
        yield from entries(entry)


OPTIONAL = [
    pytest.param(entry, name, id=f"{entry.__name__}.{name}")
    for entry in sorted({*entries()} - {CatalogueFile, RulesFile}, key=lambda entry: entry.__name__)
    for name, field in sorted(entry.model_fields.items())
    if not field.is_required() and field.get_default(call_default_factory=True) is not None
]


@pytest.mark.parametrize(("entry", "name"), OPTIONAL)
def test_defaults_of_an_entry_equal_those_of_its_value(entry: type[Entry[Any]], name: str) -> None:
    default = entry.model_fields[name].get_default(call_default_factory=True)

    assert models._core_value(default) == signature(entry._core).parameters[name].default


def test_null_is_read_as_the_default_of_the_core() -> None:
    entry = HolidayEntry.model_validate({"on": "12-25", "name": None})

    assert entry.to_core() == Holiday(MonthDay(12, 25))


def test_unlimited_size_is_none_in_the_core() -> None:
    assert PoolSizeEntry.model_validate({"size": "unlimited"}).to_core() == PoolSize(None)
