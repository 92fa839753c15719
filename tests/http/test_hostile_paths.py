"""Paths and methods that nothing answers, and ids of nothing; none of it changes anything."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

import pytest
from starlette.testclient import TestClient

from serving.hostility import CHANGE, DROP, GET, OPERATIONS, Ask, Operation, dumped, filled_checkout
from serving.raw_requests import CHANNEL, JSON, Headers, ask, problem_of
from serving.service import (
    data_of,
    day_ticket,
    item,
    new_url,
    open_checkout,
    running,
)

KEYED = ("idempotency-key", "k")
SAID = "service-channel-uuid"

of_every_operation = pytest.mark.parametrize("operation", OPERATIONS.values(), ids=OPERATIONS)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("hostile")) as client:
        yield client


@pytest.fixture(scope="module")
def url(client: TestClient) -> str:
    return filled_checkout(client)


@pytest.fixture
def asking(client: TestClient, url: str) -> Ask:
    return Ask(client, url)


# ---------------------------------------------------------------- paths

NO_CHECKOUTS = [
    "x",
    "0",
    "..",
    "%2e%2e",
    "%00",
    "%0A",
    "%20",
    "%FF",
    "{0}%00",
    "{0}%0A",
    "{0}%20",
    "%20{0}",
    "{0}0",
    "{{{0}}}",
    "urn:uuid:{0}",
    "{0};v=1",
    "{0}%3Fa=1",
    "{0}%23a",
    "%EF%BC%97{0}",
    "9" * 5000,
]


@of_every_operation
@pytest.mark.parametrize("segment", NO_CHECKOUTS, ids=range(len(NO_CHECKOUTS)))
@pytest.mark.parametrize("key", [(), (KEYED,)], ids=["", "keyed"])
def test_an_id_that_is_no_uuid_is_404(
    asking: Ask, operation: Operation, segment: str, key: Sequence[tuple[str, str]]
) -> None:
    checkout_id = asking.url.rpartition("/")[2]
    other = f"/api/checkout/{segment.format(checkout_id)}"

    problem_of(asking(operation, target=operation.at(other), headers=(*JSON, *key)), 404, "unknown-checkout")
    without_hyphens = f"/api/checkout/{checkout_id.replace('-', '')}"
    problem_of(asking(operation, target=operation.at(without_hyphens)), 404, "unknown-checkout")


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name != "addItems"])
def test_an_unused_id_is_404(asking: Ask, name: str) -> None:
    operation = OPERATIONS[name]

    problem_of(asking(operation, target=operation.at(new_url())), 404, "unknown-checkout")


def test_an_id_in_capitals_is_the_same_checkout(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    path, _, checkout_id = url.rpartition("/")
    capitals = f"{path}/{checkout_id.upper()}"

    added = client.post(f"{capitals}/items", json={"items": [item(2, 411)]})

    assert data_of(added)["uuid"] == checkout_id
    assert [entry["id"] for entry in data_of(client.get(url))["items"]] == [1, 2]
    assert client.get(capitals).content == client.get(url).content
    opened = client.post(f"{path}/{str(uuid4()).upper()}/items", json={"items": []})
    assert data_of(opened)["uuid"] == data_of(opened)["uuid"].lower()


NO_ITEMS = [
    "0",
    "01",
    "+1",
    "-1",
    "1.0",
    "1e0",
    "x",
    "%20",
    "1%20",
    "%201",
    "1%0A",
    "1%00",
    "%00",
    "%EF%BC%91",
    "%D9%A1",
]
NO_ITEMS += [
    "1,2",
    "0x1",
    "1;a=1",
    "1%3Fa",
    "9" * 16,
    "9" * 17,
    "9" * 5000,
    "77",
    "9",
    "2147483648",
    "%FF",
    "..",
    "null",
]


@pytest.mark.parametrize("segment", NO_ITEMS, ids=range(len(NO_ITEMS)))
@pytest.mark.parametrize("key", [(), (KEYED,)], ids=["", "keyed"])
def test_the_quantity_of_no_item_is_404(asking: Ask, segment: str, key: Sequence[tuple[str, str]]) -> None:
    reply = asking(CHANGE, target=f"{asking.url}/items/{segment}/quantity", headers=(*JSON, *key))

    problem_of(reply, 404, "unknown-item")


NO_CODES = [
    "GIFT-100",
    "SKI59",
    "WINTER10%00",
    "WINTER%2010",
    "%D0%A1",
    "%FF",
    "x" * 5000,
    "%25",
    "*",
    "WINTER1%EF%BC%90",
]


@pytest.mark.parametrize("segment", NO_CODES, ids=range(len(NO_CODES)))
def test_a_code_that_was_not_entered_is_404(asking: Ask, segment: str) -> None:
    problem_of(asking(DROP, target=f"{asking.url}/vouchers/{segment}"), 404, "unknown-code")


def test_a_path_says_the_same_however_it_is_escaped(client: TestClient) -> None:
    url = filled_checkout(client)

    raised = ask(client, "PATCH", f"{url}/items/%31/quantity", body=CHANGE.body)
    dropped = ask(client, "DELETE", f"{url}/vouchers/%20winter10%20", headers=CHANNEL)

    assert raised.status == dropped.status == 200
    assert dropped.json()["data"]["promoCodes"] == []


NO_PATHS = [
    "/",
    "//",
    "/api",
    "/api/",
    "/api/checkout",
    "/api/checkout/",
    "/api/Checkout/{0}",
    "/API/checkout/{0}",
    "/api/checkout/{0}/",
    "/api//checkout/{0}",
    "/api/checkout/{0}/items/",
    "/api/checkout/{0}//items",
    "/api/checkout/{0}/Items",
    "/api/checkout/{0}/items%0A",
    "/api/checkout/{0}/items%00",
    "/api/checkout/{0}/items/1",
    "/api/checkout/{0}/items/1/",
    "/api/checkout/{0}/items/1/quantity/",
    "/api/checkout/{0}/items/1/quantity%0A",
    "/api/checkout/{0}/items/1/2/quantity",
    "/api/checkout/{0}/items/1%2F2/quantity",
    "/api/checkout/{0}/items//quantity",
    "/api/checkout/{0}/checkout-conditions/",
    "/api/checkout/{0}/checkout_conditions",
    "/api/checkout/{0}/vouchers/",
    "/api/checkout/{0}/vouchers/a/b",
    "/api/checkout/{0}/vouchers/a%2Fb",
    "/api/checkout/../checkout/{0}",
    "/api/checkout/%2e%2e/checkout/{0}",
    "/api/checkout/{0}/../{0}",
    "/api/checkout/{0}%2F..",
    "/api/checkout/{0};a=1/items;b=2",
    "/api/checkout/{0}/items%3FitemId=2",
    "/etc/passwd",
    "/..%2F..%2Fetc/passwd",
    "/health",
    "/health/live/",
    "/openapi.json/",
    "/%FF",
    "/%00",
    "/" + "a" * 20_000,
    "/" + "a/" * 5_000,
]


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"])
@pytest.mark.parametrize("path", NO_PATHS, ids=range(len(NO_PATHS)))
def test_a_path_that_nothing_answers_is_404(asking: Ask, path: str, method: str) -> None:
    target = path.format(asking.url.rpartition("/")[2])

    reply = asking(Operation(method, target, dumped({"items": []})), target=target)

    problem_of(reply, 404, "not-found")


@pytest.mark.parametrize(
    "headers",
    [(), (("host", "["),), (("host", "\xff"),), (("host", "a"), ("host", "b")), ((SAID, "x"),)],
    ids=range(5),
)
@pytest.mark.parametrize("query", ["", "?\xff", "?%zz", "?a=1"])
def test_what_nothing_answers_is_404_whatever_else_is_wrong(
    client: TestClient, headers: Headers, query: str
) -> None:
    problem_of(ask(client, "GET", f"/nowhere{query}", headers=headers), 404, "not-found")


# ---------------------------------------------------------------- methods

ALLOWED = {
    "{}": "GET, HEAD",
    "{}/items": "DELETE, POST",
    "{}/checkout-conditions": "POST",
    "{}/items/1/quantity": "PATCH",
    "{}/vouchers": "POST",
    "{}/vouchers/WINTER10": "DELETE",
}
METHODS = [
    "GET",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "get",
    "",
    "X" * 300,
]


@pytest.mark.parametrize("target", ALLOWED)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("headers", [JSON, ()], ids=["complete", "bare"])
def test_a_method_that_a_path_lacks_is_405(asking: Ask, target: str, method: str, headers: Headers) -> None:
    allowed = ALLOWED[target]
    if method in allowed.split(", "):
        return

    reply = asking(Operation(method, target, dumped({"delta": 1})), headers=headers)

    problem_of(reply, 405, "method-not-allowed")
    assert reply.header("allow") == allowed


@pytest.mark.parametrize("target", [target for target in ALLOWED if target != "{}"])
def test_head_is_only_where_get_is(asking: Ask, target: str) -> None:
    reply = asking(Operation("HEAD", target))

    assert (reply.status, reply.body, reply.header("allow")) == (405, b"", ALLOWED[target])


def test_head_says_what_get_would_without_the_body(asking: Ask) -> None:
    shown, head = asking(GET), asking(GET._replace(method="HEAD"))

    assert head == shown._replace(body=b"")
    assert head.header("content-length") == str(len(shown.body))


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/openapi.json"])
def test_what_is_beside_the_interface_has_methods_too(client: TestClient, path: str) -> None:
    reply = ask(client, "DELETE", path, headers=())

    problem_of(reply, 405, "method-not-allowed")
    assert set(str(reply.header("allow")).split(", ")) == {"GET", "HEAD"}
    for method in ("GET", "HEAD"):
        answer = ask(client, method, path, headers=())
        assert answer.status == 200
        assert answer.header("api-version") == "2025-02-18"


# ---------------------------------------------------------------- what is beside the point


@pytest.mark.parametrize("body", [b"x", b"{", b'{"itemId": 1}', b"\xff" * (2 << 20)], ids=range(4))
@pytest.mark.parametrize("headers", [CHANNEL, JSON], ids=["untyped", "typed"])
def test_a_body_where_none_belongs_says_nothing(client: TestClient, body: bytes, headers: Headers) -> None:
    url = filled_checkout(client)

    removed = ask(client, "DELETE", f"{url}/items?itemId=2", headers=headers, body=body)
    dropped = ask(client, "DELETE", f"{url}/vouchers/WINTER10", headers=headers, body=body)
    shown = ask(client, "GET", url, headers=headers, body=body)

    assert removed.status == dropped.status == 200
    assert [entry["id"] for entry in shown.json()["data"]["items"]] == [1, 3, 4]
    assert shown.json()["data"]["promoCodes"] == []


def test_the_same_item_named_twice_is_removed_once(client: TestClient) -> None:
    url = filled_checkout(client)

    checkout = data_of(client.delete(f"{url}/items?itemId=2&itemId=2&itemId=1"))

    remaining: list[Any] = [entry["id"] for entry in checkout["items"]]
    assert remaining == [3]
