"""What is asked all day is found through an index, however much history there is."""

import asyncio

from faregate_http.store import Store
from faregate_http.store.postgresql_statements import HAS_EXPIRED, LOCK_EXPIRED, OWN_HOLDS, TAKEN
from faregate_http.store.postgresql_writes import SQL
from store.capacity import a_hold
from store.postgresql_session import beside
from store.rows import a_row, check

_HISTORY = (
    "SET session_replication_role = replica",  # without triggers, which would take their time
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


ASKED = {
    "expired": HAS_EXPIRED,
    "locked": LOCK_EXPIRED,
    "own": OWN_HOLDS,
    "taken": TAKEN,
    "bound": SQL.checkouts_of.text,
    "forgotten": SQL.forget_answers.text,
}


def test_history_is_not_read_through(postgresql_url: str) -> None:
    async def hold(store: Store) -> None:
        await store.save(a_row(), None, [a_hold(1)])

    async def plans() -> dict[str, str]:
        async with beside(postgresql_url) as session:
            for statement in _HISTORY:
                await session.execute(statement)
            return {name: "\n".join(await session.explain(sql, name=name)) for name, sql in ASKED.items()}

    check(postgresql_url, hold)
    found = asyncio.run(plans())

    for name, plan in found.items():
        assert "Seq Scan" not in plan, f"{name}: {plan}"
        assert "Index" in plan
