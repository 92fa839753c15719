"""Parsing of database URLs."""

import re
from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from faregate_server.store.postgresql.location import PostgresqlLocation, postgresql_location
from faregate_server.store.unusable import UnsupportedDatabase

_SUPPORTED = "sqlite:///relative.db or sqlite:////absolute.db or postgresql://user@host/name"

_POSTGRESQL = {"postgresql", "postgres"}

# SQLAlchemy reads several hosts only from the option host. A password may contain "/", but not "@".
_SEVERAL_HOSTS = re.compile(r"(postgres(?:ql)?://(?:[^:/@]*(?::[^@]*)?@)?)([^/?@,]+,[^/?@]*)(?=[/?]|$)")


def location(url: str) -> Path | PostgresqlLocation:
    """Return the SQLite file or the PostgreSQL database that *url* refers to.

    >>> location("postgresql://gate:secret@db.example:5433/tickets?pool_size=4").pool_size
    4

    Raises:
        UnsupportedDatabase: the URL is invalid, or does not refer to a SQLite or PostgreSQL database.
    """
    parsed = _parsed(url)
    return postgresql_location(parsed) if parsed.drivername in _POSTGRESQL else _sqlite_path(parsed)


def shown(url: str) -> str:
    """Return the database URL *url* without its password and options, for messages.

    >>> shown("postgresql://gate:secret@db.example/tickets?pool_size=4")
    'postgresql://gate@db.example/tickets'
    """
    try:
        parsed = _parsed(url)
    except UnsupportedDatabase:
        return "the database"
    plain = URL.create(parsed.drivername, parsed.username, None, parsed.host, parsed.port, parsed.database)
    several = _SEVERAL_HOSTS.match(url)
    start, slash, rest = plain.render_as_string().partition("://")
    user, at, path = rest.partition("/")
    return f"{start}{slash}{user}{several[2] if several else ''}{at}{path}"


def _parsed(url: str) -> URL:
    several = _SEVERAL_HOSTS.match(url)
    try:
        if several is None:
            return make_url(url)
        parsed = make_url(several[1] + url[several.end() :])
        return parsed.update_query_pairs([("host", several[2])], append=True)
    except (ArgumentError, ValueError):  # ValueError: the port is not a number
        raise UnsupportedDatabase(f"not a database URL: use {_SUPPORTED}") from None


def _sqlite_path(parsed: URL) -> Path:
    if parsed.drivername != "sqlite":
        raise UnsupportedDatabase(f"unsupported database {parsed.drivername}: use {_SUPPORTED}")
    if parsed.host:
        raise UnsupportedDatabase(f"a SQLite URL must not have a host, got {parsed.host}: use {_SUPPORTED}")
    if parsed.query:
        raise UnsupportedDatabase(f"the URL of a SQLite file must not have options: use {_SUPPORTED}")
    if parsed.database in {None, "", ":memory:"}:
        raise UnsupportedDatabase(f"an in-memory database is neither shared nor durable: use {_SUPPORTED}")
    return Path(str(parsed.database))
