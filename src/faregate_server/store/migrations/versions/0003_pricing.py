"""A column for the pricing document of an order, which has its totals and the pricing request."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column; earlier orders have no document."""
    op.add_column("orders", sa.Column("pricing", sa.Text, nullable=True))
