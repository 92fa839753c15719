"""A running service and the clock it reads."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from serving.checkout_walker import Walker
from serving.service import START, Clock, running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Clock]]:
    """One for the tests of a module; each opens checkouts of its own."""
    clock = Clock()
    with running(tmp_path_factory.mktemp("service"), clock=clock) as client:
        yield client, clock


@pytest.fixture
def clock(service: tuple[TestClient, Clock]) -> Clock:
    """The clock of the service, at the start of the test's day."""
    _, clock = service
    clock.now = START
    return clock


@pytest.fixture
def client(service: tuple[TestClient, Clock], clock: Clock) -> Iterator[TestClient]:
    """A client of the service, with the headers it has from the start."""
    client, _ = service
    headers = client.headers.copy()
    yield client
    client.headers = headers


@pytest.fixture(scope="module")
def steady(service: tuple[TestClient, Clock]) -> TestClient:
    """The client for a test that Hypothesis runs many times, with nothing set up in between."""
    return service[0]


@pytest.fixture
def walker(client: TestClient) -> Walker:
    """A client of a checkout that it will open."""
    return Walker(client)
