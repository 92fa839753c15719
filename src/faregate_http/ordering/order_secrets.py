"""Secrets by which guests read their orders, each made from the id of its order. Decisions §14."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass, field

HEADER = b"order-secret"
"""The header of a payment's response, and of requests for the order that came of it."""

_DOMAIN = b"order "


@dataclass(frozen=True, slots=True)
class OrderSecrets:
    """The secrets of a service's orders under *key*; None: there are none.

    >>> secrets = OrderSecrets(bytes(32))
    >>> secret = secrets.of("0f8fad5b-d9cb-469f-a165-70867728950e")
    >>> secret, secrets.fits("0f8fad5b-d9cb-469f-a165-70867728950e", secret)
    ('0lPLaa2hdY7uYOiaotiBPLugNLt74tiWLxlMy1Ay9ZE', True)
    """

    key: bytes | None = field(repr=False)

    def of(self, order_id: str) -> str | None:
        """Return the secret of an order, 43 characters of base64url; None: there are no secrets."""
        if self.key is None:
            return None
        digest = hmac.digest(self.key, _DOMAIN + order_id.encode(), "sha256")
        return urlsafe_b64encode(digest).rstrip(b"=").decode()

    def fits(self, order_id: str, given: str) -> bool:
        """Return True where *given* is the secret of that order; how long it takes tells nothing of it."""
        secret = self.of(order_id)
        return secret is not None and hmac.compare_digest(secret.encode(), given.encode())
