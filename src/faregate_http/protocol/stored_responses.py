"""Responses as the store keeps them: under the key of a request (decisions §11.6), and with an order."""

from __future__ import annotations

import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from faregate_http.protocol.instants import millis
from faregate_http.protocol.responses import Response
from faregate_http.store.contract import StoredAnswer

if TYPE_CHECKING:
    from datetime import datetime

_FAST = 1
_PACKED = zlib.compress(b"", _FAST)[:2]
"""A packed body begins so, and no JSON text does: a body that was stored as it is, is returned as it is."""
_REPLAYED = (b"idempotency-replayed", b"true")


class KeyedRequest(NamedTuple):
    """A request that its client may send again: ``fingerprint`` tells its content from another."""

    scope: str
    key: str
    fingerprint: bytes

    @classmethod
    def of(cls, scope: str, key: str, content: bytes) -> KeyedRequest:
        """Return the request with that *content*, its body or its query."""
        return cls(scope, key, sha256(content).digest())

    def stored(self, response: Response, at: datetime) -> StoredAnswer:
        """Return *response* as the store keeps it."""
        pairs = [[part.decode("latin-1") for part in pair] for pair in response.headers]
        headers = msgspec.json.encode(pairs)
        # Whoever repeats a request under ever new keys has all its responses stored: a whole checkout each.
        body = zlib.compress(response.body, _FAST)
        return StoredAnswer(
            self.scope, self.key, self.fingerprint, response.status, headers, body, millis(at)
        )


def replayed(stored: StoredAnswer) -> Response:
    """Return the response that is *stored*, marked as one that was given before."""
    pairs = msgspec.json.decode(stored.headers, type=list[tuple[str, str]])
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs]
    body = zlib.decompress(stored.body) if stored.body.startswith(_PACKED) else stored.body
    return Response(stored.status, body, (*headers, _REPLAYED))


def pack(bodies: dict[str, bytes]) -> bytes:
    """Bodies, by language, as an order keeps them: they are alike, and pack well."""
    return zlib.compress(msgspec.msgpack.encode(bodies))


def unpack(views: bytes) -> dict[str, bytes]:
    """The bodies, by language, that an order keeps."""
    return msgspec.msgpack.decode(zlib.decompress(views), type=dict[str, bytes])
