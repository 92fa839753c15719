"""Products are sent again only if changed; the ETag depends on the body and the language."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from faregate_http.app import OPERATIONS
from support.service.service import Clock, data_of, day_ticket, new_url, running
from support.specification.openapi_conformity import DOCUMENT

PRODUCT = "/api/products/day-ticket"
ONE_WORDING = Path(__file__).parents[2] / "support" / "catalogues" / "product_shop.yaml"
ITS_CHANNEL = "00000000-0000-4000-8000-000000000101"
WITH_NEXT = f"{PRODUCT}?include=nextAvailability"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    with running(tmp_path, clock=clock) as client:
        yield client


def test_one_etag_means_one_body(client: TestClient, clock: Clock) -> None:
    bodies: dict[str, tuple[bytes, str]] = {}
    for _ in range(3):
        for path in (PRODUCT, WITH_NEXT):
            for language in ("en", "de", "fr", "it"):
                shown = client.get(path, headers={"accept-language": language})
                said = shown.content, shown.headers["content-language"]
                assert bodies.setdefault(shown.headers["etag"], said) == said
        clock.turn(days=1)

    assert len(set(bodies.values())) == len(bodies)


def test_the_etag_changes_with_the_price(client: TestClient, clock: Clock) -> None:
    before = client.get(WITH_NEXT)
    clock.turn(seconds=2)
    later = client.get(WITH_NEXT, headers={"if-none-match": before.headers["etag"]})
    data_of(client.post(f"{new_url()}/items", json={"items": [day_ticket(1)]}))
    clock.now += timedelta(days=1)
    changed = client.get(WITH_NEXT, headers={"if-none-match": before.headers["etag"]})

    assert later.status_code == 304, "a second alone changes nothing"
    assert changed.status_code == 200
    assert changed.content != before.content
    assert changed.headers["etag"] != before.headers["etag"]


def test_languages_with_equal_bodies_have_different_etags(tmp_path: Path) -> None:
    """The header ``content-language`` differs although the bodies are equal."""
    with running(tmp_path, catalogue=ONE_WORDING, channel=ITS_CHANNEL) as client:
        english, german = (
            client.get("/api/products/locker", headers={"accept-language": language})
            for language in ("en", "de")
        )

    assert english.content == german.content
    assert english.headers["etag"] != german.headers["etag"]


def test_the_document_says_which_responses_have_an_etag() -> None:
    tagged = {operation.name for operation in OPERATIONS if operation.has_etag and operation.method == "GET"}

    assert tagged == {"getCheckout", "explainCheckout", "getProduct"}
    described = DOCUMENT["paths"]["/api/products/{slug}"]["get"]
    assert "304" in described["responses"]
    assert "etag" in described["responses"]["200"]["headers"]
    assert {"$ref": "#/components/parameters/ifNoneMatch"} in described["parameters"]
