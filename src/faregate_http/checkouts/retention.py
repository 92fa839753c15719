"""Remove personal data from abandoned checkouts once they are no longer shown. Decisions §11.2."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from faregate_http.accounts.erasure import blanked_inputs
from faregate_http.checkouts.records import has_ended
from faregate_http.store.contract import CheckoutRow, Stale, Store

if TYPE_CHECKING:
    from datetime import datetime


_AT_ONCE = 100
_STEPS = 20


class Retention:
    """Walks around all checkouts of a *store*, a way at a time, and blanks those that have ended.

    It needs no index and no mark: each way is as long, however many there are, and whatever was left because
    it changed, or came out of a backup, is met again. One that is *begun* anywhere shares the
    way with others, and gets everywhere however often it starts anew.
    """

    def __init__(self, store: Store, *, begun: str = "") -> None:
        self._store = store
        self._last = begun

    async def walk(self, at: datetime) -> int:
        """Look at the next two thousand checkouts, or up to the end; how many were blanked.

        Raises:
            StoreUnavailable: they cannot be read or written; the next way begins where this one ended.
        """
        blanked = 0
        for _ in range(_STEPS):
            rows = await self._store.walk(after=self._last, limit=_AT_ONCE)
            blanked += sum([await self._is_blanked(row, at) for row in rows])
            self._last = rows[-1].id if len(rows) == _AT_ONCE else ""
            if not self._last:
                break
            await asyncio.sleep(0)  # requests get their turn
        return blanked

    async def _is_blanked(self, row: CheckoutRow, at: datetime) -> bool:
        if not has_ended(row, at):  # nor does a payment that is still due need what was entered
            return False
        inputs = blanked_inputs(row.inputs)
        if inputs == row.inputs:
            return False
        with suppress(Stale):  # somebody else was quicker
            await self._store.save(row._replace(revision=row.revision + 1, inputs=inputs))
            return True
        return False
