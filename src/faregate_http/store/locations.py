"""From the URL of a database to what holds it."""

from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from faregate_http.store.contract import UnsupportedDatabase

_SUPPORTED = "sqlite:///relative.db or sqlite:////absolute.db"


def sqlite_path(url: str) -> Path:
    """Return the file that *url* names.

    >>> sqlite_path("sqlite:///var/checkouts.db")
    PosixPath('var/checkouts.db')

    Raises:
        UnsupportedDatabase: the URL is none, or names another database, a host, options, or no file.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise UnsupportedDatabase(f"not the URL of a database: write {_SUPPORTED}") from None
    if parsed.drivername != "sqlite":
        raise UnsupportedDatabase(f"no store for {parsed.drivername}: write {_SUPPORTED}")
    if parsed.host:
        raise UnsupportedDatabase(f"a SQLite file has no host, got {parsed.host}: write {_SUPPORTED}")
    if parsed.query:
        raise UnsupportedDatabase(f"a SQLite file takes no options here: write {_SUPPORTED}")
    if parsed.database in {None, "", ":memory:"}:
        raise UnsupportedDatabase(f"a database in memory cannot be shared or survive: write {_SUPPORTED}")
    return Path(str(parsed.database))
