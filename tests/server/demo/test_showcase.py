"""The shop page: served where the settings enable it, complete, and isolated from other origins."""

import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate.files import demo_catalogue
from faregate_server.demo.showcase.sold import sold
from support.service.service import WEBSHOP, running

FOLDER = Path(__file__).parents[3] / "src" / "faregate_server" / "demo" / "showcase"
SCRIPTS = sorted(path.name for path in FOLDER.glob("*.js"))
FILES = {"/": "text/html; charset=utf-8", "/showcase/page.css": "text/css; charset=utf-8"}
FILES |= {f"/showcase/{name}": "text/javascript; charset=utf-8" for name in SCRIPTS}
MOST_BYTES = 48_500

PROVIDER = {
    "identity_issuer": "https://login.example",
    "identity_audience": "tickets",
    "token_secret": "-" * 32,
}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a client without channel headers of a service with the page."""
    with running(tmp_path_factory.mktemp("shown"), showcase=True) as client:
        client.headers.clear()
        yield client


@pytest.mark.parametrize(
    ("settings", "is_there"),
    [
        ({}, False),
        (PROVIDER, False),
        ({"sandbox": True}, False),
        ({"showcase": True}, True),
        ({**PROVIDER, "showcase": True}, True),
        ({"is_development": True}, True),
    ],
)
def test_the_page_is_served_if_enabled_and_in_development(
    tmp_path: Path, settings: dict[str, Any], is_there: bool
) -> None:
    with running(tmp_path, **settings) as client:
        answers = [client.get(path) for path in FILES]

    assert {answer.status_code for answer in answers} == {200 if is_there else 404}
    if not is_there:
        assert {answer.json()["code"] for answer in answers} == {"not-found"}


@pytest.mark.parametrize("path", FILES)
def test_every_part_of_the_page_is_public(shown: TestClient, path: str) -> None:
    response = shown.get(path)

    assert response.status_code == 200
    assert response.headers["content-type"] == FILES[path]
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["cache-control"] == "no-cache"
    assert shown.head(path).headers["content-length"] == str(len(response.content))
    again = shown.get(path, headers={"if-none-match": response.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_its_policy_allows_only_this_service(shown: TestClient) -> None:
    policy = shown.get("/").headers["content-security-policy"].split("; ")

    assert {"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"} <= set(
        policy
    )
    assert not re.search(r"unsafe|https?:|\*", " ".join(policy))


def test_the_page_links_only_its_own_files_and_has_no_inline_script(shown: TestClient) -> None:
    page = shown.get("/").text

    named = set(re.findall(r'(?:src|href)="([^"]*)"', page))
    assert named == {"data:,", "docs", "openapi.json", "showcase/page.css", "showcase/page.js"}
    assert re.findall(r"<script(?! type=\"application/json\")[^>]*>(.+?)</script>", page, re.DOTALL) == []
    assert not re.search(r"\son\w+=|style=", page)


def test_every_script_is_imported_and_imports_only_existing_ones() -> None:
    imported = {
        name
        for script in SCRIPTS
        for name in re.findall(r'from "\./(\w+\.js)"', (FOLDER / script).read_text())
    }

    assert imported | {"page.js"} == set(SCRIPTS)
    assert not [
        name for name in SCRIPTS if re.search(r"https?://|innerHTML|eval\(", (FOLDER / name).read_text())
    ]


def test_the_page_is_small(shown: TestClient) -> None:
    assert sum(len(shown.get(path).content) for path in FILES if path != "/") < MOST_BYTES


@pytest.mark.parametrize(
    "path", ["/showcase", "/showcase/", "/showcase/sold.py", "/showcase/../app.py", "/index.html"]
)
def test_other_paths_are_not_found(shown: TestClient, path: str) -> None:
    assert shown.get(path).status_code == 404


@pytest.mark.parametrize("method", ["POST", "DELETE", "PUT"])
def test_methods_that_write_are_not_allowed(shown: TestClient, method: str) -> None:
    assert shown.request(method, "/").json()["code"] == "method-not-allowed"


class _Data(HTMLParser):
    """A parser that reads the content of the data element like a browser."""

    def __init__(self) -> None:
        super().__init__()
        self.found = ""
        self._is_inside = False

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._is_inside = ("id", "sold") in attributes

    def handle_endtag(self, tag: str) -> None:
        self._is_inside = False

    def handle_data(self, data: str) -> None:
        self.found += data if self._is_inside else ""


def told(client: TestClient) -> Any:
    reader = _Data()
    reader.feed(client.get("/").text)
    return json.loads(reader.found)


def test_the_page_contains_what_its_channel_sells(shown: TestClient) -> None:
    data = told(shown)

    assert data == sold(demo_catalogue(), tells_codes=False)
    assert (data["channel"], data["currency"], data["territory"], data["codes"]) == (WEBSHOP, "CHF", "CH", [])
    slugs = [product["slug"] for product in data["products"]]
    assert data["first"] in slugs
    assert {"day-ticket", "lunch"} <= set(slugs)
    assert not {"ticket-insurance", "sending-fee", "partner-lunch"} & set(slugs)


@pytest.mark.slow
def test_every_product_on_the_page_can_be_requested(shown: TestClient) -> None:
    for product in told(shown)["products"]:
        for language, name in product["name"].items():
            headers = {"service-channel-uuid": WEBSHOP, "accept-language": language}
            answered = shown.get(f"/api/products/{product['slug']}", headers=headers).json()["data"]
            assert answered["translation"] == name


def test_codes_are_suggested_only_in_development(tmp_path: Path) -> None:
    with running(tmp_path, is_development=True) as client:
        codes = told(client)["codes"]

    assert {"WINTER10", "GIFT-100"} <= set(codes)


def test_a_name_that_looks_like_markup_stays_a_name(tmp_path: Path) -> None:
    hostile = "</script><script>alert(1)</script><!--"
    catalogue = tmp_path / "hostile.yaml"
    village = Path(__file__).parents[2] / "support" / "catalogues" / "village.yaml"
    catalogue.write_text(re.sub(r"\n    name: .*", f"\n    name: {json.dumps(hostile)}", village.read_text()))

    with running(tmp_path, showcase=True, catalogue=catalogue) as client:
        page = client.get("/").text

        assert hostile in {name for product in told(client)["products"] for name in product["name"].values()}
    assert "<script>alert" not in page
