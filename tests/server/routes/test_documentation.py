"""The API documentation page: complete, served by this service alone, and cached only while current."""

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from urllib.parse import urljoin

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from faregate_server.app import create_app
from faregate_server.routes import documentation, files
from faregate_server.settings import Settings
from support.service.service import HEADERS

FILES = {
    "/docs": "text/html; charset=utf-8",
    "/docs/page.css": "text/css; charset=utf-8",
    "/docs/page.js": "text/javascript; charset=utf-8",
    "/docs/swagger-ui.css": "text/css; charset=utf-8",
    "/docs/swagger-ui-bundle.js": "text/javascript; charset=utf-8",
}

LINK = re.compile(r'href="((?:docs|openapi)[^"]*)"')


@pytest.mark.parametrize("path", FILES)
def test_every_part_of_the_page_is_public(client: TestClient, path: str) -> None:
    client.headers.clear()

    response = client.get(path)

    assert response.status_code == 200
    assert response.headers["content-type"] == FILES[path]
    assert response.headers["x-content-type-options"] == "nosniff"
    assert len(response.content) > 100
    assert client.head(path).headers["content-length"] == str(len(response.content))


@pytest.mark.parametrize("path", FILES)
@pytest.mark.parametrize("header", ["{}", "W/{}", '"other", {}', "*"])
def test_unchanged_files_are_not_sent_again(client: TestClient, path: str, header: str) -> None:
    etag = client.get(path).headers["etag"]

    again = client.get(path, headers={"if-none-match": header.format(etag)})

    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == etag


@pytest.mark.parametrize("header", ['"other"', "no tag"])
def test_files_are_sent_if_the_etag_differs(client: TestClient, header: str) -> None:
    assert client.get("/docs", headers={"if-none-match": header}).status_code == 200


def test_the_etag_of_a_file_is_computed_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    etags = {path: client.get(path).headers["etag"] for path in FILES}
    monkeypatch.setattr(files, "etag_of", None)

    again = {path: client.get(path, headers={"if-none-match": etags[path]}) for path in FILES}

    assert {path: answer.headers["etag"] for path, answer in again.items()} == etags


def test_the_page_is_revalidated_and_its_parts_are_cached_for_a_day(client: TestClient) -> None:
    kept = {path: client.get(path).headers["cache-control"] for path in FILES}

    assert kept.pop("/docs") == "no-cache"
    assert set(kept.values()) == {"public, max-age=86400"}


def test_the_page_links_only_its_own_files(client: TestClient) -> None:
    page = client.get("/docs")

    named = re.findall(r'(?:src|href)="([^"]*)"', page.text)
    assert {f"/{path}" for path in named if path != "data:,"} == {*FILES, "/openapi.json"} - {"/docs"}
    assert "<script>" not in page.text
    assert "style=" not in page.text


def test_the_policy_of_the_page_allows_only_its_own_origin(client: TestClient) -> None:
    policy = client.get("/docs").headers["content-security-policy"].split("; ")

    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert not re.search(r"unsafe|https?:|\*", " ".join(policy))


@pytest.mark.parametrize("path", ["/docs/", "/docs/index.html", "/docs/page", "/docs/../pyproject.toml"])
def test_other_paths_are_not_found(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize("below", ["", "/tickets", "/shop/tickets"])
def test_requests_go_to_the_service_wherever_it_is_mounted(tmp_path: Path, below: str) -> None:
    service = create_app(Settings(database=f"sqlite:///{tmp_path}/checkouts.db"))
    mounted = Starlette(routes=[Mount(below, service)], lifespan=service.router.lifespan_context)
    with TestClient(mounted, base_url="http://here") as client:
        page = client.get(f"{below}/docs")
        (linked,) = re.findall(r'href="(openapi.json)"', page.text)
        document = client.get(urljoin(str(page.url), linked))
        server = urljoin(str(document.url), document.json()["servers"][0]["url"])

        answer = client.get(f"{server.rstrip('/')}/api/products/day-ticket", headers=HEADERS)

    assert server == f"http://here{below}/"
    assert answer.status_code == 200


@pytest.fixture
def without_swagger(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Serve the page as if the extra ``docs`` were not installed."""

    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(documentation, "distribution", missing)
    caches = (documentation._page, documentation._installed)
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


@pytest.mark.usefixtures("without_swagger")
def test_without_swagger_the_page_says_what_to_install(client: TestClient) -> None:
    page = client.get("/docs")

    assert page.status_code == 200
    assert "pip install 'faregate[docs]'" in page.text
    assert {client.get(path).status_code for path in LINK.findall(page.text)} == {200}
    assert client.get("/docs/swagger-ui.css").status_code == 404
    assert client.get("/docs/swagger-ui-bundle.js").headers["content-type"] == "application/problem+json"
