"""The states of a checkout and its expiry. Decisions §11.2."""

from __future__ import annotations

from datetime import datetime
from enum import Enum

from faregate.catalogue.channels import Channel
from faregate.dates.instants import in_utc


class CheckoutStatus(Enum):
    """The state of a checkout."""

    OPEN = "OPEN"
    EXPIRED = "EXPIRED"
    CLOSED = "CLOSED"

    @property
    def item_status(self) -> ItemStatus:
        """The state of every item in a checkout with this status."""
        return _ITEM_STATUS[self]


class ItemStatus(Enum):
    """The state of an item, which follows from the state of its checkout."""

    RESERVED = "RESERVED"
    SOLD = "SOLD"
    RELEASED = "RELEASED"


_ITEM_STATUS = {
    CheckoutStatus.OPEN: ItemStatus.RESERVED,
    CheckoutStatus.CLOSED: ItemStatus.SOLD,
    CheckoutStatus.EXPIRED: ItemStatus.RELEASED,
}


def checkout_expiry(
    channel: Channel, *, started_at: datetime, changed_at: datetime, is_scarce: bool = False
) -> datetime:
    """Return the expiry of a checkout that was opened at *started_at* and last changed at *changed_at*.

    The channel's ``expires_after`` counts from the last change, ``expires_at_most`` from the opening; the
    earlier expiry applies. If *is_scarce*, ``expires_when_scarce`` is used if it is below ``expires_after``.
    """
    after = min(channel.expires_after, channel.expires_when_scarce) if is_scarce else channel.expires_after
    return min(in_utc(changed_at) + after, in_utc(started_at) + channel.expires_at_most)
