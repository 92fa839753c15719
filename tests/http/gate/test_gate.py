"""Prices at the gate, worked out by hand from the catalogue of the demo resort, and their refusals."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from support.service.gate import ADULT, EVERY_FIELD, ask_gate, priced, refused
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


def test_all_semantic_issues_are_reported_together(client: TestClient) -> None:
    body = ADULT | {"order_date": "2027-02-01", "valid_to": "2027-01-02", "currency_code": "EUR"}

    problem = refused(
        ask_gate(client, body), 422, "invalid-access-request", "/order_date", "/currency_code", "/valid_to"
    )

    told = [error["code"] for error in problem["errors"]]
    assert told == ["ordered-too-late", "currency-mismatch", "invalid-validity"]


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
def test_any_request_is_priced_or_refused(client: TestClient, fields: Json) -> None:
    reply = ask_gate(client, ADULT | fields)

    if reply.status == 200:
        answer = reply.json()
        most = answer["unit_price_cents"] * (ADULT | fields)["quantity"]
        assert 0 < answer["calculated_price_cents"] <= most  # less for groups
    else:
        assert reply.status == 422
        assert {error["pointer"][1:] for error in reply.json()["errors"]} <= set(EVERY_FIELD)
