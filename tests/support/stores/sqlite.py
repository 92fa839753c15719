"""SQLite databases for tests, as copies of a migrated one: a migration takes five times as long."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from faregate_server.store.migrate import migrate


def new_database(file: Path) -> str:
    """Return the URL of the database in *file*, which is empty if new."""
    if not file.exists():
        file.write_bytes(_migrated())
    return f"sqlite:///{file}"


@cache
def _migrated() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        migrate(f"sqlite:///{file}")
        return file.read_bytes()
