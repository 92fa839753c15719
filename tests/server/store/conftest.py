"""Fixtures for the databases on which every store test runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.stores.sqlite import new_database

DATABASES = ["sqlite", "postgresql"]
"""The databases with a store."""


@pytest.fixture(params=DATABASES)
def database_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a new, empty database with tables."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(params=DATABASES)
def empty_database_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of a new database without tables."""
    url: str = request.getfixturevalue(f"empty_{request.param}_url")
    return url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return new_database(tmp_path / "checkouts.db")


@pytest.fixture
def empty_sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/checkouts.db"


@pytest.fixture
def postgresql_url() -> Iterator[str]:
    from support.stores.postgresql import migrated_database

    with migrated_database() as url:
        yield url


@pytest.fixture
def empty_postgresql_url() -> Iterator[str]:
    from support.stores.postgresql import empty_database

    with empty_database() as url:
        yield url
