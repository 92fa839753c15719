"""The states of a checkout, and when an open one expires. Decisions §11.2."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from faregate.dates.instants import in_utc

if TYPE_CHECKING:
    from datetime import datetime

    from faregate.catalogue.channels import Channel


class CheckoutStatus(Enum):
    """Where a checkout stands."""

    OPEN = "OPEN"
    EXPIRED = "EXPIRED"
    CLOSED = "CLOSED"

    @property
    def item_status(self) -> ItemStatus:
        """Where its items stand then."""
        return _ITEM_STATUS[self]


class ItemStatus(Enum):
    """Where an item stands; it follows from its checkout."""

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
    """Return the expiry: `expires_after` the last change, at most `expires_at_most` after the start.

    Where what it holds *is_scarce*, `expires_when_scarce` its last change if that is sooner.
    """
    after = min(channel.expires_after, channel.expires_when_scarce) if is_scarce else channel.expires_after
    return min(in_utc(changed_at) + after, in_utc(started_at) + channel.expires_at_most)
