"""The OpenAPI document is valid, complete and correct about requests and responses."""

import re
from collections.abc import Iterator

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator
from starlette.testclient import TestClient

from faregate.errors import IssueCode
from faregate.translations import LANGUAGES
from faregate_http.app import OPERATIONS
from faregate_http.openapi.document import MEANINGS
from faregate_http.protocol.requests import API_VERSION
from faregate_server.app import create_app
from faregate_server.settings import Settings
from support.service.service import Json, day_ticket, new_url, open_checkout
from support.specification.openapi_conformity import DOCUMENT, Conformity, resolved

NOT_OF_THE_INTERFACE = {
    *("/openapi.json", "/health/live", "/health/ready", "/metrics"),
    *("/docs", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/page.css", "/docs/page.js"),
    *("/sandbox/registrations/{link}", "/sandbox/payments/{link}"),
}


def operations() -> Iterator[tuple[str, str, Json]]:
    """Yield method, path and description of every operation."""
    for path, item_ in DOCUMENT["paths"].items():
        for method, operation in item_.items():
            yield method.upper(), path, operation


def test_the_document_is_valid_openapi() -> None:
    assert [error.message for error in OpenAPIV31SpecValidator(DOCUMENT).iter_errors()] == []


def test_the_static_part_of_the_document_matches_the_service() -> None:
    headers = DOCUMENT["components"]["parameters"]

    assert resolved(headers["acceptLanguage"]["schema"])["enum"] == list(LANGUAGES)
    assert DOCUMENT["info"]["version"] == API_VERSION
    assert resolved(headers["apiVersion"]["schema"])["enum"] == [API_VERSION]


def test_the_document_is_served_to_anyone(client: TestClient) -> None:
    response = client.get("/openapi.json", headers={"service-channel-uuid": "", "accept-language": ""})

    assert response.json() == DOCUMENT
    assert response.headers["content-type"] == "application/json"


def test_every_operation_is_documented_and_the_other_routes_are_known() -> None:
    app = create_app(Settings(database="sqlite:///unused.db"))

    assert {getattr(route, "path", "") for route in app.routes} == NOT_OF_THE_INTERFACE
    assert {(method, path) for method, path, _ in operations()} == {
        (operation.method, operation.path) for operation in OPERATIONS
    }


def test_exactly_the_documented_methods_are_accepted(client: TestClient) -> None:
    methods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
    for path, described in DOCUMENT["paths"].items():
        url = re.sub(r"{\w+}", "1", path)
        documented = {method.upper() for method in described}
        taken = {method for method in methods if client.request(method, url).status_code != 405}

        assert taken - {"HEAD"} == documented
        assert ("HEAD" in taken) == ("GET" in taken)
        refusal = client.request("OPTIONS", url)
        assert set(refusal.headers["allow"].split(", ")) == taken


def test_only_the_gate_has_no_channel_or_language() -> None:
    common = {"acceptLanguage", "salesChannel"}
    without = {path for _, path, operation in operations() if not common <= referenced(operation)}

    assert without == {"/api/pricing/external/prices/access"}
    gate = DOCUMENT["paths"]["/api/pricing/external/prices/access"]["post"]
    assert [part["$ref"] for part in gate["parameters"]] == ["#/components/parameters/apiVersion"]
    assert set(gate["responses"]["200"]["headers"]) == {"api-version", "x-request-id"}
    assert "security" not in gate
    assert DOCUMENT["paths"]["/api/checkout/{checkoutId}"]["get"]["security"] == [{}, {"bearer": []}]
    assert set(gate["responses"]) == {"200", "400", "405", "408", "413", "415", "422", "500", "503"}


def test_every_response_except_that_to_the_gate_has_an_envelope() -> None:
    schemas = DOCUMENT["components"]["schemas"]

    for _, path, operation in operations():
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        properties = schemas[schema["$ref"].rpartition("/")[2]]["properties"]
        assert ("data" in properties) != (path == "/api/pricing/external/prices/access"), path


def referenced(operation: Json) -> set[str]:
    """Return the names of the shared parameters of an operation."""
    return {part["$ref"].rpartition("/")[2] for part in operation["parameters"] if "$ref" in part}


def test_every_schema_is_used() -> None:
    used = set(re.findall(r"#/components/schemas/(\w+)", str(DOCUMENT)))

    assert used == set(DOCUMENT["components"]["schemas"])


def test_every_code_of_the_core_is_declared_somewhere() -> None:
    declared = {
        code
        for _, _, operation in operations()
        for status, response in operation["responses"].items()
        if status >= "400"
        for code in response["x-problem-codes"]
    }

    # These codes would reveal that a code exists that its channel does not accept.
    untold = {IssueCode.INVALID, IssueCode.PROMO_CODES_NOT_ACCEPTED, IssueCode.VOUCHERS_NOT_ACCEPTED}
    assert {code.value for code in IssueCode} - declared == {code.value for code in untold}
    assert declared | {"not-found"} == set(MEANINGS)  # used outside of operations


def test_operations_and_their_groups_are_described() -> None:
    tags = {tag["name"]: tag["description"] for tag in DOCUMENT["tags"]}

    assert {tag for _, _, operation in operations() for tag in operation["tags"]} == set(tags)
    assert all(operation["description"] and operation["summary"] for _, _, operation in operations())


def test_links_refer_to_existing_parameters() -> None:
    described = {operation["operationId"]: operation for _, _, operation in operations()}
    links = DOCUMENT["components"]["links"]

    for name, link in links.items():
        target = described[link["operationId"]]
        taken = {
            f"{part['in']}.{part['name']}"
            for part in target["parameters"]
            if "in" in part  # the others are shared headers
        } | {"header.service-channel-uuid"}
        assert link["parameters"].keys() <= taken, name
    used = {
        name for operation in described.values() for name in operation["responses"]["200"].get("links", {})
    }
    assert used == set(links)


def test_implementation_names_do_not_appear() -> None:
    assert not [name for name in DOCUMENT["components"]["schemas"] if name.endswith("View")]
    assert "View" not in str(DOCUMENT)


def test_the_response_check_finds_an_undeclared_status(client: TestClient) -> None:
    response = client.get(new_url())
    response.status_code = 402

    with pytest.raises(AssertionError, match="getCheckout does not declare 402"):
        Conformity()(response)


def test_the_response_check_finds_an_undeclared_field(client: TestClient) -> None:
    url, _ = open_checkout(client, day_ticket(1))
    response = client.get(url)
    response._content = response.content.replace(b'"uuid":', b'"secret":1,"uuid":', 1)

    with pytest.raises(AssertionError, match="/api/checkout"):
        Conformity()(response)
