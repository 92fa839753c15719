"""Migration of a database to the latest revision, safe even if several processes start at once.

Alembic is called directly, without an ini file, an env.py or logging, and is not imported if the database is
already at `HEAD`.
"""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from faregate_server.store.locations import location
from faregate_server.store.sqlite.file import connect, names_of, opening, revision_of
from faregate_server.store.unusable import NewerDatabase

if TYPE_CHECKING:
    from alembic.runtime.migration import RevisionStep
    from alembic.script import ScriptDirectory
    from sqlalchemy import Connection

HEAD = "0001"
"""The latest database revision in migrations/versions."""

LOCK_TIMEOUT_MS = 30_000
"""Maximum time in milliseconds to wait for another process that is migrating the same database."""


class Migrated(NamedTuple):
    """The revisions of a database before and after a migration; ``before`` is None if it was empty."""

    found: str | None
    reached: str


def migrate(url: str) -> Migrated:
    """Migrate the database at *url* to `HEAD`; create the SQLite file if it does not exist.

    If several processes start at once, one migrates and the others wait. A failed migration leaves the
    database unchanged.

    Raises:
        UnsupportedDatabase: the URL does not refer to a SQLite or PostgreSQL database.
        NewerDatabase: the database is at an unknown revision.
        StoreUnavailable: the database cannot be opened, written or migrated, or is not a database.
    """
    match location(url):
        case Path() as path:
            found = _migrate_sqlite(path)
        case server:
            from faregate_server.store.postgresql.connection import demand_driver

            demand_driver()
            from faregate_server.store.postgresql.migration import migrate_postgresql

            found = migrate_postgresql(server, head=HEAD, upgrade=upgrade, lock_timeout_ms=LOCK_TIMEOUT_MS)
    return Migrated(found, HEAD)


def migration_scripts() -> "ScriptDirectory":
    """Return the migration scripts of this version of faregate."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(Path(__file__).with_name("migrations")))


def upgrade(connection: "Connection") -> None:
    """Apply the missing migrations in the transaction of *connection*, which holds the migration lock.

    Raises:
        NewerDatabase: the database is at an unknown revision.
    """
    from alembic.operations import Operations
    from alembic.runtime.migration import MigrationContext

    scripts = migration_scripts()

    def steps(found: tuple[str, ...], _context: MigrationContext) -> "list[RevisionStep]":
        return _steps(scripts, found[0] if found else None)

    context = MigrationContext.configure(connection, opts={"fn": steps, "script": scripts})
    with Operations.context(context):
        context.run_migrations()


def _steps(scripts: "ScriptDirectory", found: str | None) -> "list[RevisionStep]":
    from alembic.runtime.migration import MigrationStep

    if found not in {None, *(script.revision for script in scripts.walk_revisions())}:
        raise NewerDatabase(str(found), HEAD)
    newest_first = scripts.iterate_revisions(HEAD, found or "base")
    oldest_first = reversed(list(newest_first))
    return [MigrationStep.upgrade_from_script(scripts.revision_map, script) for script in oldest_first]


def _migrate_sqlite(path: Path) -> str | None:
    with closing(connect(path, busy_timeout_ms=LOCK_TIMEOUT_MS)) as connection, opening(path):
        found = revision_of(connection)
        if found != HEAD:
            _upgrade_sqlite(connection)
    return found


def declared_names() -> set[str]:
    """Return the names of the indexes and constraints that the migrations create in every database."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        _upgrade_sqlite(connection)
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        names = names_of(connection).difference(name for (name,) in triggers)
    return names - {"alembic_version_pkc"}


def _upgrade_sqlite(raw: sqlite3.Connection) -> None:
    from sqlalchemy import StaticPool, create_engine
    from sqlalchemy.exc import DBAPIError

    engine = create_engine("sqlite://", creator=lambda: raw, poolclass=StaticPool)
    try:
        with engine.connect() as connection, connection.begin():
            # Take the lock and begin one transaction for the whole migration: the driver begins none by
            # itself. This comes late because the engine rolls back an open transaction on first use.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            upgrade(connection)
    except DBAPIError as error:
        raise sqlite3.OperationalError(str(error.orig)) from error
