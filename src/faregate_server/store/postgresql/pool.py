"""A pool of PostgreSQL connections with a time limit for every wait, and retries."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

import asyncpg

from faregate_http.store.contract import StoreError, StoreUnavailable
from faregate_server.database_load import DatabaseLoad
from faregate_server.store.postgresql.clock import ClockGuard
from faregate_server.store.postgresql.connection import Connector
from faregate_server.store.postgresql.errors import FAILURES, KNOWN_STATE, RETRIED, translated
from faregate_server.store.postgresql.gate import Slot, SlotGate
from faregate_server.store.postgresql.location import PostgresqlLocation
from faregate_server.store.postgresql.session import Session

Result = TypeVar("Result")

ATTEMPTS = 6
"""Maximum number of attempts at a transaction that conflicts with others."""

PAUSE_SECONDS = 0.01
"""Unit of the random pauses between attempts: the pause after attempt n is at most 2**n units."""

CLOSING_SECONDS = 5.0

_NO_WAIT = "SET LOCAL synchronous_commit TO off"

FLUSH = "SELECT pg_logical_emit_message(true, 'faregate', '')"
"""A transaction without changes, but with a log record: it ends once all before it are on disk."""


class ConnectionPool:
    """A pool of connections to *location*, opened on demand and used on one event loop.

    No piece of work takes longer than the timeout of *location*.
    """

    def __init__(self, location: PostgresqlLocation) -> None:
        self._location = location
        self._clock = ClockGuard()
        self._pool: asyncpg.Pool | None = None
        self._gate = SlotGate(max(location.pool_size // 2, 1))
        self._running = self._waiting = 0
        self._idle = asyncio.Event()
        self._is_closed = False

    async def run(self, work: Callable[[Session], Awaitable[Result]], slots: Collection[Slot] = ()) -> Result:
        """Run *work* with a connection and return its result; retry after conflicts with other transactions.

        *slots*, sorted, are those that *work* locks: work on one slot uses at most half of the connections.

        Raises:
            StoreUnavailable: the pool is closed, or the database is unavailable.
            ValueError: the database refuses the values.
        """
        if self._is_closed:
            raise StoreUnavailable("the store is closed")
        self._running += 1
        try:
            async with asyncio.timeout(self._location.timeout):
                async with self._gate.entered(slots):
                    return await self._attempt(work)
        except StoreError:
            raise
        except TimeoutError as error:
            raise StoreUnavailable(
                f"the database did not respond within {self._location.timeout:g} s"
            ) from error
        except (*FAILURES, ValueError) as error:
            raise translated(error) from error
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()

    async def _attempt(self, work: Callable[[Session], Awaitable[Result]]) -> Result:
        for attempt in range(1, ATTEMPTS):
            with suppress(*RETRIED):
                async with self._session() as session:
                    return await work(session)
            await asyncio.sleep(random.uniform(0, PAUSE_SECONDS * 2**attempt))  # noqa: S311 - no secret
        async with self._session() as session:
            return await work(session)

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[Session]:
        pool = await self._opened()
        self._waiting += 1
        try:
            connection = await pool.acquire()
        finally:
            self._waiting -= 1
        try:
            await self._clock.check(connection)
            yield Session(connection, self._location.schema)
        except asyncpg.ReadOnlySQLTransactionError:
            connection.terminate()  # the server has become a standby: look for the new primary
            raise
        except (StoreError, *KNOWN_STATE):
            raise
        except BaseException:
            # Drop a connection that was cut off, timed out or cancelled, because asking the server to stop
            # could take just as long.
            connection.terminate()
            raise
        finally:
            await pool.release(connection)

    def load(self) -> DatabaseLoad:
        """Return the current load."""
        in_use = self._pool.get_size() - self._pool.get_idle_size() if self._pool else 0
        return DatabaseLoad(in_use, self._location.pool_size, self._waiting + self._gate.waiting)

    async def _opened(self) -> asyncpg.Pool:
        if self._pool is None:
            connect = Connector(self._location).connect
            self._pool = asyncpg.create_pool(
                connect=connect, min_size=0, max_size=self._location.pool_size, reset=_leave
            )
            await self._pool  # does not connect yet, so that no other task runs in between
        return self._pool

    async def close(self) -> None:
        """Refuse new work, finish running work, then close the connections."""
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
async def transaction(
    session: Session, *, unlocks_early: bool = False, begins_with: str = ""
) -> AsyncIterator[None]:
    """Run the block as one transaction, which is on disk afterwards; *begins_with* is its first statement.

    With *unlocks_early*, others see the changes, and the locks are free, before they are on disk.

    The driver's own transaction is not used: even after a disconnect, it would ask the server for a rollback
    and wait for the response.
    """
    first = ["BEGIN ISOLATION LEVEL READ COMMITTED", *([_NO_WAIT] if unlocks_early else []), begins_with]
    await session.execute("; ".join(first))
    try:
        yield
    except (StoreError, *KNOWN_STATE):
        await session.execute("ROLLBACK")
        raise
    await session.execute(f"COMMIT; {FLUSH}" if unlocks_early else "COMMIT")


async def _leave(_connection: asyncpg.Connection) -> None:
    """Do nothing: no setting of a connection was changed, so a reset would be a wasted round trip."""
