"""Bodies of gates: the fast parser and the strict parser agree on all bodies that the fast one accepts."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from faregate.gate.requests import GateRequest
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import parsed
from faregate_http.schemas.pricing import AccessPriceBody, access_request, plain_access_request

PLAIN: dict[str, Any] = {
    "valid_from": "2026-12-27",
    "order_date": "2026-12-20",
    "quantity": 2,
    "currency_code": "CHF",
}
FULL = PLAIN | {
    "valid_to": "2026-12-27",
    "dta_product_id": 1,
    "dta_consumer_category": 1,
    "system_product_id": "P1",
    "system_consumer_category": "A",
    "depot_flag": {},
    "is_online_pos": True,
}


def read_with_care(body: bytes) -> GateRequest | None:
    try:
        return access_request(parsed(body, AccessPriceBody))
    except Problem:
        return None


def written(members: list[tuple[str, Any]]) -> bytes:
    """Return an object as JSON, including duplicate keys."""
    return f"{{{', '.join(f'{json.dumps(key)}: {json.dumps(value)}' for key, value in members)}}}".encode()


values = st.one_of(
    st.sampled_from(
        [*FULL.values(), None, False, {}, [], {"a": 1}, "", "chf", "CHF\n", '"', "\\", "é", "😀" * 41]
    ),
    st.integers(-(2**60), 2**60),
    st.floats(allow_nan=True),
    st.text(max_size=45),
)
bodies = st.builds(
    lambda base, others: written([*base.items(), *others]),
    st.sampled_from([PLAIN, FULL, {}]),
    st.lists(st.tuples(st.one_of(st.sampled_from([*FULL]), st.text(max_size=5)), values), max_size=3),
)


@given(bodies)
@example(written([*FULL.items(), ("quantity", 3)]))
@example(written([("quantity", "2"), *FULL.items()]))
@example(written([*PLAIN.items(), ("depot_flag", {"is_online_pos": True})]))
def test_the_fast_and_the_strict_parser_agree(body: bytes) -> None:
    found = plain_access_request(body)

    assert found is None or found == read_with_care(body)


@given(st.data())
def test_a_body_with_a_changed_byte_is_parsed_alike_or_not_at_all(data: st.DataObject) -> None:
    body = bytearray(written([*FULL.items()]))
    position = data.draw(st.integers(0, len(body) - 1))
    body[position : position + data.draw(st.sampled_from([0, 1]))] = data.draw(st.binary(max_size=2))

    found = plain_access_request(bytes(body))

    assert found is None or found == read_with_care(bytes(body))


@pytest.mark.parametrize(
    "members", [PLAIN, FULL, FULL | dict.fromkeys(["valid_to", "depot_flag"]), {**FULL, "valid_to": "Ä"}]
)
def test_gate_bodies_are_parsed_quickly(members: dict[str, Any]) -> None:
    body = json.dumps(members, ensure_ascii=False, indent=2).encode()

    assert plain_access_request(body) == read_with_care(body) is not None


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(written([*FULL.items(), ("quantity", 2)]), id="a key twice"),
        pytest.param(written([("is_online_pos", None), *FULL.items()]), id="a key twice, null first"),
        pytest.param(json.dumps(FULL).replace("CHF", "\\u0043HF").encode(), id="an escape"),
        pytest.param(written([*FULL.items(), ("price", 1)]), id="an unknown key"),
        pytest.param(json.dumps(FULL).replace('"quantity": 2', '"quantity": 2.0').encode(), id="a fraction"),
        pytest.param(json.dumps(FULL).encode("utf-16"), id="another encoding"),
        pytest.param(b"\xef\xbb\xbf" + json.dumps(FULL).encode(), id="a byte order mark"),
        pytest.param(json.dumps([FULL]).encode(), id="a list"),
        pytest.param(b"", id="nothing"),
    ],
)
def test_unusual_bodies_are_left_to_the_strict_parser(body: bytes) -> None:
    assert plain_access_request(body) is None
