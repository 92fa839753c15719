"""Tables for checkouts, stored responses, capacity, accounts, payments, orders and failures.

Triggers count the held and sold units, so that no statement, not even a manual one, can exceed a capacity.
Slots, and the scopes of stored responses, are compared byte by byte. On PostgreSQL the trigger functions have
their own search path, because the connection's may lack the schema.
"""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

# A hold that moves to another slot leaves one slot and enters the other. A hold without a slot is refused.
_ENTER = """
    UPDATE capacity
    SET held = held + CASE WHEN new.is_sold THEN 0 ELSE new.units END,
        sold = sold + CASE WHEN new.is_sold THEN new.units ELSE 0 END
    WHERE pool = new.pool AND slot = new.slot;
    SELECT RAISE(ABORT, 'a hold of a slot that has no capacity') WHERE changes() = 0;"""
_LEAVE = """
    UPDATE capacity
    SET held = held - CASE WHEN old.is_sold THEN 0 ELSE old.units END,
        sold = sold - CASE WHEN old.is_sold THEN old.units ELSE 0 END
    WHERE pool = old.pool AND slot = old.slot;"""

_SQLITE = (
    f"CREATE TRIGGER holds_inserted AFTER INSERT ON holds BEGIN{_ENTER}\nEND",
    f"CREATE TRIGGER holds_updated AFTER UPDATE ON holds BEGIN{_LEAVE}{_ENTER}\nEND",
    f"CREATE TRIGGER holds_deleted AFTER DELETE ON holds BEGIN{_LEAVE}\nEND",
    """CREATE TRIGGER checkouts_released AFTER UPDATE OF has_holds ON checkouts
WHEN old.has_holds AND NOT new.has_holds BEGIN
    DELETE FROM holds WHERE checkout_id = old.id;
END""",
)

_POSTGRESQL = (
    """
    CREATE FUNCTION count_holds() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        IF TG_OP <> 'INSERT' THEN
            UPDATE capacity
            SET held = held - CASE WHEN OLD.is_sold THEN 0 ELSE OLD.units END,
                sold = sold - CASE WHEN OLD.is_sold THEN OLD.units ELSE 0 END
            WHERE pool = OLD.pool AND slot = OLD.slot;
        END IF;
        IF TG_OP <> 'DELETE' THEN
            UPDATE capacity
            SET held = held + CASE WHEN NEW.is_sold THEN 0 ELSE NEW.units END,
                sold = sold + CASE WHEN NEW.is_sold THEN NEW.units ELSE 0 END
            WHERE pool = NEW.pool AND slot = NEW.slot;
            IF NOT FOUND THEN
                RAISE foreign_key_violation USING MESSAGE = 'a hold of a slot that has no capacity';
            END IF;
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER holds_counted AFTER INSERT OR UPDATE OR DELETE ON holds
    FOR EACH ROW EXECUTE FUNCTION count_holds()
    """,
    """
    CREATE FUNCTION release_holds() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
    BEGIN
        DELETE FROM holds WHERE checkout_id = OLD.id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER checkouts_released AFTER UPDATE OF has_holds ON checkouts
    FOR EACH ROW WHEN (OLD.has_holds AND NOT NEW.has_holds) EXECUTE FUNCTION release_holds()
    """,
    # Each condition is true for half the table, but both together for almost no row. Without these statistics
    # PostgreSQL reads the whole history to find the few checkouts that may expire.
    "CREATE STATISTICS st_checkouts_may_expire (mcv) ON has_holds, is_closed FROM checkouts",
)

_BY_BYTES = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Create the tables with their indexes and triggers."""
    _create_checkouts()
    _create_answers()
    _create_capacity()
    _create_accounts()
    _create_payments()
    _create_orders()
    _create_failures()
    for statement in _POSTGRESQL if op.get_context().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)


def _create(table: str, key: type[sa.Text] | type[sa.BigInteger], *items: sa.schema.SchemaItem) -> None:
    op.create_table(
        table,
        sa.Column("id", key, nullable=False),
        sa.Column("revision", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        *items,
        sa.PrimaryKeyConstraint("id", name=f"pk_{table}"),
        sa.CheckConstraint("revision >= 1", name=f"ck_{table}_revision"),
    )


def _index(table: str, name: str, *columns: str, unique: bool = False, where: str | None = None) -> None:
    condition = None if where is None else sa.text(where)
    op.create_index(
        f"ix_{table}_{name}",
        table,
        [*columns],
        unique=unique,
        sqlite_where=condition,
        postgresql_where=condition,
    )


def _create_checkouts() -> None:
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
        sa.Column("has_holds", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("is_paying", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("holder", sa.BigInteger, nullable=True),
        sa.Column("held_units", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.PrimaryKeyConstraint("id", name="pk_checkouts"),
        sa.CheckConstraint("revision >= 1", name="ck_checkouts_revision"),
        sa.CheckConstraint("expires_at >= started_at", name="ck_checkouts_expiry"),
    )
    _index("checkouts", "may_expire", "expires_at", where="has_holds AND NOT is_closed")
    _index("checkouts", "account", "account", "id", where="account IS NOT NULL AND NOT is_closed")
    _index("checkouts", "holder", "holder", where="holder IS NOT NULL")


def _create_answers() -> None:
    op.create_table(
        "answers",
        sa.Column("scope", _BY_BYTES, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("headers", sa.Text, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("scope", "key", name="pk_answers"),
        sa.CheckConstraint("status BETWEEN 100 AND 599", name="ck_answers_status"),
    )
    _index("answers", "created_at", "created_at")


def _create_capacity() -> None:
    op.create_table(
        "capacity",
        sa.Column("pool", sa.Text, nullable=False),
        sa.Column("slot", _BY_BYTES, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("sold", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.Column("held", sa.BigInteger, nullable=False, server_default=sa.text("0")),
        sa.PrimaryKeyConstraint("pool", "slot", name="pk_capacity"),
        sa.CheckConstraint("sold >= 0", name="ck_capacity_sold"),
        sa.CheckConstraint("held >= 0", name="ck_capacity_held"),
        sa.CheckConstraint("sold + held <= size", name="ck_capacity_size"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "holds",
        sa.Column("checkout_id", sa.Text, nullable=False),
        sa.Column("pool", sa.Text, nullable=False),
        sa.Column("slot", _BY_BYTES, nullable=False),
        sa.Column("units", sa.BigInteger, nullable=False),
        sa.Column("is_sold", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("checkout_id", "pool", "slot", name="pk_holds"),
        sa.ForeignKeyConstraint(
            ["pool", "slot"], ["capacity.pool", "capacity.slot"], name="fk_holds_capacity"
        ),
        sa.CheckConstraint("units >= 1", name="ck_holds_units"),
        sa.ForeignKeyConstraint(
            ["checkout_id"], ["checkouts.id"], name="fk_holds_checkouts", ondelete="CASCADE"
        ),
        sqlite_with_rowid=False,
    )


def _create_accounts() -> None:
    _create(
        "accounts",
        sa.BigInteger,
        sa.Column("issuer", sa.Text, nullable=True),
        sa.Column("subject", sa.Text, nullable=True),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("profile", sa.Text, nullable=False),
        sa.Column("deleted_at", sa.BigInteger, nullable=True),
        sa.Column("due_at", sa.BigInteger, nullable=True),
    )
    _index("accounts", "subject", "issuer", "subject", unique=True)
    _index("accounts", "due", "due_at", where="due_at IS NOT NULL")
    _create(
        "persons",
        sa.BigInteger,
        sa.Column("account", sa.BigInteger, nullable=False),
        sa.Column("is_owner", sa.Boolean, nullable=False),
        sa.Column("answers", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_persons_accounts"),
    )
    _index("persons", "account", "account")


def _create_payments() -> None:
    _create(
        "payment_details",
        sa.BigInteger,
        sa.Column("account", sa.BigInteger, nullable=True),
        sa.Column("checkout_id", sa.Text, nullable=True),
        sa.Column("transaction_id", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("is_default", sa.Boolean, nullable=False),
        sa.Column("method", sa.Text, nullable=True),
        sa.Column("brand", sa.Text, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("alias", sa.Text, nullable=True),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("due_at", sa.BigInteger, nullable=True),
        sa.ForeignKeyConstraint(["account"], ["accounts.id"], name="fk_payment_details_accounts"),
        sa.CheckConstraint("account IS NOT NULL OR checkout_id IS NOT NULL", name="ck_payment_details_owner"),
    )
    _index("payment_details", "account", "account")
    _index("payment_details", "checkout", "checkout_id", where="checkout_id IS NOT NULL")
    _index("payment_details", "transaction", "transaction_id", unique=True)
    _index("payment_details", "default", "account", unique=True, where="is_default AND status = 'ACTIVE'")
    _index("payment_details", "due", "due_at", where="due_at IS NOT NULL")
    _create(
        "payments",
        sa.Text,
        sa.Column("checkout_id", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("provider", sa.Text, nullable=True),
        sa.Column("detail_id", sa.BigInteger, nullable=True),
        sa.Column("method", sa.Text, nullable=True),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("vouchers", sa.Text, nullable=False),
        sa.Column("errors", sa.Text, nullable=False),
        sa.Column("deadline", sa.BigInteger, nullable=False),
        sa.Column("redirect_url", sa.Text, nullable=True),
        sa.Column("key", sa.Text, nullable=True),
        sa.Column("due_at", sa.BigInteger, nullable=True),
        sa.Column("language", sa.Text, nullable=False),
        sa.CheckConstraint("amount >= 0", name="ck_payments_amount"),
        sa.ForeignKeyConstraint(["checkout_id"], ["checkouts.id"], name="fk_payments_checkouts"),
    )
    _index("payments", "checkout", "checkout_id")
    _index("payments", "due", "due_at", where="due_at IS NOT NULL")


def _create_orders() -> None:
    _create(
        "orders",
        sa.Text,
        sa.Column("account", sa.BigInteger, nullable=True),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("channel_type", sa.Text, nullable=False),
        sa.Column("reference", sa.Text, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("total", sa.BigInteger, nullable=False),
        sa.Column("figures", sa.Text, nullable=False),
        sa.Column("views", sa.LargeBinary, nullable=False),
        sa.Column("pricing", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["id"], ["checkouts.id"], name="fk_orders_checkouts"),
    )
    _index("orders", "reference", "reference", unique=True)
    _index("orders", "account", "account")
    _create(
        "tickets",
        sa.Text,
        sa.Column("order_id", sa.Text, nullable=False),
        sa.Column("item_id", sa.BigInteger, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("attempts", sa.BigInteger, nullable=False),
        sa.Column("serial", sa.Text, nullable=True),
        sa.Column("due_at", sa.BigInteger, nullable=True),
        sa.Column("content", sa.Text, nullable=True),
        sa.ForeignKeyConstraint(["order_id"], ["orders.id"], name="fk_tickets_orders"),
    )
    _index("tickets", "order", "order_id")
    _index("tickets", "due", "due_at", where="due_at IS NOT NULL")


def _create_failures() -> None:
    """Create the table of clients' failures; its ids grow, so that the first ones are the oldest."""
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
