"""Orders: checkouts that were settled, with their figures as they were then. Decisions §14."""

from __future__ import annotations

from secrets import choice
from typing import TYPE_CHECKING

from faregate_http.ordering.ticketing import OPEN
from faregate_http.protocol.frozen import pack
from faregate_http.protocol.instants import millis
from faregate_http.store.records import OrderRow, TicketRow

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from faregate.catalogue.channels import Channel
    from faregate.totals.pipeline import CheckoutTotals
    from faregate_http.checkouts.records import CheckoutRecord

# Crockford's: none of them is taken for another when it is read out.
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_reference() -> str:
    """A number to print, of ten letters of which nobody can guess the next."""
    letters = "".join(choice(_LETTERS) for _ in range(10))
    return f"{letters[:5]}-{letters[5:]}"


def order_of(
    record: CheckoutRecord,
    channel: Channel,
    totals: CheckoutTotals,
    *,
    reference: str,
    bodies: Mapping[str, bytes],
    at: datetime,
) -> OrderRow:
    """The order that *record* becomes, which shows *bodies*, by language, from now on."""
    return OrderRow(
        id=record.uuid,
        revision=1,
        created_at=millis(at),
        account=record.checkout.account,
        channel=channel.uuid,
        channel_type=channel.type.value,
        reference=reference,
        currency=channel.currency,
        total=totals.total_gross,
        figures=bodies["en"].decode(),
        views=pack(dict(bodies)),
    )


def tickets_of(record: CheckoutRecord, at: datetime) -> list[TicketRow]:
    """What is to be issued: one for each item."""
    return [
        TicketRow(
            id=f"{record.uuid}/{item.id}",
            revision=1,
            created_at=millis(at),
            order_id=record.uuid,
            item_id=item.id,
            status=OPEN,
            attempts=0,
            due_at=millis(at),
        )
        for item in record.checkout.items
    ]
