"""Columns for the content of tickets until they are issued, and for the language of payments.

On PostgreSQL the trigger functions get their own search path, because the connection's may lack the schema.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_FUNCTIONS = ("count_holds", "release_holds")


def upgrade() -> None:
    """Add the columns, and set the search path of the trigger functions."""
    op.add_column("tickets", sa.Column("content", sa.Text, nullable=True))
    op.add_column("payments", sa.Column("language", sa.Text, nullable=False, server_default="en"))
    if op.get_context().dialect.name == "postgresql":
        for function in _FUNCTIONS:
            op.execute(f"ALTER FUNCTION {function}() SET search_path FROM CURRENT")
