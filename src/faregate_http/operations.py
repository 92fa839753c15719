"""What the service can do, as data: the router, the checks and the OpenAPI document are made from it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pydantic import BaseModel

    from faregate_http.protocol.parameters import Parameter
    from faregate_http.protocol.requests import PlainRequest, Request
    from faregate_http.protocol.responses import Response
    from faregate_http.services import Services


class WithoutChannel(NamedTuple):
    """How a request is handled that names neither a channel nor a language."""

    handle: Callable[[PlainRequest, Services], Awaitable[Response]]


Handler: TypeAlias = "Callable[[Request, Services], Awaitable[Response]] | WithoutChannel"
"""How a request is handled: on a sales channel, unless it says otherwise."""


_KEYED_METHODS = ("POST", "PATCH", "DELETE")
_OF_A_REVISION = ("CheckoutEnvelope", "ExplanationEnvelope")


class Operation(NamedTuple):
    """One method of one path. ``is_extension``: the specification does not have it.

    ``answer_headers`` are those of its own, and what they say. One that does not keep its answers does again
    what it is asked for again, whatever Idempotency-Key comes with it. One that asks no key
    answers on protected channels without one.
    """

    method: str
    path: str
    handler: Handler
    name: str
    summary: str
    answer: type
    body: type[BaseModel] | None = None
    query: tuple[Parameter[object], ...] = ()
    is_extension: bool = False
    needs_account: bool = False
    answer_headers: Mapping[str, str] = MappingProxyType({})
    asks_key: bool = True
    keeps_answers: bool = True

    @property
    def has_channel(self) -> bool:
        """Whether its requests name a channel and a language."""
        return not isinstance(self.handler, WithoutChannel)

    @property
    def is_keyed(self) -> bool:
        """Whether its requests may carry an Idempotency-Key."""
        return self.keeps_answers and self.has_channel and self.method in _KEYED_METHODS

    @property
    def has_revisions(self) -> bool:
        """Whether what it answers has an ETag, which requests may name."""
        return self.answer.__name__ in _OF_A_REVISION
