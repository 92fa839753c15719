"""The tables, for every database: migrations build them, statements are written against them.

Columns stand in the order of the fields of `CheckoutRow` and `StoredAnswer`, the large ones last, so that
SQLite reads the head of a checkout without touching the pages that hold its inputs.

The triggers are written in the migrations alone: `capacity.held` is the sum of the holds of a slot whoever
writes them, and a checkout whose `has_holds` goes out has no holds any more.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
    }
)

MAY_EXPIRE = text("has_holds AND NOT is_closed")
"""What a checkout is whose holds go when it expires; SQLite takes an index only for its very words."""

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
    # Last, but not behind the inputs: SQLite keeps a truth value in the header of the row, with the lengths.
    Column("has_holds", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("id"),
    CheckConstraint("revision >= 1", name="revision"),
    CheckConstraint("expires_at >= started_at", name="expiry"),
    Index("ix_checkouts_may_expire", "expires_at", sqlite_where=MAY_EXPIRE, postgresql_where=MAY_EXPIRE),
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

# Compared by its bytes, as SQLite and Python do, not by the rules of a language.
_SLOT = Text().with_variant(Text(collation="C"), "postgresql")

# What is taken of the places of a pool on a service day or in a time slot. The last check is what makes it
# impossible to sell a place twice. The size is the one of the catalogue when a place was last taken.
capacity = Table(
    "capacity",
    metadata,
    Column("pool", Text, nullable=False),
    Column("slot", _SLOT, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("sold", BigInteger, nullable=False, server_default=text("0")),
    Column("held", BigInteger, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("pool", "slot"),
    CheckConstraint("sold >= 0", name="sold"),
    CheckConstraint("held >= 0", name="held"),
    CheckConstraint("sold + held <= size", name="size"),
    sqlite_with_rowid=False,
)

holds = Table(
    "holds",
    metadata,
    Column("checkout_id", Text, ForeignKey("checkouts.id", ondelete="CASCADE"), nullable=False),
    Column("pool", Text, nullable=False),
    Column("slot", _SLOT, nullable=False),
    Column("units", BigInteger, nullable=False),
    PrimaryKeyConstraint("checkout_id", "pool", "slot"),
    ForeignKeyConstraint(["pool", "slot"], ["capacity.pool", "capacity.slot"]),
    CheckConstraint("units >= 1", name="units"),
    sqlite_with_rowid=False,
)
