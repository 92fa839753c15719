"""Connections to PostgreSQL."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from faregate_server.store.unusable import UnsupportedDatabase

if TYPE_CHECKING:
    from asyncpg import Connection

    from faregate_server.store.postgresql.location import PostgresqlLocation


def connection_options(location: PostgresqlLocation) -> dict[str, Any]:
    """Return the arguments with which asyncpg connects to any host of *location*.

    The server is told to end statements that take too long. Otherwise it would keep the locks of a service
    that has vanished until the connection times out.
    """
    patience = str(int(location.timeout * 1000))
    return {
        "dsn": _tls(location),
        "user": location.user,
        "password": location.password,
        "database": location.database,
        "target_session_attrs": location.target_session_attrs,
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


class Connector:
    """Connects to the first usable host of *location*, beginning with the one used last.

    The driver would spend the whole time limit on a host that does not respond; here, each host has its
    share of the limit.
    """

    def __init__(self, location: PostgresqlLocation) -> None:
        self._location = location
        self._hosts = list(location.hosts)

    async def connect(self, _dsn: None = None, **options: Any) -> Connection:
        """Return a new connection, made with further *options* of the driver.

        Raises:
            Exception: a driver error, to be converted by `translated`.
        """
        import asyncpg

        from faregate_server.store.postgresql.errors import FAILURES, first_line

        options |= connection_options(self._location)
        seconds = self._location.timeout / len(self._hosts)
        faults = []
        for place in list(self._hosts):
            host, port = place
            try:
                connection = await asyncpg.connect(host=host, port=port, timeout=seconds, **options)
            except FAILURES as error:
                if len(self._hosts) == 1:
                    raise
                faults.append(f"{host}: {first_line(error)}")
            else:
                self._hosts.sort(key=lambda other: other != place)
                return connection
        raise asyncpg.CannotConnectNowError(f"no host can be used: {'; '.join(faults)}")


async def connect(location: PostgresqlLocation) -> Connection:
    """Return a new connection to *location*, which must not be behind a pooler that loses statements.

    Raises:
        UnsupportedDatabase: there is a pooler, and *location* keeps prepared statements.
        Exception: a driver error, to be converted by `translated`.
    """
    connection = await Connector(location).connect()
    try:
        await _check_no_pooler(connection, location)
    except BaseException:
        connection.terminate()
        raise
    return connection


async def _check_no_pooler(connection: Connection, location: PostgresqlLocation) -> None:
    # A pooler shares the server's processes, so it names a number of its own when a client connects.
    if not location.statement_cache:
        return
    # As a simple query without a result, because a prepared one would already fail.
    status = await connection.execute(f"SELECT WHERE pg_backend_pid() = {connection.get_server_pid()}")
    if status != "SELECT 1":
        raise UnsupportedDatabase(
            "the URL leads to a pooler such as PgBouncer, which loses prepared statements: "
            "add statement_cache=0 to the options of the URL"
        )


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
