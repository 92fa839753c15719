"""Stored responses, kept under an idempotency key (decisions §11.6) or with an order."""

from __future__ import annotations

import zlib
from datetime import datetime
from typing import NamedTuple

import msgspec

from faregate_http.protocol.instants import millis
from faregate_http.protocol.responses import Response
from faregate_http.store.contract import StoredAnswer

_FAST = 1
_PACKED = zlib.compress(b"", _FAST)[:2]
"""Prefix of packed bodies; no JSON text begins with it. Bodies without it were stored unpacked."""
_REPLAYED = (b"idempotency-replayed", b"true")


class KeyedRequest(NamedTuple):
    """A request with an Idempotency-Key; ``fingerprint`` is the SHA-256 of its body or its query."""

    scope: str
    key: str
    fingerprint: bytes

    def stored(self, response: Response, at: datetime) -> StoredAnswer:
        """Return *response*, sent at *at*, in the form that the store keeps."""
        pairs = [[part.decode("latin-1") for part in pair] for pair in response.headers]
        headers = msgspec.json.encode(pairs)
        # Packed, because a client can store a whole checkout under each of many keys.
        body = zlib.compress(response.body, _FAST)
        return StoredAnswer(
            self.scope, self.key, self.fingerprint, response.status, headers, body, millis(at)
        )


def replayed(stored: StoredAnswer) -> Response:
    """Return the *stored* response, marked as a repeat."""
    pairs = msgspec.json.decode(stored.headers, type=list[tuple[str, str]])
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs]
    body = zlib.decompress(stored.body) if stored.body.startswith(_PACKED) else stored.body
    return Response(stored.status, body, (*headers, _REPLAYED))


def pack(bodies: dict[str, bytes]) -> bytes:
    """Return *bodies*, keyed by language, in the packed form stored with an order."""
    return zlib.compress(msgspec.msgpack.encode(bodies))


def unpack(views: bytes) -> dict[str, bytes]:
    """Return the bodies stored with an order, keyed by language."""
    return msgspec.msgpack.decode(zlib.decompress(views), type=dict[str, bytes])
