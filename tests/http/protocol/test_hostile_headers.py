"""Unusual but valid headers, queries and paths have no effect on the response."""

from uuid import uuid4

import pytest

from support.hostile.hostility import CHANGE, DROP, GET, OPERATIONS, REMOVE, Request, World
from support.hostile.operations import INTERFACE
from support.service.raw_requests import CHANNEL, JSON, Headers, ask, places, problem_of, reasons
from support.service.service import WEBSHOP, data_of, day_ticket, item, open_checkout

VERSION, KEY, MATCH, SAID = "api-version", "idempotency-key", "if-match", "service-channel-uuid"

of_every_operation = pytest.mark.parametrize("operation", OPERATIONS)


@of_every_operation
def test_invalid_headers_and_parameters_are_reported_together(resort: World, operation: str) -> None:
    faulty = OPERATIONS[operation].without(SAID).beside((VERSION, "1"), (KEY, " "), (MATCH, "x"))

    reply = resort.asked(faulty.asking("itemID=1&b%=2&%FF=3"))

    expected = ["parameter b%", "parameter %FF", "parameter itemID"]
    expected += [f"header {name}" for name in (VERSION, SAID, KEY, MATCH)]
    assert places(problem_of(reply, 400, "invalid-request")) == expected


HARMLESS: dict[str, Headers] = {
    "a channel in capitals": ((SAID, WEBSHOP.upper()), CHANNEL[1]),
    "a channel twice": (*CHANNEL, *CHANNEL),
    "the version": (*CHANNEL, (VERSION, "2025-02-18")),
    "a key": (*CHANNEL, (KEY, "!~" * 127)),
    "the secret of an order": (*CHANNEL, ("order-secret", "\xff" * 5000)),
    "HTML": (*CHANNEL, ("accept", "text/html")),
    "half a host": (*CHANNEL, ("host", "[")),
    "a host of latin-1": (*CHANNEL, ("host", "\xff")),
    "a range": (*CHANNEL, ("range", "bytes=0-1")),
    "another method": (*CHANNEL, ("x-http-method-override", "DELETE")),
    "a proxy": (*CHANNEL, ("x-forwarded-for", "\x00"), ("cookie", "\xff" * 5000)),
    "another path": (*CHANNEL, ("x-original-url", "/admin"), ("x-rewrite-url", "/admin")),
    "a body": (*CHANNEL, ("content-type", "nonsense"), ("content-encoding", "gzip"), ("content-length", "x")),
}


@pytest.mark.parametrize("headers", HARMLESS.values(), ids=HARMLESS)
def test_unusual_but_valid_headers_are_accepted(resort: World, headers: Headers) -> None:
    expected, reply = resort.asked(GET), resort.asked(GET._replace(headers=headers))

    own = (b"x-request-id",)
    assert reply.body == expected.body
    assert [pair for pair in reply.headers if pair[0] not in own] == [
        pair for pair in expected.headers if pair[0] not in own
    ]


@pytest.mark.slow
def test_the_number_of_reported_parameters_is_limited(resort: World) -> None:
    reply = resort.asked(GET.asking("&".join(f"p{n}" for n in range(30_000))))

    assert len(problem_of(reply, 400, "invalid-request")["errors"]) == 1000


@pytest.mark.parametrize("query", ["?", "?&", "?&&&"])
def test_an_empty_query_is_ignored(resort: World, query: str) -> None:
    reply = resort.asked(GET._replace(target=GET.target + query))

    assert (reply.status, reply.body) == (200, resort.asked(GET).body)


@pytest.mark.parametrize(
    ("ids", "unknown"), [([2, 77], [77]), ([78, 1, 77], [77, 78]), ([9], [9]), ([10**18 - 1], [10**18 - 1])]
)
def test_unknown_items_are_named(resort: World, ids: list[int], unknown: list[int]) -> None:
    query = "&".join(f"itemId={item_id}" for item_id in ids)

    reply = resort.asked(REMOVE._replace(target=f"<checkout>/items?{query}"))

    expected = [f"unknown item {item_id}" for item_id in unknown]
    assert reasons(problem_of(reply, 404, "unknown-item")) == expected


READING = {name: request for name, request in INTERFACE.items() if request.method == "GET"}


@pytest.mark.parametrize("request_", READING.values(), ids=READING)
def test_head_returns_what_get_would_without_the_body(resort: World, request_: Request) -> None:
    shown, head = resort.asked(request_), resort.asked(request_._replace(method="HEAD"))

    assert (head.status, head.body) == (200, b"")
    assert head.header("content-length") == str(len(shown.body))
    assert [name for name, _ in head.headers] == [name for name, _ in shown.headers]


@pytest.mark.parametrize("path", ["/health/live", "/health/ready", "/openapi.json", "/metrics"])
def test_pages_outside_the_interface_allow_get_and_head(resort: World, path: str) -> None:
    refused = resort.asked(Request("DELETE", path))
    read = [resort.asked(Request(method, path)) for method in ("GET", "HEAD")]

    assert set(str(refused.header("allow")).split(", ")) == {"GET", "HEAD"}
    assert [(reply.status, reply.header("api-version")) for reply in read] == [(200, "2025-02-18")] * 2


def test_an_id_in_capitals_is_the_same_checkout(resort: World) -> None:
    client = resort.client
    url, _ = open_checkout(client, day_ticket(1))
    path, _, checkout_id = url.rpartition("/")
    capitals = f"{path}/{checkout_id.upper()}"

    added = client.post(f"{capitals}/items", json={"items": [item(2, 411)]})

    assert data_of(added)["uuid"] == checkout_id
    assert [entry["id"] for entry in data_of(client.get(url))["items"]] == [1, 2]
    assert client.get(capitals).content == client.get(url).content
    opened = client.post(f"{path}/{str(uuid4()).upper()}/items", json={"items": []})
    assert data_of(opened)["uuid"] == data_of(opened)["uuid"].lower()


def test_a_path_is_escaped_only_where_it_has_to_be(fresh: World) -> None:
    raised = fresh.asked(CHANGE._replace(target="/api/checkout/<checkout id>/items/%31/quantity"))
    dropped = fresh.asked(DROP._replace(target="<checkout>/vouchers/%20winter10%20"))

    problem_of(raised, 404, "not-found")
    assert dropped.status == 200
    assert dropped.json()["data"]["promoCodes"] == []


@pytest.mark.parametrize(
    "headers",
    [(), (("host", "["),), (("host", "\xff"),), (("host", "a"), ("host", "b")), ((SAID, "x"),)],
    ids=range(5),
)
@pytest.mark.parametrize("query", ["", "?\xff", "?%zz", "?a=1"])
def test_an_unknown_path_is_404_despite_other_errors(resort: World, headers: Headers, query: str) -> None:
    problem_of(ask(resort.client, "GET", f"/nowhere{query}", headers=headers), 404, "not-found")


@pytest.mark.parametrize("body", [b"x", b'{"itemId": 1}', b"\xff" * (2 << 20)], ids=range(3))
def test_an_unexpected_body_is_ignored(fresh: World, body: bytes) -> None:
    removed = fresh.asked(REMOVE._replace(body=body, headers=JSON))
    dropped = fresh.asked(DROP._replace(body=body))
    shown = fresh.asked(GET._replace(body=body, headers=JSON))

    assert removed.status == dropped.status == 200
    assert [entry["id"] for entry in shown.json()["data"]["items"]] == [1, 3, 4]
    assert shown.json()["data"]["promoCodes"] == []
