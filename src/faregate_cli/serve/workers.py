"""Worker processes: forked by a supervisor, which replaces those that end. Decisions §18."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from types import FrameType

RESTART_SECONDS = 1.0
"""Pause in seconds before a worker is replaced, in case it cannot start."""

_log = logging.getLogger("faregate.serve")


def forked(count: int, close_sockets: Callable[[], None]) -> int:
    """Fork *count* workers, and return in each of them its number, from 0.

    The calling process becomes the supervisor: it replaces workers that end, passes SIGTERM, SIGINT and
    SIGHUP on to all of them, and exits when all have ended after one of the first two. It then calls
    *close_sockets*, so that the last worker to stop listening refuses new clients. If the supervisor is
    killed, its workers stop.

    Raises:
        SystemExit: in the supervisor, at its end.
    """
    supervisor = _Supervisor(close_sockets)
    for number in range(count):
        if supervisor.is_worker(number):
            return number
    return supervisor.next_worker()


class _Supervisor:
    def __init__(self, close_sockets: Callable[[], None]) -> None:
        self._close_sockets = close_sockets
        self._signals = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
        self._numbers: dict[int, int] = {}  # by process id
        self._is_stopping = False
        self._has_terminal = sys.stderr.isatty()
        self._waited_on, self._held = os.pipe()  # closed by the system when the supervisor is killed
        for each in self._signals:
            signal.signal(each, self._pass_on)

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        is_abandoned = self._has_terminal and not sys.stderr.isatty()
        self._is_stopping |= is_abandoned or number != signal.SIGHUP
        for pid in [*self._numbers]:
            with suppress(ProcessLookupError):
                os.kill(pid, number)
        if self._is_stopping:
            self._close_sockets()

    def is_worker(self, number: int) -> bool:
        """Fork worker *number*; return True in the worker and False in the supervisor."""
        signal.pthread_sigmask(signal.SIG_BLOCK, self._signals)  # until the worker can be signalled
        pid = os.fork()
        if pid:
            self._numbers[pid] = number
        else:
            for each in self._signals:  # until the server has handlers, each of them ends the worker
                signal.signal(each, signal.SIG_DFL)
            os.setpgrp()  # a terminal interrupts only the supervisor, which passes it on once
            os.close(self._held)
            Thread(target=self._outlive, name="faregate-supervisor", daemon=True).start()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, self._signals)
        return pid == 0

    def _outlive(self) -> None:
        os.read(self._waited_on, 1)
        os.kill(os.getpid(), signal.SIGTERM)

    def next_worker(self) -> int:
        """Replace workers that end, and return the number of the new one in it."""
        while self._numbers:
            pid, status = os.wait()
            number = self._numbers.pop(pid)
            if not self._is_stopping:
                time.sleep(RESTART_SECONDS)
            if not self._is_stopping and self.is_worker(number):
                ended = os.waitstatus_to_exitcode(status)
                _log.error("worker %d replaces process %d, which ended with status %d", number, pid, ended)
                return number
        raise SystemExit(0)
