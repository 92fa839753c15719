"""Unusual but valid headers, queries and paths have no effect; bodies at their limits."""

from uuid import uuid4

import pytest

from faregate_http.protocol.bodies import MOST_BYTES
from faregate_http.protocol.problems import MOST_ERRORS
from support.hostile.hostility import (
    ADD,
    ANSWER,
    CHANGE,
    DROP,
    GET,
    OPERATIONS,
    REMOVE,
    Request,
    World,
    dumped,
)
from support.hostile.operations import INTERFACE, WITH_BODIES
from support.service.raw_requests import (
    CHANNEL,
    JSON,
    Headers,
    Reply,
    ask,
    ask_in_vain,
    places,
    problem_of,
    reasons,
)
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


def test_the_same_item_named_twice_is_removed_once(fresh: World) -> None:
    reply = fresh.asked(REMOVE.asking("itemId=2&itemId=1"))

    assert [entry["id"] for entry in reply.json()["data"]["items"]] == [3]


def sent(world: World, request: Request, body: bytes | list[bytes], *headers: tuple[str, str]) -> Reply:
    """Return the response to a body in one or more pieces."""
    given: Headers = [(name, world.filled(str(value))) for name, value in (*request.headers, *headers)]
    return ask(world.client, request.method, world.filled(request.target), headers=given, body=body)


def test_a_body_may_have_at_most_one_mebibyte(resort: World) -> None:
    full = b'{"a": 1' + b" " * (MOST_BYTES - 8) + b"}"
    pieces = [full[at : at + 65_536] for at in range(0, MOST_BYTES, 65_536)]
    as_long, too_long = (("content-length", str(MOST_BYTES + extra)) for extra in (0, 1))

    whole = [sent(resort, ADD, full), sent(resort, ADD, full, as_long), sent(resort, ADD, pieces)]
    too_large = [
        sent(resort, ADD, full + b" "),
        sent(resort, ADD, full + b" ", too_long),
        sent(resort, ADD, [*pieces, b" "]),
        sent(resort, ADD, [*pieces, b"", b" " * MOST_BYTES]),
        sent(resort, ADD, [b""], too_long),  # refused before any of the body is read
    ]

    for reply in whole:
        problem_of(reply, 422, "invalid-body")
    for reply in too_large:
        problem_of(reply, 413, "body-too-large")
    assert resort.is_as_it_was


# One operation of each kind, since all read bodies in the same way.
READ_FROM = ["items", "quantity", "pay", "gate"]


@pytest.mark.parametrize("length", [0, 1, -1, None])
@pytest.mark.parametrize("name", READ_FROM)
def test_an_incomplete_body_changes_nothing(resort: World, name: str, length: int | None) -> None:
    request = WITH_BODIES[name]
    assert isinstance(request.body, bytes)
    body = resort.filled(request.body.decode()).encode()[:length]
    headers = [(name, resort.filled(str(value))) for name, value in request.headers]

    reply = ask_in_vain(
        resort.client,
        request.method,
        resort.filled(request.target),
        headers=headers,
        body=[body] if body else [],
        disconnects=True,
    )

    assert reply is None
    assert resort.is_as_it_was


SPELLINGS = [
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    'application/json ; charset="UTF-8"',
]


def test_the_json_media_type_has_several_spellings(fresh: World) -> None:
    replies = [fresh.asked(ADD.beside(("content-type", spelling))) for spelling in SPELLINGS]

    assert {reply.status for reply in replies} == {200}


FULL_OF_FAULTS = {
    "unknown properties": b"{" + b",".join(b'"%d":1' % n for n in range(90_000)) + b"}",
    "empty items": dumped({"items": [{}] * 500}),
}


@pytest.mark.slow
@pytest.mark.parametrize("body", FULL_OF_FAULTS.values(), ids=FULL_OF_FAULTS)
def test_the_number_of_reported_issues_is_limited(resort: World, body: bytes) -> None:
    reply = resort.asked(ADD._replace(body=body))

    assert len(problem_of(reply, 422, "invalid-body")["errors"]) == MOST_ERRORS
    assert len(reply.body) < 200_000


MANY = {str(n): 1 for n in range(100, 70_000)}
TOO_MUCH_TO_LOOK_AT = {"/formValues": MANY, "/formValues/media": {"media": MANY}}


@pytest.mark.parametrize("pointer", TOO_MUCH_TO_LOOK_AT)
def test_too_many_answers_are_refused_unread(resort: World, pointer: str) -> None:
    reply = resort.asked(ANSWER.saying({"formValues": TOO_MUCH_TO_LOOK_AT[pointer]}))

    assert reply.status == 422
    assert [error["pointer"] for error in reply.json()["errors"]] == [pointer]


def test_items_of_an_unknown_checkout_are_not_read(resort: World) -> None:
    nowhere = ADD._replace(target="/api/checkout/x/items").saying({"items": [day_ticket(1)] * 501})

    problem_of(resort.asked(nowhere), 404, "unknown-checkout")
