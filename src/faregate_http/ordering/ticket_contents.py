"""Ticket contents, written when an order is settled and stored until the ticket is issued. Decisions §14."""

from collections.abc import Iterator, Mapping
from secrets import token_hex
from typing import Any

import msgspec

from faregate.catalogue.catalogue import Catalogue
from faregate.checkout.model import CheckoutItem
from faregate.checkout.priced import PricedCheckout
from faregate.validity.capacity import pool_demand
from faregate_http.inventory.slots import text_of
from faregate_http.ordering.ticketing import OPEN, Ticket
from faregate_http.protocol.instants import from_millis, millis
from faregate_http.store.records import OrderRow, TicketRow

_SERIAL_BYTES = 16


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
