"""Summaries of repeated log lines, so that an overload or an outage does not fill the disk."""

from __future__ import annotations

import logging
import threading
from collections import Counter

MOST_LINES = 5
"""Maximum number of lines of one kind in an interval; the others are counted."""

INTERVAL_SECONDS = 60.0

_log = logging.getLogger("faregate.serve")

_DETAILS = ("operation", "status", "problem")


class Repeats(logging.Filter):
    """Filter that passes the first warnings and errors of each kind in an interval, and then their number.

    Lines are of one kind if they have the same logger, level, template, operation, status and problem.
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._lines: Counter[tuple[object, ...]] = Counter()
        self._end: threading.Timer | None = None

    def filter(self, record: logging.LogRecord) -> bool:
        """Count *record*, and return whether it is written."""
        if record.levelno < logging.WARNING:
            return True
        details = [getattr(record, name, "") for name in _DETAILS]
        kind = (record.name, record.levelno, str(record.msg), *details)
        with self._lock:
            self._lines[kind] += 1
            if self._end is None:
                self._end = threading.Timer(INTERVAL_SECONDS, self.summarise)
                self._end.daemon = True
                self._end.start()
            return self._lines[kind] <= MOST_LINES

    def summarise(self) -> None:
        """End the interval, and log how many lines of each kind were not written."""
        with self._lock:
            ended, self._lines = self._lines, Counter()
            if self._end is not None:
                self._end.cancel()
                self._end = None
        for (logger, _, template, *details), number in ended.items():
            if number > MOST_LINES:
                what = dict(zip(_DETAILS, details, strict=True)) if any(details) else {}
                _log.info("%d more lines like %r of %s", number - MOST_LINES, template, logger, extra=what)
