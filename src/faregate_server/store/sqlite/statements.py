"""SQL for SQLite only: statements for capacity holds, which change one slot at a time."""

from faregate_server.store.sql.statements import RELEASED_AT_ONCE

# ruff: noqa: S608 - the statements consist of constants

OWN_HOLDS = "SELECT pool, slot, units FROM holds WHERE checkout_id = ?"

DROP_HOLD = "DELETE FROM holds WHERE checkout_id = ? AND pool = ? AND slot = ?"

# Only executed where more units are needed: a size below the units taken violates the same constraint as
# taking too many.
PUT_CAPACITY = """
    INSERT INTO capacity (pool, slot, size) VALUES (?, ?, ?)
    ON CONFLICT (pool, slot) DO UPDATE SET size = excluded.size WHERE size <> excluded.size
"""

PUT_HOLD = """
    INSERT INTO holds (checkout_id, pool, slot, units) VALUES (?, ?, ?, ?)
    ON CONFLICT (checkout_id, pool, slot) DO UPDATE SET units = excluded.units
"""

SELL = "UPDATE holds SET is_sold = true WHERE checkout_id = ?"

# Conditions for checkouts that have expired at the instant ?1, always without ?2. SQLite only uses the
# partial index for exactly these words.
_HAS_EXPIRED = "has_holds AND NOT is_closed AND expires_at <= ?1 AND id IS NOT ?2"

HAS_EXPIRED = f"SELECT EXISTS (SELECT id FROM checkouts WHERE {_HAS_EXPIRED})"

# A write decided while the checkout still had its holds finds a newer revision and is Stale.
RELEASE_EXPIRED = f"""
    UPDATE checkouts SET has_holds = false, revision = revision + 1, holder = NULL, held_units = 0
    WHERE id IN (SELECT id FROM checkouts WHERE {_HAS_EXPIRED} LIMIT {RELEASED_AT_ONCE})
"""

PROBE = "PRAGMA user_version = 0"
"""A write that changes nothing but must still reach the disk."""


def taken(pools: int) -> str:
    """Return a query for the units taken in each slot of some pools; *pools* is the number of pools.

    The query returns all counted units, then, as negative numbers, the holds to subtract. Its parameters are
    the instant, the checkout to leave out, the first slot, the last slot, and the pools.
    """
    marks = ", ".join(f"?{number + 5}" for number in range(pools))
    asked = f"pool IN ({marks}) AND slot BETWEEN ?3 AND ?4"
    return f"""
        SELECT pool, slot, sold, held FROM capacity WHERE {asked} AND sold + held > 0
        UNION ALL
        SELECT pool, slot, 0, -units FROM checkouts JOIN holds ON checkout_id = id
        WHERE {_HAS_EXPIRED} AND {asked}
        UNION ALL
        SELECT pool, slot, 0, -units FROM holds WHERE checkout_id = ?2 AND NOT is_sold AND {asked}
    """
