"""What the service can do, as data: the router, the checks and the OpenAPI document are made from it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pydantic import BaseModel

    from faregate.errors import Issue
    from faregate_http.protocol.parameters import Parameter
    from faregate_http.protocol.problems import ErrorView
    from faregate_http.protocol.requests import PlainRequest, Request
    from faregate_http.protocol.responses import Response
    from faregate_http.services import Services
    from faregate_http.store.records import AccountRow


class WithoutChannel(NamedTuple):
    """A handler of requests that name neither a channel nor a language."""

    handle: Callable[[PlainRequest, Services], Awaitable[Response]]


class ForAccount(NamedTuple):
    """A handler of requests that must carry the token of an account.

    The body of ``current`` is shown instead of the one that is stored under an Idempotency-Key.
    """

    handle: Callable[[Request, Services, AccountRow], Awaitable[Response]]
    current: Callable[[Request, Services, AccountRow], Awaitable[Response]] | None = None


Handler: TypeAlias = "Callable[[Request, Services], Awaitable[Response]] | WithoutChannel | ForAccount"
"""Loads, lets the core decide, saves and renders; on a sales channel, unless it says otherwise."""


_KEYED_METHODS = ("POST", "PATCH", "DELETE")
_TAGGED = ("CheckoutEnvelope", "ExplanationEnvelope", "ProductEnvelope")


class Operation(NamedTuple):
    """One method of one path. ``is_extension``: the specification does not have it.

    ``answer_headers`` are those of its own, and what they say. ``locate`` says where in its requests an issue
    of the core is. One that ``serves_guests`` serves accounts as well, without a checkout in its path. One
    that does not keep its answers does again what it is asked for again, whatever Idempotency-Key comes with
    it. One that asks no key answers on protected channels without one. One that ``asks_gateway`` repeats its
    own decisions; of all others that change something the handler is repeated where another writer was
    quicker.
    """

    method: str
    path: str
    handler: Handler
    name: str
    summary: str
    answer: type
    body: type[BaseModel] | None = None
    query: tuple[Parameter[object], ...] = ()
    locate: Callable[[Issue], ErrorView] | None = None
    is_extension: bool = False
    answer_headers: Mapping[str, str] = MappingProxyType({})
    asks_key: bool = True
    serves_guests: bool = False
    asks_gateway: bool = False
    keeps_answers: bool = True

    @property
    def has_channel(self) -> bool:
        """Whether its requests name a channel and a language."""
        return not isinstance(self.handler, WithoutChannel)

    @property
    def needs_account(self) -> bool:
        """Whether its requests must carry the token of an account."""
        return isinstance(self.handler, ForAccount)

    @property
    def is_of_checkout(self) -> bool:
        """Whether its path names a checkout; then its requests may carry the token of an account."""
        return "{checkoutId}" in self.path

    @property
    def takes_token(self) -> bool:
        """Return True if requests may carry the token of an account, and need not."""
        return self.is_of_checkout or self.serves_guests

    @property
    def is_of_order(self) -> bool:
        """Return True if the path names an order: requests may carry a token, a channel key or a secret."""
        return "{orderId}" in self.path

    @property
    def is_keyed(self) -> bool:
        """Whether its requests may carry an Idempotency-Key."""
        return self.method in _KEYED_METHODS and self.keeps_answers and self.has_channel

    @property
    def has_etag(self) -> bool:
        """Whether what it answers has an ETag, which requests may name."""
        return self.answer.__name__ in _TAGGED
