"""Operations that need an account: unavailable without a provider, open to anyone in development."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from support.service.customers import AUTHENTICATE, CURRENT, PERSONS, authenticated, bearer, logged_in
from support.service.service import Clock, data_of, running
from support.specification.openapi_conformity import DOCUMENT

OPERATIONS = [
    ("GET", CURRENT),
    ("POST", f"{CURRENT}/schedule-deletion"),
    ("POST", PERSONS),
    ("PATCH", f"{PERSONS}/1"),
    ("POST", AUTHENTICATE),
]


@pytest.fixture(scope="module")
def service(service_with_accounts: tuple[TestClient, Clock]) -> tuple[TestClient, Clock]:
    return service_with_accounts


def test_the_openapi_document_says_which_operations_need_a_token() -> None:
    described = {
        (method.upper(), path): operation
        for path, operations in DOCUMENT["paths"].items()
        for method, operation in operations.items()
    }

    assert DOCUMENT["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    for method, path in OPERATIONS:
        operation = described[method, path.replace("/persons/1", "/persons/{personId}")]
        assert "www-authenticate" in operation["responses"]["401"]["headers"]
        assert operation.get("security") == (None if path == AUTHENTICATE else [{"bearer": []}])
    login = described["POST", AUTHENTICATE]["responses"]
    assert {"access-token", "access-token-expires-in"} <= set(login["200"]["headers"])
    assert login["429"]["headers"]["retry-after"]["required"]


@pytest.fixture(scope="module")
def without_identity(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("anonymous")) as client:
        yield client


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
@pytest.mark.parametrize("headers", [{}, bearer("x"), {"authorization": ""}])
def test_without_a_provider_there_are_no_accounts(
    without_identity: TestClient, method: str, path: str, headers: dict[str, str]
) -> None:
    response = without_identity.request(method, path, headers=headers)

    assert (response.status_code, response.json()["code"]) == (503, "identity-not-configured")


DEVELOPMENT = [
    ("GET", "/dev/identity/.well-known/openid-configuration"),
    ("GET", "/dev/identity/jwks"),
    ("POST", "/dev/identity/token"),
]


@pytest.mark.parametrize(("method", "path"), DEVELOPMENT)
def test_in_production_there_is_no_development_issuer(
    client: TestClient, without_identity: TestClient, method: str, path: str
) -> None:
    for one in (client, without_identity):
        response = one.request(method, path)
        assert (response.status_code, response.json()["code"]) == (404, "not-found")


def test_in_development_anyone_can_log_in_as_anyone(tmp_path: Path) -> None:
    with running(tmp_path, is_development=True, public_url="http://localhost:8100/") as client:
        documents = [client.request(method, path) for method, path in DEVELOPMENT[:2]]
        given = client.post(DEVELOPMENT[2][1], json={"subject": "ada", "email": "a@b.example", "nonce": "n"})
        token = given.json()["id_token"]
        account = data_of(authenticated(client, token, nonce="n"))["account"]
        shown = data_of(client.get(CURRENT, headers=bearer(token)))

    assert documents[0].json()["issuer"] == "http://localhost:8100/dev/identity"
    assert documents[0].json()["jwks_uri"] == "http://localhost:8100/dev/identity/jwks"
    assert "d" not in documents[1].json()["keys"][0]
    assert account["email"] == "a@b.example"
    assert shown == account


def test_the_development_issuer_responds_only_to_this_machine(tmp_path: Path) -> None:
    with running(tmp_path, is_development=True) as client:
        transport: Any = client._transport
        transport.client = ("192.0.2.1", 50_000)

        for method, path in DEVELOPMENT:
            response = client.request(method, path, json={})
            assert (response.status_code, response.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize(
    "body",
    [{"subject": ""}, {"subject": "a" * 256}, {"subject": 1}, {"email": "a"}, {"more": 1}, {"nonce": ""}, []],
)
def test_the_development_issuer_refuses_invalid_bodies(tmp_path: Path, body: Any) -> None:
    with running(tmp_path, is_development=True) as client:
        assert client.post(DEVELOPMENT[2][1], json=body).status_code == 422


def test_development_tokens_are_invalid_after_a_restart(tmp_path: Path) -> None:
    with running(tmp_path, is_development=True) as client:
        token = client.post(DEVELOPMENT[2][1], json={}).json()["id_token"]
        headers = logged_in(client, token)
    with running(tmp_path, is_development=True) as client:
        assert client.get(CURRENT, headers=headers).status_code == 401
        assert client.get(CURRENT, headers=bearer(token)).status_code == 401
