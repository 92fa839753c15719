"""The service accepts exactly the bodies that the OpenAPI document allows."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from support.service.customers import logged_in
from support.service.service import Clock, Json, day_ticket, decoded, item, open_checkout, running
from support.specification.openapi_conformity import DOCUMENT, component


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Clock]]:
    """Yield a service whose client has logged in."""
    clock = Clock()
    with running(tmp_path_factory.mktemp("service"), clock=clock, is_development=True) as client:
        token = client.post("/dev/identity/token", json={}).json()["id_token"]
        client.headers.update(logged_in(client, token))
        yield client, clock


def schema_strategy(schema: Json) -> st.SearchStrategy[Any]:
    """Return a strategy of values that *schema* allows, for the keywords that bodies use."""
    match schema:
        case {"$ref": reference}:
            return schema_strategy(DOCUMENT["components"]["schemas"][reference.rpartition("/")[2]])
        case {"anyOf": variants}:
            return st.one_of([schema_strategy(part) for part in variants])
        case {"type": "object", "maxProperties": 0}:
            return st.just({})
        case {"type": "object", "properties": properties}:
            return st.fixed_dictionaries({name: schema_strategy(part) for name, part in properties.items()})
        case {"type": "object"}:
            return st.dictionaries(st.sampled_from(["donation", "media", "x"]), ANYTHING, max_size=2)
        case {"type": "array", "items": items}:
            return st.lists(schema_strategy(items), max_size=3)
        case _:
            return scalar_strategy(schema)


def scalar_strategy(schema: Json) -> st.SearchStrategy[Any]:
    """Return a strategy for a schema without arrays and objects."""
    match schema:
        case {"enum": choices}:
            return st.sampled_from(choices)
        case {"type": "number", "minimum": least}:
            return st.integers(least, least + 200) | st.sampled_from([0.05, 79.9, 145.36])
        case {"type": "integer", "minimum": least, "maximum": most}:
            near = st.integers(max(least, -3), 3)
            return st.one_of(near, st.sampled_from([least, most]), st.integers(least, most))
        case {"type": "string", "minLength": least, "maxLength": most}:
            return st.text(TEXT, min_size=least, max_size=most)
        case {"type": "string", "pattern": pattern}:
            return st.sampled_from(["CHF", "EUR"]) | st.from_regex(pattern, fullmatch=True)
        case {"type": "boolean"}:
            return st.booleans()
        case {"type": "null"}:
            return st.none()
        case _:
            raise NotImplementedError(schema)


# No surrogates, which cannot be sent.
TEXT = st.characters(codec="utf-8")
# Whole numbers are integers in any notation: 1.0 is 1.
FLOATS = st.floats(-1e6, 1e6, allow_subnormal=False)
ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**40), 2**40),
        FLOATS,
        st.text(TEXT, max_size=5),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["id", "from", "items", "x"]), inner, max_size=3),
    ),
    max_leaves=5,
)

BODIES: dict[str, tuple[str, str]] = {
    "AddItemsBody": ("POST", "{}/items"),
    "ConditionsBody": ("POST", "{}/checkout-conditions"),
    "QuantityBody": ("PATCH", "{}/items/1/quantity"),
    "VoucherBody": ("POST", "{}/vouchers"),
    "AccessPriceBody": ("POST", "/api/pricing/external/prices/access"),
    "AuthenticateBody": ("POST", "/api/accounts/authenticate"),
    "PayBody": ("POST", "{}/payment"),
    "PersonBody": ("POST", "/api/accounts/current/persons"),
    "RegisterPaymentDetailBody": ("POST", "/api/payments/payment-details/register"),
}


def disturbed(value: Any, data: st.DataObject) -> Any:
    """Return *value* with one part replaced, removed or added."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        name = data.draw(st.sampled_from(sorted(value)))
        return {**value, name: disturbed(value[name], data)}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        index = data.draw(st.integers(0, len(value) - 1))
        return [*value[:index], disturbed(value[index], data), *value[index + 1 :]]
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        gone = data.draw(st.sampled_from(sorted(value)))
        return {name: part for name, part in value.items() if name != gone}
    if isinstance(value, dict) and data.draw(st.booleans()):
        return {**value, data.draw(st.sampled_from(["x", "Id", ""])): data.draw(ANYTHING)}
    return data.draw(ANYTHING)


def test_every_body_is_sampled() -> None:
    read = {
        operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        for described in DOCUMENT["paths"].values()
        for operation in described.values()
        if "requestBody" in operation
    }

    assert read == set(BODIES)


ITEM = item(1, 411)
GATE: Json = {"valid_from": "2026-12-27", "order_date": "2026-12-27", "quantity": 1, "currency_code": "CHF"}


def changed_item(**fields: Any) -> Json:
    return {"items": [{**ITEM, **fields}]}


# Bounds that the schema and the model state separately, or that differ from their types.
BOUNDS: list[tuple[str, Json, bool]] = [
    ("QuantityBody", {"delta": 0}, False),
    ("QuantityBody", {"delta": 1_000_000}, True),
    ("QuantityBody", {"delta": 1_000_001}, False),
    ("QuantityBody", {"delta": 2.0}, True),
    ("QuantityBody", {"delta": 2.5}, False),
    ("VoucherBody", {"voucherCode": ""}, False),
    ("VoucherBody", {"voucherCode": "x" * 64}, True),
    ("VoucherBody", {"voucherCode": "\U0001f3bf" * 64}, True),
    ("VoucherBody", {"voucherCode": "x" * 65}, False),
    ("ConditionsBody", {"formValues": {}}, True),
    ("AddItemsBody", {"items": [ITEM] * 500}, True),
    ("AddItemsBody", {"items": [ITEM] * 501}, False),
    ("AddItemsBody", changed_item(id=1.0, productVariantId=411.0), True),
    ("AddItemsBody", changed_item(id=2**31 - 1), True),
    ("AddItemsBody", changed_item(id=2**31), False),
    ("AccessPriceBody", GATE, True),
    ("AccessPriceBody", GATE | {"quantity": 1_000_000}, True),
    ("AccessPriceBody", GATE | {"quantity": 1_000_001}, False),
    ("AccessPriceBody", GATE | {"quantity": 1.0, "dta_product_id": 1.0, "dta_consumer_category": 1.0}, True),
    ("AccessPriceBody", GATE | {"currency_code": "CHf"}, False),
    ("AccessPriceBody", GATE | {"dta_product_id": 2**53 - 1}, True),
    ("AccessPriceBody", GATE | {"dta_consumer_category": 2**53}, False),
    ("AccessPriceBody", GATE | {"depot_flag": {}, "is_online_pos": {}}, True),
    ("AccessPriceBody", GATE | {"depot_flag": {"value": True}}, False),
]


@pytest.mark.parametrize(("name", "body", "is_allowed"), BOUNDS)
def test_the_document_and_the_service_have_the_same_bounds(
    client: TestClient, name: str, body: Json, is_allowed: bool
) -> None:
    method, path = BODIES[name]
    url, _ = open_checkout(client, day_ticket(1))

    response = client.request(method, path.format(url), json=body)

    assert component(name).is_valid(body) == is_allowed
    if is_allowed:
        assert decoded(response).get("code") != "invalid-body"
    else:
        assert response.status_code == 422


@pytest.mark.parametrize("name", BODIES)
@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_a_body_is_accepted_only_if_the_document_allows_it(
    steady: TestClient, name: str, data: st.DataObject
) -> None:
    body = data.draw(schema_strategy({"$ref": f"#/components/schemas/{name}"}))
    for _ in range(data.draw(st.integers(0, 2))):
        body = disturbed(body, data)
    is_allowed = component(name).is_valid(body)
    method, path = BODIES[name]

    url, _ = open_checkout(steady, day_ticket(1))

    response = steady.request(
        method, path.format(url), content=json.dumps(body), headers={"content-type": "application/json"}
    )

    if is_allowed:  # the request itself may still be impossible or lack a proof
        assert response.status_code in {200, 401, 409, 422}
        assert decoded(response).get("code") != "invalid-body"
    else:
        assert response.status_code == 422
