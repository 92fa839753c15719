"""Bodies as an order keeps them, by language."""

from __future__ import annotations

import zlib

import msgspec


def pack(bodies: dict[str, bytes]) -> bytes:
    """Bodies, by language, as an order keeps them: they are alike, and pack well."""
    return zlib.compress(msgspec.msgpack.encode(bodies))


def unpack(views: bytes) -> dict[str, bytes]:
    """The bodies, by language, that an order keeps."""
    return msgspec.msgpack.decode(zlib.decompress(views), type=dict[str, bytes])
