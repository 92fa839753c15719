"""Caching of responses: problems never, public responses as in decisions §15."""

import pytest
from starlette.testclient import TestClient

from support.service.raw_requests import ask
from support.service.service import new_url, running

NOBODYS = "/api/checkout/3b241101-e2bb-4255-8caf-4136c566a962"
VALIDITIES = "/api/booking/products/11/journey/validities"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/api/products/day-ticket", "private, max-age=1"),
        (f"{VALIDITIES}/suggested", "private, max-age=1"),
        (VALIDITIES, "private, no-cache"),
        ("/api/pricing/insights/distribution?productId=11", "private, no-cache"),
        ("/openapi.json", "no-cache"),
        ("/docs", "no-cache"),
    ],
)
def test_a_public_response_declares_its_maximum_age(client: TestClient, path: str, expected: str) -> None:
    answer = client.get(path)

    assert (answer.status_code, answer.headers["cache-control"]) == (200, expected)


def test_the_document_is_not_sent_again(client: TestClient) -> None:
    etag = client.get("/openapi.json").headers["etag"]

    assert client.get("/openapi.json", headers={"if-none-match": etag}).status_code == 304


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/api/products/nothing", 404),
        ("GET", NOBODYS, 404),
        ("PUT", "/api/products/day-ticket", 405),
        ("PUT", "/health/live", 405),
        ("GET", f"{VALIDITIES}?limit=0", 400),
        ("POST", f"{NOBODYS}/items", 415),
    ],
)
def test_problems_are_not_cached(client: TestClient, method: str, path: str, status: int) -> None:
    answer = client.request(method, path)

    assert (answer.status_code, answer.headers["cache-control"]) == (status, "no-store")


def test_refusals_of_large_bodies_are_not_cached(client: TestClient) -> None:
    answer = ask(client, "POST", f"{new_url()}/items", body=b" " * ((1 << 20) + 1))

    assert (answer.status, answer.header("cache-control")) == (413, "no-store")


def test_internal_errors_are_not_cached(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("faregate_http.routes.products._product", None)
    with running(tmp_path_factory.mktemp("failing"), raise_server_exceptions=False) as client:
        answer = client.get("/api/products/day-ticket")

    assert (answer.status_code, answer.headers["cache-control"]) == (500, "no-store")


@pytest.mark.parametrize(
    "target",
    [
        "/%6detrics",
        "/%6Detrics",
        "/metric%73",
        "/health%2Fready",
        "/health%2flive",
        "/%6fpenapi.json",
        "/openapi%2ejson",
        "/api/%70roducts/day-ticket",
        "/api/products/day%2Dticket",
        "/api/pricing/external/prices/acces%73",
    ],
)
def test_percent_encoded_spellings_of_a_path_are_404(client: TestClient, target: str) -> None:
    assert ask(client, "GET", target).status == 404
