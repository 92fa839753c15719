"""SQL for capacity holds in PostgreSQL. Statements lock sets of rows, always in the same order.

A holder is always locked before the row of a checkout, that row before the capacity of slots, and slots are
locked in the order of the parameters. Transactions therefore never wait for each other in a cycle.
"""

from faregate_server.store.sql.statements import RELEASED_AT_ONCE

OWN_HOLDS = "SELECT pool, slot, units FROM holds WHERE checkout_id = $1::text"

_MAY_EXPIRE = "has_holds AND NOT is_closed AND id IS DISTINCT FROM $2::text"

# The minimum is the first entry of the partial index, whatever the planner's statistics say.
_FIRST_EXPIRY = f"(SELECT min(expires_at) FROM checkouts WHERE {_MAY_EXPIRE})"  # noqa: S608 - constants

_ANY_HAS_EXPIRED = f"COALESCE({_FIRST_EXPIRY} <= $1::bigint, false)"

# For a range whose start is unknown the planner expects few rows, and uses the index even where its
# statistics say that everything has expired.
_HAS_EXPIRED = f"{_MAY_EXPIRE} AND expires_at BETWEEN {_FIRST_EXPIRY} AND $1::bigint"

HAS_EXPIRED = f"SELECT {_ANY_HAS_EXPIRED}"

# Slots are inserted or locked one after another, then counted, and units that fit are held, all in one round
# trip: a transaction that waits for these slots waits for at most one more round trip. The size is only
# changed if the units already taken fit. A slot that takes no more has the size 0, so nothing fits in it.
TAKE_SLOTS = f"""
    WITH wanted AS (
        SELECT * FROM unnest($3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[])
            WITH ORDINALITY AS wanted (pool, slot, size, units, own, place)
    ), locked AS (
        INSERT INTO capacity (pool, slot, size) SELECT pool, slot, size FROM wanted ORDER BY place
        ON CONFLICT (pool, slot) DO UPDATE SET size = CASE
            WHEN capacity.sold + capacity.held <= excluded.size THEN excluded.size ELSE capacity.size
        END
        RETURNING pool, slot, sold + held AS taken
    ), held AS (
        INSERT INTO holds (checkout_id, pool, slot, units)
        SELECT $2::text, pool, slot, units FROM wanted JOIN locked USING (pool, slot)
        WHERE units BETWEEN 1 AND own - 1 OR (units > own AND taken - own + units <= size)
        ON CONFLICT (checkout_id, pool, slot) DO UPDATE SET units = excluded.units
    )
    SELECT pool, slot, taken, {_ANY_HAS_EXPIRED} AS has_expired FROM locked
"""  # noqa: S608 - constants

# The lock is acquired in the round trip that begins the transaction. The units of the holder are counted in a
# later statement, which sees everything saved before.
LOCK_HOLDER = "SELECT pg_advisory_xact_lock({holder:d})"

ALL_HOLDERS = 0x616E_6F6E_796D
"""Key of the lock for limits that apply to the holds of all anonymous holders together: "anonym" in ASCII."""

DROP_HOLDS = """
    DELETE FROM holds USING unnest($2::text[], $3::text[]) AS dropped (pool, slot)
    WHERE checkout_id = $1::text AND holds.pool = dropped.pool AND holds.slot = dropped.slot
"""

SELL = "UPDATE holds SET is_sold = true WHERE checkout_id = $1::text AND NOT is_sold"

HOLD_NOTHING = """
    UPDATE checkouts SET has_holds = false, holder = NULL, held_units = 0 WHERE id = $1::text AND has_holds
"""

_ASKED = "pool = ANY($3::text[]) AND slot >= $4::text AND slot <= $5::text"

# One statement, which sees one state of the database: all counted units, then the units to subtract.
TAKEN = f"""
    SELECT pool, slot, sold, held FROM capacity WHERE {_ASKED} AND sold + held > 0
    UNION ALL
    SELECT pool, slot, 0, -units FROM checkouts JOIN holds ON checkout_id = id
    WHERE {_HAS_EXPIRED} AND {_ASKED}
    UNION ALL
    SELECT pool, slot, 0, -units FROM holds WHERE checkout_id = $2::text AND NOT is_sold AND {_ASKED}
"""  # noqa: S608 - constants

# The condition is checked again when a row is locked: the checkout may have been settled or prolonged. The
# lock does not affect keys, so payments for the checkout can still be written.
LOCK_EXPIRED = f"""
    SELECT id FROM checkouts WHERE {_HAS_EXPIRED}
    ORDER BY expires_at, id LIMIT {RELEASED_AT_ONCE} FOR NO KEY UPDATE
"""  # noqa: S608 - constants

SLOTS_HELD = "SELECT DISTINCT pool, slot FROM holds WHERE checkout_id = ANY($1::text[])"

LOCK_SLOTS = """
    SELECT FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS held (pool, slot, place)
        JOIN capacity USING (pool, slot)
    ORDER BY place FOR NO KEY UPDATE OF capacity
"""

RELEASE = """
    UPDATE checkouts SET has_holds = false, revision = revision + 1, holder = NULL, held_units = 0
    WHERE id = ANY($1::text[])
"""

PROBE = "UPDATE alembic_version SET version_num = version_num"
"""A write that changes nothing but must still reach the disk."""
