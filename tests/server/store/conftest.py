"""Fixtures for the databases on which every store test runs."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from faregate_http.store.contract import Store
from support.stores.postgresql_session import Beside, beside
from support.stores.rows import opened
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
async def store(database_url: str) -> AsyncIterator[Store]:
    """Yield an open store on *database_url*."""
    async with opened(database_url) as store:
        yield store


@pytest.fixture
async def session(database_url: str) -> AsyncIterator[Beside]:
    """Yield a session beside the store, on PostgreSQL."""
    async with beside(database_url) as session:
        yield session


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file of a new, empty SQLite database with tables."""
    file = tmp_path / "checkouts.db"
    new_database(file)
    return file


@pytest.fixture
def sqlite_url(path: Path) -> str:
    return f"sqlite:///{path}"


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
