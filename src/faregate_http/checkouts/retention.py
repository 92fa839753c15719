"""Removal of abandoned checkouts: first of their personal data, later of the rows. Decisions §11.2."""

import asyncio
from contextlib import suppress
from datetime import datetime, timedelta

from faregate_http.accounts.erasure import blanked_inputs
from faregate_http.checkouts.records import has_ended
from faregate_http.protocol.instants import millis
from faregate_http.store.contract import CheckoutRow, Stale, Store

CHECKOUTS_KEPT_FOR = timedelta(days=30)
"""Time after its expiry at which an abandoned checkout without payments is deleted."""

_AT_ONCE = 100
_STEPS = 20


class Retention:
    """Removes ended checkouts and their personal data by visiting all checkouts in *store*, again and again.

    This needs no index or flag: rows that have changed or came from a backup are visited again. *begun* is
    the id to start after; a random id distributes the work among processes, even if they restart often.
    ``deleted`` is the number of checkouts deleted so far.
    """

    def __init__(self, store: Store, *, begun: str = "") -> None:
        self._store = store
        self._last = begun
        self.deleted = 0

    async def walk(self, at: datetime) -> int:
        """Visit up to 2000 more checkouts, and return the number from which personal data was removed.

        Raises:
            StoreUnavailable: the checkouts cannot be read or written; the next call continues from here.
        """
        blanked = 0
        for _ in range(_STEPS):
            rows = await self._store.walk(after=self._last, limit=_AT_ONCE)
            before = millis(at - CHECKOUTS_KEPT_FOR)
            if any(row.expires_at < before and not row.is_closed for row in rows):
                self.deleted += await self._store.purge_checkouts(self._last, rows[-1].id, before=before)
            blanked += sum([await self._is_blanked(row, at) for row in rows])
            self._last = rows[-1].id if len(rows) == _AT_ONCE else ""
            if not self._last:
                break
            await asyncio.sleep(0)  # let requests run
        return blanked

    async def _is_blanked(self, row: CheckoutRow, at: datetime) -> bool:
        if not has_ended(row, at):  # a pending payment does not need the inputs either
            return False
        inputs = blanked_inputs(row.inputs)
        if inputs == row.inputs:
            return False
        with suppress(Stale):  # another writer came first, or the checkout was just deleted
            await self._store.save(row._replace(revision=row.revision + 1, inputs=inputs))
            return True
        return False
