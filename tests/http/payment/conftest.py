"""A service at which customers register means of payment."""

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from support.payment.registering import Customer, paying
from support.service.service import Clock


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Clock]]:
    """Yield one service for the tests of a module, in which each test has its own customer."""
    clock = Clock()
    with paying(tmp_path_factory.mktemp("paying"), clock=clock) as client:
        yield client, clock


@pytest.fixture
def customer(client: TestClient) -> Customer:
    """Return a customer with an account and no means of payment."""
    return Customer.new(client)
