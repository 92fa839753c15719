"""A product by its slug: content in four languages, current prices and next availability."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from support.service.raw_requests import CHANNEL, ask, problem_of
from support.service.service import Clock, Json, data_of, running

EVERYTHING = "00000000-0000-4000-8000-000000000101"
COUNTER = "00000000-0000-4000-8000-000000000102"
SOUK = "00000000-0000-4000-8000-000000000103"

SHOP = Path(__file__).parents[2] / "support" / "catalogues" / "product_shop.yaml"
WINTER = "/api/products/winter-ticket"
NEXT = "include=nextAvailability"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Clock]]:
    clock = Clock()
    folder = tmp_path_factory.mktemp("shop")
    with running(folder, catalogue=SHOP, clock=clock, channel=EVERYTHING) as client:
        yield client, clock


def shown(client: TestClient, slug: str, *, channel: str = EVERYTHING) -> Json:
    """Return the product with its next availability."""
    url = f"/api/products/{slug}?{NEXT}"
    return data_of(client.get(url, headers={"service-channel-uuid": channel}))


GERMAN = (
    *("Winterkarte", "Der Winter", "Alle Bahnen", "Kurz", "Lang"),
    *("Ein Gipfel", "Beliebt", "Oft gekauft", "Skifahren", "Hier Ski fahren", "Schnee"),
    *("Früh buchen", "Mehr", "Billette", "Am Berg", "Erwachsene", "Alter", "Ab 16"),
    *("Karte", "Mit der Post", "Porto"),
)


def test_every_text_is_in_the_requested_language(client: TestClient) -> None:
    product = data_of(client.get(WINTER, headers={"accept-language": "de"}))

    content, adult = product["content"], product["productVariants"][1]
    attribute, medium = adult["attributes"][0], adult["availableMedia"][1]
    assert (
        *(product["translation"], content["title"], content["caption"], content["shortDescription"]),
        *(content["description"], content["images"][0]["altText"], content["tags"][0]["caption"]),
        *(content["tags"][0]["description"], content["seoTitle"], content["seoDescription"]),
        *(content["seoKeywords"][1], content["banner"]["text"], content["banner"]["cta"]["title"]),
        *(product["category"]["title"], product["category"]["description"], adult["translation"]),
        *(attribute["name"], attribute["translation"], medium["name"], medium["description"]),
        medium["requiredProductVariants"][0]["translation"],
    ) == GERMAN
    assert product["name"] == "Winter ticket"
    assert adult["name"] == "Adult"


def test_a_product_agrees_with_the_catalogue(client: TestClient) -> None:
    product = data_of(client.get(WINTER))

    del product["content"], product["productVariants"]
    assert product == {
        "id": 1,
        "sortOrder": 7,
        "name": "Winter ticket",
        "translation": "Winter ticket",
        "identifier": "WINTER",
        "type": "TICKET",
        "isSubscription": False,
        "standalone": True,
        "hasValidity": True,
        "priceModel": "CALENDAR",
        "merchant": {"identifier": "lifts", "timezone": "Europe/Zurich"},
        "category": {
            "id": 1,
            "title": "Tickets",
            "description": "On the mountain",
            "sortOrder": 3,
            "tags": ["snow", "family"],
        },
        "standardPriceRange": {"minPrice": 80, "maxPrice": 210},
        "standardPriceToday": 80,
        "standardProductVariantId": 12,
    }


def test_images_banners_and_tags_are_shown_unchanged(client: TestClient) -> None:
    content = data_of(client.get(WINTER))["content"]

    assert content["images"] == [
        {
            "imageUrl": "/images/peak.jpg",
            "altText": "A peak",
            "lqip": "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
            "hotspot": {"x": Decimal("0.5"), "y": Decimal("0.25"), "width": 1, "height": 0},
        },
        {"imageUrl": "/images/valley.jpg", "altText": "", "lqip": "", "hotspot": None},
    ]
    assert content["tags"][1] == {"caption": "New", "description": "", "icon": ""}
    assert content["seoKeywords"] == ["ski", "snow"]
    assert [image["imageUrl"] for image in content["seoImages"]] == ["/images/seo.jpg"]
    assert content["banner"] == {
        "text": "Book early",
        "color": "red",
        "icon": "clock",
        "cta": {
            "title": "More",
            "color": "primary",
            "variant": "button",
            "product": {"slug": "summer-ticket"},
            "link": "",
            "page": None,
            "newTab": True,
        },
    }


def test_a_banner_may_have_no_target_and_a_page_may_be_empty(client: TestClient) -> None:
    assert data_of(client.get("/api/products/last-of-its-kind"))["content"]["banner"] == {
        "text": "Over",
        "color": "",
        "icon": "",
        "cta": None,
    }
    assert data_of(client.get("/api/products/locker"))["content"] == {
        **dict.fromkeys(("title", "caption", "shortDescription", "description"), ""),
        **dict.fromkeys(("seoTitle", "seoDescription"), ""),
        **{name: [] for name in ("images", "tags", "seoKeywords", "seoImages")},
        "banner": None,
    }


def test_a_variant_agrees_with_the_catalogue(client: TestClient) -> None:
    child, adult = data_of(client.get(WINTER))["productVariants"]

    assert (child["attributes"], child["externalIds"]) == ([], [])
    del adult["availableMedia"]
    assert adult == {
        "id": 12,
        "name": "Adult",
        "translation": "Adult",
        "vatRate": Decimal("7.7"),
        "productId": 1,
        "attributes": [
            {
                "name": "Age",
                "identifier": "age",
                "value": "adult",
                "sortOrder": 4,
                "metaInformation": {"ageFrom": "16"},
                "translation": "From 16",
            }
        ],
        "externalIds": [
            {"system": "gate", "kind": "system_product_id", "value": "P1"},
            {"system": "gate", "kind": "system_consumer_category", "value": "A"},
        ],
        "priceRange": {"minPrice": 80, "maxPrice": 210},
    }


def test_a_medium_requires_each_variant_of_its_price_components_once(client: TestClient) -> None:
    child, adult = data_of(client.get(WINTER))["productVariants"]
    phone, keycard = adult["availableMedia"]

    assert child["availableMedia"] == adult["availableMedia"]
    assert phone == {
        "id": 2,
        "type": "ACCESS",
        "name": "Phone",
        "description": "",
        "requiredProductVariants": [],
    }
    assert (keycard["id"], keycard["type"]) == (1, "ACCESS")
    assert [
        (part["id"], part["productId"], part["name"], part["vatRate"], len(part["attributes"]))
        for part in keycard["requiredProductVariants"]
    ] == [(911, 9, "Postage", Decimal("8.1"), 1), (912, 9, "Deposit", 0, 0)]


def test_the_next_availability_is_included_only_on_request(client: TestClient) -> None:
    plain, with_next = data_of(client.get(WINTER)), data_of(client.get(f"{WINTER}?{NEXT}"))

    assert with_next.pop("nextAvailability") is not None
    assert plain == with_next


@pytest.mark.parametrize("query", ["include=", "include=next", f"{NEXT}&include=content"])
def test_another_part_cannot_be_included(client: TestClient, query: str) -> None:
    problem = client.get(f"{WINTER}?{query}").json()

    assert [error["parameter"] for error in problem["errors"]] == ["include"]


@pytest.mark.parametrize(
    ("channel", "slug", "status"),
    [
        (EVERYTHING, "winter-ticket", 200),
        (COUNTER, "winter-ticket", 200),
        (COUNTER, "locker", 200),
        (COUNTER, "sauna", 404),
        (COUNTER, "summer-ticket", 404),
        (SOUK, "souk", 200),
        (SOUK, "winter-ticket", 404),
        # Sold in another currency, so its prices cannot be shown.
        (EVERYTHING, "souk", 404),
    ],
)
def test_a_product_is_shown_only_where_it_is_sold(
    client: TestClient, channel: str, slug: str, status: int
) -> None:
    headers = (("service-channel-uuid", channel), CHANNEL[1])

    reply = ask(client, "GET", f"/api/products/{slug}?{NEXT}", headers=headers)

    assert reply.status == status
    if status == 404:
        unknown = ask(client, "GET", f"/api/products/no-such?{NEXT}", headers=headers)
        expected = {**problem_of(unknown, 404, "unknown-product"), "instance": f"/api/products/{slug}"}
        assert problem_of(reply, 404, "unknown-product") == expected


def test_a_product_is_the_same_on_every_channel(client: TestClient) -> None:
    assert shown(client, "winter-ticket", channel=COUNTER) == shown(client, "winter-ticket")
