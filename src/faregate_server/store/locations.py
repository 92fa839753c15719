"""From the URL of a database to what holds it."""

from pathlib import Path

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from faregate_http.store.contract import UnsupportedDatabase
from faregate_server.store.postgresql.location import PostgresqlLocation, postgresql_location

_SUPPORTED = "sqlite:///relative.db or sqlite:////absolute.db or postgresql://user@host/name"

_POSTGRESQL = {"postgresql", "postgres"}


def location(url: str) -> Path | PostgresqlLocation:
    """Return the SQLite file or the PostgreSQL database that *url* names.

    >>> location("postgresql://gate:secret@db.example:5433/tickets?pool_size=4").pool_size
    4

    Raises:
        UnsupportedDatabase: the URL is none, or names something that no store keeps its rows in.
    """
    parsed = _parsed(url)
    return postgresql_location(parsed) if parsed.drivername in _POSTGRESQL else _sqlite_path(parsed)


def shown(url: str) -> str:
    """Return *url* as it may be shown to anybody: without password and options.

    >>> shown("postgresql://gate:secret@db.example/tickets?pool_size=4")
    'postgresql://gate@db.example/tickets'
    """
    try:
        parsed = _parsed(url)
    except UnsupportedDatabase:
        return "the database"
    plain = URL.create(parsed.drivername, parsed.username, None, parsed.host, parsed.port, parsed.database)
    return plain.render_as_string()


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):  # the latter of a port that is no number
        raise UnsupportedDatabase(f"not the URL of a database: write {_SUPPORTED}") from None


def _sqlite_path(parsed: URL) -> Path:
    if parsed.drivername != "sqlite":
        raise UnsupportedDatabase(f"no store for {parsed.drivername}: write {_SUPPORTED}")
    if parsed.host:
        raise UnsupportedDatabase(f"a SQLite file has no host, got {parsed.host}: write {_SUPPORTED}")
    if parsed.query:
        raise UnsupportedDatabase(f"a SQLite file takes no options here: write {_SUPPORTED}")
    if parsed.database in {None, "", ":memory:"}:
        raise UnsupportedDatabase(f"a database in memory cannot be shared or survive: write {_SUPPORTED}")
    return Path(str(parsed.database))
