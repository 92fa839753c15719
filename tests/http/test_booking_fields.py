"""Real validities, and the schemas of the OpenAPI document, have the documented fields and no others."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from faregate_catalogue import demo_catalogue
from serving.documented_fields import Type, nullable_fields, undocumented, values_at
from serving.documented_products import (
    CAPACITY,
    PAGE,
    PRICE_RANGE,
    SUGGESTED_VALIDITIES,
    VALIDITY_OPTION,
    VALIDITY_OPTIONS,
)
from serving.documented_schemas import arrays_of, schema_differences
from serving.service import WEBSHOP, Json, data_of, decoded, running

LANGUAGES = ("en", "de", "fr", "it")
EVERYTHING = "00000000-0000-4000-8000-000000000101"
SHOP = Path(__file__).with_name("product_shop.yaml")
DEMO = demo_catalogue()
DEMO_PRODUCTS = [product.id for product in DEMO.products if DEMO.channel(WEBSHOP).sells(product)]
SHOP_PRODUCTS = range(1, 12)

OPTIONS = {"data": VALIDITY_OPTIONS, "meta": PAGE}
SUGGESTED = {"data": SUGGESTED_VALIDITIES}


def journey(product: int) -> str:
    return f"/api/booking/products/{product}/journey/validities"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("shop"), catalogue=SHOP, channel=EVERYTHING) as client:
        yield client


def suggested(shop: TestClient) -> list[Json]:
    return [data_of(shop.get(f"{journey(product)}/suggested")) for product in SHOP_PRODUCTS]


def listed(shop: TestClient) -> list[Json]:
    return [data_of(shop.get(journey(product))) for product in SHOP_PRODUCTS]


# ---------------------------------------------------------------- responses


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("product", DEMO_PRODUCTS)
def test_validities_of_the_demo_resort_have_the_documented_fields_and_no_others(
    client: TestClient, product: int, language: str
) -> None:
    client.headers["accept-language"] = language

    page = client.get(journey(product), params={"limit": 3})
    few = client.get(f"{journey(product)}/suggested")

    assert page.status_code == few.status_code == 200
    assert list(undocumented(decoded(page), OPTIONS)) == []
    assert list(undocumented(decoded(few), SUGGESTED)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_validities_of_the_shop_have_the_documented_fields_and_no_others(
    shop: TestClient, language: str
) -> None:
    for product in SHOP_PRODUCTS:
        for path, documented in ((journey(product), OPTIONS), (f"{journey(product)}/suggested", SUGGESTED)):
            answer = decoded(shop.get(path, headers={"accept-language": language}))
            assert list(undocumented(answer, documented)) == []


def test_the_last_page_names_no_next_one(shop: TestClient) -> None:
    first, all_of_them = (
        shop.get(journey(1), params={"limit": 1}),
        shop.get(journey(1), params={"limit": 366}),
    )

    assert set(decoded(first)["meta"]) == {"nextCursor"}
    assert decoded(all_of_them)["meta"] == {}


def test_only_suggestions_have_the_two_fields_of_suggestions(shop: TestClient) -> None:
    of_suggestions = {"daysUntilNextBookableValidity", "meanValidityGapDays"}

    assert all(
        set(few) - set(page) == of_suggestions
        for few, page in zip(suggested(shop), listed(shop), strict=True)
    )
    assert all(set(page) == set(VALIDITY_OPTIONS) for page in listed(shop))


@pytest.mark.parametrize("documented", [VALIDITY_OPTIONS, SUGGESTED_VALIDITIES])
def test_every_nullable_field_and_every_array_was_seen_both_ways(
    shop: TestClient, documented: dict[str, Type]
) -> None:
    answers = listed(shop) if documented is VALIDITY_OPTIONS else suggested(shop)

    for path, decided in nullable_fields(documented):
        assert {value is None for data in answers for value in values_at(data, path)} == {True, False}
        assert decided in {"§8.3", "§8.7"}
    for path in arrays_of(documented):
        assert {bool(value) for data in answers for value in values_at(data, path)} == {True, False}


def test_both_truths_were_seen(shop: TestClient) -> None:
    pages = listed(shop)

    assert {page["hasCapacities"] for page in pages} == {True, False}
    assert {option["isAvailable"] for page in pages for option in page["options"]} == {True, False}


# ---------------------------------------------------------------- the OpenAPI document

COMPONENTS: dict[str, dict[str, Type]] = {
    "ValidityOptionsEnvelope": OPTIONS,
    "SuggestedValiditiesEnvelope": SUGGESTED,
    "ValidityOptions": VALIDITY_OPTIONS,
    "SuggestedValidities": SUGGESTED_VALIDITIES,
    "ValidityOption": VALIDITY_OPTION,
    "Capacity": CAPACITY,
    "PriceRange": PRICE_RANGE,
}


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_schema_of_the_document_has_the_documented_fields(name: str) -> None:
    schema = {"$ref": f"#/components/schemas/{name}"}

    assert list(schema_differences(COMPONENTS[name], schema, name, free=())) == []
