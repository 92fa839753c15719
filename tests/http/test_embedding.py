"""The interface embedded in an application, without database, identity provider and metrics."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

import faregate_http
from faregate.files.reading import load_edition
from faregate_http import MemoryStore, Options, Providers, create_app
from faregate_http.protocol.observed import Observed
from support.service.service import HEADERS, KEYS, VALLEY_STATION, Clock, day_ticket, open_checkout
from support.service.unlimited import FREE_HOLDS
from support.specification.openapi_conformity import Conformity

OF_A_SERVER = {"alembic", "asyncpg", "joserfc", "prometheus_client", "sqlalchemy", "structlog", "uvicorn"}


class Noted:
    """Telemetry that records the names of operations."""

    def __init__(self) -> None:
        self.in_progress = 0
        self.operations: list[str] = []

    def answered(self, request: Observed, seconds: float) -> None:
        """Record the operation."""
        self.operations.append(request.operation)

    def worked(self, work: str, *, succeeded: bool) -> None:
        """Ignore background work."""

    def deleted(self, kind: str, number: int) -> None:
        """Ignore deleted rows."""


@pytest.fixture
def telemetry() -> Noted:
    return Noted()


@pytest.fixture
def client(telemetry: Noted) -> Iterator[TestClient]:
    options: Any = {"channel_keys": KEYS, **FREE_HOLDS}
    app = create_app(
        load_edition(None),
        MemoryStore,
        options=Options(**options),
        providers=Providers(clock=Clock(), telemetry=telemetry),
    )
    headers = {**HEADERS, "service-channel-uuid": VALLEY_STATION}
    with TestClient(app, base_url="http://localhost", headers=headers) as client:
        client.event_hooks = {"response": [Conformity()]}
        yield client


def test_a_ticket_is_sold_with_the_memory_store(client: TestClient, telemetry: Noted) -> None:
    url, opened = open_checkout(client, day_ticket(1))
    paid = client.post(
        f"{url}/payment", json={"expectedTotal": float(opened["totalGross"]), "provider": "ON_SITE"}
    )

    assert (paid.status_code, paid.json()["data"]["status"]) == (200, "CLOSED")
    assert client.get(url).json()["data"]["status"] == "CLOSED"
    assert telemetry.operations == ["addItems", "payCheckout", "getCheckout"]


def test_without_a_gatekeeper_there_are_no_accounts(client: TestClient) -> None:
    response = client.get("/api/accounts/current", headers={"authorization": "Bearer a.b.c"})

    assert (response.status_code, response.json()["code"]) == (503, "identity-not-configured")


@pytest.mark.parametrize("path", ["/", "/docs", "/metrics", "/health/ready", "/openapi.json"])
def test_the_pages_of_the_server_are_missing(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.slow
def test_no_server_modules_are_loaded() -> None:
    code = (
        "import sys, faregate_http; faregate_http.create_app, faregate_http.MemoryStore; print(*sys.modules)"
    )
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()

    assert OF_A_SERVER & {name.partition(".")[0] for name in loaded} == set()
    assert not any(name.startswith("faregate_server") for name in loaded)


def test_an_unknown_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Settings'"):
        faregate_http.__getattr__("Settings")
