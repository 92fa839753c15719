"""The sales channels named in requests, and the keys of protected channels. Decisions §15.

The response is the same for an unknown channel and for a missing, wrong or expired key.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate.errors import UnknownEntry
from faregate_http.protocol.problems import ErrorView, Problem
from faregate_http.protocol.requests import PlainRequest, Request
from faregate_http.throttling import Throttle

# 32 bytes in base64url without padding: the last character carries four bits of the key.
_KEY = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", re.ASCII)


def hash_of_key(key: str) -> str:
    """Return the hexadecimal hash of *key*, a channel key as sent by clients."""
    return sha256(urlsafe_b64decode(f"{key}=")).hexdigest()


_UNKNOWN = 404, "unknown-channel"
_FAULT = ErrorView("unknown sales channel", header="service-channel-uuid")


class WrongKey(Problem):
    """The request names no channel that it has access to; other processes are to count this failure, too."""


@dataclass(eq=False)
class Channels:
    """Sales channels of a catalogue. A protected channel is found only with a valid key.

    *more_keys* lists the hashes of further keys for each channel UUID. *throttle* counts wrong keys and
    unknown UUIDs, and rejects a client after too many of them; a valid key is always accepted.
    """

    catalogue: Catalogue
    throttle: Throttle
    clock: Callable[[], datetime]
    more_keys: Mapping[str, str]

    def named(self, request: PlainRequest) -> Channel:
        """Return the channel that *request* names, without checking access.

        Raises:
            Problem: 404, the channel does not exist.
        """
        channel = self._find(request)
        if channel is None:
            raise Problem(*_UNKNOWN, errors=[_FAULT])
        return channel

    def entered(self, request: PlainRequest) -> Channel:
        """Return the channel that *request* names and has access to.

        Raises:
            WrongKey: 404, the channel does not exist or is protected and *request* has no valid key for it.
            Problem: 429, too many attempts failed in this process.
        """
        channel = self._find(request)
        if channel is not None and (not channel.is_protected or self._is_opened(channel, request)):
            return channel
        self.throttle.check_here(request)
        self.throttle.failed_here(request)
        raise WrongKey(*_UNKNOWN, errors=[_FAULT])

    def is_staff(self, request: Request) -> bool:
        """Return True if *request* names a protected channel and has a valid key for it."""
        return request.channel.is_protected and self._is_opened(request.channel, request)

    def _find(self, request: PlainRequest) -> Channel | None:
        try:
            return self.catalogue.channel(request.headers[b"service-channel-uuid"].lower())
        except UnknownEntry:
            return None

    def _is_opened(self, channel: Channel, request: PlainRequest) -> bool:
        """Return True if *request* has a valid key for *channel*; all keys are compared in constant time."""
        given = request.headers.get(b"service-channel-key", "")
        if not _KEY.fullmatch(given):
            return False
        at = self.clock()
        hashes = [key.sha256 for key in channel.keys if key.is_live(at)]
        hashes += [self.more_keys[channel.uuid]] if channel.uuid in self.more_keys else []
        found = hash_of_key(given).encode()
        return any([compare_digest(found, known.encode()) for known in hashes])  # noqa: C419 - all of them
