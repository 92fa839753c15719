"""A database session that interferes with the store under test."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from urllib.parse import parse_qs, urlsplit

import asyncpg

from support.stores.postgresql import IN_SCHEMA

LOCK_CAPACITY = "SELECT * FROM capacity FOR UPDATE"


class Beside:
    """A separate connection with frequent queries."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self.execute = connection.execute
        self.fetch = connection.fetch
        self.fetchval = connection.fetchval

    async def waiting(self) -> list[int]:
        """Return the store's processes that wait for a lock, as soon as one does."""
        for _ in range(500):
            rows = await self.fetch(
                "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                " AND application_name = 'faregate' AND datname = current_database()"
            )
            if rows:
                return [pid for (pid,) in rows]
            await asyncio.sleep(0.01)
        raise AssertionError("nothing waits")

    async def explain(self, sql: str, *, name: str, values: Sequence[str] = ()) -> list[str]:
        """Return the plan for *sql*, prepared under *name*: for *values*, or for any parameters."""
        mode = "custom" if values else "generic"
        await self.execute(f"SET plan_cache_mode = force_{mode}_plan")
        await self.execute(f"PREPARE {name} AS {sql}")
        count = await self.fetchval(
            "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = $1", name
        )
        given = [*values, *["NULL"] * (count - len(values))]
        rows = await self.fetch(f"EXPLAIN EXECUTE {name} ({', '.join(given)})")
        await self.execute(f"DEALLOCATE {name}")
        return [line for (line,) in rows]


@asynccontextmanager
async def beside(url: str) -> AsyncIterator[Beside]:
    """Yield a session at the database of *url*; its transaction is rolled back at the end."""
    connection = await asyncpg.connect(url.replace(options_of(url), ""), server_settings=IN_SCHEMA)
    try:
        yield Beside(connection)
    finally:
        connection.terminate()


def options_of(url: str) -> str:
    """Return the options of *url* that only the store understands."""
    _, ours, rest = url.partition("&")
    return ours + rest


def folder_of(url: str) -> str:
    """Return the folder of the socket in *url*."""
    return parse_qs(urlsplit(url).query)["host"][0]
