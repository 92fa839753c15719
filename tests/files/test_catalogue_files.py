"""Catalogue files convert completely and exactly to values of the core, with their defaults."""

from dataclasses import fields
from datetime import date

import pytest

from faregate.catalogue.calendars import Holiday, MonthDay
from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.catalogue.pools import Pool
from faregate.catalogue.products import Product
from faregate.dates.instants import DateRange
from faregate.files import FileFormat, parse_catalogue
from faregate.files.text.yaml_text import read_yaml
from support.files import bookable
from support.files.bookable import BOOKABLE
from support.files.everything import EVERYTHING
from support.files.everything_expected import EXPECTED
from support.files.samples import CATALOGUE, as_json, spoilt


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


def test_null_is_read_as_the_default_of_the_core() -> None:
    catalogue = parse_catalogue('currency: CHF\nholidays: [{"on": "12-25", name: null}]')

    assert catalogue.calendar.holidays == (Holiday(MonthDay(12, 25)),)


def test_unlimited_size_is_none_in_the_core() -> None:
    catalogue = parse_catalogue("currency: CHF\npools: [{identifier: lot, size: unlimited}]")

    assert catalogue.pools == (Pool(identifier="lot", size=None),)


def test_a_range_of_days_may_be_a_single_day() -> None:
    found = parse_catalogue(spoilt(EVERYTHING, "to: 2027-01-03", "to: 2026-12-26"))

    assert found.automatic_discounts[0].scope.days == DateRange(date(2026, 12, 26), date(2026, 12, 27))
