"""The development issuer serves this machine only: no web page, no proxy, no other host."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from faregate_server.demo.development.issuer import PATH
from support.service.raw_requests import Reply
from support.service.service import running

DEVELOPMENT = (
    ("GET", f"{PATH}/.well-known/openid-configuration"),
    ("GET", f"{PATH}/jwks"),
    ("POST", f"{PATH}/token"),
)


@pytest.fixture(scope="module")
def development(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with running(tmp_path_factory.mktemp("development"), is_development=True) as client:
        yield client


def statuses(client: TestClient, headers: dict[str, str]) -> set[int]:
    """Return the statuses of every request to the issuer."""
    return {
        client.request(method, path, json={}, headers=headers).status_code for method, path in DEVELOPMENT
    }


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:8000",
        "127.0.0.1",
        "127.0.0.1:8000",
        "127.1.2.3:1",
        "[::1]",
        "[::1]:8000",
    ],
)
def test_requests_to_local_host_names_are_answered(development: TestClient, host: str) -> None:
    assert statuses(development, {"host": host}) == {200}


@pytest.mark.parametrize(
    "host",
    [
        "",
        "rebound.example",
        "rebound.example:8000",
        "localhost.rebound.example",
        "127.0.0.1.rebound.example",
        "localhost@rebound.example",
        "rebound.example@localhost",
        "localhost:8000@rebound.example",
        "localhost, rebound.example",
        "localhost:8000:8000",
        "localhost:",
        "localhost.",
        " localhost",
        "0.0.0.0",
        "[::]",
        "192.0.2.1",
        "lÖcalhost",
    ],
)
def test_requests_to_other_host_names_are_refused(development: TestClient, host: str) -> None:
    headers: Any = {"host": host.encode("latin-1")}

    assert statuses(development, headers) == {404}


@pytest.mark.parametrize(
    "name",
    ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Anything"],
)
@pytest.mark.parametrize("value", ["127.0.0.1", ""])
def test_proxied_requests_are_refused(development: TestClient, name: str, value: str) -> None:
    assert statuses(development, {name: value}) == {404}


def test_two_host_headers_are_refused(development: TestClient) -> None:
    for hosts in (["localhost", "rebound.example"], ["rebound.example", "localhost"]):
        response = development.get(DEVELOPMENT[0][1], headers=[("host", host) for host in hosts])
        assert response.status_code == 404


def test_a_refusal_looks_like_an_unknown_path(development: TestClient) -> None:
    refused = development.put(DEVELOPMENT[0][1], headers={"via": "1.1 proxy"})
    unknown = development.put("/dev/nothing")

    one, other = (Reply(got.status_code, (), got.content) for got in (refused, unknown))
    assert one.status == other.status == 404
    assert {**refused.json(), "instance": ""} == {**unknown.json(), "instance": ""}
    assert "allow" not in refused.headers


def test_proxy_headers_matter_nowhere_else(development: TestClient) -> None:
    headers = {"host": "tickets.example", "via": "1.1 proxy", "x-forwarded-for": "192.0.2.1"}

    assert development.get("/health/live", headers=headers).status_code == 200
