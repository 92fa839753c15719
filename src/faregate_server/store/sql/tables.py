"""The tables, for every database: migrations build them, statements are written against them.

Columns stand in the order of the fields of `CheckoutRow` and `StoredAnswer`, the large ones last, so that
SQLite reads the head of a checkout without touching the pages that hold its inputs.

The triggers are written in the migrations alone: `capacity.held` and `capacity.sold` are the sums of the
holds of a slot whoever writes them, and a checkout whose `has_holds` goes out has no holds any more.
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
from sqlalchemy.schema import SchemaItem

from faregate_http.store.records import (
    AccountRow,
    OrderRow,
    PaymentDetailRow,
    PaymentRow,
    PersonRow,
    Record,
    TicketRow,
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

OF_AN_ACCOUNT = text("account IS NOT NULL AND NOT is_closed")
"""What a checkout is that has to be found by its account; in an index only these cost anything."""

HAS_HOLDER = text("holder IS NOT NULL")
"""A checkout that holds places and that no account vouches for."""

# Compared by its bytes, as SQLite and Python do, not by the rules of a language.
_BY_BYTES = Text().with_variant(Text(collation="C"), "postgresql")

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
    Column("is_paying", Boolean, nullable=False, server_default=false()),
    Column("holder", BigInteger, nullable=True),
    Column("held_units", BigInteger, nullable=False, server_default=text("0")),
    PrimaryKeyConstraint("id"),
    CheckConstraint("revision >= 1", name="revision"),
    CheckConstraint("expires_at >= started_at", name="expiry"),
    Index("ix_checkouts_may_expire", "expires_at", sqlite_where=MAY_EXPIRE, postgresql_where=MAY_EXPIRE),
    Index("ix_checkouts_holder", "holder", sqlite_where=HAS_HOLDER, postgresql_where=HAS_HOLDER),
    Index(
        "ix_checkouts_account",
        "account",
        "id",
        sqlite_where=OF_AN_ACCOUNT,
        postgresql_where=OF_AN_ACCOUNT,
    ),
)

answers = Table(
    "answers",
    metadata,
    Column("scope", _BY_BYTES, nullable=False),
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

# What is taken of the places of a pool on a service day or in a time slot. The last check is what makes it
# impossible to sell a place twice. The size is the one of the catalogue when a place was last taken.
capacity = Table(
    "capacity",
    metadata,
    Column("pool", Text, nullable=False),
    Column("slot", _BY_BYTES, nullable=False),
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
    Column("slot", _BY_BYTES, nullable=False),
    Column("units", BigInteger, nullable=False),
    Column("is_sold", Boolean, nullable=False, server_default=false()),
    PrimaryKeyConstraint("checkout_id", "pool", "slot"),
    ForeignKeyConstraint(["pool", "slot"], ["capacity.pool", "capacity.slot"]),
    CheckConstraint("units >= 1", name="units"),
    sqlite_with_rowid=False,
)


# ---------------------------------------------------------------- records


def _records(
    name: str, key: type[BigInteger] | type[Text], *items: SchemaItem, of: ForeignKey | None = None
) -> Table:
    """A table of records: what all have, their key that *of* something else where given, then *items*."""
    return Table(
        name,
        metadata,
        Column("id", key, *([of] if of is not None else []), nullable=False),
        Column("revision", BigInteger, nullable=False),
        Column("created_at", BigInteger, nullable=False),
        *items,
        PrimaryKeyConstraint("id"),
        CheckConstraint("revision >= 1", name="revision"),
    )


def _due_index(table: str) -> Index:
    is_due = text("due_at IS NOT NULL")
    return Index(f"ix_{table}_due", "due_at", sqlite_where=is_due, postgresql_where=is_due)


IS_DEFAULT = text("is_default AND status = 'ACTIVE'")
"""Of an account's payment details one at most is that."""

accounts = _records(
    "accounts",
    BigInteger,
    Column("issuer", Text, nullable=True),
    Column("subject", Text, nullable=True),
    Column("email", Text, nullable=False),
    Column("type", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("profile", Text, nullable=False),
    Column("deleted_at", BigInteger, nullable=True),
    Column("due_at", BigInteger, nullable=True),
    Index("ix_accounts_subject", "issuer", "subject", unique=True),
    _due_index("accounts"),
)

persons = _records(
    "persons",
    BigInteger,
    Column("account", BigInteger, ForeignKey("accounts.id"), nullable=False),
    Column("is_owner", Boolean, nullable=False),
    Column("answers", Text, nullable=False),
    Index("ix_persons_account", "account"),
)

payment_details = _records(
    "payment_details",
    BigInteger,
    Column("account", BigInteger, ForeignKey("accounts.id"), nullable=False),
    Column("transaction_id", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("is_default", Boolean, nullable=False),
    Column("is_single_use", Boolean, nullable=False),
    Column("method", Text, nullable=True),
    Column("brand", Text, nullable=False),
    Column("code", Text, nullable=False),
    Column("alias", Text, nullable=True),
    Column("request", Text, nullable=False),
    Column("due_at", BigInteger, nullable=True),
    Index("ix_payment_details_account", "account"),
    Index("ix_payment_details_transaction", "transaction_id", unique=True),
    Index(
        "ix_payment_details_default",
        "account",
        unique=True,
        sqlite_where=IS_DEFAULT,
        postgresql_where=IS_DEFAULT,
    ),
    _due_index("payment_details"),
)

payments = _records(
    "payments",
    Text,
    Column("checkout_id", Text, ForeignKey("checkouts.id"), nullable=False),
    Column("status", Text, nullable=False),
    Column("provider", Text, nullable=True),
    Column("detail_id", BigInteger, nullable=True),
    Column("method", Text, nullable=True),
    Column("amount", BigInteger, nullable=False),
    Column("currency", Text, nullable=False),
    Column("vouchers", Text, nullable=False),
    Column("errors", Text, nullable=False),
    Column("deadline", BigInteger, nullable=False),
    Column("key", Text, nullable=True),
    Column("due_at", BigInteger, nullable=True),
    CheckConstraint("amount >= 0", name="amount"),
    Index("ix_payments_checkout", "checkout_id"),
    _due_index("payments"),
)

orders = _records(
    "orders",
    Text,
    Column("account", BigInteger, nullable=True),
    Column("channel", Text, nullable=False),
    Column("channel_type", Text, nullable=False),
    Column("reference", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("total", BigInteger, nullable=False),
    Column("figures", Text, nullable=False),
    Column("views", LargeBinary, nullable=False),
    Index("ix_orders_reference", "reference", unique=True),
    Index("ix_orders_account", "account"),
    of=ForeignKey("checkouts.id"),
)

tickets = _records(
    "tickets",
    Text,
    Column("order_id", Text, ForeignKey("orders.id"), nullable=False),
    Column("item_id", BigInteger, nullable=False),
    Column("status", Text, nullable=False),
    Column("attempts", BigInteger, nullable=False),
    Column("serial", Text, nullable=True),
    Column("due_at", BigInteger, nullable=True),
    Index("ix_tickets_order", "order_id"),
    _due_index("tickets"),
)

RECORDS: dict[type[Record], Table] = {
    AccountRow: accounts,
    PersonRow: persons,
    PaymentDetailRow: payment_details,
    PaymentRow: payments,
    OrderRow: orders,
    TicketRow: tickets,
}
"""Where each kind of record is kept; the columns have the names and the order of its fields."""
