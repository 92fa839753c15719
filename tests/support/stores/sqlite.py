"""SQLite databases for tests, as copies of one that is ready: to migrate each costs five times as much."""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from faregate_server.store.migrate import migrate


def new_database(file: Path) -> str:
    """The URL of the database in *file*, which holds nothing if it is new."""
    if not file.exists():
        file.write_bytes(_migrated())
    return f"sqlite:///{file}"


@cache
def _migrated() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        migrate(f"sqlite:///{file}")
        return file.read_bytes()
