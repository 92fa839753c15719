"""Real price insights, and their schemas in the document, have the documented fields and no others."""

from pathlib import Path

import pytest

from faregate_catalogue import demo_catalogue
from serving.documented_fields import Type, undocumented
from serving.documented_products import PRICE_INSIGHTS, PRICE_THRESHOLD
from serving.documented_schemas import schema_differences
from serving.openapi_conformity import DOCUMENT
from serving.service import WEBSHOP, decoded, running

PATH = "/api/pricing/insights/distribution"
DEMO = demo_catalogue()
DEMO_PRODUCTS = [
    product.id for product in DEMO.products if product.has_validity and DEMO.channel(WEBSHOP).sells(product)
]
ENVELOPE = {"data": PRICE_INSIGHTS}
COMPONENTS: dict[str, dict[str, Type]] = {
    "PriceInsightsEnvelope": ENVELOPE,
    "PriceInsights": PRICE_INSIGHTS,
    "PriceThreshold": PRICE_THRESHOLD,
}


def test_insights_of_the_demo_resort_have_the_documented_fields_and_no_others(tmp_path: Path) -> None:
    with running(tmp_path) as resort:
        for product in DEMO_PRODUCTS:
            response = resort.get(PATH, params={"productId": product, "dateTo": "2027-05-01"})
            assert list(undocumented(decoded(response), ENVELOPE)) == []


@pytest.mark.parametrize("name", COMPONENTS)
def test_a_schema_of_the_document_has_the_documented_fields(name: str) -> None:
    schema = {"$ref": f"#/components/schemas/{name}"}

    assert list(schema_differences(COMPONENTS[name], schema, name, free=())) == []


def test_every_parameter_is_documented_with_an_example() -> None:
    described = [part for part in DOCUMENT["paths"][PATH]["get"]["parameters"] if "name" in part]

    assert [part["name"] for part in described if part["required"]] == ["productId"]
    assert len(described) == 9
    for part in described:
        assert "examples" in part["schema"] or "examples" in part["schema"]["items"]
