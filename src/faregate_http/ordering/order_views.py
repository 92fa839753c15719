"""Orders as JSON: the amounts stored with them, and the current state of their tickets.

Nothing is priced and the catalogue is not read, because it may have changed. Decisions §14.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from faregate.checkout.expiry import ItemStatus
from faregate_http.ordering.ticketing import OPEN
from faregate_http.protocol.instants import from_millis, instant_text
from faregate_http.protocol.stored_responses import unpack
from faregate_http.schemas.base import Envelope, View
from faregate_http.schemas.checkout import SalesChannelView, ValidityView
from faregate_http.schemas.orders import OrderItemView, OrderTicketView, OrderView, TicketStatus
from faregate_http.store.records import OrderRow, TicketRow

_Number: TypeAlias = int | float
"""A number as stored: 20 and 20.0 are shown unchanged."""


class _Variant(View):
    id: int
    translation: str


class _Item(View):
    id: int
    status: ItemStatus
    product_variant: _Variant
    validity: ValidityView | None
    total_gross: _Number
    vat_rate: _Number


class _Checkout(View):
    reference_number: str
    sales_channel: SalesChannelView
    items: list[_Item]
    currency: str
    total_gross: _Number
    total_net: _Number
    cash_due: _Number | UnsetType = UNSET


_decode = msgspec.json.Decoder(Envelope[_Checkout]).decode


def order_view(
    order: OrderRow, tickets: Sequence[TicketRow], persons: Mapping[int, int | None], *, language: str
) -> OrderView:
    """Return a view of *order* in *language*, with *tickets*; *persons* are person ids, keyed by item id."""
    stored = _decode(unpack(order.views)[language]).data
    by_item = {ticket.item_id: ticket for ticket in tickets}
    return OrderView(
        id=order.id,
        reference_number=stored.reference_number,
        created_at=instant_text(from_millis(order.created_at)),
        currency=stored.currency,
        total_gross=stored.total_gross,
        total_net=stored.total_net,
        sales_channel=stored.sales_channel,
        is_complete=is_complete(tickets),
        items=[_item_view(item, by_item[item.id], persons.get(item.id)) for item in stored.items],
        cash_due=stored.cash_due,
    )


def is_complete(tickets: Sequence[TicketRow]) -> bool:
    """Return True if every ticket has been issued or has failed."""
    return all(ticket.status != OPEN for ticket in tickets)


def _item_view(item: _Item, ticket: TicketRow, person: int | None) -> OrderItemView:
    return OrderItemView(
        id=item.id,
        name=item.product_variant.translation,
        product_variant_id=item.product_variant.id,
        validity=item.validity,
        person_id=person,
        total_gross=item.total_gross,
        vat_rate=item.vat_rate,
        status=item.status,
        ticket=OrderTicketView(ticket.serial, TicketStatus(ticket.status)),
    )
