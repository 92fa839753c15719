"""What the shop on paper is asked, and what it foresees."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from support.model.naive_baskets import Change
from support.model.naive_prices import Json


class Request(NamedTuple):
    """What is asked of a checkout; ``change`` is what that means on paper.

    ``if_match`` is a revision, or -1 for any there is. ``account`` is the number of the customer who asks.
    """

    method: str
    url: str
    tail: str = ""
    body: Json | None = None
    query: str = ""
    channel: str = ""
    account: int | None = None
    key: str | None = None
    if_match: int | None = None
    change: Change | None = None

    @property
    def place(self) -> tuple[object, ...]:
        """Where its answer is kept."""
        return self.account, self.channel, self.method, self.url, self.tail, self.key

    def again(self, **others: Any) -> Request:
        """The same request but for *others*."""
        return self._replace(**others)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """An answer: a problem of that code, or what is seen, of a checkout at that revision.

    One that ``is_passing`` is not kept for a key.
    """

    status: int = 200
    code: str | None = None
    picture: Json | None = None
    revision: int | None = None
    is_passing: bool = False
    is_replayed: bool = False


@dataclass(slots=True)
class Kept:
    """The answer to a request with a key; ``content`` as it came."""

    body: Json | None
    at: datetime
    foreseen: Foreseen
    content: bytes = b""
