"""Notices of orders, to be asked for again until all tickets are issued. Decisions §14."""

from __future__ import annotations

from typing import TYPE_CHECKING

from faregate.catalogue.channels import ChannelType
from faregate_http.operations import ForAccount, Operation
from faregate_http.ordering.ticketing import FAILED, ISSUED, OPEN
from faregate_http.protocol.parameters import is_uuid
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.responses import NO_STORE, Response, json_response
from faregate_http.schemas.orders import (
    NoticeLevel,
    NoticeType,
    NoticeView,
    OrderNoticesEnvelope,
    OrderNoticesView,
)
from faregate_http.store.records import AccountRow, OrderRow, TicketRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from faregate_http.protocol.requests import Request
    from faregate_http.services import Services
    from faregate_http.store.contract import Store

_READABLE = frozenset({ChannelType.WEB.value, ChannelType.CONSUMPTION.value})
_ASK_AGAIN = (b"retry-after", b"2")
_MOST_TICKETS = 10_000


async def _notices(request: Request, services: Services, account: AccountRow) -> Response:
    order = await _order(request.parameters["orderId"], account, services.store)
    tickets = await services.store.find(TicketRow, order_id=order.id, limit=_MOST_TICKETS)
    is_complete = all(ticket.status != OPEN for ticket in tickets)
    view = OrderNoticesView([*_notice_views(order, tickets, is_complete=is_complete)], is_complete)
    headers = (NO_STORE,) if is_complete else (NO_STORE, _ASK_AGAIN)
    return json_response(OrderNoticesEnvelope(view), *headers)


async def _order(order_id: str, account: AccountRow, store: Store) -> OrderRow:
    """The order of that id, which the account may read on whatever channel it asks."""
    found = await store.find(OrderRow, id=order_id.lower()) if is_uuid(order_id) else []
    for order in found:
        if order.account == account.id and order.channel_type in _READABLE:
            return order
    # The same for none, another account's and another kind of channel: which it is, is nobody's business.
    raise Problem(404, "unknown-order", "This account has no such order.")


def _notice_views(
    order: OrderRow, tickets: Sequence[TicketRow], *, is_complete: bool
) -> Iterator[NoticeView]:
    """One for each ticket that could not be issued, once that is known; in the end one for all others."""
    for ticket in tickets:
        if ticket.status == FAILED:
            yield NoticeView(
                f"{ticket.id}/failed", NoticeLevel.ERROR, NoticeType.TICKETING_ERROR_REPORT_TO_STAFF
            )
    if is_complete and any(ticket.status == ISSUED for ticket in tickets):
        yield NoticeView(f"{order.id}/issued", NoticeLevel.INFO, NoticeType.TICKETS_ISSUED)


OPERATIONS = (
    Operation(
        method="GET",
        path="/api/orders/{orderId}/notices",
        handler=ForAccount(_notices),
        name="getOrderNotices",
        summary="What there is to tell of an order; ask again, for about a minute, until it is complete.",
        answer=OrderNoticesEnvelope,
        answer_headers={"retry-after": "While it is incomplete: after so many seconds, ask again."},
        asks_key=False,  # the order is found by its account, whatever channel is named
    ),
)
