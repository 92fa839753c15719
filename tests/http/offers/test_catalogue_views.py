"""Parts of responses from the catalogue are complete and written once per language."""

import json
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from faregate.catalogue.catalogue import Catalogue
from faregate.discounts.kinds import (
    EVERYTHING,
    Absolute,
    Bundle,
    BundlePart,
    BuyXGetY,
    FixedPrice,
    Percentage,
    PerUnit,
)
from faregate.files import demo_catalogue
from faregate_http.offers.catalogue_views import CatalogueViews, written
from support.service.service import PARTNERS, WEBSHOP, Json
from support.specification.openapi_conformity import component

LANGUAGES = ("en", "de", "fr", "it")


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return demo_catalogue()


@pytest.fixture(scope="module")
def views(catalogue: Catalogue) -> CatalogueViews:
    return CatalogueViews(catalogue)


def shown(view: Any) -> Any:
    return json.loads(msgspec.json.encode(view), parse_float=Decimal)


def test_encoded_values_are_copied_unchanged() -> None:
    once = written({"a": [1, 2.5, None]})

    assert msgspec.json.encode({"twice": [once, once]}) == (
        b'{"twice":[{"a":[1,2.5,null]},{"a":[1,2.5,null]}]}'
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_variant_matches_its_schema(catalogue: Catalogue, views: CatalogueViews, language: str) -> None:
    declared = component("ItemVariant")
    variants = [variant.id for product in catalogue.products for variant in product.variants]

    for variant in variants:
        assert (
            list(declared.iter_errors(json.loads(msgspec.json.encode(views.variant(variant, language)))))
            == []
        )


def test_a_variant_is_encoded_once_for_each_language(views: CatalogueViews) -> None:
    assert views.variant(101, "de") is views.variant(101, "de")
    assert views.variant(101, "de") is not views.variant(101, "fr")


def test_a_variant_agrees_with_the_catalogue(catalogue: Catalogue, views: CatalogueViews) -> None:
    product, variant = catalogue.variant(101)
    adult: Json = shown(views.variant(101, "de"))

    assert adult["vatRate"] == Decimal("8.1")
    assert adult["productId"] == product.id == 11
    assert adult["product"]["merchant"] == {"identifier": "arvengrat-lifts", "timezone": "Europe/Zurich"}
    assert adult["product"]["category"] == {"id": 1, "name": "Bergbahntickets"}
    assert adult["attributes"] == [
        {
            "name": "Alter",
            "identifier": "age",
            "value": "adult",
            "sortOrder": 1,
            "metaInformation": dict(variant.attributes[0].meta_information),
            "translation": "Erwachsene",
        }
    ]


def test_media_are_in_the_order_of_the_product_with_their_costs(views: CatalogueViews) -> None:
    media = shown(views.variant(101, "en"))["availableMedia"]

    assert [medium["id"] for medium in media] == [1, 2, 3]
    assert [
        [
            (part["intent"], part["price"], part["productVariant"]["vatRate"])
            for part in medium["priceComponents"]
        ]
        for medium in media
    ] == [[("SENDING_FEE", 6, Decimal("8.1"))], [], [("DEPOSIT", 5, 0)]]


def test_channels_show_their_payment_methods(views: CatalogueViews) -> None:
    assert [method["type"] for method in shown(views.payment_methods(WEBSHOP))] == [
        "VIS",
        "ECA",
        "TWI",
        "PFC",
    ]
    assert shown(views.payment_methods(PARTNERS)) == []
    assert shown(views.channel(PARTNERS)) == {
        "uuid": PARTNERS,
        "name": "Partner hotels",
        "type": "CONSUMPTION",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_automatic_discount_is_in_the_requested_language(
    catalogue: Catalogue, views: CatalogueViews, language: str
) -> None:
    for discount in catalogue.automatic_discounts:
        view = shown(views.auto_discount(discount.id, WEBSHOP, language))

        assert view["id"] == discount.id
        assert view["displayName"] == discount.name.in_language(language)
        assert view["description"] == discount.description.in_language(language)
        assert view["discountType"] == discount.kind.type.value


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Percentage(parts_per_million=81_000), Decimal("8.1")),
        (Percentage(parts_per_million=100_000), 10),
        (Absolute(4950), Decimal("49.5")),
        (PerUnit(900), 9),
        (FixedPrice(5905), Decimal("59.05")),
        (BuyXGetY(buy=1, get=1, parts_per_million=500_000), 50),
        (Bundle(parts=(BundlePart(EVERYTHING, 2),), price=5905), Decimal("59.05")),
        (Bundle(parts=(BundlePart(EVERYTHING, 2),), parts_per_million=75_000), Decimal("7.5")),
    ],
)
def test_a_discount_is_shown_as_configured(views: CatalogueViews, kind: Any, value: Any) -> None:
    assert shown(views.configured(kind, WEBSHOP)) == value


def test_a_product_without_person_fields_has_an_empty_form(views: CatalogueViews) -> None:
    assert shown(views.person_fields(11, "en")) == {
        "type": "object",
        "properties": {},
        "required": [],
        "additionalProperties": False,
    }
