"""Cross-origin pages: a browser reads a response only if the named channel lists the page's origin."""

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from faregate.files.reading import load_edition
from faregate_http import MemoryStore, Options, Providers, create_app
from support.service.gate import ADULT
from support.service.raw_requests import JSON, Headers, Reply, ask
from support.service.service import HEADERS, PARTNERS, VALLEY_STATION, WEBSHOP, running

SHOP = "http://localhost:5173"
TILL = "https://till.example"

PRODUCT = "/api/products/day-ticket"
ITEMS = "/api/checkout/3b241101-e2bb-4255-8caf-4136c566a962/items"
GATE = "/api/pricing/external/prices/access"
ALLOW = "access-control-allow-origin"

BEFORE = {"origin": SHOP, "access-control-request-method": "POST"}
PREFLIGHT: Headers = (*BEFORE.items(),)
ALLOWED = {
    *("accept-language", "content-type", "authorization", "service-channel-uuid", "service-channel-key"),
    *("api-version", "idempotency-key", "if-match", "if-none-match", "order-secret"),
}
EXPOSED = {
    *("etag", "link", "access-token", "access-token-expires-in", "api-version", "content-language"),
    *("idempotency-replayed", "retry-after", "order-secret", "www-authenticate"),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a resort whose web shop and valley station list an origin; its partners list none."""
    folder = tmp_path_factory.mktemp("origins")
    text = files("faregate.files").joinpath("demo_resort.yaml").read_text("utf-8")
    text = text.replace("    type: POS\n", f"    type: POS\n    shopOrigins: [{TILL}]\n", 1)
    catalogue = folder / "origins.yaml"
    catalogue.write_text(text, "utf-8")
    with running(folder, catalogue=catalogue, raise_server_exceptions=False) as client:
        yield client


def called(client: TestClient, path: str, origin: str | bytes = SHOP, *, channel: str = WEBSHOP) -> Reply:
    """Return the response to a GET request of a page."""
    return ask(client, "GET", path, headers=(("service-channel-uuid", channel), ("origin", origin)))


def asked_first(client: TestClient, path: str, *headers: tuple[str, str | bytes]) -> Reply:
    """Return the response to a preflight."""
    return ask(client, "OPTIONS", path, headers=headers or PREFLIGHT)


def listed(reply: Reply, header: str) -> set[str]:
    """Return the elements of a header that holds a list."""
    return set(re.split(", ?", reply.header(header) or ""))


def allows_nothing(reply: Reply) -> bool:
    return not [name for name, _ in reply.headers if name.startswith(b"access-control-")]


@pytest.mark.parametrize("path", [PRODUCT, ITEMS, "/api/accounts/current", "/api/nothing"])
def test_a_preflight_lists_what_a_page_may_send(client: TestClient, path: str) -> None:
    reply = asked_first(client, path)

    assert (reply.status, reply.body) == (204, b"")
    assert reply.header(ALLOW) == SHOP
    assert listed(reply, "access-control-allow-methods") == {"GET", "POST", "PATCH", "DELETE"}
    assert listed(reply, "access-control-allow-headers") == ALLOWED
    assert reply.header("access-control-max-age") == "600"
    assert reply.header("vary") == "origin"
    assert reply.header("content-length") is None
    assert reply.header("access-control-allow-credentials") is None


@pytest.mark.parametrize("origin", [SHOP, TILL, "https://shop.example"])
def test_a_preflight_covers_all_channels_together(client: TestClient, origin: str) -> None:
    reply = asked_first(client, PRODUCT, ("origin", origin), ("access-control-request-method", "GET"))

    assert reply.header(ALLOW) == origin


def test_an_unlisted_origin_is_allowed_nothing(client: TestClient) -> None:
    headers = (("origin", "https://evil.test"), ("access-control-request-method", "GET"))

    reply = asked_first(client, PRODUCT, *headers)

    assert (reply.status, reply.header("vary")) == (204, "origin")
    assert allows_nothing(reply)


@pytest.mark.parametrize("left_out", ["origin", "access-control-request-method"])
def test_an_incomplete_preflight_is_not_allowed(client: TestClient, left_out: str) -> None:
    headers = [pair for pair in PREFLIGHT if pair[0] != left_out]

    assert asked_first(client, PRODUCT, *headers).status == 405


@pytest.mark.parametrize("path", [GATE, "/docs", "/openapi.json", "/metrics", "/health/live", "/nothing"])
def test_paths_without_a_channel_allow_nothing(client: TestClient, path: str) -> None:
    before, answer = asked_first(client, path), called(client, path)

    assert before.status in {404, 405}
    assert allows_nothing(before)
    assert allows_nothing(answer)
    assert "origin" not in listed(answer, "vary")


def test_a_page_can_read_the_response_and_its_headers(client: TestClient) -> None:
    reply = called(client, PRODUCT)

    assert reply.header(ALLOW) == SHOP
    assert listed(reply, "access-control-expose-headers") == EXPOSED
    assert reply.header("access-control-allow-credentials") is None
    assert listed(reply, "vary") == {"accept-language", "service-channel-uuid", "accept-encoding", "origin"}


@pytest.mark.parametrize(
    ("channel", "origin", "is_read"),
    [
        (WEBSHOP, SHOP, True),
        (WEBSHOP.upper(), SHOP, True),
        (WEBSHOP, TILL, False),
        (VALLEY_STATION, TILL, True),
        (VALLEY_STATION, SHOP, False),
        (PARTNERS, SHOP, False),
        ("3b241101-e2bb-4255-8caf-4136c566a962", SHOP, False),
        ("x", SHOP, False),
        ("", SHOP, False),
    ],
)
def test_a_response_can_be_read_if_its_channel_lists_the_origin(
    client: TestClient, channel: str, origin: str, *, is_read: bool
) -> None:
    reply = called(client, PRODUCT, origin, channel=channel)

    assert reply.header(ALLOW) == (origin if is_read else None)
    assert allows_nothing(reply) is not is_read
    assert "origin" in listed(reply, "vary")


def _not_modified(client: TestClient) -> Reply:
    etag = client.get(PRODUCT).headers["etag"]
    headers = (("service-channel-uuid", WEBSHOP), ("origin", SHOP), ("if-none-match", etag))
    return ask(client, "GET", PRODUCT, headers=headers)


def _not_json(client: TestClient) -> Reply:
    return ask(client, "POST", ITEMS, headers=(*JSON, ("origin", SHOP)), body=b"{")


ANSWERS: dict[int, Callable[[TestClient], Reply]] = {
    304: _not_modified,
    400: _not_json,
    404: lambda client: called(client, "/api/nothing"),
    405: lambda client: called(client, "/api/accounts/authenticate"),
    503: lambda client: called(client, "/api/accounts/current"),
}


@pytest.mark.parametrize("status", ANSWERS)
def test_a_page_can_read_refusals(client: TestClient, status: int) -> None:
    reply = ANSWERS[status](client)

    assert (reply.status, reply.header(ALLOW)) == (status, SHOP)
    assert "origin" in listed(reply, "vary")


@pytest.mark.parametrize("origin", [SHOP, TILL])
def test_a_page_can_read_internal_errors(
    client: TestClient, origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("faregate_http.routes.products._product", None)

    answer = client.get(PRODUCT, headers={"origin": origin})

    assert answer.status_code == 500
    assert answer.headers.get(ALLOW) == (SHOP if origin == SHOP else None)
    assert answer.headers["vary"] == "origin"


def test_pages_cannot_read_gate_failures(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("faregate_http.routes.pricing.gate_price", None)

    answer = client.post(GATE, json=ADULT, headers={"origin": SHOP})

    assert (answer.status_code, "vary" in answer.headers) == (500, False)


def test_without_an_origin_nothing_is_allowed(client: TestClient) -> None:
    assert allows_nothing(ask(client, "GET", PRODUCT))


HOSTILE = [
    *("null", "*", "", "https://shop.example/", "https://Shop.example", "https://shop.example\r\nx: y"),
    *(b"https://sh\xf6p.example", b"\xff\xfe", "http://" + "a" * 60_000),
]


@pytest.mark.parametrize("origin", HOSTILE, ids=lambda origin: repr(origin)[:40])
def test_a_hostile_origin_is_allowed_nothing(client: TestClient, origin: str | bytes) -> None:
    before = asked_first(client, PRODUCT, ("origin", origin), ("access-control-request-method", "GET"))
    answer = called(client, PRODUCT, origin)

    assert (before.status, answer.status) == (204, 200)
    assert allows_nothing(before)
    assert allows_nothing(answer)


@pytest.mark.parametrize("other", [SHOP, "https://evil.test"])
def test_several_origins_are_allowed_nothing(client: TestClient, other: str) -> None:
    origins = (("origin", SHOP), ("origin", other))
    before = asked_first(client, PRODUCT, *origins, ("access-control-request-method", "GET"))
    answer = ask(client, "GET", PRODUCT, headers=(("service-channel-uuid", WEBSHOP), *origins))

    assert (before.status, answer.status) == (204, 200)
    assert allows_nothing(before)
    assert allows_nothing(answer)


def test_no_page_can_read_the_response_to_two_channels(client: TestClient) -> None:
    channels = (("service-channel-uuid", WEBSHOP), ("service-channel-uuid", VALLEY_STATION))

    reply = ask(client, "GET", PRODUCT, headers=(*channels, ("origin", SHOP)))

    assert reply.status == 400
    assert allows_nothing(reply)


def test_without_listed_origins_there_are_no_cors_headers(tmp_path: Path) -> None:
    text = files("faregate.files").joinpath("demo_resort.yaml").read_text("utf-8")
    catalogue = tmp_path / "no-origins.yaml"
    catalogue.write_text(re.sub(r"\n    shopOrigins: .*", "", text), "utf-8")
    with running(tmp_path, catalogue=catalogue) as client:
        before, answer = asked_first(client, PRODUCT), called(client, PRODUCT)

    assert before.status == 405
    assert allows_nothing(answer)
    assert "origin" not in listed(answer, "vary")


def test_a_service_under_a_root_path_behaves_alike() -> None:
    options = Options()
    app = create_app(load_edition(None), MemoryStore, options=options, providers=Providers())
    with TestClient(app, headers=HEADERS, root_path="/tickets") as client:
        paths = [f"/tickets{path}" for path in (PRODUCT, GATE)]
        before = [client.options(path, headers=BEFORE) for path in paths]
        answer = client.get(paths[0], headers={"origin": SHOP})

    assert [reply.headers.get(ALLOW) for reply in (*before, answer)] == [SHOP, None, SHOP]
    assert answer.status_code == 200


def test_preflights_are_counted_separately(client: TestClient) -> None:
    asked_first(client, PRODUCT)

    assert 'faregate_requests_total{operation="preflight",status="204"}' in client.get("/metrics").text
