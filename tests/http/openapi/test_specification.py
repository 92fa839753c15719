"""The whole specification, checked against the OpenAPI document and real responses of every operation."""

import copy
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from support.service.customers import serving_accounts
from support.service.identity_provider import providing
from support.service.service import WEBSHOP, Json
from support.specification.openapi_conformity import DOCUMENT, resolved, validator
from support.specification.specification_walk import (
    Issue,
    Walk,
    additions,
    faults,
    operation_of,
    paths,
    schema_faults,
    seen,
)
from support.specification.specified import CHECKOUT, LANGUAGES
from support.specification.specified_operations import OPERATIONS, VERSION, Operation
from support.specification.whole_service import complete_catalogue, visit

NAMES = [operation.name for operation in OPERATIONS]

# Nullable by decision, unlike the specification.
NULL_BY_DECISION = {
    "items[].validity": "§11.7",
    "items[].parentItemId": "§11.3",
    "items[].autoDiscount": "§5",
    ".primaryPaymentProvider": "§12",
    ".deletedAt": "§13",
    ".scheduledForDeletionAfter": "§13",
    ".company": "§13",
    ".availableCapacity": "§8.3",
    ".daysUntilNextBookableValidity": "§8.7",
    ".meanValidityGapDays": "§8.7",
    ".hotspot": "§8.9",
    "content.banner": "§8.9",
    ".cta": "§8.9",
    ".cta.page": "§8.9",
    ".cta.product": "§8.9",
    ".priceRange": "§8.9",
    ".standardPriceRange": "§8.9",
    ".standardPriceToday": "§8.9",
    ".nextAvailability": "§8.9",
}

# Fields that responses have beyond the specification.
MORE_BY_DECISION = {
    "data.account.personIds": "§13",
    "data.cashDue": "§12",
    "data.personFormDefinition": "§13",
    "data.personIds": "§13",
    "data.redirectUrl": "§12",
    "data.options[].totalPrice": "§8.4",
    "data.options[].units": "§8.4",
    "data.promoCodes[].missing": "§3.7",
    "data.promoCodes[].reason": "§3.7",
    "data.vouchers[].reason": "§6",
    "meta": "§8.3",
}

# Parts of bodies that real requests do not show: optional and null fields, further formats of times.
BODIES_BY_DECISION = {
    "POST /api/accounts/authenticate": {"language"},  # §13
    "POST /api/pricing/external/prices/access": {  # §9
        "valid_from",
        "valid_to",
        "order_date",
        "dta_product_id",
        "dta_consumer_category",
        "system_product_id",
        "system_consumer_category",
        "depot_flag",
        "is_online_pos",
    },
}

# §11.1, §14: operations beyond the specification.
EXTENSIONS = {
    "GET /api/checkout/{checkoutId}",
    "GET /api/checkout/{checkoutId}/explanation",
    "POST /api/checkout/{checkoutId}/payment",
    "DELETE /api/checkout/{checkoutId}/vouchers/{code}",
    "GET /api/orders/{orderId}",
}

# Values that no response can have: vouchers are entered as codes, not kept by accounts; a deleted account is
# logged out; logging in cancels a scheduled deletion.
NEVER_ANSWERED = (
    "payment-details: data[]<1>",
    "/default: data<1>",
    ".deletedAt",
    "data.account.scheduledForDeletionAfter",
)


def described(operation: Operation) -> Json:
    """Return an operation of the document."""
    found: Json = DOCUMENT["paths"][operation.path][operation.method.lower()]
    return found


def schema_of(content: Json) -> Json:
    """Return the JSON schema of a body or a response."""
    schema: Json = content["content"]["application/json"]["schema"]
    return schema


def decided(found: Issue) -> bool:
    return "null" in found.reason and found.path.endswith(tuple(NULL_BY_DECISION))


def test_the_document_has_the_20_specified_operations_and_its_extensions() -> None:
    all_of_them = {
        f"{method.upper()} {path}": operation
        for path, methods in DOCUMENT["paths"].items()
        for method, operation in methods.items()
    }

    assert len(set(NAMES)) == 20
    assert set(all_of_them) == {*NAMES, *EXTENSIONS}
    assert {name for name, operation in all_of_them.items() if operation.get("x-extension")} == EXTENSIONS
    assert DOCUMENT["info"]["version"] == VERSION


@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_the_only_success_of_an_operation_is_200_in_json(operation: Operation) -> None:
    responses = described(operation)["responses"]

    assert [status for status in responses if status < "300"] == ["200"]
    assert [*responses["200"]["content"]] == ["application/json"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_the_document_has_every_field_of_a_response(operation: Operation) -> None:
    schema = schema_of(described(operation)["responses"]["200"])

    found = list(schema_faults(schema, operation.answer))

    assert [fault for fault in found if not decided(fault)] == []
    assert (
        not operation.absent
        & resolved(resolved(schema)["properties"].get("data", {})).get("properties", {}).keys()
    )


def test_nulls_beyond_the_specification_are_deliberate() -> None:
    nulls = [
        fault.path
        for operation in OPERATIONS
        for fault in schema_faults(schema_of(described(operation)["responses"]["200"]), operation.answer)
    ]

    for suffix in NULL_BY_DECISION:
        assert any(path.endswith(suffix) for path in nulls), suffix


def test_fields_beyond_the_specification_are_deliberate() -> None:
    more = {
        path
        for operation in OPERATIONS
        for path in additions(schema_of(described(operation)["responses"]["200"]), operation.answer)
    }

    assert more == set(MORE_BY_DECISION)


@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_the_document_has_every_field_of_a_body(operation: Operation) -> None:
    body = described(operation).get("requestBody", {})
    found = list(schema_faults(schema_of(body), operation.body)) if operation.body else []

    assert bool(body) == bool(operation.body)
    assert {fault.path for fault in found} == BODIES_BY_DECISION.get(operation.name, set())
    assert not {fault.path for fault in found} & operation.required


@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_the_document_names_the_common_headers(operation: Operation) -> None:
    parameters = [resolved(parameter) for parameter in described(operation)["parameters"]]
    headers = {part["name"]: part for part in parameters if part["in"] == "header" and part["required"]}

    assert set(headers) == (set() if operation.is_bare else {"accept-language", "service-channel-uuid"})
    if headers:
        assert set(resolved(headers["accept-language"]["schema"])["enum"]) == LANGUAGES
        channel = validator(headers["service-channel-uuid"]["schema"])
        assert channel.is_valid(WEBSHOP)
        assert not channel.is_valid(WEBSHOP[:-1])


@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_the_document_has_the_specified_query_parameters(operation: Operation) -> None:
    query = [part for part in described(operation)["parameters"] if part.get("in") == "query"]
    words = [set(part["schema"].get("items", {}).get("enum", ())) for part in query]

    assert operation.has_query <= bool(query)
    for asked in operation.filters:
        assert any(asked <= taken for taken in words), asked


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    """Return the responses of a service to requests for every operation."""
    folder, walk = tmp_path_factory.mktemp("everything"), Walk()
    with (
        providing() as provider,
        serving_accounts(folder, provider, catalogue=complete_catalogue(folder)) as client,
    ):
        client.follow_redirects = False
        client.event_hooks = {"response": [*client.event_hooks["response"], walk]}
        visit(client, provider)
        yield walk


@pytest.mark.parametrize("operation", OPERATIONS, ids=NAMES)
def test_real_responses_have_every_field(walk: Walk, operation: Operation) -> None:
    answers = walk.answers[operation.name]

    assert answers
    for found in (faults(answer, operation.answer) for answer in answers):
        assert [fault for fault in found if not decided(fault)] == []
    assert operation.is_bare or all({"data"} <= answer.keys() <= {"data", "meta"} for answer in answers)


def test_every_field_has_a_value_in_some_response(walk: Walk) -> None:
    """At least one of the operations with the same response must have the value."""
    answered: dict[int, set[str]] = defaultdict(set)
    for operation in OPERATIONS:
        for answer in walk.answers[operation.name]:
            answered[id(operation.data)] |= set(seen(answer, operation.answer))
    for answer in walk.extensions:
        answered[id(CHECKOUT)] |= set(seen(answer, {"data": CHECKOUT}))

    missing = {
        f"{operation.name}: {path}"
        for operation in OPERATIONS
        for path in set(paths(operation.answer)) - answered[id(operation.data)]
    }

    assert {place for place in missing if not any(part in place for part in NEVER_ANSWERED)} == set()
    assert all(any(part in place for place in missing) for part in NEVER_ANSWERED)


@pytest.mark.parametrize(
    ("way", "value"),
    [
        (("totalGross",), "79.00"),
        (("uuid",), 1),
        (("status",), "PAID"),
        (("expiresAt",), "2026-12-01T08:30:00"),
        (("items",), {}),
        (("items", 0, "isDeletable"), 1),
        (("items", 0, "productVariant", "product"), []),
        (("promoCodes", 0, "valid"), "true"),
    ],
)
def test_a_wrong_or_missing_value_is_noticed(walk: Walk, way: tuple[str | int, ...], value: Any) -> None:
    operation = operation_of("POST /api/checkout/{checkoutId}/checkout-conditions")
    changed = copy.deepcopy(walk.answers[operation.name][0])
    part: Any = changed["data"]
    for step in way[:-1]:
        part = part[step]
    part[way[-1]] = value
    wrong = [*faults(changed, operation.answer)]
    del part[way[-1]]
    missing = [*faults(changed, operation.answer)]

    assert [fault for fault in wrong if not decided(fault)]
    assert "missing" in {fault.reason for fault in missing}


TEXT_OR_NUMBER = {"anyOf": [{"type": "string"}, {"type": "number"}]}
VALID_ONES = {"type": "array", "items": {"$ref": "#/components/schemas/PromoCode"}}


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("Checkout.totalNet", lambda schema: schema["properties"].pop("totalNet")),
        ("Checkout.uuid", lambda schema: schema["required"].remove("uuid")),
        ("Checkout.currency", lambda schema: schema["properties"].update(currency={"type": "number"})),
        ("Checkout.totalNet", lambda schema: schema["properties"].update(totalNet=TEXT_OR_NUMBER)),
        ("Checkout.promoCodes[]", lambda schema: schema["properties"].update(promoCodes=VALID_ONES)),
        ("Checkout.donation", lambda schema: schema["properties"].update(donation={"type": "object"})),
        ("Checkout.status", lambda schema: schema["properties"].update(status={"enum": ["OPEN", "CLOSED"]})),
    ],
)
def test_a_changed_schema_is_noticed(path: str, change: Any) -> None:
    schema = copy.deepcopy(DOCUMENT["components"]["schemas"]["Checkout"])
    change(schema)

    found = [fault for fault in schema_faults(schema, CHECKOUT, "Checkout") if not decided(fault)]

    assert {fault.path.partition("<")[0] for fault in found} == {path}
