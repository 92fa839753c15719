"""Access to orders for their account, the staff of their channel, and guests. Decisions §14."""

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field
from typing import NamedTuple

from faregate.catalogue.channels import ChannelType
from faregate_http.store.records import OrderRow

SECRET_HEADER = b"order-secret"
"""Header with the order secret, in the response to a payment and in requests for its order."""

_DOMAIN = b"order "
_SHOWN_TO_CUSTOMERS = frozenset({ChannelType.WEB.value, ChannelType.CONSUMPTION.value})


class OrderReader(NamedTuple):
    """Proofs of access in a request for one order.

    ``account`` is the account id in the request's token. ``staff_channel`` is the UUID of the protected
    channel for which the request has a valid key. ``has_secret`` is True if it contains the order's secret.
    """

    account: int | None = None
    staff_channel: str | None = None
    has_secret: bool = False


def may_read_order(order: OrderRow, reader: OrderReader) -> bool:
    """Return True if one of the reader's proofs gives access to *order*.

    Customers may read the orders of their account on WEB and CONSUMPTION channels. Staff may read every
    order of their channel. The secret gives access only to orders without an account.
    """
    if order.channel == reader.staff_channel:
        return True
    if order.account is None:
        return reader.has_secret
    return order.account == reader.account and order.channel_type in _SHOWN_TO_CUSTOMERS


@dataclass(frozen=True, slots=True)
class OrderSecrets:
    """Secrets of orders, derived from *key* and never stored; without a key they are disabled.

    Secrets derived from *old_keys* fit, too.

    >>> secrets = OrderSecrets(bytes(32))
    >>> secret = secrets.of("0f8fad5b-d9cb-469f-a165-70867728950e")
    >>> secret, secrets.fits("0f8fad5b-d9cb-469f-a165-70867728950e", secret)
    ('0lPLaa2hdY7uYOiaotiBPLugNLt74tiWLxlMy1Ay9ZE', True)
    """

    key: bytes | None = field(repr=False)
    old_keys: tuple[bytes, ...] = field(default=(), repr=False)

    def of(self, order_id: str) -> str | None:
        """Return the secret of an order, 43 characters of base64url, or None if secrets are disabled."""
        return None if self.key is None else _secret(self.key, order_id)

    def fits(self, order_id: str, given: str) -> bool:
        """Return True if *given* is the secret of the order; the comparison takes constant time."""
        if self.key is None:
            return False
        secrets = [_secret(key, order_id).encode() for key in (self.key, *self.old_keys)]
        return any(hmac.compare_digest(secret, given.encode(errors="replace")) for secret in secrets)


def _secret(key: bytes, order_id: str) -> str:
    digest = hmac.digest(key, _DOMAIN + order_id.encode(errors="replace"), "sha256")
    return urlsafe_b64encode(digest).rstrip(b"=").decode()
