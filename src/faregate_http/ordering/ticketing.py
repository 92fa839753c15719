"""Ticket issuing, with up to three attempts per ticket, even if a process stops in between. Decisions §14."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol

import msgspec

from faregate_http.protocol.instants import millis
from faregate_http.retries import side_by_side
from faregate_http.store.contract import Stale, Store
from faregate_http.store.records import TicketRow

_log = logging.getLogger("faregate.http")

OPEN, ISSUED, FAILED = "OPEN", "ISSUED", "FAILED"

MOST_ATTEMPTS = 3

PAUSE = timedelta(seconds=1)
"""Pause after the first failed attempt to issue a ticket; it is twice as long after the second."""

LEASE = timedelta(seconds=30)
"""Time that one process has for an attempt; the issuer gets a third of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ticket:
    """Everything to print on the ticket for one item, as paid for; every attempt gets the same values.

    id: key under which to store the ticket, so that the same ticket is returned for the same id.
    serial: a random 128-bit number, to use or to replace with a number of your own.
    order_id, reference: the order, and the number by which the buyer knows it.
    settled_at: instant of payment.
    language: language of the payment request, in which product and variant are named.
    channel_id, channel: UUID and name of the sales channel.
    item_id, parent_item_id: the item, and the item to which it belongs if it is, for example, a fee.
    copy, copies: 2 of 3 is the second of three units bought as one item; 1 of 1 for most items.
    product_id, product, variant_id, variant: what was bought.
    valid_from, valid_to: start (inclusive) and end (exclusive) of validity in local time, or None.
    slots: pairs of a pool and a day or time of entry in it (``2026-12-27``, ``2026-12-27T10:00``).
    person: the answers given about the person, keyed by question, such as ``firstName`` or ``dateOfBirth``.
    amount: gross price in minor units of *currency*, after discounts.
    """

    id: str
    serial: str
    order_id: str
    reference: str
    settled_at: datetime
    language: str
    channel_id: str
    channel: str
    item_id: int
    parent_item_id: int | None
    copy: int
    copies: int
    product_id: int
    product: str
    variant_id: int
    variant: str
    valid_from: datetime | None
    valid_to: datetime | None
    slots: tuple[tuple[str, str], ...]
    person: dict[str, Any]
    amount: int
    currency: str


_read = msgspec.json.Decoder(Ticket).decode


class IssueFailed(Exception):
    """The ticket could not be issued; the attempt may be repeated."""


class TicketIssuer(Protocol):
    """Issuer of tickets. If called again for a ticket, it must return the same number and issue nothing."""

    async def issue(self, ticket: Ticket) -> str:
        """Issue *ticket* and return its serial number.

        Raises:
            IssueFailed: no ticket was issued.
        """


class SerialNumbers:
    """Issuer that only returns the random serial number proposed in the ticket."""

    async def issue(self, ticket: Ticket) -> str:
        return ticket.serial


@dataclass(eq=False)
class Ticketing:
    """Issues the tickets that are due."""

    store: Store
    issuer: TicketIssuer
    clock: Callable[[], datetime]

    async def work(self) -> int:
        """Try to issue every ticket that is due, and return how many were due.

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
            await self._save(row._replace(status=FAILED, due_at=None, content=None))
            return
        due_at = millis(self.clock() + LEASE)
        leased = await self._save(row._replace(attempts=row.attempts + 1, due_at=due_at))
        issued = await self._issued(leased)
        if issued is not None:
            await self._save(leased._replace(status=ISSUED, serial=issued, due_at=None, content=None))
        elif leased.attempts >= MOST_ATTEMPTS:
            await self._save(leased._replace(status=FAILED, due_at=None, content=None))
        else:
            await self._save(leased._replace(due_at=millis(self.clock() + PAUSE * leased.attempts)))

    async def _issued(self, row: TicketRow) -> str | None:
        try:
            ticket = _read(row.content or "")
            async with asyncio.timeout(LEASE.total_seconds() / 3):
                return await self.issuer.issue(ticket)
        except Exception as error:  # after any error, the ticket is retried or reported
            _log.warning("ticket %s, attempt %d: %s", row.id, row.attempts, type(error).__name__)
            return None

    async def _save(self, row: TicketRow) -> TicketRow:
        after = row._replace(revision=row.revision + 1)
        await self.store.save(None, records=[after])
        return after
