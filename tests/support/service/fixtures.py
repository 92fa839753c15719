"""Fixtures for a running service and its clock."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from support.payment.audit import audit
from support.payment.till import DATABASES, Customer, Shop, database, shop
from support.service.checkout_walker import Walker
from support.service.customers import serving_accounts
from support.service.identity_provider import Provider, providing
from support.service.service import START, Clock, running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Clock]]:
    """Yield a service for the tests of a module; each test opens its own checkouts."""
    clock = Clock()
    with running(tmp_path_factory.mktemp("service"), clock=clock) as client:
        yield client, clock


@pytest.fixture
def clock(service: tuple[TestClient, Clock]) -> Clock:
    """Return the clock of the service, at the start of the test's day."""
    _, clock = service
    clock.now = START
    return clock


@pytest.fixture
def client(service: tuple[TestClient, Clock], clock: Clock) -> Iterator[TestClient]:
    """Yield a client of the service with its default headers."""
    client, _ = service
    headers = client.headers.copy()
    yield client
    client.headers = headers


@pytest.fixture(scope="module")
def steady(service: tuple[TestClient, Clock]) -> TestClient:
    """Return the client for Hypothesis tests, without set-up between examples."""
    return service[0]


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    """Yield an identity provider for the tests of a module."""
    with providing() as provider:
        yield provider


@pytest.fixture(scope="module")
def service_with_accounts(
    tmp_path_factory: pytest.TempPathFactory, provider: Provider
) -> Iterator[tuple[TestClient, Clock]]:
    """Yield a service that trusts the provider, for the tests of a module."""
    clock = Clock()
    with serving_accounts(tmp_path_factory.mktemp("accounts"), provider, clock=clock) as client:
        yield client, clock


_SUBJECTS = iter(range(10**6))


@pytest.fixture
def subject() -> str:
    """Return a subject without an account."""
    return f"subject-{next(_SUBJECTS)}"


@pytest.fixture(params=DATABASES)
def till_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the URL of a new database for a shop with payments, for each database kind."""
    with database(request.param, tmp_path) as url:
        yield url


@pytest.fixture
def till(tmp_path: Path) -> Iterator[Shop]:
    """Yield a shop with payments whose books are audited after the test."""
    with database("sqlite", tmp_path) as url, shop(url) as opened:
        yield opened
        opened.call(audit, opened.services.store, opened.gateway, opened.clock)


@pytest.fixture
def customer(till: Shop) -> Customer:
    """Return a customer with an account in the shop."""
    return till.customer()


@pytest.fixture
def walker(client: TestClient) -> Walker:
    """Return a client of a new checkout."""
    return Walker(client)
