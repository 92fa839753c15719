"""Execution of SQL on a PostgreSQL connection, with the schema added to every table name.

The schema is part of each statement, because a search path can get lost behind a proxy that shares
connections between transactions. Statements would then reach the tables of another application.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

from faregate_http.store.contract import StoreUnavailable

if TYPE_CHECKING:
    from asyncpg import Connection, Record

TABLES = (
    "accounts",
    "alembic_version",
    "answers",
    "capacity",
    "checkouts",
    "failures",
    "holds",
    "orders",
    "payment_details",
    "payments",
    "persons",
    "tickets",
)
"""The tables of the service."""

_OF_EVERY_REVISION = frozenset({"alembic_version", "capacity", "checkouts", "holds"})
"""Tables that exist at every revision; if any is missing, the others belong to another application."""

# Indexes share the names of relations, so only kinds of tables and views count.
_NAMES = """
    SELECT relname::text FROM pg_class
    WHERE relnamespace = to_regnamespace($1::text) AND relname = ANY($2::text[])
        AND relkind IN ('r', 'p', 'v', 'm', 'f')
"""

_TABLE = re.compile(rf"\b(FROM|INTO|JOIN|UPDATE) ({'|'.join(TABLES)})\b")


class Session:
    """A connection to a database whose tables are in *schema*.

    SQL parameters are written ``$1``, ``$2``, ... or as question marks. Driver errors are raised unchanged:
    see `translated`.
    """

    def __init__(self, connection: Connection, schema: str) -> None:
        self.connection = connection
        self.schema = schema

    async def fetch(self, sql: str, *values: object) -> list[Record]:
        """Return the rows of a query."""
        rows: list[Record] = await self.connection.fetch(in_schema(sql, self.schema), *values)
        return rows

    async def fetchval(self, sql: str, *values: object) -> Any:
        """Return the first value of a query, or None."""
        return await self.connection.fetchval(in_schema(sql, self.schema), *values)

    async def execute(self, sql: str, *values: object) -> str:
        """Run a statement and return its command tag, as in ``UPDATE 1``."""
        return str(await self.connection.execute(in_schema(sql, self.schema), *values))

    async def revision(self) -> str | None:
        """Return the revision of the tables, or None if the schema has none of them.

        Raises:
            StoreUnavailable: the schema contains another application's tables.
        """
        names = {name for (name,) in await self.fetch(_NAMES, f'"{self.schema}"', TABLES)}
        if not names:
            return None
        if not names.issuperset(_OF_EVERY_REVISION):
            raise StoreUnavailable(
                f"the schema {self.schema} has tables of another application ({', '.join(sorted(names))}): "
                "name another schema in the URL, as in ?schema=faregate_tickets"
            )
        found = await self.fetchval("SELECT version_num FROM alembic_version")
        return None if found is None else str(found)


@lru_cache(maxsize=512)
def in_schema(sql: str, schema: str) -> str:
    """Return *sql* with *schema* before each table name, and ``$1``, ``$2``, ... in place of question marks.

    >>> in_schema("SELECT units FROM holds WHERE pool = ? AND slot = ?", "faregate")
    'SELECT units FROM "faregate".holds WHERE pool = $1 AND slot = $2'
    """
    numbers = count(1)
    numbered = re.sub(r"\?", lambda _: f"${next(numbers)}", sql)
    return _TABLE.sub(rf'\1 "{schema}".\2', numbered)
