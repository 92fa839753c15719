"""The tables, for every database: migrations build them, statements are written against them.

Columns stand in the order of the fields of `CheckoutRow` and `StoredAnswer`, the large ones last, so that
SQLite reads the head of a checkout without touching the pages that hold its inputs.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={"pk": "pk_%(table_name)s", "ck": "ck_%(table_name)s_%(constraint_name)s"}
)

# Instants are epoch milliseconds, UTC. Inputs are Text, not bytes: operators read them with the JSON
# functions of their database.
checkouts = Table(
    "checkouts",
    metadata,
    Column("id", Text, nullable=False),
    Column("channel", Text, nullable=False),
    Column("account", BigInteger, nullable=True),
    Column("is_closed", Boolean, nullable=False),
    Column("revision", BigInteger, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("inputs", Text, nullable=False),
    PrimaryKeyConstraint("id"),
    CheckConstraint("revision >= 1", name="revision"),
    CheckConstraint("expires_at >= started_at", name="expiry"),
)

answers = Table(
    "answers",
    metadata,
    Column("scope", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("status", Integer, nullable=False),
    Column("headers", Text, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    PrimaryKeyConstraint("scope", "key"),
    CheckConstraint("status BETWEEN 100 AND 599", name="status"),
    Index("ix_answers_created_at", "created_at"),
)
