"""Orders, and their notices with the names and types of the specification."""

from __future__ import annotations

from enum import Enum

from msgspec import UNSET, UnsetType

from faregate.checkout.expiry import ItemStatus
from faregate_http.schemas.base import Amount, Envelope, Instant, Percent, Uuid, View
from faregate_http.schemas.checkout import SalesChannelView, ValidityView


class NoticeLevel(Enum):
    """How much a notice matters."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class NoticeType(Enum):
    """What a notice says."""

    TICKETS_ISSUED = "TICKETS_ISSUED"
    TICKETING_ERROR_REPORT_TO_STAFF = "TICKETING_ERROR_REPORT_TO_STAFF"


class NoticeView(View):
    """Something to tell the customer; its ``id`` stays."""

    id: str
    level: NoticeLevel
    type: NoticeType


class OrderNoticesView(View):
    """What there is to tell; ask again until it ``isComplete``."""

    notices: list[NoticeView]
    is_complete: bool


class OrderNoticesEnvelope(Envelope[OrderNoticesView]):
    """The notices of an order."""


class TicketStatus(Enum):
    """Progress of issuing a ticket."""

    OPEN = "OPEN"
    ISSUED = "ISSUED"
    FAILED = "FAILED"


class OrderTicketView(View):
    """The ticket of an item; ``serial`` is null until the ticket is issued."""

    serial: str | None
    status: TicketStatus


class OrderItemView(View):
    """One unit that was sold, at the price that was paid, and its ticket."""

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
    """An order. Money is in major units of ``currency``; ``cashDue`` is there if it was paid in cash."""

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
    """An order and its tickets."""
