"""Tickets: their contents and their issue. Decisions §14.

The contents are written when an order is settled and stored until the ticket is issued. A ticket gets up to
three attempts, even if a process stops in between.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Any, Protocol

import msgspec

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.model import CheckoutItem
from faregate.checkout.priced import PricedCheckout
from faregate.validity.capacity import pool_demand
from faregate_http.inventory.slots import text_of
from faregate_http.protocol.instants import from_millis, millis
from faregate_http.retries import side_by_side
from faregate_http.store.contract import Stale, Store
from faregate_http.store.records import OrderRow, TicketRow

_log = logging.getLogger("faregate.http")

OPEN, ISSUED, FAILED = "OPEN", "ISSUED", "FAILED"

MOST_ATTEMPTS = 3

PAUSE = timedelta(seconds=1)
"""Pause after the first failed attempt to issue a ticket; it is twice as long after the second."""

_SERIAL_BYTES = 16

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


def tickets_of(
    priced: PricedCheckout,
    order: OrderRow,
    *,
    catalogue: Catalogue,
    persons: Mapping[int, Mapping[str, Any]],
    language: str,
) -> Iterator[Ticket]:
    """Yield a ticket for each item of a new *order*; *persons* has form answers by person id.

    Raises:
        UnknownEntry: an item is no longer sold.
    """
    channel, items = priced.channel, priced.checkout.items
    numbered = _copies(items)
    for item, row in zip(items, priced.items, strict=True):
        product, variant = catalogue.variant(item.variant)
        copy, copies = numbered[item.id]
        slots = pool_demand([(item.variant, item.validity)], catalogue=catalogue)
        yield Ticket(
            id=f"{order.id}/{item.id}",
            serial=token_hex(_SERIAL_BYTES),
            order_id=order.id,
            reference=order.reference,
            settled_at=from_millis(order.created_at),
            language=language,
            channel_id=channel.uuid,
            channel=channel.name,
            item_id=item.id,
            parent_item_id=item.parent,
            copy=copy,
            copies=copies,
            product_id=product.id,
            product=product.translation.in_language(language) or product.name,
            variant_id=variant.id,
            variant=variant.translation.in_language(language) or variant.name,
            valid_from=item.validity and item.validity.start,
            valid_to=item.validity and item.validity.end,
            slots=tuple([(slot.pool, text_of(slot)) for slot in slots]),
            person={} if item.person is None else dict(persons.get(item.person, {})),
            amount=row.total_gross,
            currency=channel.currency,
        )


def _copies(items: tuple[CheckoutItem, ...]) -> dict[int, tuple[int, int]]:
    """Return pairs of an item's position among its copies and the number of copies, keyed by item id."""
    groups: dict[int, list[int]] = {}
    for item in items:
        groups.setdefault(item.copy_of or item.id, []).append(item.id)
    return {key: (place, len(keys)) for keys in groups.values() for place, key in enumerate(keys, start=1)}


def ticket_row(ticket: Ticket) -> TicketRow:
    """Return *ticket* as a row for the store; it is due to be issued at once."""
    due_at = millis(ticket.settled_at)
    return TicketRow(
        id=ticket.id,
        revision=1,
        created_at=due_at,
        order_id=ticket.order_id,
        item_id=ticket.item_id,
        status=OPEN,
        attempts=0,
        due_at=due_at,
        content=msgspec.json.encode(ticket).decode(),
    )


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
