"""Order operations: get an order or its notices, and poll until all tickets are issued. Decisions §14."""

from collections.abc import Iterator, Sequence

from faregate_http.checkouts.stored_inputs import persons_of
from faregate_http.operations import Operation
from faregate_http.ordering.order_access import SECRET_HEADER, OrderReader, may_read_order
from faregate_http.ordering.order_views import is_complete, order_view
from faregate_http.ordering.ticketing import FAILED, ISSUED
from faregate_http.protocol.parameters import is_uuid
from faregate_http.protocol.problems import Problem
from faregate_http.protocol.requests import Request
from faregate_http.protocol.responses import NO_STORE, Header, Response, json_response
from faregate_http.schemas.orders import (
    NoticeLevel,
    NoticeType,
    NoticeView,
    OrderEnvelope,
    OrderNoticesEnvelope,
    OrderNoticesView,
    OrderView,
)
from faregate_http.services import Services
from faregate_http.store.records import OrderRow, TicketRow

_ASK_AGAIN = (b"retry-after", b"2")
_MOST_TICKETS = 10_000


async def _show(request: Request, services: Services) -> Response:
    order = await _readable_order(request, services)
    tickets = await _tickets_of(order, services)
    checkout = await services.store.checkout(order.id)
    persons = {} if checkout is None else persons_of(checkout.inputs)
    view = order_view(order, tickets, persons, language=request.language)
    return json_response(OrderEnvelope(view), *_headers(view), language=request.language)


async def _notices(request: Request, services: Services) -> Response:
    order = await _readable_order(request, services)
    tickets = await _tickets_of(order, services)
    view = OrderNoticesView([*_notice_views(order, tickets)], is_complete(tickets))
    return json_response(OrderNoticesEnvelope(view), *_headers(view))


async def _readable_order(request: Request, services: Services) -> OrderRow:
    """Return the order in the path, regardless of its channel.

    Raises:
        Problem: 404, the order does not exist or *request* has no access to it; 401 or 503, see `_reader`.
    """
    order_id = request.parameters["orderId"].lower()
    reader = await _reader(order_id, request, services)
    found = await services.store.find(OrderRow, id=order_id) if is_uuid(order_id) else []
    for order in found:
        if may_read_order(order, reader):
            return order
    # The response is the same for an unknown order, another account's order and another kind of channel, so
    # that ids reveal nothing.
    raise Problem(404, "unknown-order")


async def _reader(order_id: str, request: Request, services: Services) -> OrderReader:
    """Return the proofs of access to the order *order_id* that *request* contains.

    Raises:
        Problem: 401, *request* has no token, key or secret, or its token is not accepted; 503, the token
            cannot be verified.
    """
    accounts, channel, secrets = services.accounts, request.channel, services.order_secrets
    secret = request.headers.get(SECRET_HEADER) if secrets.key is not None else None
    has_key = channel.is_protected and b"service-channel-key" in request.headers
    needs_token = secret is None and not has_key
    account = await (accounts.required(request) if needs_token else accounts.of_request(request))
    return OrderReader(
        account=None if account is None else account.id,
        staff_channel=channel.uuid if services.channels.is_staff(request) else None,
        has_secret=secret is not None and secrets.fits(order_id, secret),
    )


async def _tickets_of(order: OrderRow, services: Services) -> Sequence[TicketRow]:
    return await services.store.find(TicketRow, order_id=order.id, limit=_MOST_TICKETS)


def _headers(view: OrderView | OrderNoticesView) -> tuple[Header, ...]:
    return (NO_STORE,) if view.is_complete else (NO_STORE, _ASK_AGAIN)


def _notice_views(order: OrderRow, tickets: Sequence[TicketRow]) -> Iterator[NoticeView]:
    """Yield a notice for each failed ticket and, once no ticket is pending, one for all issued tickets."""
    for ticket in tickets:
        if ticket.status == FAILED:
            yield NoticeView(
                f"{ticket.id}/failed", NoticeLevel.INFO, NoticeType.TICKETING_ERROR_REPORT_TO_STAFF
            )
    if is_complete(tickets) and any(ticket.status == ISSUED for ticket in tickets):
        yield NoticeView(f"{order.id}/issued", NoticeLevel.INFO, NoticeType.TICKETS_ISSUED)


_ANSWER_HEADERS = {"retry-after": "Seconds to wait before the next request. Present until `isComplete`."}

OPERATIONS = (
    Operation(
        method="GET",
        path="/api/orders/{orderId}",
        handler=_show,
        name="getOrder",
        summary="Get an order and its tickets. Repeat until it is complete.",
        answer=OrderEnvelope,
        is_extension=True,
        answer_headers=_ANSWER_HEADERS,
        asks_key=False,  # an account may read its orders through any channel
    ),
    Operation(
        method="GET",
        path="/api/orders/{orderId}/notices",
        handler=_notices,
        name="getOrderNotices",
        summary="Get the notices of an order. Repeat until it is complete, usually within a minute.",
        answer=OrderNoticesEnvelope,
        answer_headers=_ANSWER_HEADERS,
        asks_key=False,
    ),
)
