"""A service that trusts a test identity provider."""

import pytest
from starlette.testclient import TestClient

from support.service.service import Clock


@pytest.fixture(scope="module")
def service(service_with_accounts: tuple[TestClient, Clock]) -> tuple[TestClient, Clock]:
    return service_with_accounts
