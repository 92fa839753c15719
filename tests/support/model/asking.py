"""Requests to the model shop, and the responses that it predicts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from support.model.naive_baskets import Change
from support.model.naive_prices import Json


class Request(NamedTuple):
    """A request about a checkout; ``change`` is its effect in the model.

    ``if_match`` is a revision, or -1 for any existing one. ``account`` is the number of the customer.
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
        """Return the key under which its response is stored."""
        return self.account, self.channel, self.method, self.url, self.tail, self.key

    def again(self, **others: Any) -> Request:
        """Return a copy with *others* changed."""
        return self._replace(**others)


@dataclass(frozen=True, slots=True)
class Foreseen:
    """A predicted response: a problem with that code, or the view of a checkout at that revision.

    A response that ``is_passing`` is not stored for a key.
    """

    status: int = 200
    code: str | None = None
    picture: Json | None = None
    revision: int | None = None
    is_passing: bool = False
    is_replayed: bool = False


@dataclass(slots=True)
class Kept:
    """The stored response to a request with a key; ``content`` as it was received."""

    body: Json | None
    at: datetime
    foreseen: Foreseen
    content: bytes = b""
