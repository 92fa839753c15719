"""Prices at the gate, worked out by hand from the catalogue of the demo resort."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from serving.documented_fields import Type
from serving.documented_schemas import schema_differences
from serving.gate import ADULT, DTA, EVERY_FIELD, OF_JSON, PATH, SYSTEM, ask_gate, priced, without
from serving.openapi_conformity import DOCUMENT
from serving.raw_requests import Headers, ask, problem_of
from serving.service import Json, running


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("gate")) as client:
        yield client


def cents(client: TestClient, **fields: Any) -> int:
    """What one unit of the request for an adult costs, with other *fields*."""
    return priced(client, **fields)[0]


# ---------------------------------------------------------------- what it costs


def test_a_day_ticket_for_an_adult_costs_79_francs(client: TestClient) -> None:
    reply = ask_gate(client, ADULT)

    assert reply.status == 200
    assert reply.body == b'{"calculated_price_cents":7900,"unit_price_cents":7900,"currency_code":"CHF"}'
    assert reply.headers == (
        (b"content-type", b"application/json"),
        (b"api-version", b"2025-02-18"),
        (b"content-length", b"77"),
        (b"x-request-id", b"one-request"),
    )


# Product and category by number and by name; the price of the catalogue.
MAPPINGS = [
    pytest.param(1, 1, "P1", "A", 7900, id="adult"),
    pytest.param(1, 2, "P1", "B", 5500, id="youth"),
    pytest.param(1, 3, "P1", "C", 3900, id="child"),
    pytest.param(1, 4, "P1", "F", 19900, id="family"),
    pytest.param(2, 1, "P2", "A", 15100, id="two days, adult"),
    pytest.param(3, 1, "P3", "A", 6100, id="four hours, adult"),
]


@pytest.mark.parametrize(("product", "category", "named", "named_category", "price"), MAPPINGS)
def test_either_pair_of_ids_or_both_find_the_variant(
    client: TestClient, product: int, category: int, named: str, named_category: str, price: int
) -> None:
    dta = {"dta_product_id": product, "dta_consumer_category": category}
    system = {"system_product_id": named, "system_consumer_category": named_category}
    bare = without(ADULT, *DTA)

    for ids in (dta, system, dta | system, dict.fromkeys(DTA) | system, dict.fromkeys(SYSTEM) | dta):
        assert priced(client, bare | ids) == (price, price, "CHF")


@pytest.mark.parametrize("quantity", [1, 2, 3, 7, 100, 999_999, 1_000_000])
def test_all_units_cost_their_number_times_one(client: TestClient, quantity: int) -> None:
    assert priced(client, quantity=quantity) == (7900, 7900 * quantity, "CHF")


@pytest.mark.parametrize(
    ("quantity", "total"),
    [
        (9, 54900),  # 9 times 61.00
        (10, 57950),  # 610.00 less 5 %
        (19, 110100),  # 1,159.00 less 57.95 is 1,101.05, to half a franc
        (20, 109800),  # 1,220.00 less 10 %
    ],
)
def test_groups_pay_less_in_all_and_the_same_for_one(client: TestClient, quantity: int, total: int) -> None:
    assert priced(client, dta_product_id=3, quantity=quantity) == (6100, total, "CHF")


@pytest.mark.parametrize(
    "flags",
    [
        {"depot_flag": None, "is_online_pos": None},
        {"depot_flag": {}, "is_online_pos": {}},
        {"depot_flag": False, "is_online_pos": True},
        {"depot_flag": {}},
        {"is_online_pos": {}},
    ],
    ids=str,
)
def test_an_empty_object_and_null_say_nothing(client: TestClient, flags: Json) -> None:
    assert ask_gate(client, ADULT | flags) == ask_gate(client, ADULT)


@pytest.mark.parametrize(
    ("category", "is_online", "is_depot", "price"),
    [
        (1, True, False, 7900),
        (1, True, True, 7900),
        (1, False, False, 8400),
        (1, False, {}, 8400),
        (1, False, True, 7900),
        (1, None, True, 7900),
        (2, True, False, 5500),
        (2, False, False, 5900),
        (2, False, True, 5900),
        (3, False, None, 4200),
        (4, False, None, 21000),
    ],
)
def test_a_sale_at_the_gate_itself_may_cost_more(
    client: TestClient, category: int, is_online: Any, is_depot: Any, price: int
) -> None:
    flags = {"is_online_pos": is_online, "depot_flag": is_depot}

    assert priced(client, dta_consumer_category=category, **flags) == (price, price, "CHF")


def test_null_says_nothing(client: TestClient) -> None:
    nulls = dict.fromkeys(("valid_to", "depot_flag", "is_online_pos", *SYSTEM))

    assert ask_gate(client, ADULT | nulls) == ask_gate(client, ADULT)


def test_all_fields_may_be_given_at_once(client: TestClient) -> None:
    assert priced(client, EVERY_FIELD) == (7900, 7900, "CHF")


# ---------------------------------------------------------------- when

SKI_DAYS = {"dta_product_id": 2, "valid_from": "2027-01-16"}


@pytest.mark.parametrize(
    "end",
    [
        "2027-01-18",
        "2027-01-18T23:59:59",
        "2027-01-18T23:59:59+01:00",
        "2027-01-18T22:59:59Z",
        "2027-01-19T00:00",
        "2027-01-19T00:00:00",
        "2027-01-19T00:00:00+01:00",
        "2027-01-18T23:00:00Z",
        "2027-01-18T23:00:00.000Z",
        "2027-01-18T18:00:00-05:00",
    ],
)
def test_an_end_may_be_told_in_every_form(client: TestClient, end: str) -> None:
    assert cents(client, **SKI_DAYS, valid_to=end) == 21750  # three days


@pytest.mark.parametrize(
    ("last", "price"),
    [("17", 15100), ("18", 21750), ("19", 27800), ("20", 33250), ("21", 38000), ("22", 42100)],
)
def test_each_number_of_days_has_its_price(client: TestClient, last: str, price: int) -> None:
    assert cents(client, **SKI_DAYS, valid_to=f"2027-01-{last}") == price


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param("2027-03-28", "2027-03-28", id="of 23 hours, by date"),
        pytest.param("2027-03-28T00:00:00+01:00", "2027-03-29T00:00:00+02:00", id="of 23 hours"),
        pytest.param("2027-03-27T23:00:00Z", "2027-03-28T22:00:00Z", id="of 23 hours, in UTC"),
        pytest.param("2027-10-31", "2027-10-31", id="of 25 hours, by date"),
        pytest.param("2027-10-31T00:00:00+02:00", "2027-11-01T00:00:00+01:00", id="of 25 hours"),
        pytest.param("2027-10-30T22:00:00Z", "2027-10-31T23:00:00Z", id="of 25 hours, in UTC"),
    ],
)
def test_a_day_is_a_day_when_clocks_change(client: TestClient, start: str, end: str) -> None:
    assert cents(client, valid_from=start, order_date=start, valid_to=end) == 7900


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2027-03-28T00:00:00+01:00", "2027-03-28T05:00:00+02:00"),
        ("2027-10-31T00:00:00+02:00", "2027-10-31T03:00:00+01:00"),
        ("2027-01-16T09:00:00+01:00", "2027-01-16T13:00:00+01:00"),
        ("2027-01-16T09:00", "2027-01-16T12:00:00Z"),
    ],
)
def test_four_hours_are_four_hours_when_clocks_change(client: TestClient, start: str, end: str) -> None:
    assert cents(client, dta_product_id=3, valid_from=start, order_date=start, valid_to=end) == 6100


@pytest.mark.parametrize("day", ["1999-12-31", "2016-02-29", "2024-01-01", "2026-11-30", "2099-12-31"])
def test_no_day_is_too_far_from_today(client: TestClient, day: str) -> None:
    assert cents(client, valid_from=day, order_date=day) == 7900


# The saver ticket, on a Monday: 79.00, and 73.00 from three days ahead. In Zurich a day begins at 23:00 UTC.
@pytest.mark.parametrize(
    ("ordered", "price"),
    [
        ("2027-01-18", 7900),
        ("2027-01-18T22:59:59Z", 7900),
        ("2027-01-16", 7900),
        ("2027-01-15T23:00:00Z", 7900),
        ("2027-01-15T22:59:59.999Z", 7300),
        ("2027-01-15T23:59:59", 7300),
        ("2027-01-15", 7300),
        ("2027-01-11", 6700),
        ("2027-01-04", 6100),
        ("2026-12-19", 5500),
        ("2001-01-01T00:00:00+14:00", 5500),
    ],
)
def test_who_orders_earlier_pays_less(client: TestClient, ordered: str, price: int) -> None:
    assert cents(client, dta_product_id=5, valid_from="2027-01-18", order_date=ordered) == price


def test_an_order_later_on_the_first_day_is_in_time(client: TestClient) -> None:
    assert cents(client, order_date="2027-01-16T23:59:59+01:00") == 7900


# ---------------------------------------------------------------- how it is asked


def test_the_same_request_has_the_same_answer_every_time(client: TestClient) -> None:
    assert {ask_gate(client, EVERY_FIELD) for _ in range(1000)} == {ask_gate(client, EVERY_FIELD)}


IGNORED: list[Headers] = [
    (),
    (("service-channel-uuid", "x"),),
    (("service-channel-uuid", "x"), ("service-channel-uuid", "y")),
    (("service-channel-uuid", "00000000-0000-4000-8000-000000000000"),),
    (("accept-language", "\xff\x00;q=9"),),
    (("idempotency-key", ""),),
    (("idempotency-key", "a"), ("idempotency-key", "b")),
    (("if-match", "x"), ("if-none-match", "y")),
    (("authorization", "Bearer x"), ("cookie", "\xff" * 5000)),
    (("accept", "text/html"), ("range", "bytes=0-1"), ("host", "[")),
    (("api-version", "2025-02-18"),),
    (("content-length", "x"),),
]


@pytest.mark.parametrize("headers", IGNORED, ids=range(len(IGNORED)))
def test_no_other_header_changes_anything(client: TestClient, headers: Headers) -> None:
    assert ask_gate(client, ADULT, headers=(*OF_JSON, *headers)) == ask_gate(client, ADULT)


def test_a_key_is_no_reason_to_repeat_an_answer(client: TestClient) -> None:
    headers = (*OF_JSON, ("idempotency-key", "k"))

    first = ask_gate(client, ADULT, headers=headers)
    second = ask_gate(client, ADULT | {"quantity": 2}, headers=headers)

    assert (first.json()["calculated_price_cents"], second.json()["calculated_price_cents"]) == (7900, 15800)


@pytest.mark.parametrize("media_type", ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
def test_json_may_be_called_so_in_every_way(client: TestClient, media_type: str) -> None:
    assert ask_gate(client, ADULT, headers=(("content-type", media_type),)).status == 200


# Of the specification.
ANSWERED: Type = dict.fromkeys(("calculated_price_cents", "unit_price_cents"), "number") | {
    "currency_code": "string"
}
ASKED = {
    "valid_from": "string",
    "dta_product_id": "number",
    "dta_consumer_category": "number",
    "order_date": "string",
    "valid_to": "string",
    "quantity": "number",
    "currency_code": "string",
    "depot_flag": "object",
    "system_product_id": "string",
    "system_consumer_category": "string",
    "is_online_pos": "object",
}
JSON_TYPES = {"integer": "number"}


def test_the_document_has_the_documented_answer() -> None:
    schema = {"$ref": "#/components/schemas/AccessPrice"}

    assert list(schema_differences(ANSWERED, schema, "AccessPrice", free=())) == []


def test_the_document_has_the_documented_body() -> None:
    schema = DOCUMENT["components"]["schemas"]["AccessPriceBody"]

    assert set(schema["properties"]) == set(ASKED)
    assert set(schema["required"]) == {"valid_from", "order_date", "quantity", "currency_code"}
    assert schema["additionalProperties"] is False
    for name, documented in ASKED.items():
        described = schema["properties"][name]
        types = {part["type"] for part in described.get("anyOf", [described])}
        assert documented in {JSON_TYPES.get(kind, kind) for kind in types}, name
        assert ("null" in types) == (name not in schema["required"]), name


# The client refuses an answer that is not as declared.
DECLARED: list[tuple[int, Json]] = [
    (200, {"json": ADULT}),
    (400, {"content": b"{", "headers": dict(OF_JSON)}),
    (400, {"json": ADULT, "params": {"a": 1}}),
    (413, {"content": b" " * (2**20 + 1), "headers": dict(OF_JSON)}),
    (415, {"content": b"{}"}),
    (422, {"json": {}}),
    (422, {"json": ADULT | {"currency_code": "EUR"}}),
]


@pytest.mark.parametrize(("status", "request_"), DECLARED)
def test_answers_and_problems_are_as_declared(client: TestClient, status: int, request_: Json) -> None:
    assert client.post(PATH, **request_).status_code == status


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "post", "X" * 300])
def test_prices_are_only_posted_for(client: TestClient, method: str) -> None:
    reply = ask(client, method, PATH, headers=())

    assert reply.header("allow") == "POST"
    if method == "HEAD":
        assert (reply.status, reply.body) == (405, b"")
    else:
        problem_of(reply, 405, "method-not-allowed")
