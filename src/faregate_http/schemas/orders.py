"""Notices of an order, with the names and types of the specification."""

from __future__ import annotations

from enum import Enum

from faregate_http.schemas.base import Envelope, View


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
