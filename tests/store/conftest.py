"""The databases that every store test runs on."""

from pathlib import Path

import pytest


@pytest.fixture(params=["sqlite"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new, empty database; what keeps the contract is listed in the parameters."""
    match request.param:
        case "sqlite":
            return f"sqlite:///{tmp_path}/checkouts.db"
        case other:
            raise ValueError(other)
