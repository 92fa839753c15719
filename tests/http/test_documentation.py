"""The page of the interface: whole, from this service alone, and kept no longer than it is true."""

import re

import pytest
from starlette.testclient import TestClient

FILES = {
    "/docs": "text/html; charset=utf-8",
    "/docs/page.css": "text/css; charset=utf-8",
    "/docs/page.js": "text/javascript; charset=utf-8",
    "/docs/swagger-ui.css": "text/css; charset=utf-8",
    "/docs/swagger-ui-bundle.js": "text/javascript; charset=utf-8",
}


@pytest.mark.parametrize("path", FILES)
def test_a_part_of_the_page_is_given_to_anyone(client: TestClient, path: str) -> None:
    client.headers.clear()

    response = client.get(path)

    assert response.status_code == 200
    assert response.headers["content-type"] == FILES[path]
    assert response.headers["x-content-type-options"] == "nosniff"
    assert len(response.content) > 100
    assert client.head(path).headers["content-length"] == str(len(response.content))


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("header", ["{}", "W/{}", '"other", {}', "*"])
def test_what_is_known_is_not_sent_again(client: TestClient, path: str, header: str) -> None:
    etag = client.get(path).headers["etag"]

    again = client.get(path, headers={"if-none-match": header.format(etag)})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == etag


@pytest.mark.parametrize("header", ['"other"', "no tag"])
def test_what_is_not_known_is_sent(client: TestClient, header: str) -> None:
    assert client.get("/docs", headers={"if-none-match": header}).status_code == 200


def test_the_page_is_asked_for_again_and_its_parts_are_kept_for_a_day(client: TestClient) -> None:
    kept = {path: client.get(path).headers["cache-control"] for path in FILES}

    assert kept.pop("/docs") == "no-cache"
    assert set(kept.values()) == {"public, max-age=86400"}


def test_the_page_names_its_own_parts_only(client: TestClient) -> None:
    page = client.get("/docs")

    named = re.findall(r'(?:src|href)="([^"]*)"', page.text)
    assert {f"/{path}" for path in named if path != "data:,"} == {*FILES, "/openapi.json"} - {"/docs"}
    assert "<script>" not in page.text
    assert "style=" not in page.text


def test_the_policy_of_the_page_allows_its_own_origin_only(client: TestClient) -> None:
    policy = client.get("/docs").headers["content-security-policy"].split("; ")

    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert not re.search(r"unsafe|https?:|\*", " ".join(policy))


@pytest.mark.parametrize("path", ["/docs/", "/docs/index.html", "/docs/page", "/docs/../pyproject.toml"])
def test_there_is_nothing_beside_it(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
def test_the_page_is_only_read(client: TestClient, method: str) -> None:
    response = client.request(method, "/docs")

    assert response.status_code == 405
    assert response.json()["code"] == "method-not-allowed"
