"""Frequent queries use an index, however much history there is."""

import pytest

from faregate_http.store.contract import Store
from faregate_server.store.postgresql.session import in_schema
from faregate_server.store.postgresql.statements import (
    HAS_EXPIRED,
    LOCK_EXPIRED,
    OWN_HOLDS,
    TAKE_SLOTS,
    TAKEN,
)
from faregate_server.store.sql.statements import CHECKOUTS_OF, FORGET_ANSWERS, WALK
from support.stores.capacity import a_hold
from support.stores.postgresql_session import Beside
from support.stores.rows import a_row

_HISTORY = (
    "SET session_replication_role = replica",  # without triggers, which would be slow
    """
    INSERT INTO checkouts (id, channel, is_closed, revision, started_at, changed_at, expires_at, inputs)
    SELECT 'old ' || n, 'c', n % 2 = 0, 1, n, n, n, '{}' FROM generate_series(1, 20000) n
    """,
    """
    INSERT INTO capacity (pool, slot, size)
    SELECT 'pool ' || n % 20, lpad(n::text, 6, '0'), 10 FROM generate_series(1, 20000) n
    """,
    """
    INSERT INTO holds (checkout_id, pool, slot, units)
    SELECT 'old ' || n, 'pool ' || n % 20, lpad(n::text, 6, '0'), 1 FROM generate_series(1, 20000) n
    """,
    "UPDATE checkouts SET account = n % 1000 FROM generate_series(1, 20000) n WHERE id = 'old ' || n",
    """
    INSERT INTO answers (scope, key, fingerprint, status, headers, body, created_at)
    SELECT 'account ' || n % 1000 || ' POST /' || n, 'k', '', 200, '[]', '', n
    FROM generate_series(1, 20000) n
    """,
    "UPDATE checkouts SET has_holds = true WHERE is_closed",
    "UPDATE holds SET is_sold = true",
    "ANALYZE",
)


@pytest.fixture
def database_url(postgresql_url: str) -> str:
    return postgresql_url


ASKED = {
    "expired": HAS_EXPIRED,
    "locked": LOCK_EXPIRED,
    "own": OWN_HOLDS,
    "taken": TAKEN,
    "bound": in_schema(CHECKOUTS_OF, "faregate"),
    "walked": in_schema(WALK, "faregate"),
    "forgotten": in_schema(FORGET_ANSWERS, "faregate"),
}


async def test_queries_do_not_scan_the_history(store: Store, session: Beside) -> None:
    await store.save(a_row(), None, [a_hold(1)])
    for statement in _HISTORY:
        await session.execute(statement)

    for name, sql in ASKED.items():
        plan = "\n".join(await session.explain(sql, name=name))
        assert "Seq Scan" not in plan, f"{name}: {plan}"
        assert "Index" in plan


LIVE = 50_000

# Open checkouts of realistic size, each with a hold; and old ones that statistics may still include.
_CHECKOUTS = """
    INSERT INTO checkouts
        (id, channel, is_closed, has_holds, revision, started_at, changed_at, expires_at, inputs)
    SELECT '{name} ' || n, 'c', false, true, 1, 0, 0, {expiry} + n, repeat('x', 400)
    FROM generate_series(1, {count}) n
"""
_HOLDS = """
    INSERT INTO holds (checkout_id, pool, slot, units)
    SELECT id, 'lift', '2026-12-27', 1 FROM checkouts
"""
_NOW = 1_000_000
_LIVING = (
    "SET session_replication_role = replica",
    _CHECKOUTS.format(name="live", expiry=_NOW, count=LIVE),
    _HOLDS,
)
_FORMER = (
    "SET session_replication_role = replica",
    _CHECKOUTS.format(name="former", expiry=0, count=LIVE),
    "ANALYZE",
    "DELETE FROM checkouts",
)
_STATISTICS = {
    "fresh": (*_LIVING, "ANALYZE"),
    "none": _LIVING,
    "of an empty table": ("ANALYZE", *_LIVING),
    "of expired ones": (*_FORMER, *_LIVING),
}

_LOOKING_FOR_EXPIRED = {
    "expired": (HAS_EXPIRED, ()),
    "locked": (LOCK_EXPIRED, ()),
    "taken": (TAKEN, ("'{lift}'", "'2026-12-27'", "'2026-12-28'")),
    "take": (TAKE_SLOTS, ("'{lift}'", "'{2026-12-27}'", "'{9}'", "'{1}'", "'{0}'")),
}


@pytest.mark.parametrize("statistics", _STATISTICS)
async def test_finding_expired_checkouts_does_not_scan_live_ones(session: Beside, statistics: str) -> None:
    await session.execute("ALTER TABLE checkouts SET (autovacuum_enabled = off)")
    for statement in _STATISTICS[statistics]:
        await session.execute(statement)

    for name, (sql, rest) in _LOOKING_FOR_EXPIRED.items():
        for values in ((), (str(_NOW), "'own'", *rest)):
            plan = "\n".join(await session.explain(sql, name=name, values=values))
            assert "Seq Scan on checkouts" not in plan, f"{name} {values}: {plan}"
            assert "ix_checkouts_may_expire" in plan, f"{name} {values}: {plan}"
