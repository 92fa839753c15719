"""The SQL of SQLite alone: what is said of holds, one slot at a time."""

from faregate_server.store.sql.statements import RELEASED_AT_ONCE

# ruff: noqa: S608 - the statements are made of constants

OWN_HOLDS = "SELECT pool, slot, units FROM holds WHERE checkout_id = ?"

DROP_HOLD = "DELETE FROM holds WHERE checkout_id = ? AND pool = ? AND slot = ?"

# Only said where more is to be taken: below what is taken already, it fails the check like the taking.
PUT_CAPACITY = """
    INSERT INTO capacity (pool, slot, size) VALUES (?, ?, ?)
    ON CONFLICT (pool, slot) DO UPDATE SET size = excluded.size WHERE size <> excluded.size
"""

PUT_HOLD = """
    INSERT INTO holds (checkout_id, pool, slot, units) VALUES (?, ?, ?, ?)
    ON CONFLICT (checkout_id, pool, slot) DO UPDATE SET units = excluded.units
"""

SELL = "UPDATE holds SET is_sold = true WHERE checkout_id = ?"

# At the instant ?1 these hold nothing any more; ?2 is not among them in any case. The index on what may
# expire is taken only for its very words.
_HAS_EXPIRED = "has_holds AND NOT is_closed AND expires_at <= ?1 AND id IS NOT ?2"

HAS_EXPIRED = f"SELECT EXISTS (SELECT id FROM checkouts WHERE {_HAS_EXPIRED})"

# A write that was decided while the checkout still held its places finds another revision: it is Stale.
RELEASE_EXPIRED = f"""
    UPDATE checkouts SET has_holds = false, revision = revision + 1, holder = NULL, held_units = 0
    WHERE id IN (SELECT id FROM checkouts WHERE {_HAS_EXPIRED} LIMIT {RELEASED_AT_ONCE})
"""

PROBE = "PRAGMA user_version = 0"
"""Writes the first page as it is: a commit that holds nothing else still has to reach the disk."""


def taken(pools: int) -> str:
    """Return the query for what is taken of so many pools, one statement that sees one state of the database.

    First all that is counted, then, as negative places, the holds that do not count. The parameters are the
    instant, the checkout that does not count, the first slot, the last one, and the pools.
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
