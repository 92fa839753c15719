"""The development issuer on the wire: for whoever sits at this machine, and on no other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec
from pydantic import BaseModel, ConfigDict, StringConstraints
from starlette.routing import Route

from faregate_http.endpoint import Endpoint
from faregate_http.identity.development_issuer import PATH
from faregate_http.operations import Operation, WithoutChannel
from faregate_http.settings import is_loopback
from faregate_http.wire.answers import JSON, Answer
from faregate_http.wire.calls import parsed
from faregate_http.wire.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from faregate_http.identity.development_issuer import DevelopmentIssuer
    from faregate_http.services import Services
    from faregate_http.wire.calls import PlainCall

__all__ = ["TokenBody", "routes"]

_encode = msgspec.json.Encoder().encode


class TokenBody(BaseModel):
    """Of whom a token is wanted."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    subject: Annotated[str, StringConstraints(min_length=1, max_length=255)] = "developer"
    email: Annotated[str, StringConstraints(min_length=3, max_length=200)] | None = None
    nonce: Annotated[str, StringConstraints(min_length=1, max_length=255)] | None = None


def routes(issuer: DevelopmentIssuer) -> list[Route]:
    """The routes: its discovery document, its keys, and where it gives tokens."""

    async def discover(call: PlainCall, _services: Services) -> Answer:
        """Answer what it is and has."""
        return _answer(call, issuer.discovery())

    async def show_keys(call: PlainCall, _services: Services) -> Answer:
        """Answer its keys."""
        return _answer(call, issuer.key_set())

    async def give_token(call: PlainCall, _services: Services) -> Answer:
        """Answer a token of whoever is named."""
        wanted = parsed(await call.body(), TokenBody)
        token = issuer.token(wanted.subject, wanted.email, nonce=wanted.nonce)
        return _answer(call, issuer.answer(token))

    return [
        Route(f"{PATH}{place}", Endpoint([Operation(method, f"{PATH}{place}", handler, *_NO_DOCUMENT)]))
        for method, place, handler in (
            ("GET", "/.well-known/openid-configuration", WithoutChannel(discover)),
            ("GET", "/jwks", WithoutChannel(show_keys)),
            ("POST", "/token", WithoutChannel(give_token)),
        )
    ]


_NO_DOCUMENT = ("", "", dict)


def _answer(call: PlainCall, view: Mapping[str, object]) -> Answer:
    if not is_loopback(call.client):
        raise Problem(404, "not-found", "Not Found.")
    return Answer(200, _encode(view), (JSON, (b"cache-control", b"no-store")))
