"""Real products, and the schemas of the OpenAPI document, have the documented fields and no others."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from faregate_catalogue import demo_catalogue
from serving.documented_fields import MayBeAbsent, Type, nullable_fields, undocumented, values_at
from serving.documented_products import (
    BANNER,
    CALL_TO_ACTION,
    CAPACITY,
    CATALOGUE_MEDIUM,
    CATALOGUE_VARIANT,
    IMAGE,
    NEXT_AVAILABILITY,
    PRICE_RANGE,
    PRODUCT,
    PRODUCT_CONTENT,
)
from serving.documented_schemas import arrays_of, schema_differences
from serving.service import PARTNERS, WEBSHOP, Json, data_of, decoded, running

LANGUAGES = ("en", "de", "fr", "it")
EVERYTHING = "00000000-0000-4000-8000-000000000101"
SHOP = Path(__file__).with_name("product_shop.yaml")
SHOP_SLUGS = (
    "winter-ticket",
    "summer-ticket",
    "full-house",
    "last-of-its-kind",
    "locker",
    "sledge",
    "early-bird",
    "sauna",
    "fee",
    "for-card-holders",
    "tomorrow-only",
)
DEMO = demo_catalogue()
DEMO_SLUGS = [
    (channel, product.slug)
    for channel in (WEBSHOP, PARTNERS)
    for product in DEMO.products
    if DEMO.channel(channel).sells(product)
]

# All by §8.9; the specification calls none of these nullable.
NULL_BY_DECISION = {
    "content.images[].hotspot",
    "content.seoImages[].hotspot",
    "content.banner",
    "content.banner.cta",
    "content.banner.cta.product",
    "content.banner.cta.page",
    "standardPriceRange",
    "standardPriceToday",
    "productVariants[].priceRange",
    "nextAvailability",
    "nextAvailability.availableCapacity",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("shop"), catalogue=SHOP, channel=EVERYTHING) as client:
        yield client


def of_the_shop(shop: TestClient, language: str = "en") -> list[Json]:
    headers = {"accept-language": language}
    query = "include=nextAvailability"
    return [data_of(shop.get(f"/api/products/{slug}?{query}", headers=headers)) for slug in SHOP_SLUGS]


# ---------------------------------------------------------------- responses


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("channel", "slug"), DEMO_SLUGS)
def test_a_product_of_the_demo_resort_has_the_documented_fields_and_no_others(
    client: TestClient, channel: str, slug: str, language: str
) -> None:
    client.headers.update({"accept-language": language, "service-channel-uuid": channel})

    plain = client.get(f"/api/products/{slug}")
    with_next = client.get(f"/api/products/{slug}", params={"include": "nextAvailability"})

    assert list(decoded(plain)) == ["data"]
    assert list(undocumented(data_of(plain), PRODUCT)) == []
    assert list(undocumented(data_of(with_next), PRODUCT)) == []
    assert set(PRODUCT) - set(data_of(plain)) == {"nextAvailability"}
    assert list(data_of(with_next)) == list(PRODUCT)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_product_of_the_shop_has_the_documented_fields_and_no_others(
    shop: TestClient, language: str
) -> None:
    for product in of_the_shop(shop, language):
        assert list(undocumented(product, PRODUCT)) == []


def test_every_nullable_field_was_seen_with_a_value_and_as_null(shop: TestClient) -> None:
    answers = of_the_shop(shop)

    for path, _ in nullable_fields(PRODUCT):
        if path != "content.seoImages[].hotspot":  # as that of the other images
            assert {value is None for data in answers for value in values_at(data, path)} == {True, False}


def test_every_array_was_seen_with_an_element(shop: TestClient) -> None:
    answers = of_the_shop(shop)

    for path in arrays_of(PRODUCT):
        assert any(value for data in answers for value in values_at(data, path)), path


def test_what_may_be_null_beyond_the_specification_is_decided() -> None:
    assert {path for path, decided in nullable_fields(PRODUCT) if decided} == NULL_BY_DECISION
    assert all(decided for _, decided in nullable_fields(PRODUCT))


# ---------------------------------------------------------------- the OpenAPI document

COMPONENTS: dict[str, dict[str, Type]] = {
    "ProductEnvelope": {"data": PRODUCT},
    "Product": PRODUCT,
    "ProductContent": PRODUCT_CONTENT,
    "Image": IMAGE,
    "Banner": BANNER,
    "CallToAction": CALL_TO_ACTION,
    "CatalogueVariant": CATALOGUE_VARIANT,
    "CatalogueMedium": CATALOGUE_MEDIUM,
    "NextAvailability": NEXT_AVAILABILITY,
    "PriceRange": PRICE_RANGE,
    "Capacity": CAPACITY,
}

# The types of media are words of the catalogue.
FREE = ("availableMedia[].type", "CatalogueMedium.type")


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_schema_of_the_document_has_the_documented_fields(name: str) -> None:
    schema = {"$ref": f"#/components/schemas/{name}"}

    assert list(schema_differences(COMPONENTS[name], schema, name, free=FREE)) == []


def test_the_check_of_schemas_finds_what_is_not_documented() -> None:
    schema = {"$ref": "#/components/schemas/Image"}
    documented = {**IMAGE, "lqip": "number", "imageUrl": MayBeAbsent("string")}

    assert [text.partition(":")[0] for text in schema_differences(documented, schema, "I", free=FREE)] == [
        "I",
        "I.lqip",
    ]
