"""The holders of checkouts that no account vouches for, so that what one address holds can be counted."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns; what is held already has no holder and counts for nobody."""
    op.add_column("checkouts", sa.Column("holder", sa.BigInteger, nullable=True))
    op.add_column(
        "checkouts", sa.Column("held_units", sa.BigInteger, nullable=False, server_default=sa.text("0"))
    )
    has_holder = sa.text("holder IS NOT NULL")
    op.create_index(
        "ix_checkouts_holder",
        "checkouts",
        ["holder"],
        sqlite_where=has_holder,
        postgresql_where=has_holder,
    )
