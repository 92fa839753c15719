"""Prices at the gate, worked out by hand from the catalogue of the demo resort."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from support.service.gate import ADULT, DTA, EVERY_FIELD, OF_JSON, PATH, SYSTEM, ask_gate, priced, without
from support.service.raw_requests import Headers
from support.service.service import Json, running


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("gate")) as client:
        yield client


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


# Product and category by number and by name, with the catalogue's price.
MAPPINGS = [
    pytest.param(1, 1, "P1", "A", 7900, id="adult"),
    pytest.param(1, 2, "P1", "B", 5500, id="youth"),
    pytest.param(2, 1, "P2", "A", 15100, id="two days, adult"),
]


@pytest.mark.parametrize(("product", "category", "named", "named_category", "price"), MAPPINGS)
def test_the_variant_is_found_by_either_pair_of_ids_or_both(
    client: TestClient, product: int, category: int, named: str, named_category: str, price: int
) -> None:
    dta = {"dta_product_id": product, "dta_consumer_category": category}
    system = {"system_product_id": named, "system_consumer_category": named_category}
    bare = without(ADULT, *DTA)

    for ids in (dta, system, dta | system, dict.fromkeys(DTA) | system, dict.fromkeys(SYSTEM) | dta):
        assert priced(client, bare | ids) == (price, price, "CHF")


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
def test_empty_objects_and_nulls_mean_the_defaults(client: TestClient, flags: Json) -> None:
    assert ask_gate(client, ADULT | flags) == ask_gate(client, ADULT)


@pytest.mark.parametrize(
    ("category", "is_online", "is_depot", "price"),
    [
        (1, True, False, 7900),
        (1, False, False, 8400),
        (1, False, True, 7900),
        (2, False, False, 5900),
    ],
)
def test_a_sale_at_the_gate_may_cost_more(
    client: TestClient, category: int, is_online: Any, is_depot: Any, price: int
) -> None:
    flags = {"is_online_pos": is_online, "depot_flag": is_depot}

    assert priced(client, dta_consumer_category=category, **flags) == (price, price, "CHF")


def test_all_fields_may_be_sent_together(client: TestClient) -> None:
    assert priced(client, EVERY_FIELD) == (7900, 7900, "CHF")


def test_equal_requests_get_equal_responses(client: TestClient) -> None:
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
def test_other_headers_make_no_difference(client: TestClient, headers: Headers) -> None:
    assert ask_gate(client, ADULT, headers=(*OF_JSON, *headers)) == ask_gate(client, ADULT)


def test_idempotency_keys_are_ignored(client: TestClient) -> None:
    headers = (*OF_JSON, ("idempotency-key", "k"))

    first = ask_gate(client, ADULT, headers=headers)
    second = ask_gate(client, ADULT | {"quantity": 2}, headers=headers)

    assert (first.json()["calculated_price_cents"], second.json()["calculated_price_cents"]) == (7900, 15800)


@pytest.mark.parametrize("media_type", ["application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])
def test_the_media_type_may_have_a_charset_in_any_case(client: TestClient, media_type: str) -> None:
    assert ask_gate(client, ADULT, headers=(("content-type", media_type),)).status == 200


# The client rejects responses that do not match the document.
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
def test_responses_and_problems_are_as_declared(client: TestClient, status: int, request_: Json) -> None:
    assert client.post(PATH, **request_).status_code == status
