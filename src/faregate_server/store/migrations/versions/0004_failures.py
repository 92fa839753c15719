"""A table for the failures of clients, such as wrong codes, which all processes count together."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Create the table; its ids grow, so that the first ones are the oldest."""
    op.create_table(
        "failures",
        # Only INTEGER gets numbers by itself in SQLite; it has 64 bits there.
        sa.Column(
            "id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(), primary_key=True
        ),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("holder", sa.BigInteger, nullable=False),
        sa.Column("ends_at", sa.BigInteger, nullable=False),
    )
    op.create_index("ix_failures_holder", "failures", ["holder", "kind", "ends_at"])
