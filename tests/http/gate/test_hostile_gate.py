"""Unusual requests of gates get a price or a list of all errors."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from support.service.gate import (
    ADULT,
    DTA,
    EVERY_FIELD,
    OF_JSON,
    PATH,
    SYSTEM,
    ask_gate,
    refused,
    without,
)
from support.service.raw_requests import ask, places, problem_of
from support.service.service import Json, running


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("hostile")) as client:
        yield client


REQUIRED = ("valid_from", "order_date", "quantity", "currency_code")


@pytest.mark.parametrize("field", [field for field in EVERY_FIELD if field not in REQUIRED])
def test_no_other_field_is_required(client: TestClient, field: str) -> None:
    body = EVERY_FIELD if field in (*DTA, *SYSTEM) else without(EVERY_FIELD, field)
    pair = next((pair for pair in (DTA, SYSTEM) if field in pair), ())

    assert ask_gate(client, without(body, *pair)).status == 200


@pytest.mark.parametrize("moment", ["0001-01-01", "9999-12-31", "9999-12-31T23:59:59.999999Z"])
@pytest.mark.parametrize("field", ["valid_from", "order_date", "valid_to"])
def test_extreme_dates_are_priced_or_refused(client: TestClient, field: str, moment: str) -> None:
    reply = ask_gate(client, ADULT | {field: moment})

    assert reply.status in {200, 422}


def test_all_semantic_issues_are_reported_together(client: TestClient) -> None:
    body = ADULT | {"order_date": "2027-02-01", "valid_to": "2027-01-02", "currency_code": "EUR"}

    problem = refused(
        ask_gate(client, body), 422, "invalid-access-request", "/order_date", "/currency_code", "/valid_to"
    )

    told = [error["code"] for error in problem["errors"]]
    assert told == ["ordered-too-late", "currency-mismatch", "invalid-validity"]


BARE = without(ADULT, *DTA)
MOST_ID = 2**53 - 1

# Fields beside the four required ones, the code, and the locations of the errors.
MEANT: list[tuple[Json, str, tuple[str, ...]]] = [
    # One id of each pair.
    (
        {"dta_product_id": 1, "system_consumer_category": "A"},
        "mapping-required",
        ("/dta_consumer_category", "/system_product_id"),
    ),
    # Unknown ids.
    (DTA | {"dta_product_id": MOST_ID}, "unknown-mapping", ("/dta_product_id",)),
    (SYSTEM | {"system_product_id": "P1\x00"}, "unknown-mapping", ("/system_product_id",)),
    (SYSTEM | {"system_product_id": "\u0420" + "1"}, "unknown-mapping", ("/system_product_id",)),
    # Two pairs that name different variants.
    (DTA | SYSTEM | {"system_consumer_category": "B"}, "mapping-conflict", ("/system_product_id",)),
    # Another currency.
    (DTA | {"currency_code": "XXX"}, "currency-mismatch", ("/currency_code",)),
    # Kept at the gate, which tickets of several days do not allow.
    (DTA | {"dta_product_id": 2, "depot_flag": True}, "depot-not-allowed", ("/depot_flag",)),
    # Ordered after the first day of validity.
    (DTA | {"order_date": "2027-01-16T23:00:00Z"}, "ordered-too-late", ("/order_date",)),
    # Impossible end of validity.
    (DTA | {"valid_to": "2027-01-15"}, "invalid-validity", ("/valid_to",)),
]


@pytest.mark.parametrize(("fields", "code", "pointers"), MEANT)
def test_each_issue_has_its_own_code(
    client: TestClient, fields: Json, code: str, pointers: tuple[str, ...]
) -> None:
    problem = refused(ask_gate(client, BARE | fields), 422, code, *pointers)

    assert {error["code"] for error in problem["errors"]} == {code}


def test_gate_requests_need_no_channel(client: TestClient) -> None:
    headers = (*OF_JSON, ("api-version", "1"), ("service-channel-uuid", "x"))

    reply = ask(client, "POST", f"{PATH}?a=1", headers=headers, body=b"{")

    problem = problem_of(reply, 400, "invalid-request")
    assert places(problem) == ["parameter a", "header api-version"]


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
