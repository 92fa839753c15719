"""Bodies that were written lately, so that reading a checkout again costs no pricing."""

from __future__ import annotations

__all__ = ["BodyCache"]

_MOST_BYTES = 64 << 20


class BodyCache:
    """The last body of each checkout and language; beyond *most_bytes* the oldest go."""

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._bodies: dict[tuple[str, str], tuple[str, bytes]] = {}

    def get(self, checkout_id: str, language: str, etag: str) -> bytes | None:
        """The body with that ETag; None where it is not here."""
        known = self._bodies.get((checkout_id, language))
        return known[1] if known is not None and known[0] == etag else None

    def put(self, checkout_id: str, language: str, etag: str, body: bytes) -> None:
        """Keep a body, and forget the one it replaces."""
        slot = checkout_id, language
        self._forget(slot)
        self._bodies[slot] = etag, body
        self._bytes += len(body)
        while self._bytes > self._most_bytes:
            self._forget(next(iter(self._bodies)))

    def _forget(self, slot: tuple[str, str]) -> None:
        known = self._bodies.pop(slot, None)
        if known is not None:
            self._bytes -= len(known[1])
