"""Comparison of this machine's clock with that of the database."""

import time

from asyncpg import Connection

from faregate_http.store.contract import StoreUnavailable

MOST_SECONDS = 30.0
"""Maximum difference between the clocks; holds last at least ten minutes by default."""

COMPARED_EVERY_SECONDS = 60.0

_SET_SECONDS = 1.0
"""Difference against the monotonic clock from which on this machine's clock counts as set."""

_NOW = "SELECT extract(epoch FROM clock_timestamp())::float8"


class ClockGuard:
    """Refuses a database whose clock differs by more than `MOST_SECONDS` from that of this machine.

    Every process decides by its own clock which checkouts have expired: one that is ahead would release the
    holds of others. The clocks are compared every minute, and at once after this machine's clock was set.
    """

    def __init__(self) -> None:
        self._until = 0.0
        self._offset = 0.0

    async def check(self, connection: Connection) -> None:
        """Compare the clocks if a comparison is due.

        Raises:
            StoreUnavailable: the clocks differ too much.
        """
        timer = time.monotonic()
        offset = time.time() - timer
        if timer < self._until and abs(offset - self._offset) < _SET_SECONDS:
            return
        self._until = 0.0
        before = time.time()
        there = float(await connection.fetchval(_NOW))
        ahead = max(before - there, 0.0) or min(time.time() - there, 0.0)  # the request took some time, too
        if abs(ahead) > MOST_SECONDS:
            raise StoreUnavailable(
                f"the clock of this machine is {abs(ahead):.0f} s {'ahead of' if ahead > 0 else 'behind'} "
                f"that of the database, expected at most {MOST_SECONDS:.0f} s: synchronise the clocks"
            )
        self._until, self._offset = timer + COMPARED_EVERY_SECONDS, offset
