"""Access to a sales channel: open to everyone, or only with one of its keys. Decisions §11.1."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


class ChannelAccess(Enum):
    """Access to a channel: for everyone, or only for clients that send one of its keys."""

    PUBLIC = "public"
    PROTECTED = "protected"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelKey:
    """A key of a protected channel, known by the SHA-256 of its 32 bytes, in hexadecimal.

    It ends at ``ends_at``, exclusive; None: never. A channel may have several, so that they can be rotated.
    """

    name: str
    sha256: str
    ends_at: datetime | None = None

    def is_live(self, at: datetime) -> bool:
        """Return whether the key is accepted at *at*."""
        return self.ends_at is None or at < self.ends_at
