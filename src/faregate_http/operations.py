"""Operations as data; the router, the request checks and the OpenAPI document are generated from them."""

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from pydantic import BaseModel

from faregate.errors import Issue
from faregate_http.protocol.parameters import Parameter
from faregate_http.protocol.problems import ErrorView
from faregate_http.protocol.requests import PlainRequest, Request
from faregate_http.protocol.responses import Response
from faregate_http.services import Services
from faregate_http.store.records import AccountRow


class WithoutChannel(NamedTuple):
    """Handler for requests without a channel or language."""

    handle: Callable[[PlainRequest, Services], Awaitable[Response]]


class ForAccount(NamedTuple):
    """Handler for requests that must carry an account's token.

    ``current``, if given, produces the body that is sent, even when a stored response is repeated.
    """

    handle: Callable[[Request, Services, AccountRow], Awaitable[Response]]
    current: Callable[[Request, Services, AccountRow], Awaitable[Response]] | None = None


Handler: TypeAlias = "Callable[[Request, Services], Awaitable[Response]] | WithoutChannel | ForAccount"
"""Handler of an operation; its requests name a sales channel unless it is wrapped in `WithoutChannel`."""


_KEYED_METHODS = ("POST", "PATCH", "DELETE")
_TAGGED = ("CheckoutEnvelope", "ExplanationEnvelope", "ProductEnvelope")


class Operation(NamedTuple):
    """One method of one path. ``is_extension`` marks operations beyond the specification.

    ``answer_headers`` describes the operation's own response headers. ``locate`` maps an issue found by the
    core to a location in the request. With ``serves_guests``, a token is optional although the path names no
    checkout. Without ``keeps_answers``, responses are not stored and a repeated request runs again. Without
    ``asks_key``, the operation works on protected channels without a key. If another writer came first, the
    whole handler is called again; with ``asks_gateway``, the handler itself repeats only a part.
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
        """True if requests name a channel and a language."""
        return not isinstance(self.handler, WithoutChannel)

    @property
    def needs_account(self) -> bool:
        """True if requests must carry an account's token."""
        return isinstance(self.handler, ForAccount)

    @property
    def is_of_checkout(self) -> bool:
        """True if the path names a checkout; requests may then carry an account's token."""
        return "{checkoutId}" in self.path

    @property
    def takes_token(self) -> bool:
        """True if requests may, but need not, carry an account's token."""
        return self.is_of_checkout or self.serves_guests

    @property
    def is_of_order(self) -> bool:
        """True if the path names an order; requests may carry a token, a channel key or an order secret."""
        return "{orderId}" in self.path

    @property
    def is_keyed(self) -> bool:
        """True if requests may carry an Idempotency-Key."""
        return self.method in _KEYED_METHODS and self.keeps_answers and self.has_channel

    @property
    def has_etag(self) -> bool:
        """True if the response has an ETag for conditional requests."""
        return self.answer.__name__ in _TAGGED
