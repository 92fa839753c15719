"""The one thread that writes to a SQLite file, and puts what waits together into one durable commit.

A commit costs one flush of the disk however many jobs it holds, so the jobs that arrive while the disk works
share the next one. Each job stays all or nothing by itself: one of several statements runs in a savepoint.
"""

import sqlite3
from asyncio import AbstractEventLoop, Future, get_running_loop
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import NamedTuple

from faregate_http.store.contract import StoreError, StoreUnavailable


class Change(NamedTuple):
    """One statement with its values; *refusal* is raised unless it changes exactly one row, if given."""

    sql: str
    values: Sequence[object]
    refusal: tuple[type[StoreError], Sequence[object]] | None = None


class Job(NamedTuple):
    """What is done as a whole or not at all; *done* receives the rows the last change touched."""

    changes: Sequence[Change]
    done: "Future[int]"


Outcome = int | Exception

# Faults of one job's own values: what SQLite does to the group is another matter.
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
    """Runs jobs on a connection of its own, in a thread of its own; used from one event loop at a time.

    At most *group_limit* jobs share a commit, and at most *waiting_limit* wait.
    """

    def __init__(self, connection: sqlite3.Connection, *, group_limit: int, waiting_limit: int) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._group_limit = group_limit
        self._waiting_limit = waiting_limit
        self._waiting = 0
        self._unsent: list[Job] = []
        self._batches: SimpleQueue[list[Job] | None] = SimpleQueue()
        self._is_closed = False
        self._thread = Thread(target=self._run, name="faregate-store-writer", daemon=True)
        self._thread.start()

    def submit(self, changes: Sequence[Change]) -> "Future[int]":
        """Queue *changes* as one job; the future is done when they are on disk, or refused.

        Raises:
            StoreUnavailable: the writer is closed, or too many jobs wait.
        """
        if self._is_closed:
            raise StoreUnavailable("the store is closed")
        if self._waiting >= self._waiting_limit:
            raise StoreUnavailable(f"{self._waiting} writes are waiting for the disk")
        loop = get_running_loop()
        done: Future[int] = loop.create_future()
        # What is submitted in one turn of the loop is sent together: one wake-up of the thread for all.
        if not self._unsent:
            loop.call_soon(self._send)
        self._unsent.append(Job(changes, done))
        self._waiting += 1
        return done

    def close(self) -> None:
        """Take no more jobs; the thread finishes what is queued, then closes its connection."""
        if not self._is_closed:
            self._is_closed = True
            self._send()
            self._batches.put(None)

    def join(self) -> None:
        """Wait for the thread to end."""
        self._thread.join()

    def _send(self) -> None:
        if self._unsent:
            self._batches.put(self._unsent)
            self._unsent = []

    # ------------------------------------------------------------ in the thread

    def _run(self) -> None:
        queued: deque[Job] = deque()
        is_open = True
        while is_open or queued:
            is_open = is_open and self._receive(queued)
            group = [queued.popleft() for _ in range(min(len(queued), self._group_limit))]
            if group:
                self._settle(group, self._write(group))
        with suppress(sqlite3.Error):
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        with suppress(sqlite3.Error):
            self._connection.close()

    def _receive(self, queued: deque[Job]) -> bool:
        """Move what has arrived into *queued*, waiting if it is empty; False once nothing more will come."""
        try:
            while batch := self._batches.get(block=not queued):
                queued.extend(batch)
        except Empty:
            return True
        return False

    def _write(self, group: list[Job]) -> list[Outcome]:
        execute = self._cursor.execute
        try:
            execute("BEGIN IMMEDIATE")
            outcomes = [self._attempt(job.changes) for job in group]
            execute("COMMIT")
        except Exception as error:  # whatever it was: the group learns of it, the thread lives on
            return self._undo(error, len(group))
        return outcomes

    def _undo(self, error: Exception, count: int) -> list[Outcome]:
        if self._connection.in_transaction:
            with suppress(sqlite3.Error):
                self._cursor.execute("ROLLBACK")
        return [_unavailable(error) for _ in range(count)]

    def _attempt(self, changes: Sequence[Change]) -> Outcome:
        if len(changes) == 1:  # SQLite undoes a failed statement by itself
            try:
                return self._change(changes[0])
            except _OWN_FAULTS as fault:
                return _refused(fault)
        return self._attempt_together(changes)

    def _attempt_together(self, changes: Sequence[Change]) -> Outcome:
        execute = self._cursor.execute
        execute("SAVEPOINT job")
        count: Outcome = 0
        try:
            for change in changes:
                count = self._change(change)
        except _OWN_FAULTS as fault:
            execute("ROLLBACK TO job")
            count = _refused(fault)
        execute("RELEASE job")
        return count

    def _change(self, change: Change) -> int:
        cursor = self._cursor
        cursor.execute(change.sql, change.values)
        count = cursor.rowcount
        if change.refusal is not None and count != 1:
            kind, arguments = change.refusal
            raise kind(*arguments)
        return count

    def _settle(self, group: list[Job], outcomes: list[Outcome]) -> None:
        loop: AbstractEventLoop = group[0].done.get_loop()
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(self._resolve, group, outcomes)

    # ------------------------------------------------------------ on the loop again

    def _resolve(self, group: list[Job], outcomes: list[Outcome]) -> None:
        self._waiting -= len(group)
        for (_, done), outcome in zip(group, outcomes, strict=True):
            if done.done():  # its caller was cancelled
                continue
            if isinstance(outcome, int):
                done.set_result(outcome)
            else:
                done.set_exception(outcome)


def _refused(fault: Exception) -> Exception:
    if isinstance(fault, StoreError):
        return fault
    refusal = ValueError(f"the tables take no such values: {fault}")
    refusal.__cause__ = fault
    return refusal


def _unavailable(error: Exception) -> StoreUnavailable:
    failure = StoreUnavailable(f"the write was not made: {error}")
    failure.__cause__ = error
    return failure
