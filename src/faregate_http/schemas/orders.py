"""Responses of the order operations; notices have the specification's names and types."""

from enum import Enum

from msgspec import UNSET, UnsetType

from faregate.checkout.expiry import ItemStatus
from faregate_http.schemas.base import Amount, Envelope, Instant, Percent, Uuid, View
from faregate_http.schemas.checkout import SalesChannelView, ValidityView


class NoticeLevel(Enum):
    """Importance of a notice."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class NoticeType(Enum):
    """Subject of a notice."""

    TICKETS_ISSUED = "TICKETS_ISSUED"
    TICKETING_ERROR_REPORT_TO_STAFF = "TICKETING_ERROR_REPORT_TO_STAFF"


class NoticeView(View):
    """Notice for the customer; its ``id`` is the same in every response."""

    id: str
    level: NoticeLevel
    type: NoticeType


class OrderNoticesView(View):
    """Notices of an order. Repeat the request until ``isComplete`` is true."""

    notices: list[NoticeView]
    is_complete: bool


class OrderNoticesEnvelope(Envelope[OrderNoticesView]):
    """Response with the notices of an order."""


class TicketStatus(Enum):
    """Progress of issuing a ticket."""

    OPEN = "OPEN"
    ISSUED = "ISSUED"
    FAILED = "FAILED"


class OrderTicketView(View):
    """Ticket of an item; ``serial`` is null until the ticket is issued."""

    serial: str | None
    status: TicketStatus


class OrderItemView(View):
    """One unit that was sold, with the price that was paid and its ticket."""

    id: int
    name: str
    product_variant_id: int
    validity: ValidityView | None
    person_id: int | None
    total_gross: Amount
    vat_rate: Percent
    status: ItemStatus
    ticket: OrderTicketView


class OrderView(View, omit_defaults=True):
    """An order. Amounts are in major units of ``currency``; ``cashDue`` is present if it was paid in cash."""

    id: Uuid
    reference_number: str
    created_at: Instant
    currency: str
    total_gross: Amount
    total_net: Amount
    sales_channel: SalesChannelView
    is_complete: bool
    items: list[OrderItemView]
    cash_due: Amount | UnsetType = UNSET


class OrderEnvelope(Envelope[OrderView]):
    """Response with an order and its tickets."""
