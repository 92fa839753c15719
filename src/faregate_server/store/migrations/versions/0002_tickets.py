"""Tickets keep what is printed until they are issued, payments the language of the customer.

On PostgreSQL the functions of the triggers name their schema, since the search path of a connection need not.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_FUNCTIONS = ("count_holds", "release_holds")


def upgrade() -> None:
    """Add the columns, and fix the search path of the functions."""
    op.add_column("tickets", sa.Column("content", sa.Text, nullable=True))
    op.add_column("payments", sa.Column("language", sa.Text, nullable=False, server_default="en"))
    if op.get_context().dialect.name == "postgresql":
        for function in _FUNCTIONS:
            op.execute(f"ALTER FUNCTION {function}() SET search_path FROM CURRENT")
