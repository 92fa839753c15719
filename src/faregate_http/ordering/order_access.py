"""Who may read an order: its account, the staff of its channel, and guests with its secret. Decisions §14."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from faregate.catalogue.channels import ChannelType

if TYPE_CHECKING:
    from faregate_http.store.records import OrderRow

_SHOWN_TO_CUSTOMERS = frozenset({ChannelType.WEB.value, ChannelType.CONSUMPTION.value})


class OrderReader(NamedTuple):
    """The proofs that a request for one order brings.

    ``account`` is the account of its token, ``staff_channel`` the UUID of the protected channel that it names
    with a live key. It ``has_secret`` if it brings that of the order.
    """

    account: int | None = None
    staff_channel: str | None = None
    has_secret: bool = False


def may_read_order(order: OrderRow, reader: OrderReader) -> bool:
    """Return True where one of the reader's proofs opens *order*.

    An account reads its own orders of web shops and partners. Staff read every order of their channel. The
    secret opens orders without an account only.
    """
    if order.channel == reader.staff_channel:
        return True
    if order.account is None:
        return reader.has_secret
    return order.account == reader.account and order.channel_type in _SHOWN_TO_CUSTOMERS
