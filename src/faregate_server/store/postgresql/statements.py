"""What is said to PostgreSQL of holds, in plain SQL: sets of rows at once, their locks in one order.

Everywhere the row of a checkout is locked before the capacity of slots, and capacity in the order of the
sets that are passed. Whoever locks so waits for others, and they do not wait for him.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import count

from faregate_server.store.sql.statements import RELEASED_AT_ONCE

OWN_HOLDS = "SELECT pool, slot, units FROM holds WHERE checkout_id = $1::text"

_MAY_EXPIRE = "has_holds AND NOT is_closed AND id IS DISTINCT FROM $2::text"

# The least is the first entry of the partial index, whatever the planner believes to know of the table.
_FIRST_EXPIRY = f"(SELECT min(expires_at) FROM checkouts WHERE {_MAY_EXPIRE})"  # noqa: S608 - constants

_ANY_HAS_EXPIRED = f"COALESCE({_FIRST_EXPIRY} <= $1::bigint, false)"

# Of a range that begins at a value it cannot know, the planner expects few rows: it takes the index even
# where its statistics say that everything has expired.
_HAS_EXPIRED = f"{_MAY_EXPIRE} AND expires_at BETWEEN {_FIRST_EXPIRY} AND $1::bigint"

HAS_EXPIRED = f"SELECT {_ANY_HAS_EXPIRED}"

# Slots are inserted or locked one after another, and counted once they are; then what fits is held. All in
# one turn: who waits for these slots waits for no other turn of ours but the last. A size is only changed
# where what is taken fits in it; of a slot that takes no more it is 0, in which nothing fits.
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

# What the holder is about to take is counted in a statement of its own, which sees all that was saved
# before the lock was given.
LOCK_HOLDER = "SELECT pg_advisory_xact_lock($1::bigint)"

ALL_HOLDERS = 0x616E_6F6E_796D
"""The lock of all holders, where a limit counts what they hold together: "anonym" in ASCII."""

DROP_HOLDS = """
    DELETE FROM holds USING unnest($2::text[], $3::text[]) AS dropped (pool, slot)
    WHERE checkout_id = $1::text AND holds.pool = dropped.pool AND holds.slot = dropped.slot
"""

SELL = "UPDATE holds SET is_sold = true WHERE checkout_id = $1::text AND NOT is_sold"

HOLD_NOTHING = """
    UPDATE checkouts SET has_holds = false, holder = NULL, held_units = 0 WHERE id = $1::text AND has_holds
"""

_ASKED = "pool = ANY($3::text[]) AND slot >= $4::text AND slot <= $5::text"

# One statement, which sees one state of the database: all that is counted, then what of it does not count.
TAKEN = f"""
    SELECT pool, slot, sold, held FROM capacity WHERE {_ASKED} AND sold + held > 0
    UNION ALL
    SELECT pool, slot, 0, -units FROM checkouts JOIN holds ON checkout_id = id
    WHERE {_HAS_EXPIRED} AND {_ASKED}
    UNION ALL
    SELECT pool, slot, 0, -units FROM holds WHERE checkout_id = $2::text AND NOT is_sold AND {_ASKED}
"""  # noqa: S608 - constants

# The condition is looked at again when a row is locked: it may be settled, or live on, since it was found.
# No key is changed, so that payments of the checkout may be written meanwhile.
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


@lru_cache(maxsize=256)
def numbered(sql: str) -> str:
    """Return *sql* with the parameters of PostgreSQL in place of question marks.

    >>> numbered("SELECT units FROM holds WHERE pool = ? AND slot = ?")
    'SELECT units FROM holds WHERE pool = $1 AND slot = $2'
    """
    numbers = count(1)
    return re.sub(r"\?", lambda _: f"${next(numbers)}", sql)


PROBE = "UPDATE alembic_version SET version_num = version_num"
"""A write that changes nothing, and must reach the disk all the same."""
