"""What a gate may not ask: refused with status, code and the place of every fault, and never a price."""

from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from serving.gate import ADULT, DTA, EVERY_FIELD, SYSTEM, ask_gate, refused, without
from serving.raw_requests import reasons
from serving.service import Json, running

BARE = without(ADULT, *DTA)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("hostile")) as client:
        yield client


# ---------------------------------------------------------------- the shape of each field

NO_STRINGS: list[Any] = [True, False, 0, 1, 20270116, 1.5, [], ["2027-01-16"], {}, {"$ne": ""}]
NO_NUMBERS: list[Any] = [True, False, "1", "", "0x1", 1.5, 1.0, -0.0, 1e2, 1e300, [], [1], {}, {"$gt": 0}]
NO_FLAGS: list[Any] = [0, 1, -1, 0.5, "true", "false", "", "{}", [], [{}], {"value": True}, {"": None}]
TEXT, WHOLE, FLAG = "expected a string", "expected a whole number", "expected true or false"
MOST_ID, MOST_UNITS = 2**53 - 1, 1_000_000


def sized(least: int, most: int, *, beyond: Iterable[int] = ()) -> Iterator[tuple[Any, str]]:
    """Values that are no whole number, or none from *least* to *most*."""
    yield from ((value, WHOLE) for value in NO_NUMBERS)
    yield from ((value, f"expected at least {least}") for value in (0, -1, -(2**31), -(2**63), -(10**63)))
    yield from ((value, f"expected at most {most}") for value in (most + 1, 2**64, 10**63, *beyond))


def text_of(most: int) -> Iterator[tuple[Any, str]]:
    """Values that are no text, or none of one to *most* characters."""
    yield from ((value, TEXT) for value in NO_STRINGS)
    yield "", "expected at least 1 character"
    yield from ((value * (most + 1), f"expected at most {most} characters") for value in ("2", "ü", "😀"))
    yield "2027" * 10_000, f"expected at most {most} characters"


def spoilt_fields() -> Iterator[tuple[str, Any, str]]:
    """A field, a value that it does not take, and what is said of that."""
    for field in ("valid_from", "order_date", "valid_to"):
        yield from ((field, value, reason) for value, reason in text_of(40))
    for field in ("valid_from", "order_date", "quantity", "currency_code"):
        yield field, None, WHOLE if field == "quantity" else TEXT
    yield from (("quantity", value, reason) for value, reason in sized(1, MOST_UNITS, beyond=[2**31]))
    for field in DTA:
        yield from ((field, value, reason) for value, reason in sized(1, MOST_ID))
    for field in SYSTEM:
        yield from ((field, value, reason) for value, reason in text_of(64))
    for field in ("depot_flag", "is_online_pos"):
        yield from ((field, value, FLAG) for value in NO_FLAGS)
    yield from (("currency_code", value, TEXT) for value in NO_STRINGS)
    for code in NO_CODES:
        yield "currency_code", code, "expected text that matches ^[A-Z][A-Z][A-Z]$"


NO_CODES = ["", "C", "CH", "CHFF", "chf", "Chf", "C H", "CH1", "CHF ", " CHF", "CHF\n", "\nCHF", "CHF\x00"]
NO_CODES += [
    "\u0421HF",
    "\uff23\uff28\uff26",
    "C\u200bHF",
    "CHF\u0301",
    "ÇHF",
    "CH\u03a6",
    "756",
    "C" * 100_000,
]
SPOILT = list(spoilt_fields())


@pytest.mark.parametrize("index", range(len(SPOILT)))
def test_a_value_of_the_wrong_type_or_size_is_422(client: TestClient, index: int) -> None:
    field, value, reason = SPOILT[index]

    problem = refused(ask_gate(client, EVERY_FIELD | {field: value}), 422, "invalid-body", f"/{field}")

    assert reasons(problem) == [reason]


REQUIRED = ("valid_from", "order_date", "quantity", "currency_code")


@pytest.mark.parametrize("field", REQUIRED)
def test_four_fields_are_required(client: TestClient, field: str) -> None:
    problem = refused(ask_gate(client, without(EVERY_FIELD, field)), 422, "invalid-body", f"/{field}")

    assert reasons(problem) == ["is missing"]


@pytest.mark.parametrize("field", [field for field in EVERY_FIELD if field not in REQUIRED])
def test_no_other_field_is_required(client: TestClient, field: str) -> None:
    body = EVERY_FIELD if field in (*DTA, *SYSTEM) else without(EVERY_FIELD, field)
    pair = next((pair for pair in (DTA, SYSTEM) if field in pair), ())

    assert ask_gate(client, without(body, *pair)).status == 200


UNKNOWN = ["validFrom", "Quantity", "QUANTITY", "quantity ", "qu\u0430ntity", "", "a/b~c", "__proto__"]
UNKNOWN += ["constructor", "price", "unit_price_cents", "\u0000", "\u200b", "valid_from[]", "x" * 200]


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_property_that_nobody_knows_is_422(client: TestClient, name: str) -> None:
    pointer = f"/{name.replace('~', '~0').replace('/', '~1')}"

    problem = refused(ask_gate(client, ADULT | {name: 1}), 422, "invalid-body", pointer)

    assert reasons(problem) == ["there is no such property"]


@pytest.mark.parametrize("body", [b"null", b"true", b"1", b"0.5", b'"{}"', b"[]", b"[{}]"])
def test_a_body_that_is_no_object_is_422(client: TestClient, body: bytes) -> None:
    assert reasons(refused(ask_gate(client, body), 422, "invalid-body", "")) == ["expected an object"]


def test_all_faults_of_the_shape_are_told_and_none_of_the_meaning(client: TestClient) -> None:
    body = {
        "valid_from": 1,
        "order_date": "yesterday",
        "valid_to": [],
        "quantity": 0,
        "currency_code": "EURO",
        "dta_product_id": "1",
        "dta_consumer_category": 1.0,
        "system_product_id": "",
        "system_consumer_category": {},
        "depot_flag": "no",
        "is_online_pos": 1,
        "channel": None,
    }
    at_fault = [f"/{name}" for name in body if name != "order_date"]

    refused(ask_gate(client, body), 422, "invalid-body", *at_fault)


# ---------------------------------------------------------------- what the fields mean

NO_MOMENTS = [
    "now",
    "tomorrow",
    "16.01.2027",
    "01/16/2027",
    "2027-1-16",
    "27-01-16",
    "20270116",
    "2027-01",
    "2027-W02-6",
    "2027-016",
    "2027-02-29",
    "2027-13-01",
    "2027-00-10",
    "2027-01-32",
    "0000-01-01",
    "2027-01-16T",
    "2027-01-16T24:00:00Z",
    "2027-01-16T25:00",
    "2027-01-16T09:60:00Z",
    "2027-01-16T09:00:61Z",
    "2027-01-16T9:00:00Z",
    "2027-01-16 09:00:00Z ",
    " 2027-01-16",
    "2027-01-16\n",
    "2027-01-16T09:00:00Z\n",
    "2027-01-16T09:00:00+25:00",
    "2027-01-16T09:00:00+01:0",
    "2027-01-16T09:00:00+0a:00",
    "2027-01-16T09:00:00 Europe/Zurich",
    "2027-01-16T09:00:00ZZ",
    "1800000000",
    "1.8e9",
    "P1D",
    "null",
    "NaN",
    "\x00",
    "２０２７-01-16",  # noqa: RUF001 - digits that are none here
    "2027-01-1\u0666",
    "2027\u201301\u201316",
    "2027\u201101\u201116",
    "2027-01-16\u200b",
    "2027-01-16T09:00:00\u2212" + "01:00",
]


@pytest.mark.parametrize("field", ["valid_from", "order_date", "valid_to"])
@pytest.mark.parametrize("moment", NO_MOMENTS, ids=range(len(NO_MOMENTS)))
def test_what_is_no_moment_is_422(client: TestClient, field: str, moment: str) -> None:
    refused(ask_gate(client, ADULT | {field: moment}), 422, "invalid-validity", f"/{field}")


@pytest.mark.parametrize("moment", ["0001-01-01", "9999-12-31", "9999-12-31T23:59:59.999999Z"])
@pytest.mark.parametrize("field", ["valid_from", "order_date", "valid_to"])
def test_the_ends_of_time_are_an_answer(client: TestClient, field: str, moment: str) -> None:
    reply = ask_gate(client, ADULT | {field: moment})

    assert reply.status in {200, 422}


# What is asked beside the four required fields, the code, and the places at fault.
MEANT: list[tuple[Json, str, tuple[str, ...]]] = [
    # No pair, half a pair, both halves of none.
    ({}, "mapping-required", ("/dta_product_id",)),
    (dict.fromkeys((*DTA, *SYSTEM)), "mapping-required", ("/dta_product_id",)),
    ({"dta_product_id": 1}, "mapping-required", ("/dta_consumer_category",)),
    ({"dta_consumer_category": 1}, "mapping-required", ("/dta_product_id",)),
    ({"system_product_id": "P1"}, "mapping-required", ("/system_consumer_category",)),
    ({"system_consumer_category": "A"}, "mapping-required", ("/system_product_id",)),
    (
        {"dta_product_id": 1, "system_consumer_category": "A"},
        "mapping-required",
        ("/dta_consumer_category", "/system_product_id"),
    ),
    (DTA | {"system_product_id": "P1"}, "mapping-required", ("/system_consumer_category",)),
    # Ids of nothing.
    (DTA | {"dta_product_id": 999}, "unknown-mapping", ("/dta_product_id",)),
    (DTA | {"dta_consumer_category": 999}, "unknown-mapping", ("/dta_product_id",)),
    (DTA | {"dta_product_id": MOST_ID}, "unknown-mapping", ("/dta_product_id",)),
    (SYSTEM | {"system_product_id": "P9"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "p1"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "P1 "}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "P1\x00"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "\u0420" + "1"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "P\uff11"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "P\u200b1"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_consumer_category": "\u0410"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_consumer_category": "A\u0301"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_consumer_category": "' OR 1=1 --"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_consumer_category": "😀" * 64}, "unknown-mapping", ("/system_product_id",)),
    ({"system_product_id": "1", "system_consumer_category": "1"}, "unknown-mapping", ("/system_product_id",)),
    (DTA | SYSTEM | {"dta_product_id": 7_777}, "unknown-mapping", ("/dta_product_id",)),
    (
        {"dta_product_id": 7_777, "dta_consumer_category": 1, **SYSTEM, "system_product_id": "?"},
        "unknown-mapping",
        ("/dta_product_id", "/system_product_id"),
    ),
    # Two pairs that do not agree.
    (DTA | SYSTEM | {"system_consumer_category": "B"}, "mapping-conflict", ("/system_product_id",)),
    (DTA | SYSTEM | {"dta_product_id": 2}, "mapping-conflict", ("/system_product_id",)),
    # The money of somebody else.
    *[
        (DTA | {"currency_code": code}, "currency-mismatch", ("/currency_code",))
        for code in ("EUR", "XXX", "CHW")
    ],
    # Kept at the gate, which is not for tickets of several days.
    (DTA | {"dta_product_id": 2, "depot_flag": True}, "depot-not-allowed", ("/depot_flag",)),
    # Ordered after the first day.
    (DTA | {"order_date": "2027-01-17"}, "ordered-too-late", ("/order_date",)),
    (DTA | {"order_date": "2027-01-16T23:00:00Z"}, "ordered-too-late", ("/order_date",)),
    (DTA | {"order_date": "8999-12-01"}, "ordered-too-late", ("/order_date",)),
    # Ends that cannot be.
    (DTA | {"valid_to": "2027-01-15"}, "invalid-validity", ("/valid_to",)),
    (DTA | {"valid_to": "2027-01-16T08:30:00+01:00"}, "invalid-validity", ("/valid_to",)),
    (DTA | {"valid_to": "2027-01-16T07:29:59Z"}, "invalid-validity", ("/valid_to",)),
    (DTA | {"valid_from": "2027-01-16", "valid_to": "2027-01-17"}, "invalid-validity", ("/valid_to",)),
    (DTA | {"valid_from": "2027-01-16", "valid_to": "2027-01-16T13:00"}, "invalid-validity", ("/valid_to",)),
    (
        DTA | {"dta_product_id": 2, "valid_from": "2027-01-16", "valid_to": "2027-01-23"},
        "invalid-validity",
        ("/valid_to",),
    ),
    (
        DTA | {"dta_product_id": 3, "valid_from": "2027-03-28T00:00", "valid_to": "2027-03-28T04:00"},
        "invalid-validity",  # three hours
        ("/valid_to",),
    ),
]


@pytest.mark.parametrize("index", range(len(MEANT)))
def test_what_cannot_be_priced_is_422_and_says_where(client: TestClient, index: int) -> None:
    fields, code, pointers = MEANT[index]

    problem = refused(ask_gate(client, BARE | fields), 422, code, *pointers)

    assert {error["code"] for error in problem["errors"]} == {code}


def test_all_faults_of_the_meaning_are_told_together(client: TestClient) -> None:
    body = ADULT | {"order_date": "2027-02-01", "valid_to": "2027-01-02", "currency_code": "EUR"}

    problem = refused(
        ask_gate(client, body), 422, "invalid-access-request", "/order_date", "/currency_code", "/valid_to"
    )

    told = [error["code"] for error in problem["errors"]]
    assert told == ["ordered-too-late", "currency-mismatch", "invalid-validity"]


def test_what_can_be_told_without_the_mapping_is_told_beside_it(client: TestClient) -> None:
    body = ADULT | {"dta_product_id": 999, "valid_from": "soon", "order_date": "late", "valid_to": "never"}
    expected = ("/valid_from", "/order_date", "/valid_to", "/dta_product_id")

    refused(ask_gate(client, body), 422, "invalid-access-request", *expected)


# ---------------------------------------------------------------- anything at all

ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(-1e6, 1e6, allow_subnormal=False)
    | st.text(max_size=70),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)
MOMENTS = st.datetimes().map(str) | st.dates().map(str) | st.datetimes().map(lambda at: f"{at.isoformat()}Z")
LIKELY = st.sampled_from([*EVERY_FIELD.values(), 2, 3, "P2", "B", False, True, None]) | MOMENTS


@given(st.fixed_dictionaries({}, optional=dict.fromkeys(EVERY_FIELD, LIKELY | ANYTHING)))
def test_whatever_is_asked_is_priced_or_refused(client: TestClient, fields: Json) -> None:
    reply = ask_gate(client, ADULT | fields)

    if reply.status == 200:
        answer = reply.json()
        most = answer["unit_price_cents"] * (ADULT | fields)["quantity"]
        assert 0 < answer["calculated_price_cents"] <= most  # less for groups
    else:
        assert reply.status == 422
        assert {error["pointer"][1:] for error in reply.json()["errors"]} <= set(EVERY_FIELD)
