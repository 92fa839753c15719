"""Requests to the gate that cannot be read, whatever they ask: status, code and the place of each fault."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from faregate_http.wire.calls import MOST_BYTES
from serving.gate import ADULT, OF_JSON, PATH, ask_gate, dumped, refused
from serving.raw_requests import Headers, ask, ask_in_vain, places, problem_of
from serving.service import running


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("hostile")) as client:
        yield client


# ---------------------------------------------------------------- JSON

UNREADABLE = {
    "nothing": (b"", ""),
    "blanks": (b" \n\t", ""),
    "half an object": (b'{"quantity": 1', ""),
    "two objects": (dumped(ADULT) * 2, ""),
    "a form": (b"quantity=1&currency_code=CHF", ""),
    "a comma at the end": (b'{"quantity": 1,}', ""),
    "NaN": (b'{"quantity": NaN}', "/quantity"),
    "Infinity": (b'{"quantity": Infinity}', "/quantity"),
    "beyond every number": (b'{"quantity": 1e309}', "/quantity"),
    "65 digits": (b'{"dta_product_id": ' + b"9" * 65 + b"}", "/dta_product_id"),
    "a million digits": (b'{"quantity": ' + b"9" * 1_000_000 + b"}", "/quantity"),
    "an exponent without end": (b'{"quantity": 1e' + b"9" * 30 + b"}", "/quantity"),
    "a leading zero": (b'{"quantity": 01}', ""),
    "a plus": (b'{"quantity": +1}', ""),
    "a field twice": (b'{"quantity": 1, "quantity": 2}', "/quantity"),
    "a field twice alike": (b'{"quantity": 1, "quantity": 1}', "/quantity"),
    "a field twice, once escaped": (rb'{"quantity": 1, "quantit\u0079": 1}', "/quantity"),
    "a key twice in a flag": (b'{"depot_flag": {"a": 1, "a": 1}}', "/depot_flag/a"),
    "a lone surrogate": (rb'{"system_product_id": "\ud83d"}', "/system_product_id"),
    "33 levels": (b'{"depot_flag": ' + b"[" * 32 + b"]" * 32 + b"}", f"/depot_flag{'/0' * 31}"),
    "a hundred thousand levels": (b'{"depot_flag":' + b"[" * 100_000 + b"]" * 100_000 + b"}", ""),
    "a byte order mark": (b"\xef\xbb\xbf" + dumped(ADULT), ""),
    "UTF-16": (dumped(ADULT).decode().encode("utf-16"), ""),
    "latin-1": ('{"system_product_id": "Zürich"}'.encode("latin-1"), ""),
    "an encoded surrogate": (b'{"system_product_id": "\xed\xa0\x80"}', ""),
    "a NUL": (b'{"system_product_id": "\x00"}', ""),
    "bytes after the end": (dumped(ADULT) + b"\x00", ""),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_json_is_400(client: TestClient, name: str) -> None:
    body, pointer = UNREADABLE[name]

    refused(ask_gate(client, body), 400, "invalid-json", pointer)


# ---------------------------------------------------------------- what carries it


@pytest.mark.parametrize(
    "headers",
    [
        (),
        (("content-type", ""),),
        (("content-type", "text/plain"),),
        (("content-type", "text/json"),),
        (("content-type", "application/x-www-form-urlencoded"),),
        (("content-type", "application/json; charset=latin-1"),),
        (("content-type", "application/problem+json"),),
        (*OF_JSON, ("content-encoding", "gzip")),
        (*OF_JSON, ("content-encoding", "")),
    ],
    ids=range(9),
)
def test_what_does_not_say_it_is_json_is_415(client: TestClient, headers: Headers) -> None:
    reply = ask_gate(client, ADULT, headers=headers)

    problem_of(reply, 415, "unsupported-media-type")
    assert reply.header("accept") == "application/json"


@pytest.mark.parametrize(
    "headers",
    [
        (("api-version", ""),),
        (("api-version", "2025-02-17"),),
        (("api-version", "latest"),),
        (("api-version", "2025-02-18"), ("api-version", "1")),
    ],
    ids=range(4),
)
def test_another_version_is_400(client: TestClient, headers: Headers) -> None:
    problem = problem_of(ask_gate(client, ADULT, headers=(*OF_JSON, *headers)), 400, "invalid-request")

    assert places(problem) == ["header api-version"]


def test_one_body_has_one_type(client: TestClient) -> None:
    reply = ask_gate(client, ADULT, headers=(*OF_JSON, ("content-type", "text/plain")))

    assert places(problem_of(reply, 400, "invalid-request")) == ["header content-type"]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("a", ["a"]),
        ("quantity=2", ["quantity"]),
        ("a=1&b=%ff&c=%zz", ["b", "c", "a", "b", "c"]),
        ("%", ["%"]),
        ("service-channel-uuid=x", ["service-channel-uuid"]),
    ],
)
def test_a_query_parameter_is_400(client: TestClient, query: str, expected: list[str]) -> None:
    reply = ask(client, "POST", f"{PATH}?{query}", headers=OF_JSON, body=dumped(ADULT))

    assert places(problem_of(reply, 400, "invalid-request")) == [f"parameter {name}" for name in expected]


def test_headers_and_query_at_fault_are_told_together(client: TestClient) -> None:
    headers = (*OF_JSON, ("api-version", "1"), ("service-channel-uuid", "x"))

    reply = ask(client, "POST", f"{PATH}?a=1", headers=headers, body=b"{")

    problem = problem_of(reply, 400, "invalid-request")
    assert places(problem) == ["parameter a", "header api-version"]


def test_a_body_may_have_a_mebibyte_and_not_a_byte_more(client: TestClient) -> None:
    full = dumped(ADULT).ljust(MOST_BYTES)
    announced = (*OF_JSON, ("content-length", str(MOST_BYTES + 1)))

    assert ask_gate(client, full).status == 200
    problem_of(ask_gate(client, full + b" "), 413, "body-too-large")
    problem_of(ask_gate(client, b"", headers=announced), 413, "body-too-large")


def test_a_body_in_tiny_pieces_is_read_as_one(client: TestClient) -> None:
    pieces = [bytes([byte]) for byte in dumped(ADULT)]

    reply = ask(client, "POST", PATH, headers=OF_JSON, body=pieces)

    assert reply == ask_gate(client, ADULT)


def test_who_goes_before_the_end_gets_nothing(client: TestClient) -> None:
    assert ask_in_vain(client, "POST", PATH, headers=OF_JSON, body=b"{", disconnects=True) is None


@pytest.mark.parametrize(
    "path",
    [
        f"{PATH}/",
        PATH.upper(),
        f"{PATH}%0A",
        f"/{PATH}",
        PATH.replace("/external", ""),
        f"{PATH};a=1",
        f"{PATH}/1",
    ],
)
def test_the_path_has_one_spelling(client: TestClient, path: str) -> None:
    problem_of(ask(client, "POST", path, headers=OF_JSON, body=dumped(ADULT)), 404, "not-found")
