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
from support.service.service import WEBSHOP


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


def test_a_variant_is_encoded_once_for_each_language(views: CatalogueViews) -> None:
    assert views.variant(101, "de") is views.variant(101, "de")
    assert views.variant(101, "de") is not views.variant(101, "fr")


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
