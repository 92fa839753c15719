"""Checkouts, and the answers given to requests that a client may repeat."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create both tables."""
    op.create_table(
        "checkouts",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("account", sa.BigInteger, nullable=True),
        sa.Column("is_closed", sa.Boolean, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("inputs", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_checkouts"),
        sa.CheckConstraint("revision >= 1", name="ck_checkouts_revision"),
        sa.CheckConstraint("expires_at >= started_at", name="ck_checkouts_expiry"),
    )
    op.create_table(
        "answers",
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("headers", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("scope", "key", name="pk_answers"),
        sa.CheckConstraint("status BETWEEN 100 AND 599", name="ck_answers_status"),
    )
    op.create_index("ix_answers_created_at", "answers", ["created_at"])
