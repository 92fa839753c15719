"""Bodies that cannot be: each is refused with its status, code and places, and changes nothing."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate_http.wire.calls import MOST_BYTES
from faregate_http.wire.problems import MOST_ERRORS
from serving.hostility import (
    CONDITIONS,
    ITEMS,
    QUANTITY,
    STATUS,
    TARGETS,
    VOUCHERS,
    Row,
    Target,
    dumped,
    filled_checkout,
    refuse,
)
from serving.raw_requests import CHANNEL, JSON, ask, ask_in_vain, problem_of, reasons, snapshot
from serving.service import SUNDAY, day_ticket, new_url, running


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("hostile")) as client:
        yield client


@pytest.fixture(scope="module")
def url(client: TestClient) -> str:
    return filled_checkout(client)


# ---------------------------------------------------------------- what is no JSON

AT_TOP = ("pointer ",)


def nested(levels: int) -> bytes:
    return b'{"deep":' + b"[" * (levels - 1) + b"]" * (levels - 1) + b"}"


UNREADABLE = {
    "nothing": (b"", AT_TOP),
    "blanks": (b" \n\t ", AT_TOP),
    "half an object": (b"{", AT_TOP),
    "half a word": (b"nul", AT_TOP),
    "two values": (b"{} {}", AT_TOP),
    "a comma at the end": (b'{"a": 1,}', AT_TOP),
    "single quotes": (b"{'a': 1}", AT_TOP),
    "names without quotes": (b"{a: 1}", AT_TOP),
    "a comment": (b"{} // nothing", AT_TOP),
    "a form": (b"items=1&items=2", AT_TOP),
    "XML": (b"<items/>", AT_TOP),
    "NaN": (b'{"a": NaN}', ("pointer /a",)),
    "Infinity": (b'{"a": [Infinity]}', ("pointer /a/0",)),
    "-Infinity": (b'{"a~/b": -Infinity}', ("pointer /a~0~1b",)),
    "NaN alone": (b"NaN", AT_TOP),
    "a byte order mark": (b"\xef\xbb\xbf{}", AT_TOP),
    "UTF-16 with a mark": ("{}".encode("utf-16"), AT_TOP),
    "UTF-16 without": ('{"a": 1}'.encode("utf-16-be"), AT_TOP),
    "UTF-32": ("{}".encode("utf-32"), AT_TOP),
    "latin-1": ('{"a": "Zürich"}'.encode("latin-1"), AT_TOP),
    "half a character": ('{"a": "ü'.encode()[:-1], AT_TOP),
    "an overlong character": (b'{"a": "\xc0\x80"}', AT_TOP),
    "an encoded surrogate": (b'{"a": "\xed\xa0\x80"}', AT_TOP),
    "beyond Unicode": (b'{"a": "\xf4\x90\x80\x80"}', AT_TOP),
    "a lone high surrogate": (rb'{"a": "\ud83d"}', ("pointer /a",)),
    "a lone low surrogate": (rb'{"a": "x\ude00"}', ("pointer /a",)),
    "surrogates in the wrong order": (rb'{"a": "\ude00\ud83d"}', ("pointer /a",)),
    "a lone surrogate in a name": (rb'{"\udfff": 1}', AT_TOP),
    "half an escape": (rb'{"a": "\u12"}', AT_TOP),
    "an unknown escape": (rb'{"a": "\x41"}', AT_TOP),
    "a NUL": (b'{"a": "\x00"}', AT_TOP),
    "a line break in a string": (b'{"a": "b\nc"}', AT_TOP),
    "bytes after the end": (b"{}\x00", AT_TOP),
    "a leading zero": (b'{"a": 01}', AT_TOP),
    "a plus": (b'{"a": +1}', AT_TOP),
    "no digit before the point": (b'{"a": .5}', AT_TOP),
    "no digit after the point": (b'{"a": 1.}', AT_TOP),
    "hexadecimal": (b'{"a": 0x10}', AT_TOP),
    "beyond every number": (b'{"a": 1e309}', ("pointer /a",)),
    "below every number": (b'{"a": 1e-309}', ("pointer /a",)),
    "an exponent without end": (b'{"a": 1e99999999999999999999}', ("pointer /a",)),
    "65 digits": (b'{"a": ' + b"9" * 65 + b"}", ("pointer /a",)),
    "a million digits": (b'{"a": ' + b"9" * 1_000_000 + b"}", ("pointer /a",)),
    "a name twice": (b'{"a": 1, "a": 1}', ("pointer /a",)),
    "a name twice, once escaped": (rb'{"a": 1, "\u0061": 2}', ("pointer /a",)),
    "a name twice, deep inside": (b'{"a": [{"b": {"c": 1, "c": 2}}]}', ("pointer /a/0/b/c",)),
    "several at once": (b'{"a": NaN, "a": 2, "b": [1e999]}', ("pointer /a", "pointer /a", "pointer /b/0")),
    "33 levels": (nested(33), (f"pointer /deep{'/0' * 31}",)),
    "33 levels in a list": (b"[" * 33 + b"]" * 33, (f"pointer {'/0' * 32}",)),
    "a hundred thousand levels": (nested(100_000), AT_TOP),
    "a hundred thousand levels, never closed": (b"[" * 100_000, AT_TOP),
}


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_json_is_400(client: TestClient, url: str, name: str, target: Target) -> None:
    body, expected = UNREADABLE[name]

    refuse(client, url, target, Row(body, "invalid-json", expected))


# ---------------------------------------------------------------- what is not the body that was asked for

NO_OBJECTS = {
    "null": b"null",
    "a boolean": b"true",
    "a number": b"3",
    "a fraction": b"0.5",
    "a string": b'"{}"',
}
NO_OBJECTS |= {"an empty list": b"[]", "a list of an object": b"[{}]"}


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("name", NO_OBJECTS)
def test_a_body_that_is_no_object_is_422(client: TestClient, url: str, name: str, target: Target) -> None:
    problem = refuse(client, url, target, Row(NO_OBJECTS[name], "invalid-body", AT_TOP))

    assert reasons(problem) == ["expected an object"]


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_property_that_is_missing_is_422(client: TestClient, url: str, target: Target) -> None:
    problem = refuse(client, url, target, Row(b"{}", "invalid-body", (f"pointer /{target.property}",)))

    assert reasons(problem) == ["is missing"]


UNKNOWN = [
    "status",
    "totalGross",
    "uuid",
    "",
    "a/b~c",
    "__proto__",
    "constructor",
    "\u0000",
    "ITEMS",
    "Delta",
    "\u200b",
]
UNKNOWN += ["voucherCode ", "form_values", "expiresAt", "x" * 200]


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("name", UNKNOWN)
def test_a_property_that_nobody_knows_is_422(client: TestClient, url: str, name: str, target: Target) -> None:
    pointer = f"pointer /{name.replace('~', '~0').replace('/', '~1')}"

    problem = refuse(client, url, target, Row(dumped(target.good | {name: 1}), "invalid-body", (pointer,)))

    assert reasons(problem) == ["there is no such property"]


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_very_long_name_is_not_repeated(client: TestClient, url: str, target: Target) -> None:
    row = Row(dumped(target.good | {"x" * 201: 1}), "invalid-body", ("pointer ",))

    problem = refuse(client, url, target, row)

    assert reasons(problem) == ["there is no such property"]


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_missing_and_unknown_properties_are_told_together(
    client: TestClient, url: str, target: Target
) -> None:
    expected = (f"pointer /{target.property}", "pointer /a", "pointer /b")

    refuse(client, url, target, Row(dumped({"a": 1, "b": [None]}), "invalid-body", expected))


NO_NUMBERS: list[Any] = [None, True, False, "1", "", 1.5, 1.0, -0.0, 1e2, 1e300, [], [1], {}, {"id": 1}]
NO_STRINGS: list[Any] = [None, True, False, 0, 1, 1.5, [], ["GIFT-100"], {}, {"$ne": ""}]
NO_OBJECT_VALUES: list[Any] = [None, True, False, 0, 1.5, "", "{}", [], [{}]]
NO_LISTS: list[Any] = [None, True, False, 0, 1.5, "", "[]", {}, {"0": {}}]


def typed() -> Iterator[tuple[Target, Any, str, str]]:
    """A body with one value of the wrong type, the pointer to it, and what is said of it."""
    for value in NO_NUMBERS:
        yield QUANTITY, {"delta": value}, "/delta", "expected a whole number"
    for value in (-1_000_001, -(10**30), -(10**63)):
        yield QUANTITY, {"delta": value}, "/delta", "expected at least -1000000"
    for value in (1_000_001, 2**31, 2**63, 10**63):
        yield QUANTITY, {"delta": value}, "/delta", "expected at most 1000000"
    for value in NO_STRINGS:
        yield VOUCHERS, {"voucherCode": value}, "/voucherCode", "expected a string"
    yield VOUCHERS, {"voucherCode": ""}, "/voucherCode", "expected at least 1 character"
    yield VOUCHERS, {"voucherCode": "x" * 65}, "/voucherCode", "expected at most 64 characters"
    yield VOUCHERS, {"voucherCode": "😀" * 65}, "/voucherCode", "expected at most 64 characters"
    for value in NO_OBJECT_VALUES:
        yield CONDITIONS, {"formValues": value}, "/formValues", "expected an object"
    for value in NO_LISTS:
        yield ITEMS, {"items": value}, "/items", "expected an array"
    for value in (None, True, 3, 1.5, "", [], [{}]):
        yield ITEMS, {"items": [day_ticket(20), value]}, "/items/1", "expected an object"
    yield ITEMS, {"items": [{}] * 501}, "/items", "expected at most 500 elements, got 501"
    yield from typed_item_fields()


def typed_item_fields() -> Iterator[tuple[Target, Any, str, str]]:
    largest = {"id": 2**31 - 1}
    for field in (
        "id",
        "productVariantId",
        "personId",
        "parentItemId",
        "originatedItemId",
        "discountCardTypeId",
    ):
        most = largest.get(field, 2**53 - 1)
        is_required = field in {"id", "productVariantId"}
        values = [
            (value, "expected a whole number") for value in NO_NUMBERS if is_required or value is not None
        ]
        values += [(value, "expected at least 1") for value in (0, -1, -(2**63), -(10**60))]
        values += [(value, f"expected at most {most}") for value in (most + 1, 2**63, 2**64, 10**60)]
        for value, reason in values:
            yield ITEMS, {"items": [day_ticket(20, **{field: value})]}, f"/items/0/{field}", reason
    for value in NO_OBJECT_VALUES[1:]:
        yield ITEMS, {"items": [day_ticket(20, validity=value)]}, "/items/0/validity", "expected an object"
    for field in ("from", "to"):
        cases = [(value, "expected a string") for value in NO_STRINGS]
        cases += [("", "expected at least 1 character"), ("2" * 41, "expected at most 40 characters")]
        for value, reason in cases:
            body = {"items": [day_ticket(20, validity=SUNDAY | {field: value})]}
            yield ITEMS, body, f"/items/0/validity/{field}", reason


TYPED = list(typed())


@pytest.mark.parametrize("index", range(len(TYPED)))
def test_a_value_of_the_wrong_type_or_size_is_422(client: TestClient, url: str, index: int) -> None:
    target, body, pointer, reason = TYPED[index]

    problem = refuse(client, url, target, Row(dumped(body), "invalid-body", (f"pointer {pointer}",)))

    assert reasons(problem) == [reason]


# ---------------------------------------------------------------- sizes


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_body_may_have_a_mebibyte_and_not_a_byte_more(client: TestClient, url: str, target: Target) -> None:
    full = b'{"a": 1' + b" " * (MOST_BYTES - 8) + b"}"
    assert len(full) == MOST_BYTES
    announced = [(*JSON, ("content-length", str(len(full) + extra))) for extra in (0, 1)]
    pieces = [full[at : at + 65_536] for at in range(0, MOST_BYTES, 65_536)]

    def problem_with(body: bytes | list[bytes], code: str, headers: Any = JSON) -> None:
        before = snapshot(client, url)
        problem_of(
            ask(client, target.method, url + target.path, headers=headers, body=body), STATUS[code], code
        )
        assert snapshot(client, url) == before

    problem_with(full, "invalid-body")
    problem_with(full, "invalid-body", announced[0])
    problem_with(pieces, "invalid-body")
    problem_with(full + b" ", "body-too-large")
    problem_with(full + b" ", "body-too-large", announced[1])
    problem_with([*pieces, b" "], "body-too-large")
    problem_with([*pieces, b"", b" " * MOST_BYTES], "body-too-large")
    problem_with([b""], "body-too-large", announced[1])  # refused before any of it is read
    problem_with([b""], "body-too-large", (*JSON, ("content-length", "9" * 4000)))


def test_a_body_in_tiny_pieces_is_read_as_one(client: TestClient) -> None:
    body = dumped({"items": [day_ticket(1)]})

    reply = ask(client, "POST", f"{new_url()}/items", body=[bytes([byte]) for byte in body])

    assert reply.status == 200


FULL_OF_FAULTS = {
    "unknown properties": (ITEMS, b"{" + b",".join(b'"%d":1' % n for n in range(90_000)) + b"}"),
    "empty items": (ITEMS, b'{"items":[' + b",".join([b"{}"] * 500) + b"]}"),
}


@pytest.mark.parametrize("name", FULL_OF_FAULTS)
def test_of_very_many_faults_only_some_are_told(client: TestClient, url: str, name: str) -> None:
    target, body = FULL_OF_FAULTS[name]
    before = snapshot(client, url)

    reply = ask(client, target.method, url + target.path, body=body)

    assert reply.status == 422
    assert len(reply.json()["errors"]) == MOST_ERRORS
    assert len(reply.body) < 200_000
    assert snapshot(client, url) == before


TOO_MUCH_TO_LOOK_AT = {
    "questions": (
        b'{"formValues":{' + b",".join(b'"%d":1' % n for n in range(90_000)) + b"}}",
        "/formValues",
    ),
    "media": (
        b'{"formValues":{"media":{' + b",".join(b'"%d":1' % n for n in range(100, 90_000)) + b"}}}",
        "/formValues/media",
    ),
}


@pytest.mark.parametrize("name", TOO_MUCH_TO_LOOK_AT)
def test_more_answers_than_there_could_be_are_refused_unread(client: TestClient, url: str, name: str) -> None:
    body, pointer = TOO_MUCH_TO_LOOK_AT[name]
    before = snapshot(client, url)

    reply = ask(client, CONDITIONS.method, url + CONDITIONS.path, body=body)

    assert reply.status == 422
    assert [error["pointer"] for error in reply.json()["errors"]] == [pointer]
    assert snapshot(client, url) == before


# ---------------------------------------------------------------- media types

MEDIA_TYPES = {
    "none": [],
    "empty": [""],
    "text": ["text/plain"],
    "a form": ["application/x-www-form-urlencoded"],
    "parts": ["multipart/form-data; boundary=x"],
    "octets": ["application/octet-stream"],
    "another JSON": ["application/problem+json"],
    "a patch": ["application/merge-patch+json"],
    "JSON lines": ["application/jsonl"],
    "text JSON": ["text/json"],
    "any": ["*/*"],
    "a list": ["application/json, application/json"],
    "latin-1": ["application/json; charset=latin-1"],
    "utf-16": ["application/json; charset=utf-16"],
    "another parameter": ["application/json; profile=x"],
    "half a parameter": ["application/json;"],
    "longer": ["application/json5"],
    "in quotes": ['"application/json"'],
    "other letters": ["application/j\u017fon"],
}


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("name", MEDIA_TYPES)
def test_another_media_type_is_415(client: TestClient, url: str, name: str, target: Target) -> None:
    headers = [*CHANNEL, *(("content-type", value.encode()) for value in MEDIA_TYPES[name])]
    before = snapshot(client, url)

    reply = ask(client, target.method, url + target.path, headers=headers, body=dumped(target.good))

    problem_of(reply, 415, "unsupported-media-type")
    assert reply.header("accept") == "application/json"
    assert snapshot(client, url) == before


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "identity", "gzip, gzip", ""])
def test_an_encoded_body_is_415(client: TestClient, url: str, encoding: str, target: Target) -> None:
    headers = (*JSON, ("content-encoding", encoding))
    before = snapshot(client, url)

    reply = ask(client, target.method, url + target.path, headers=headers, body=dumped(target.good))

    problem_of(reply, 415, "unsupported-media-type")
    assert snapshot(client, url) == before


@pytest.mark.parametrize(
    "media_type",
    [
        "application/json",
        "Application/JSON",
        "application/json;charset=utf-8",
        'application/json ; charset="UTF-8"',
    ],
)
def test_json_has_more_than_one_spelling(client: TestClient, media_type: str) -> None:
    headers = (*CHANNEL, ("content-type", media_type))

    reply = ask(
        client, "POST", f"{new_url()}/items", headers=headers, body=dumped({"items": [day_ticket(1)]})
    )

    assert reply.status == 200


# ---------------------------------------------------------------- clients that go


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
@pytest.mark.parametrize("sent", [0, 1, -1])
def test_who_goes_before_the_body_is_complete_changes_nothing(
    client: TestClient, url: str, target: Target, sent: int
) -> None:
    body = dumped(target.good)
    before = snapshot(client, url)

    reply = ask_in_vain(
        client, target.method, url + target.path, body=[body[:sent]] if sent else [], disconnects=True
    )

    assert reply is None
    assert snapshot(client, url) == before


def test_who_goes_after_a_complete_text_has_not_said_so_either(client: TestClient, url: str) -> None:
    before = snapshot(client, url)

    reply = ask_in_vain(client, "PATCH", f"{url}/items/1/quantity", body=[b'{"delta": 1}'], disconnects=True)

    assert reply is None
    assert snapshot(client, url) == before
