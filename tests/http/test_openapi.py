"""The OpenAPI document is valid, complete, and true: what it says of requests and answers is what happens."""

import json
import re
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.testclient import TestClient

from faregate_http.app import OPERATIONS, create_app
from faregate_http.settings import Settings
from serving.openapi_conformity import DOCUMENT, Conformity, component
from serving.service import Json, day_ticket, decoded, item, new_url, open_checkout

NOT_OF_THE_INTERFACE = {"/openapi.json", "/health/live", "/health/ready"}

# Decisions §11.1: what the specification does not have.
EXTENSIONS = {
    ("GET", "/api/checkout/{checkoutId}"),
    ("DELETE", "/api/checkout/{checkoutId}/vouchers/{code}"),
}


def operations() -> Iterator[tuple[str, str, Json]]:
    """Method, path and description of every operation of the document."""
    for path, item_ in DOCUMENT["paths"].items():
        for method, operation in item_.items():
            yield method.upper(), path, operation


# ---------------------------------------------------------------- the document


def test_the_document_is_valid_openapi() -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(DOCUMENT).iter_errors()] == []


def test_the_service_gives_its_document_to_anyone(client: TestClient) -> None:
    response = client.get("/openapi.json", headers={"service-channel-uuid": "", "accept-language": ""})

    assert response.json() == DOCUMENT
    assert response.headers["content-type"] == "application/json"


def test_every_route_is_documented_and_everything_documented_has_a_route() -> None:
    app = create_app(Settings(database="sqlite:///unused.db"))
    paths = {getattr(route, "path", "") for route in app.routes}

    assert paths == set(DOCUMENT["paths"]) | NOT_OF_THE_INTERFACE
    assert {(method, path) for method, path, _ in operations()} == {
        (operation.method, operation.path) for operation in OPERATIONS
    }


def test_every_documented_method_is_answered_and_no_other(client: TestClient) -> None:
    methods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
    for path, described in DOCUMENT["paths"].items():
        url = re.sub(r"{\w+}", "1", path)
        documented = {method.upper() for method in described}
        taken = {method for method in methods if client.request(method, url).status_code != 405}

        assert taken - {"HEAD"} == documented
        assert ("HEAD" in taken) == ("GET" in taken)
        refusal = client.request("OPTIONS", url)
        assert set(refusal.headers["allow"].split(", ")) == taken


def test_the_extensions_are_marked_and_nothing_else_is() -> None:
    marked = {(method, path) for method, path, operation in operations() if operation.get("x-extension")}

    assert marked == EXTENSIONS


def test_operations_have_names_of_their_own() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]

    assert len(set(names)) == len(names)


def test_every_schema_is_used() -> None:
    used = set(re.findall(r"#/components/schemas/(\w+)", str(DOCUMENT)))

    assert used == set(DOCUMENT["components"]["schemas"])


def test_every_path_parameter_is_described() -> None:
    for _, path, operation in operations():
        described = {part["name"] for part in operation["parameters"] if part.get("in") == "path"}
        assert described == set(re.findall(r"{(\w+)}", path))


def test_names_of_the_implementation_do_not_show() -> None:
    assert not [name for name in DOCUMENT["components"]["schemas"] if name.endswith("View")]
    assert "View" not in str(DOCUMENT)


# ---------------------------------------------------------------- answers


def test_the_check_of_answers_finds_what_is_not_declared(client: TestClient) -> None:
    response = client.get(new_url())
    response.status_code = 402

    with pytest.raises(AssertionError, match="getCheckout does not declare 402"):
        Conformity()(response)


def test_the_check_of_answers_finds_what_a_schema_does_not_allow(client: TestClient) -> None:
    response = client.get(new_url())
    response._content = response.content.replace(b'"status":404', b'"status":"404"')

    with pytest.raises(AssertionError, match="/api/checkout"):
        Conformity()(response)


def test_answers_are_as_declared(client: TestClient) -> None:
    """Every operation once as it succeeds; the client refuses an answer that is not as declared."""
    url, _ = open_checkout(client, day_ticket(1), item(2, 411), item(3, 412))
    answers = [
        client.patch(f"{url}/items/1/quantity", json={"delta": 1}),
        client.post(f"{url}/vouchers", json={"voucherCode": "WINTER10"}),
        client.post(f"{url}/vouchers", json={"voucherCode": "FIRST100"}),
        client.post(f"{url}/vouchers", json={"voucherCode": "GIFT-100"}),
        client.delete(f"{url}/vouchers/GIFT-100"),
        client.delete(f"{url}/items", params={"itemId": [2, 3]}),
        client.post(f"{url}/checkout-conditions", json={"formValues": {"donation": 1, "media": {"1": 1}}}),
        client.get(url),
        client.head(url),
    ]

    assert [answer.status_code for answer in answers] == [200] * len(answers)
    assert client.get(url, headers={"if-none-match": answers[-1].headers["etag"]}).status_code == 304


PROBLEMS: list[tuple[int, str, str, Json]] = [
    (400, "GET", "", {"headers": {"service-channel-uuid": "1"}}),
    (400, "GET", "?x=1", {}),
    (400, "DELETE", "/items", {}),
    (400, "POST", "/items", {"content": b"[1,"}),
    (404, "GET", "", {"headers": {"service-channel-uuid": str(uuid4())}}),
    (404, "DELETE", "/items?itemId=9", {}),
    (404, "DELETE", "/vouchers/NEWS5", {}),
    (404, "PATCH", "/items/x/quantity", {"json": {"delta": 1}}),
    (405, "PUT", "/items", {}),
    (409, "POST", "/items", {"json": {"items": [day_ticket(1, 102)]}}),
    (412, "POST", "/items", {"json": {"items": []}, "headers": {"if-match": '"9"'}}),
    (413, "POST", "/vouchers", {"content": b" " * (2**20 + 1)}),
    (415, "POST", "/vouchers", {"content": b"{}", "headers": {"content-type": "text/plain"}}),
    (422, "POST", "/vouchers", {"json": {"voucherCode": "NONE"}}),
    (422, "POST", "/items", {"json": {"items": [{}], "more": 1}}),
    (422, "POST", "/checkout-conditions", {"json": {"formValues": {"guests": 0, "other": 1}}}),
    (422, "PATCH", "/items/1/quantity", {"json": {"delta": 0}}),
]


@pytest.mark.parametrize(("status", "method", "path", "content"), PROBLEMS)
def test_problems_are_as_declared(
    client: TestClient, status: int, method: str, path: str, content: Json
) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    headers = {"content-type": "application/json", **content.pop("headers", {})}

    response = client.request(method, f"{url}{path}", headers=headers, **content)

    problem = response.json()
    assert response.status_code == problem["status"] == status
    assert response.headers["content-type"] == "application/problem+json"
    assert list(component("Problem").iter_errors(problem)) == []
    assert problem["instance"] == f"{url}{path}".partition("?")[0]
    assert problem["type"] == f"urn:faregate:problem:{problem['code']}"


# ---------------------------------------------------------------- bodies


def schema_strategy(schema: Json) -> st.SearchStrategy[Any]:
    """Values that *schema* allows; for the keywords that bodies use."""
    match schema:
        case {"$ref": reference}:
            return schema_strategy(DOCUMENT["components"]["schemas"][reference.rpartition("/")[2]])
        case {"anyOf": variants}:
            return st.one_of([schema_strategy(part) for part in variants])
        case {"type": "object", "properties": properties}:
            return st.fixed_dictionaries({name: schema_strategy(part) for name, part in properties.items()})
        case {"type": "object"}:
            return st.dictionaries(st.sampled_from(["donation", "media", "x"]), ANYTHING, max_size=2)
        case {"type": "array", "items": items}:
            return st.lists(schema_strategy(items), max_size=3)
        case {"type": "integer", "minimum": least, "maximum": most}:
            near = st.integers(max(least, -3), 3)
            return st.one_of(near, st.sampled_from([least, most]), st.integers(least, most))
        case {"type": "string", "minLength": least, "maxLength": most}:
            return st.text(TEXT, min_size=least, max_size=most)
        case {"type": "null"}:
            return st.none()
        case _:
            raise NotImplementedError(schema)


# No surrogates: they cannot be sent.
TEXT = st.characters(codec="utf-8")
# Whole numbers are integers to JSON Schema however they are written; the service takes 1, not 1.0.
FRACTIONS = st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda number: not number.is_integer())
ANYTHING = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**40), 2**40),
        FRACTIONS,
        st.text(TEXT, max_size=5),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["id", "from", "items", "x"]), inner, max_size=3),
    ),
    max_leaves=5,
)

BODIES: dict[str, tuple[str, str]] = {
    "AddItemsBody": ("POST", "/items"),
    "ConditionsBody": ("POST", "/checkout-conditions"),
    "QuantityBody": ("PATCH", "/items/1/quantity"),
    "VoucherBody": ("POST", "/vouchers"),
}


def disturbed(value: Any, data: st.DataObject) -> Any:
    """*value* with one part replaced, removed or added somewhere."""
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
        for _, _, operation in operations()
        if "requestBody" in operation
    }

    assert read == set(BODIES)


ITEM = item(1, 411)
SEVEN_FIELDS = tuple(ITEM)


def changed_item(**fields: Any) -> Json:
    return {"items": [{**ITEM, **fields}]}


BOUNDS: list[tuple[str, Json, bool]] = [
    ("QuantityBody", {"delta": 0}, False),
    ("QuantityBody", {"delta": 1_000_000}, True),
    ("QuantityBody", {"delta": -1_000_000}, True),
    ("QuantityBody", {"delta": 1_000_001}, False),
    ("QuantityBody", {"delta": -1_000_001}, False),
    ("VoucherBody", {"voucherCode": ""}, False),
    ("VoucherBody", {"voucherCode": "x" * 64}, True),
    ("VoucherBody", {"voucherCode": "\U0001f3bf" * 64}, True),
    ("VoucherBody", {"voucherCode": "x" * 65}, False),
    ("ConditionsBody", {"formValues": {}}, True),
    ("ConditionsBody", {"formValues": None}, False),
    ("ConditionsBody", {}, False),
    ("AddItemsBody", {"items": []}, True),
    ("AddItemsBody", {"items": [ITEM] * 500}, True),
    ("AddItemsBody", {"items": [ITEM] * 501}, False),
    ("AddItemsBody", changed_item(id=0), False),
    ("AddItemsBody", changed_item(id=2**31 - 1), True),
    ("AddItemsBody", changed_item(id=2**31), False),
    ("AddItemsBody", changed_item(parentItemId=2**53 - 1), True),
    ("AddItemsBody", changed_item(parentItemId=2**53), False),
    ("AddItemsBody", changed_item(validity={"from": "", "to": "x"}), False),
    ("AddItemsBody", changed_item(validity={"from": "x" * 40, "to": "x"}), True),
    ("AddItemsBody", changed_item(validity={"from": "x" * 41, "to": "x"}), False),
    ("AddItemsBody", changed_item(validity={"from": "x"}), False),
    ("AddItemsBody", changed_item(quantity=1), False),
    *[
        ("AddItemsBody", changed_item(**{name: None}), name not in {"id", "productVariantId"})
        for name in SEVEN_FIELDS
    ],
    *[
        ("AddItemsBody", {"items": [{key: ITEM[key] for key in SEVEN_FIELDS if key != name}]}, False)
        for name in SEVEN_FIELDS
    ],
]


@pytest.mark.parametrize(("name", "body", "is_allowed"), BOUNDS)
def test_the_document_and_the_service_know_the_same_bounds(
    client: TestClient, name: str, body: Json, is_allowed: bool
) -> None:
    method, path = BODIES[name]
    url, _ = open_checkout(client, day_ticket(1))

    response = client.request(method, f"{url}{path}", json=body)

    assert component(name).is_valid(body) == is_allowed
    if is_allowed:
        assert decoded(response).get("code") != "invalid-body"
    else:
        assert response.status_code == 422


@pytest.mark.parametrize("name", BODIES)
@settings(max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_a_body_is_read_just_if_the_document_allows_it(
    steady: TestClient, name: str, data: st.DataObject
) -> None:
    body = data.draw(schema_strategy({"$ref": f"#/components/schemas/{name}"}))
    for _ in range(data.draw(st.integers(0, 2))):
        body = disturbed(body, data)
    is_allowed = component(name).is_valid(body)
    method, path = BODIES[name]

    url, _ = open_checkout(steady, day_ticket(1))

    response = steady.request(
        method, f"{url}{path}", content=json.dumps(body), headers={"content-type": "application/json"}
    )

    if is_allowed:  # then it may still ask for what cannot be
        assert response.status_code in {200, 409, 422}
        assert decoded(response).get("code") != "invalid-body"
    else:
        assert response.status_code == 422
