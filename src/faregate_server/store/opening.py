"""Opening of the store at a database URL.

>>> import asyncio, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     store = open_store(f"sqlite:///{folder}/checkouts.db")
...     print(asyncio.run(store.head("7d9e6c1a-0b51-4c58-8a10-3a3f6a1f2b77")))
...     asyncio.run(store.close())
None
"""

from pathlib import Path

from faregate_http.store.contract import Store
from faregate_server.store.locations import location
from faregate_server.store.migrate import migrate
from faregate_server.store.snapshots import open_snapshot
from faregate_server.store.sqlite.store import SqliteStore


def open_store(url: str) -> Store:
    """Migrate the database at *url* to the latest revision, and return a store that uses it.

    The URL is ``sqlite:///relative.db``, ``sqlite:////absolute.db`` or ``postgresql://user@host/name``. The
    call blocks: make it before the event loop starts, or in a thread.

    Raises:
        UnsupportedDatabase: the URL does not refer to a SQLite or PostgreSQL database.
        NewerDatabase: a newer version of faregate has migrated the database.
        StoreUnavailable: the database cannot be opened or written, or is not a database.
    """
    migrate(url)
    return _opened(url)


def open_migrated_store(url: str) -> Store:
    """Return a store that uses the database at *url*; see `check_migrated` and `open_store`."""
    check_migrated(url)
    return _opened(url)


def check_migrated(url: str) -> None:
    """Check that the database at *url* is at the latest revision, without changing or creating anything.

    Raises:
        OlderDatabase: the database must be migrated first.
        NewerDatabase: a newer version of faregate has migrated the database.
        UnsupportedDatabase: the URL does not refer to a SQLite or PostgreSQL database.
        StoreUnavailable: the database does not exist or cannot be read.
    """
    with open_snapshot(url):
        pass


def _opened(url: str) -> Store:
    match location(url):
        case Path() as path:
            return SqliteStore.open(path)
        case server:
            from faregate_server.store.postgresql.store import PostgresqlStore

            return PostgresqlStore(server)
