"""Sales channels as requests name them, and the keys of those that are protected. Decisions §15.

No refusal says what was wrong: an unknown channel and a missing, wrong or expired key read the same.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from typing import TYPE_CHECKING

from faregate.errors import UnknownEntry
from faregate_http.protocol.problems import ErrorView, Problem

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from faregate.catalogue.catalogue import Catalogue
    from faregate.catalogue.channels import Channel
    from faregate_http.protocol.requests import PlainRequest, Request
    from faregate_http.throttling import Throttle

# 32 bytes in base64 for URLs without padding: the last character has four bits of the key.
_KEY = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", re.ASCII)


def hash_of_key(key: str) -> str:
    """Return the hash of a key as clients send it, in hexadecimal."""
    return sha256(urlsafe_b64decode(f"{key}=")).hexdigest()


@dataclass(eq=False)
class Channels:
    """The channels of a catalogue; a protected one is found only with a live key.

    *more_keys* are hashes by the UUID of their channel, beside those of the catalogue. Wrong keys, and UUIDs
    of no channel, are counted by *throttle*, which refuses further ones; a right key is never refused.
    """

    catalogue: Catalogue
    throttle: Throttle
    clock: Callable[[], datetime]
    more_keys: Mapping[str, str]

    def named(self, request: PlainRequest) -> Channel:
        """Return the channel that *request* names, whoever may use it.

        Raises:
            Problem: 404, there is none.
        """
        channel = self._find(request)
        if channel is None:
            raise _unknown()
        return channel

    def entered(self, request: PlainRequest) -> Channel:
        """Return the channel that *request* names and may use.

        Raises:
            Problem: 404, there is none, or *request* brings no live key of it; 429, that happened too often.
        """
        channel = self._find(request)
        if channel is not None and (not channel.is_protected or self._is_opened(channel, request)):
            return channel
        self.throttle.check(request)
        self.throttle.failed(request)
        raise _unknown()

    def is_staff(self, request: Request) -> bool:
        """Return True where *request* names a protected channel and brings a live key of it."""
        return request.channel.is_protected and self._is_opened(request.channel, request)

    def _find(self, request: PlainRequest) -> Channel | None:
        try:
            return self.catalogue.channel(request.headers[b"service-channel-uuid"].lower())
        except UnknownEntry:
            return None

    def _is_opened(self, channel: Channel, request: PlainRequest) -> bool:
        """Return whether *request* brings a live key, compared with all: timing tells nothing."""
        given = request.headers.get(b"service-channel-key", "")
        if not _KEY.fullmatch(given):
            return False
        at = self.clock()
        hashes = [key.sha256 for key in channel.keys if key.is_live(at)]
        hashes += [self.more_keys[channel.uuid]] if channel.uuid in self.more_keys else []
        found = hash_of_key(given).encode()
        return any([compare_digest(found, known.encode()) for known in hashes])  # noqa: C419 - all of them


def _unknown() -> Problem:
    fault = ErrorView("there is no such channel", header="service-channel-uuid")
    return Problem(404, "unknown-channel", errors=[fault])
