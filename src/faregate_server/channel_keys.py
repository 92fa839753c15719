"""Generation of keys for protected sales channels. Decisions §15."""

from collections.abc import Iterator
from datetime import datetime
from secrets import token_urlsafe
from typing import NamedTuple

from faregate.catalogue.catalogue import Catalogue
from faregate.catalogue.channels import Channel
from faregate_http.channels import hash_of_key

_KEY_BYTES = 32


class NewKey(NamedTuple):
    """A channel key in base64url, as clients send it, and the SHA-256 hash of its bytes in hexadecimal."""

    key: str
    sha256: str


def new_key() -> NewKey:
    """Return a new random key of 32 bytes, with its hash."""
    key = token_urlsafe(_KEY_BYTES)
    return NewKey(key, hash_of_key(key))


def closed_channels(catalogue: Catalogue, at: datetime) -> Iterator[Channel]:
    """Yield the protected channels of *catalogue* that have no valid key at the time *at*."""
    for channel in catalogue.channels:
        if channel.is_protected and not any(key.is_live(at) for key in channel.keys):
            yield channel
