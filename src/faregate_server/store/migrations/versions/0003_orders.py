"""Accounts, persons, payment details, payments, orders and tickets; what a closed checkout held is sold.

Open checkouts are found by their account, and answers by whose they are: scopes are compared by bytes.
"""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

# As in 0002, but for holds that are sold, which count there.
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

_POSTGRESQL = """
    CREATE OR REPLACE FUNCTION count_holds() RETURNS trigger LANGUAGE plpgsql AS $$
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
"""

# Each of them is true of half the table, both of next to nothing: not told so, PostgreSQL reads all history
# to find the few checkouts that may expire.
_STATISTICS = "CREATE STATISTICS st_checkouts_may_expire (mcv) ON has_holds, is_closed FROM checkouts"


def upgrade() -> None:
    """Create the tables, and let holds be sold."""
    op.add_column("checkouts", sa.Column("is_paying", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("holds", sa.Column("is_sold", sa.Boolean, nullable=False, server_default=sa.false()))
    if op.get_context().dialect.name == "postgresql":
        op.execute(_POSTGRESQL)
        op.execute(_STATISTICS)
        op.alter_column("answers", "scope", type_=sa.Text(collation="C"))
    else:
        _replace_triggers()
    _index("checkouts", "account", "account", "id", where="account IS NOT NULL AND NOT is_closed")
    _create_accounts()
    _create_payments()
    _create_orders()


def _replace_triggers() -> None:
    for name in ("holds_inserted", "holds_updated", "holds_deleted"):
        op.execute(f"DROP TRIGGER {name}")
    op.execute(f"CREATE TRIGGER holds_inserted AFTER INSERT ON holds BEGIN{_ENTER}\nEND")
    op.execute(f"CREATE TRIGGER holds_updated AFTER UPDATE ON holds BEGIN{_LEAVE}{_ENTER}\nEND")
    op.execute(f"CREATE TRIGGER holds_deleted AFTER DELETE ON holds BEGIN{_LEAVE}\nEND")


def _create(
    table: str,
    key: type[sa.Text] | type[sa.BigInteger],
    *items: sa.schema.SchemaItem,
    of: sa.ForeignKey | None = None,
) -> None:
    op.create_table(
        table,
        sa.Column("id", key, *([of] if of is not None else []), nullable=False),
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
        sa.Column(
            "account", sa.BigInteger, sa.ForeignKey("accounts.id", name="fk_persons_accounts"), nullable=False
        ),
        sa.Column("is_owner", sa.Boolean, nullable=False),
        sa.Column("answers", sa.Text, nullable=False),
    )
    _index("persons", "account", "account")


def _create_payments() -> None:
    _create(
        "payment_details",
        sa.BigInteger,
        sa.Column(
            "account",
            sa.BigInteger,
            sa.ForeignKey("accounts.id", name="fk_payment_details_accounts"),
            nullable=False,
        ),
        sa.Column("transaction_id", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("is_default", sa.Boolean, nullable=False),
        sa.Column("is_single_use", sa.Boolean, nullable=False),
        sa.Column("method", sa.Text, nullable=True),
        sa.Column("brand", sa.Text, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("alias", sa.Text, nullable=True),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("due_at", sa.BigInteger, nullable=True),
    )
    _index("payment_details", "account", "account")
    _index("payment_details", "transaction", "transaction_id", unique=True)
    _index("payment_details", "default", "account", unique=True, where="is_default AND status = 'ACTIVE'")
    _index("payment_details", "due", "due_at", where="due_at IS NOT NULL")
    _create(
        "payments",
        sa.Text,
        sa.Column(
            "checkout_id",
            sa.Text,
            sa.ForeignKey("checkouts.id", name="fk_payments_checkouts"),
            nullable=False,
        ),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("provider", sa.Text, nullable=True),
        sa.Column("detail_id", sa.BigInteger, nullable=True),
        sa.Column("method", sa.Text, nullable=True),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("vouchers", sa.Text, nullable=False),
        sa.Column("errors", sa.Text, nullable=False),
        sa.Column("deadline", sa.BigInteger, nullable=False),
        sa.Column("key", sa.Text, nullable=True),
        sa.Column("due_at", sa.BigInteger, nullable=True),
        sa.CheckConstraint("amount >= 0", name="ck_payments_amount"),
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
        of=sa.ForeignKey("checkouts.id", name="fk_orders_checkouts"),
    )
    _index("orders", "reference", "reference", unique=True)
    _index("orders", "account", "account")
    _create(
        "tickets",
        sa.Text,
        sa.Column("order_id", sa.Text, sa.ForeignKey("orders.id", name="fk_tickets_orders"), nullable=False),
        sa.Column("item_id", sa.BigInteger, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("attempts", sa.BigInteger, nullable=False),
        sa.Column("serial", sa.Text, nullable=True),
        sa.Column("due_at", sa.BigInteger, nullable=True),
    )
    _index("tickets", "order", "order_id")
    _index("tickets", "due", "due_at", where="due_at IS NOT NULL")
