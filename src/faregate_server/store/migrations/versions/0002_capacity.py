"""Capacity, and the holds of checkouts, which together cannot exceed it."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

# Counted by the database itself, so that no statement, not even one written by hand, holds what is not there.
# A hold that moves to another slot leaves one and enters the other; a hold of no slot is refused.
_ENTER = """
    UPDATE capacity SET held = held + new.units WHERE pool = new.pool AND slot = new.slot;
    SELECT RAISE(ABORT, 'a hold of a slot that has no capacity') WHERE changes() = 0;"""
_LEAVE = """
    UPDATE capacity SET held = held - old.units WHERE pool = old.pool AND slot = old.slot;"""

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
    CREATE FUNCTION count_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP <> 'INSERT' THEN
            UPDATE capacity SET held = held - OLD.units WHERE pool = OLD.pool AND slot = OLD.slot;
        END IF;
        IF TG_OP <> 'DELETE' THEN
            UPDATE capacity SET held = held + NEW.units WHERE pool = NEW.pool AND slot = NEW.slot;
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
    CREATE FUNCTION release_holds() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM holds WHERE checkout_id = OLD.id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER checkouts_released AFTER UPDATE OF has_holds ON checkouts
    FOR EACH ROW WHEN (OLD.has_holds AND NOT NEW.has_holds) EXECUTE FUNCTION release_holds()
    """,
)


def upgrade() -> None:
    """Create both tables and their triggers; a checkout says whether it holds anything."""
    slot = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
    op.create_table(
        "capacity",
        sa.Column("pool", sa.Text, nullable=False),
        sa.Column("slot", slot, nullable=False),
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
        sa.Column("slot", slot, nullable=False),
        sa.Column("units", sa.BigInteger, nullable=False),
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
    op.add_column("checkouts", sa.Column("has_holds", sa.Boolean, nullable=False, server_default=sa.false()))
    may_expire = sa.text("has_holds AND NOT is_closed")
    op.create_index(
        "ix_checkouts_may_expire",
        "checkouts",
        ["expires_at"],
        sqlite_where=may_expire,
        postgresql_where=may_expire,
    )
    for statement in _POSTGRESQL if op.get_context().dialect.name == "postgresql" else _SQLITE:
        op.execute(statement)
