"""Connections to PostgreSQL."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from faregate_http.store.contract import UnsupportedDatabase

if TYPE_CHECKING:
    from asyncpg import Connection

    from faregate_server.store.postgresql.location import PostgresqlLocation


def connection_options(location: PostgresqlLocation) -> dict[str, Any]:
    """Return the arguments with which asyncpg connects to *location*.

    The server is told to end statements that take too long. Otherwise it would keep the locks of a service
    that has vanished until the connection times out.
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
    """Return a new connection to *location*.

    Raises:
        Exception: a driver error, to be converted by `translated`.
    """
    import asyncpg

    return await asyncpg.connect(**connection_options(location))


def demand_driver() -> None:
    """Check that the packages that PostgreSQL needs are installed: asyncpg, and greenlet for migrations.

    Raises:
        UnsupportedDatabase: a package is missing; the message says how to install it.
    """
    missing = [name for name in ("asyncpg", "greenlet") if find_spec(name) is None]
    if missing:
        raise UnsupportedDatabase(
            f"PostgreSQL needs {' and '.join(missing)}: pip install 'faregate[postgres]'"
        )
