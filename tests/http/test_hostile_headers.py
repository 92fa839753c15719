"""Headers and queries that cannot be: refused by name, all at once, and nothing changes."""

from collections.abc import Iterator, Mapping, Sequence

import pytest
from starlette.testclient import TestClient

from serving.hostility import ADD, CHANGE, GET, OPERATIONS, REMOVE, Ask, Operation, filled_checkout
from serving.raw_requests import CHANNEL, JSON, Headers, ask, places, problem_of, reasons
from serving.service import (
    PARTNERS,
    VALLEY_STATION,
    WEBSHOP,
    data_of,
    day_ticket,
    new_url,
    open_checkout,
    running,
)

UNKNOWN_CHANNEL = "7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b78"

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


# ---------------------------------------------------------------- headers

VERSION, KEY, MATCH, NONE_MATCH = "api-version", "idempotency-key", "if-match", "if-none-match"
SAID = "service-channel-uuid"
OF_JSON = ("content-type", "application/json")

NO_UUIDS = [
    "",
    "null",
    "x",
    "*",
    WEBSHOP.replace("-", ""),
    f"{{{WEBSHOP}}}",
    f"urn:uuid:{WEBSHOP}",
    f'"{WEBSHOP}"',
    f"{WEBSHOP}0",
    WEBSHOP[:-1],
    WEBSHOP.replace("-", "_"),
    WEBSHOP.replace("a", "g"),
    f"{WEBSHOP}, {WEBSHOP}",
    f"{WEBSHOP}\n",
    f"{WEBSHOP} ",
    f"{WEBSHOP}\x00",
    "\xff" * 36,
    "7" * 10_000,
]
NO_KEYS: Sequence[str | bytes] = [
    "",
    " ",
    "a b",
    "a\tb",
    "\x7f",
    "a\x00",
    "ü",
    "ключ".encode(),
    b"\xff",
    "k" * 256,
]
NO_TAGS = ["", "7", "x", '"', '"7', "W/7", "W/", '"7" "8"', '*, "7"', "**", '"7";', '"\x00"', "'7'", ", ,"]
NO_VERSIONS = [
    "",
    "2025-02-17",
    "2025-2-18",
    "v2025-02-18",
    "2025-02-18 ",
    "latest",
    "*",
    "\xff",
    "2025-02-18, 1",
]
NO_HEADERS: Mapping[str, Sequence[str | bytes]] = {
    VERSION: NO_VERSIONS,
    KEY: NO_KEYS,
    MATCH: NO_TAGS,
    NONE_MATCH: NO_TAGS,
}


def faulty_headers() -> Iterator[tuple[Headers, tuple[str, ...]]]:
    """Headers, and those of them that are at fault."""
    yield (OF_JSON,), (SAID,)
    for value in NO_UUIDS:
        yield (OF_JSON, (SAID, value)), (SAID,)
    yield (*JSON, (SAID, VALLEY_STATION)), (SAID,)
    yield (*JSON, (SAID, "x")), (SAID,)
    yield (OF_JSON, (SAID, "x"), (SAID, "y")), (SAID, SAID)
    for name, values in NO_HEADERS.items():
        yield from (((*JSON, (name, wrong)), (name,)) for wrong in values)
    yield (*JSON, (VERSION, "2025-02-18"), (VERSION, "1")), (VERSION,)
    yield (*JSON, (KEY, "a"), (KEY, "b")), (KEY,)
    yield (*JSON, OF_JSON, ("content-type", "text/plain")), ("content-type",)
    yield (*JSON, (MATCH, '"7"'), (MATCH, "x")), (MATCH,)
    yield (
        (OF_JSON, (SAID, "x"), (VERSION, "1"), (KEY, ""), (MATCH, "x"), (NONE_MATCH, "y")),
        (VERSION, SAID, KEY, MATCH, NONE_MATCH),
    )


FAULTY_HEADERS = list(faulty_headers())


@of_every_operation
@pytest.mark.parametrize("index", range(len(FAULTY_HEADERS)))
def test_headers_at_fault_are_400_and_all_are_named(asking: Ask, operation: Operation, index: int) -> None:
    headers, at_fault = FAULTY_HEADERS[index]

    problem = problem_of(asking(operation, headers=headers), 400, "invalid-request")

    assert places(problem) == [f"header {name}" for name in at_fault]


@of_every_operation
def test_headers_and_query_at_fault_are_named_together(asking: Ask, operation: Operation) -> None:
    target = operation.at(asking.url)
    target += ("&" if "?" in target else "?") + "itemID=1&b%=2&%FF=3"
    headers = (OF_JSON, (VERSION, "1"), (KEY, " "), (MATCH, "x"))

    problem = problem_of(asking(operation, headers=headers, target=target), 400, "invalid-request")

    expected = ["parameter b%", "parameter %FF", "parameter itemID"]
    expected += [f"header {name}" for name in (VERSION, SAID, KEY, MATCH)]
    assert places(problem) == expected


@of_every_operation
def test_an_unknown_channel_is_404(asking: Ask, operation: Operation) -> None:
    reply = asking(operation, headers=(OF_JSON, (SAID, UNKNOWN_CHANNEL)))

    assert places(problem_of(reply, 404, "unknown-channel")) == [f"header {SAID}"]


@of_every_operation
@pytest.mark.parametrize("channel", [VALLEY_STATION, PARTNERS])
def test_a_checkout_of_another_channel_looks_like_none(
    asking: Ask, operation: Operation, channel: str
) -> None:
    unknown = new_url()
    headers = (OF_JSON, (SAID, channel))

    reply = asking(operation, headers=headers)

    problem = problem_of(reply, 404, "unknown-checkout")
    if operation is not ADD:  # which opens one
        there_is_none = asking(operation, headers=headers, target=operation.at(unknown))
        assert there_is_none.body.replace(unknown.encode(), asking.url.encode()) == reply.body
    assert "errors" not in problem


@pytest.mark.parametrize(
    "headers",
    [
        ((SAID, WEBSHOP.upper()),),
        (*CHANNEL, *CHANNEL),
        (*CHANNEL, (VERSION, "2025-02-18")),
        (*CHANNEL, (KEY, "!~" * 127)),
        (*CHANNEL, ("accept", "text/html")),
        (*CHANNEL, ("host", "[")),
        (*CHANNEL, ("host", "\xff")),
        (*CHANNEL, ("range", "bytes=0-1")),
        (*CHANNEL, ("x-http-method-override", "DELETE")),
        (*CHANNEL, ("x-forwarded-for", "\x00"), ("cookie", "\xff" * 5000)),
        (*CHANNEL, ("content-type", "nonsense"), ("content-encoding", "gzip"), ("content-length", "x")),
    ],
    ids=lambda headers: headers[-1][0],
)
def test_what_a_header_does_not_say_wrong_is_no_fault(asking: Ask, headers: Headers) -> None:
    expected = asking(GET, headers=CHANNEL)

    assert asking(GET, headers=headers) == expected


@of_every_operation
@pytest.mark.parametrize(
    "wanted",
    [
        "",
        "*",
        ",,,",
        "x-klingon",
        "de;q=9",
        "en;q=0",
        "*;q=0",
        "\xff\x00",
        "de" * 9999,
        "d" + ",d" * 9999,
        "-",
        ";q=1",
    ],
    ids=range(12),
)
def test_no_language_is_an_error(client: TestClient, operation: Operation, wanted: str) -> None:
    url = filled_checkout(client)

    reply = ask(
        client,
        operation.method,
        operation.at(url),
        headers=(*JSON, ("accept-language", wanted)),
        body=operation.body,
    )

    assert reply.status == 200
    assert reply.header("content-language") in {"en", "de", "fr", "it"}


# ---------------------------------------------------------------- queries


@of_every_operation
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("a", ["a"]),
        ("a=1&a=2", ["a"]),
        ("a=1&b=2", ["a", "b"]),
        ("=", [""]),
        ("a+b=1", ["a b"]),
        ("%", ["%"]),
        ("a=%zz", ["a", "a"]),
        ("a=%F", ["a", "a"]),
        ("a=%ff", ["a", "a"]),
        ("a=%C0%80", ["a", "a"]),
        ("a=%ED%A0%80", ["a", "a"]),
        ("\xff=1", ["\ufffd"]),
        ("%ff=%ff", ["%ff"]),
        ("%00=%00", ["\x00"]),
        ("ITEMID=2", ["ITEMID"]),
        ("itemId%5B%5D=2", ["itemId[]"]),
        ("lang=de", ["lang"]),
        ("service-channel-uuid=" + WEBSHOP, ["service-channel-uuid"]),
        ("x" * 5000, ["x" * 40]),
        ("%zz" * 2000, ["%zz" * 13 + "%"]),
    ],
    ids=range(20),
)
def test_a_parameter_nobody_knows_is_400(
    asking: Ask, operation: Operation, query: str, expected: list[str]
) -> None:
    target = operation.at(asking.url)
    target += ("&" if "?" in target else "?") + query

    problem = problem_of(asking(operation, target=target), 400, "invalid-request")

    assert places(problem) == [f"parameter {name}" for name in expected]


def test_of_very_many_parameters_only_some_are_told(asking: Ask) -> None:
    target = f"{asking.url}?" + "&".join(f"p{n}" for n in range(30_000))

    problem = problem_of(asking(GET, target=target), 400, "invalid-request")

    assert len(problem["errors"]) == 1000


@pytest.mark.parametrize("query", ["?", "?&", "?&&&"])
def test_an_empty_query_is_none(asking: Ask, query: str) -> None:
    assert asking(GET, target=asking.url + query) == asking(GET)


NO_NUMBERS = [
    "",
    "x",
    "1.0",
    "1e0",
    "01",
    "-02",
    "+2",
    "%2B2",
    "2,3",
    "2;itemId=3",
    "2%00",
    "2%0A",
    "%202",
    "0x2",
    "true",
]
NO_NUMBERS += [
    "null",
    "NaN",
    "%EF%BC%92",
    "%D9%A2",
    "1_0",
    "--2",
    "-",
    "9" * 19,
    "9" * 5000,
    "[2]",
    "%7B%7D",
    "2%202",
]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_an_item_to_remove_that_is_no_number_is_400(asking: Ask, value: str) -> None:
    for query, number in ((value, 1), (f"2&itemId={value}", 1), (f"{value}&itemId={value}", 2)):
        reply = asking(REMOVE, target=f"{asking.url}/items?itemId={query}")

        assert places(problem_of(reply, 400, "invalid-request")) == ["parameter itemId"] * number


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["itemId"]),
        ("?", ["itemId"]),
        ("?itemid=2", ["itemid", "itemId"]),
        ("?itemId%00=2", ["itemId\x00", "itemId"]),
        ("?itemId=%zz", ["itemId"]),
        ("?itemId=x&a=1&itemId=2", ["a", "itemId"]),
    ],
)
def test_items_to_remove_must_be_named(asking: Ask, query: str, expected: list[str]) -> None:
    reply = asking(REMOVE, target=f"{asking.url}/items{query}")

    assert places(problem_of(reply, 400, "invalid-request")) == [f"parameter {name}" for name in expected]


@pytest.mark.parametrize(
    ("ids", "unknown"),
    [
        ([77], [77]),
        ([2, 77], [77]),
        ([78, 1, 77], [77, 78]),
        ([0], [0]),
        ([-1], [-1]),
        ([9], [9]),  # was removed
        ([2**31], [2**31]),
        ([10**18 - 1], [10**18 - 1]),
    ],
)
def test_unknown_items_are_404_and_none_is_removed(asking: Ask, ids: list[int], unknown: list[int]) -> None:
    query = "&".join(f"itemId={item_id}" for item_id in ids)

    problem = problem_of(asking(REMOVE, target=f"{asking.url}/items?{query}"), 404, "unknown-item")

    assert reasons(problem) == [f"there is no item {item_id}" for item_id in unknown]
    assert places(problem) == ["parameter itemId"] * len(unknown)


def test_what_hangs_below_an_item_is_not_removed_or_multiplied(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1), day_ticket(2))
    checkout = data_of(
        client.post(f"{url}/checkout-conditions", json={"formValues": {"weatherGuarantee": True}})
    )
    fee = next(item["id"] for item in checkout["items"] if item["parentItemId"] == 2)
    asking = Ask(client, url)

    removed = asking(REMOVE, target=f"{url}/items?itemId={fee}&itemId=1")
    changed = asking(CHANGE, target=f"{url}/items/{fee}/quantity")

    assert places(problem_of(removed, 409, "not-deletable")) == ["parameter itemId"]
    assert places(problem_of(changed, 409, "not-deletable")) == ["pointer /delta"]
