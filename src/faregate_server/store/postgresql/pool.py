"""Connections to PostgreSQL: shared, with an end to every wait, and a second try where one is due."""

from __future__ import annotations

import asyncio
import random
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

import asyncpg

from faregate_http.store.contract import StoreError, StoreUnavailable
from faregate_server.store.postgresql.connection import connection_options
from faregate_server.store.postgresql.errors import FAILURES, KNOWN_STATE, RETRIED, translated

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from faregate_server.store.postgresql.location import PostgresqlLocation

Result = TypeVar("Result")

ATTEMPTS = 6
"""Of the same work, where others were in its way."""

PAUSE_SECONDS = 0.01
"""The longest before the second attempt; it doubles with each. How long in fact is left to chance."""

CLOSING_SECONDS = 5.0


class ConnectionPool:
    """Runs work on connections, which are made when they are needed, on the event loop that needs them first.

    Nothing waits longer than the timeout of *location* says.
    """

    def __init__(self, location: PostgresqlLocation) -> None:
        self._location = location
        self._pool: asyncpg.Pool | None = None
        self._running = 0
        self._idle = asyncio.Event()
        self._is_closed = False

    async def run(self, work: Callable[[asyncpg.Connection], Awaitable[Result]]) -> Result:
        """Return what *work* returns; it is begun again when it was in the way of others.

        Raises:
            StoreUnavailable: the pool is closed, or the database cannot do it now.
            ValueError: the tables do not take the values.
        """
        if self._is_closed:
            raise StoreUnavailable("the store is closed")
        self._running += 1
        try:
            async with asyncio.timeout(self._location.timeout):
                return await self._attempt(work)
        except StoreError:
            raise
        except TimeoutError as error:
            raise StoreUnavailable(f"the database took over {self._location.timeout:g} s") from error
        except (*FAILURES, ValueError) as error:
            raise translated(error) from error
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def _attempt(self, work: Callable[[asyncpg.Connection], Awaitable[Result]]) -> Result:
        for attempt in range(1, ATTEMPTS):
            with suppress(*RETRIED):
                async with self._connection() as connection:
                    return await work(connection)
            await asyncio.sleep(random.uniform(0, PAUSE_SECONDS * 2**attempt))  # noqa: S311 - no secret
        async with self._connection() as connection:
            return await work(connection)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[asyncpg.Connection]:
        pool = await self._opened()
        connection = await pool.acquire()
        try:
            yield connection
        except (StoreError, *KNOWN_STATE):
            raise
        except BaseException:
            # Cut off, timed out or cancelled: to ask the server to stop could take as long again.
            connection.terminate()
            raise
        finally:
            await pool.release(connection)

    async def _opened(self) -> asyncpg.Pool:
        if self._pool is None:
            options = connection_options(self._location)
            self._pool = asyncpg.create_pool(
                min_size=0, max_size=self._location.pool_size, reset=_leave, **options
            )
            await self._pool  # connects nothing yet, so that nobody comes in between
        return self._pool

    async def close(self) -> None:
        """Take no more work, finish what is begun, then let go of the connections."""
        self._is_closed = True
        while self._running:
            self._idle.clear()
            await self._idle.wait()
        pool, self._pool = self._pool, None
        if pool is None:
            return
        try:
            async with asyncio.timeout(CLOSING_SECONDS):
                await pool.close()
        except FAILURES:
            pool.terminate()


@asynccontextmanager
async def transaction(connection: asyncpg.Connection) -> AsyncIterator[None]:
    """Do what is done inside as a whole, or not at all.

    The driver's own would ask the server to undo even what was cut off, and wait for it.
    """
    await connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
    try:
        yield
    except (StoreError, *KNOWN_STATE):
        await connection.execute("ROLLBACK")
        raise
    await connection.execute("COMMIT")


async def _leave(_connection: asyncpg.Connection) -> None:
    """Leave the session as it is: nothing was set in it, and to ask costs a turn at the server."""
