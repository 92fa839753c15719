"""One connection to PostgreSQL."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from faregate_http.store.contract import UnsupportedDatabase

if TYPE_CHECKING:
    from asyncpg import Connection

    from faregate_server.store.postgresql.location import PostgresqlLocation


def connection_options(location: PostgresqlLocation) -> dict[str, Any]:
    """Return what asyncpg makes a connection to *location* with.

    The server ends by itself what takes too long: the locks of a service that was cut off would else be held
    until the network is found dead.
    """
    patience = str(int(location.timeout * 1000))
    return {
        "dsn": _tls(location),
        "host": location.host,
        "port": location.port,
        "user": location.user,
        "password": location.password,
        "database": location.database,
        "timeout": location.timeout,
        "statement_cache_size": location.statement_cache,
        "server_settings": {
            "application_name": "faregate",
            "statement_timeout": patience,
            "idle_in_transaction_session_timeout": patience,
        },
    }


def _tls(location: PostgresqlLocation) -> str | None:
    asked = {"sslmode": location.sslmode, "sslrootcert": location.sslrootcert}
    given = {name: value for name, value in asked.items() if value is not None}
    return f"postgresql://?{urlencode(given)}" if given else None


async def connect(location: PostgresqlLocation) -> Connection:
    """Connect to *location*.

    Raises:
        Exception: whatever the driver says; `translated` makes errors of the contract of it.
    """
    import asyncpg

    return await asyncpg.connect(**connection_options(location))


async def revision_of(connection: Connection) -> str | None:
    """Return the revision of the tables; None: there are none."""
    if await connection.fetchval("SELECT to_regclass('alembic_version')") is None:
        return None
    found = await connection.fetchval("SELECT version_num FROM alembic_version")
    return None if found is None else str(found)


def demand_driver() -> None:
    """Return if what PostgreSQL needs is installed; the migrations need greenlet.

    Raises:
        UnsupportedDatabase: it is not; the message says how to install it.
    """
    missing = [name for name in ("asyncpg", "greenlet") if find_spec(name) is None]
    if missing:
        raise UnsupportedDatabase(
            f"PostgreSQL needs {' and '.join(missing)}: pip install 'faregate[postgres]'"
        )
