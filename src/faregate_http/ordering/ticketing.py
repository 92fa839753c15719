"""Issuing of tickets, with up to three attempts each, even if a process stops in between. Decisions §14."""

from __future__ import annotations

import asyncio
import logging
import secrets
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple, Protocol

from faregate_http.protocol.instants import millis
from faregate_http.retries import side_by_side
from faregate_http.store.contract import Stale, Store
from faregate_http.store.records import TicketRow

if TYPE_CHECKING:
    from collections.abc import Callable


_log = logging.getLogger("faregate.http")

OPEN, ISSUED, FAILED = "OPEN", "ISSUED", "FAILED"

MOST_ATTEMPTS = 3

PAUSE = timedelta(seconds=1)
"""Pause after the first attempt; twice as long after the second."""

LEASE = timedelta(seconds=30)
"""Time that one process has for an attempt; the issuer gets a third of it."""

_SERIAL_BYTES = 16


class Ticket(NamedTuple):
    """A ticket to issue for an item of an order.

    ``serial`` is a suggested random 128-bit number, the same on every attempt.
    """

    order_id: str
    item_id: int
    serial: str


class IssueFailed(Exception):
    """The ticket could not be issued; the attempt may be repeated."""


class TicketIssuer(Protocol):
    """Issuer of tickets. Repeated calls for the same ticket must have the same result."""

    async def issue(self, ticket: Ticket) -> str:
        """Issue *ticket* and return its serial number.

        Raises:
            IssueFailed: no ticket was issued.
        """


class SerialNumbers:
    """Issuer that only returns the proposed random number."""

    async def issue(self, ticket: Ticket) -> str:
        """See `TicketIssuer.issue`."""
        return ticket.serial


@dataclass(eq=False)
class Ticketing:
    """Issues the tickets that are due."""

    store: Store
    issuer: TicketIssuer
    clock: Callable[[], datetime]

    async def work(self) -> int:
        """Try to issue every ticket that is due, and return how many there were.

        Raises:
            StoreUnavailable: the tickets cannot be read or written.
        """
        due = await self.store.due(TicketRow, millis(self.clock()))
        await side_by_side(self._attempt, due)
        return len(due)

    async def _attempt(self, row: TicketRow) -> None:
        with suppress(Stale):  # another process handles the ticket
            await self._try(row)

    async def _try(self, row: TicketRow) -> None:
        if row.attempts >= MOST_ATTEMPTS:  # the process that made the last attempt has stopped
            await self._save(row._replace(status=FAILED, due_at=None))
            return
        serial, due_at = row.serial or secrets.token_hex(_SERIAL_BYTES), millis(self.clock() + LEASE)
        leased = row._replace(attempts=row.attempts + 1, serial=serial, due_at=due_at)
        leased = await self._save(leased)
        issued = await self._issued(Ticket(row.order_id, row.item_id, serial), leased)
        if issued is not None:
            await self._save(leased._replace(status=ISSUED, serial=issued, due_at=None))
        elif leased.attempts >= MOST_ATTEMPTS:
            await self._save(leased._replace(status=FAILED, due_at=None))
        else:
            await self._save(leased._replace(due_at=millis(self.clock() + PAUSE * leased.attempts)))

    async def _issued(self, ticket: Ticket, row: TicketRow) -> str | None:
        try:
            async with asyncio.timeout(LEASE.total_seconds() / 3):
                return await self.issuer.issue(ticket)
        except Exception as error:  # after any error, the ticket is retried or reported
            _log.warning("ticket %s, attempt %d: %s", row.id, row.attempts, type(error).__name__)
            return None

    async def _save(self, row: TicketRow) -> TicketRow:
        """Save the next revision of *row* and return it."""
        after = row._replace(revision=row.revision + 1)
        await self.store.save(None, records=[after])
        return after
