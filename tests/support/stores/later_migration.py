"""A migration after those of this code, to test databases at an older revision."""

import shutil
from pathlib import Path

import pytest

from faregate_server.store.migrate import HEAD, migration_scripts

LATER = "9000"
"""Its revision."""

LATER_SCRIPT = f"""
import sqlalchemy as sa
from alembic import op

revision = "{LATER}"
down_revision = "{HEAD}"


def upgrade() -> None:
    op.add_column("checkouts", sa.Column("is_later", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table("later", sa.Column("id", sa.BigInteger, nullable=False))
"""


def add_later_migration(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Add a migration, which adds a column, then the table ``later``."""
    from alembic.script import ScriptDirectory

    migrations = folder / "migrations"
    shutil.copytree(Path(migration_scripts().versions), migrations / "versions")
    (migrations / "versions" / f"{LATER}_later.py").write_text(LATER_SCRIPT)
    for module in ("migrate", "snapshots"):
        patch.setattr(f"faregate_server.store.{module}.HEAD", LATER)
        patch.setattr(
            f"faregate_server.store.{module}.migration_scripts", lambda: ScriptDirectory(str(migrations))
        )
