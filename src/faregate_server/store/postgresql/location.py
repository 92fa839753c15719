"""The connection options in a PostgreSQL URL; the password never appears in a message."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote

from sqlalchemy import URL

from faregate_server.store.unusable import UnsupportedDatabase

SSL_MODES = ("disable", "allow", "prefer", "require", "verify-ca", "verify-full")

TARGETS = ("any", "primary", "read-write")


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresqlLocation:
    """A PostgreSQL database and the options of its URL.

    host: a name, an address, or the folder of a Unix socket. As in libpq, missing values come from the
        environment (PGHOST, PGUSER, PGPASSWORD, PGPASSFILE …).
    other_hosts: further hosts with their ports, tried in this order if the first cannot be used.
    target_session_attrs: kind of server to use: any, primary or read-write. The default is read-write if
        there are several hosts, so that a standby is never used, and any otherwise.
    sslmode, sslrootcert: as in libpq.
    pool_size: maximum number of connections, and so of simultaneous saves; default 10.
    timeout: maximum duration of an operation in seconds, including retries and the wait for a connection;
        default 10. The locks of a service that has vanished are released after the same time.
    statement_cache: prepared statements kept per connection; default 100. Use 0 behind a proxy that shares
        connections between transactions, and configure PgBouncer to ignore the start-up parameters
        statement_timeout and idle_in_transaction_session_timeout.
    schema: the schema of the tables, created if missing; default faregate. Other applications may use the
        same database, because the service uses only the tables in this schema.
    """

    database: str
    host: str | None = None
    port: int | None = None
    other_hosts: tuple[tuple[str, int | None], ...] = ()
    target_session_attrs: str | None = None
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    sslmode: str | None = None
    sslrootcert: str | None = None
    pool_size: int = 10
    timeout: float = 10.0
    statement_cache: int = 100
    schema: str = "faregate"

    @property
    def hosts(self) -> tuple[tuple[str | None, int | None], ...]:
        """All hosts with their ports, in the order in which they are tried."""
        return ((self.host, self.port), *self.other_hosts)


def postgresql_location(url: URL) -> PostgresqlLocation:
    """Return the location of the PostgreSQL database at *url*.

    Raises:
        UnsupportedDatabase: the URL has no database name, an unknown option or an invalid value.
    """
    if not url.database:
        raise UnsupportedDatabase("the URL has no database name: use postgresql://user@host/name")
    options = _options(url.query)
    if url.host is not None and "host" in options:
        raise UnsupportedDatabase("the URL has two hosts: remove the host before the path or the option host")
    port = None if url.port is None else _number("port", str(url.port))
    first: tuple[str | None, int | None] = url.host, port
    others: list[tuple[str, int | None]] = []
    if "host" in options:
        first, *others = _hosts(str(options.pop("host")), port)
    if others:
        options = {"target_session_attrs": "read-write", **options}
    return PostgresqlLocation(
        database=unquote(url.database),
        host=first[0],
        port=first[1],
        other_hosts=tuple(others),
        user=url.username,
        password=None if url.password is None else str(url.password),
        **options,  # type: ignore[arg-type]  # each option is read as its field is
    )


def _hosts(text: str, port: int | None) -> list[tuple[str, int | None]]:
    """Return the hosts in *text*, separated by commas; *port* is for those without one."""
    found = [_HOST.fullmatch(part) for part in text.split(",")]
    if None in found:
        raise UnsupportedDatabase(
            f"the hosts must be names or addresses with or without a port, as in db1:5432,db2, got {text!r}"
        )
    return [
        (match["v6"] or match["name"], _number("port", match["port"]) if match["port"] else port)
        for match in found
        if match
    ]


def _options(query: Mapping[str, str | tuple[str, ...]]) -> dict[str, object]:
    read: dict[str, object] = {}
    for name, value in query.items():
        if name not in _OPTIONS:
            raise UnsupportedDatabase(
                f"unknown option {name}: a PostgreSQL URL can have {', '.join(_OPTIONS)}"
            )
        if not isinstance(value, str):
            raise UnsupportedDatabase(f"option {name} occurs more than once in the URL")
        read[name] = _number(name, value) if name in _BOUNDS else _text(name, value)
    return read


def _text(name: str, value: str) -> str:
    if name == "sslmode" and value not in SSL_MODES:
        raise UnsupportedDatabase(f"sslmode must be one of {', '.join(SSL_MODES)}, got {value!r}")
    if name == "target_session_attrs" and value not in TARGETS:
        raise UnsupportedDatabase(
            f"target_session_attrs must be one of {', '.join(TARGETS)}, because the service writes, "
            f"got {value!r}"
        )
    if not value:
        raise UnsupportedDatabase(f"option {name} has no value")
    if name == "schema" and not _SCHEMA.fullmatch(value):
        raise UnsupportedDatabase(
            "schema must consist of lower-case letters, digits and underscores, as in faregate, "
            f"got {value!r}"
        )
    return value


def _number(name: str, text: str) -> int:
    lowest, highest = _BOUNDS[name]
    if not (text.isascii() and text.isdecimal() and lowest <= int(text[:12]) <= highest):
        raise UnsupportedDatabase(f"{name} must be a whole number from {lowest} to {highest}, got {text!r}")
    return int(text)


# Names that need no escaping in SQL; the server reserves the excluded ones.
_SCHEMA = re.compile("(?!pg_|information_schema$)[a-z_][a-z0-9_]{0,62}")

# A name, a folder or an address; an IPv6 address needs brackets only before a port.
_HOST = re.compile(
    r"(?:\[(?P<v6>[^\[\]]+)\]|(?P<name>[^:\[\]]+|[^\[\]]*:[^\[\]]*:[^\[\]]*?))(?::(?P<port>[^:]*))?"
)

_OPTIONS = (
    "host",
    "target_session_attrs",
    "sslmode",
    "sslrootcert",
    "pool_size",
    "timeout",
    "statement_cache",
    "schema",
)

_BOUNDS = {
    "port": (1, 65_535),
    "pool_size": (1, 500),
    "timeout": (1, 600),
    "statement_cache": (0, 10_000),
}
