"""The writer of a SQLite file in this process, which groups waiting jobs into one durable commit.

A commit costs one flush of the disk regardless of the number of jobs, so the jobs that arrive during a flush
share the next one. Each job is still atomic: a job with several statements runs in a savepoint.

Statements take microseconds and run on the event loop; only the commit, which waits for the disk, runs in a
thread. Work therefore switches to the thread and back once per group, not for every statement.
"""

import sqlite3
import time
from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from typing import NamedTuple, Protocol

from faregate_http.store.contract import StoreError, StoreUnavailable
from faregate_server.database_load import DatabaseLoad
from faregate_server.store.sql.writes import Write


class Step(Protocol):
    """A step of a job other than a `Write`; it raises an error to refuse the job."""

    def run(self, cursor: sqlite3.Cursor) -> int:
        """Run the step within the transaction of the job; return the number of rows it touched."""
        ...


def run_write(cursor: sqlite3.Cursor, write: Write) -> int:
    """Run *write* and return the number of changed rows; SQLite itself undoes a failed statement.

    Raises:
        StoreError: ``write.refusal``, if *write* is refused.
    """
    refusal = write.refusal
    try:
        cursor.execute(write.sql, write.values)
    except sqlite3.IntegrityError as error:
        if refusal is None or error.sqlite_errorcode != sqlite3.SQLITE_CONSTRAINT_UNIQUE:
            raise
        raise refusal from error
    count = cursor.rowcount
    if refusal is not None and count != 1:
        raise refusal
    return count


class Job(NamedTuple):
    """A sequence of steps that succeed or fail together; *done* gets the row count of the last step."""

    steps: Sequence[Write | Step]
    done: "Future[int]"


Outcome = int | Exception

_POLL_SECONDS = 0.002

# Errors caused by the values of one job; other errors of SQLite affect the whole group.
_OWN_FAULTS = (
    StoreError,
    sqlite3.DataError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.ProgrammingError,
    OverflowError,
    TypeError,
    ValueError,
)


class GroupWriter:
    """A queue of jobs to be written through *connection*, used from one event loop at a time.

    At most *group_limit* jobs share a commit, and at most *waiting_limit* jobs can wait. The writer waits up
    to *busy_seconds* for other processes; *connection* itself must have no busy timeout.
    """

    def __init__(
        self, connection: sqlite3.Connection, *, group_limit: int, waiting_limit: int, busy_seconds: float
    ) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._group_limit = group_limit
        self._waiting_limit = waiting_limit
        self._busy_seconds = busy_seconds
        self._waiting: deque[Job] = deque()
        self._writing_on: AbstractEventLoop | None = None
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="faregate-store-disk")
        self._disk.submit(int)  # start the thread now, while there is memory for it
        self._idle: Future[None] | None = None  # set during `close`
        self._is_closed = False

    def submit(self, steps: Sequence[Write | Step], *, is_first: bool = False) -> "Future[int]":
        """Queue *steps* as one job; return a future that completes when they are on disk or refused.

        With *is_first*, the job is in the next group even if many others wait.

        Raises:
            StoreUnavailable: the writer is closed, or too many jobs are waiting.
        """
        if self._is_closed:
            raise StoreUnavailable("the store is closed")
        if len(self._waiting) >= self._waiting_limit and not is_first:
            raise StoreUnavailable(f"{len(self._waiting)} writes are waiting for the disk: retry later")
        loop = get_running_loop()
        done: Future[int] = loop.create_future()
        if self._writing_on is not loop:
            self._start_on(loop)
        job = Job(steps, done)
        if is_first:
            self._waiting.appendleft(job)
        else:
            self._waiting.append(job)
        return done

    def _start_on(self, loop: AbstractEventLoop) -> None:
        deadline = time.monotonic() + self._busy_seconds
        write = partial(_surely, partial(self._write_group, loop, deadline))
        former = self._writing_on
        try:
            self._writing_on = loop  # first, so that a write never starts twice
            if former is None:
                loop.call_soon(write)  # after this turn of the loop, to group all its jobs
            else:
                # The previous loop has ended: drop its jobs, and start once the disk has finished.
                self._waiting.clear()
                self._disk.submit(loop.call_soon_threadsafe, write)
        except MemoryError:
            self._writing_on = former
            raise

    def load(self) -> DatabaseLoad:
        """Return the load of the only connection that writes."""
        return DatabaseLoad(int(self._writing_on is not None), 1, len(self._waiting))

    async def close(self) -> None:
        """Refuse new jobs, finish the queued ones, then close the connection."""
        self._is_closed = True
        loop = get_running_loop()
        if self._writing_on is loop:
            self._idle = loop.create_future()
            await self._idle
        await loop.run_in_executor(None, self._close)

    def _close(self) -> None:
        self._disk.shutdown()
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        with suppress(sqlite3.Error):
            self._connection.close()

    def _write_group(self, loop: AbstractEventLoop, deadline: float) -> None:
        """Write waiting jobs, up to the group limit; until *deadline*, wait while another process writes."""
        group: list[Job] = []
        try:
            if self._begin(deadline):
                # Both or neither, so that no waiting job is lost when memory runs out.
                jobs, limit = self._waiting, self._group_limit
                group, self._waiting = [*islice(jobs, limit)], deque(islice(jobs, limit, None))
                outcomes = [self._attempt(job.steps) for job in group]
                self._disk.submit(self._commit, loop, group, outcomes)
            else:
                loop.call_later(_POLL_SECONDS, _surely, partial(self._write_group, loop, deadline))
        except Exception as error:  # any error: report it to the group and keep the writer alive
            if not group:
                group, self._waiting = [*self._waiting], deque()
            _surely(partial(self._give_up, loop, group, error))

    def _give_up(self, loop: AbstractEventLoop, group: list[Job], error: Exception) -> None:
        self._finish(loop, group, self._undo(error, len(group)))

    def _begin(self, deadline: float) -> bool:
        """Begin a transaction; return False while another process is writing.

        Raises:
            sqlite3.Error: another process was still writing at *deadline*, or the database cannot be written.
        """
        try:
            self._cursor.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
            return False
        return True

    def _commit(self, loop: AbstractEventLoop, group: list[Job], outcomes: list[Outcome]) -> None:
        """Commit the jobs of *group*; this runs in the thread that waits for the disk."""
        try:
            self._cursor.execute("COMMIT")
        except Exception as error:  # any error, as in `_write_group`
            outcomes = self._undo(error, len(group))
        with suppress(RuntimeError):  # the loop has ended and nothing waits
            _surely(partial(loop.call_soon_threadsafe, _surely, partial(self._finish, loop, group, outcomes)))

    def _finish(self, loop: AbstractEventLoop, group: list[Job], outcomes: list[Outcome]) -> None:
        for (_, done), outcome in zip(group, outcomes, strict=True):
            _resolve(done, outcome)
        if self._waiting:
            self._write_group(loop, time.monotonic() + self._busy_seconds)
            return
        self._writing_on = None
        if self._idle is not None:
            self._idle.set_result(None)

    def _undo(self, error: Exception, count: int) -> list[Outcome]:
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._cursor.execute("ROLLBACK")
        return [_unavailable(error) for _ in range(count)]

    def _attempt(self, steps: Sequence[Write | Step]) -> Outcome:
        if len(steps) == 1 and isinstance(steps[0], Write):  # SQLite itself undoes a failed statement
            try:
                return run_write(self._cursor, steps[0])
            except _OWN_FAULTS as fault:
                return _refused(fault)
        return self._attempt_together(steps)

    def _attempt_together(self, steps: Sequence[Write | Step]) -> Outcome:
        cursor = self._cursor
        execute = cursor.execute
        execute("SAVEPOINT job")
        count: Outcome = 0
        try:
            for step in steps:
                count = run_write(cursor, step) if isinstance(step, Write) else step.run(cursor)
        except _OWN_FAULTS as fault:
            execute("ROLLBACK TO job")
            count = _refused(fault)
        execute("RELEASE job")
        return count


def _surely(step: Callable[[], object]) -> None:
    """Run *step*, and repeat it once if memory runs out; otherwise the caller would wait forever."""
    try:
        step()
    except MemoryError:
        step()


def _resolve(done: "Future[int]", outcome: Outcome) -> None:
    if done.done():  # its caller was cancelled
        return
    if isinstance(outcome, int):
        done.set_result(outcome)
    else:
        done.set_exception(outcome)


def _refused(fault: Exception) -> Exception:
    if isinstance(fault, StoreError):
        return fault
    refusal = ValueError(f"the database refuses these values: {fault}")
    refusal.__cause__ = fault
    return refusal


def _unavailable(error: Exception) -> StoreUnavailable:
    failure = StoreUnavailable(f"the write failed: {error}")
    failure.__cause__ = error
    return failure
