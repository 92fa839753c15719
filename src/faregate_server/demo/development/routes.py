"""The routes of the development issuer, which serve only requests sent from this machine to itself.

A local client address is not proof of that: requests from a web page whose domain name resolves to this
machine (DNS rebinding), and requests passed on by a proxy on this machine, have one too. The former are
recognised by their ``Host`` header, the latter by the headers that proxies add.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

import msgspec
from pydantic import BaseModel, ConfigDict, StringConstraints
from starlette.exceptions import HTTPException
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from faregate_http.endpoint import Endpoint
from faregate_http.operations import Operation, WithoutChannel
from faregate_http.protocol.hosts import is_loopback
from faregate_http.protocol.requests import PlainRequest, parsed
from faregate_http.protocol.responses import JSON, NO_STORE, Response
from faregate_http.services import Services
from faregate_server.demo.development.issuer import PATH, DevelopmentIssuer

_encode = msgspec.json.Encoder().encode

_HOST = re.compile(r"(?P<name>[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:[0-9]{1,5})?", re.ASCII)
_OF_PROXIES = (b"forwarded", b"via")


class TokenBody(BaseModel):
    """The request body: the subject and claims of the token to issue."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    subject: Annotated[str, StringConstraints(min_length=1, max_length=255)] = "developer"
    email: Annotated[str, StringConstraints(min_length=3, max_length=200)] | None = None
    nonce: Annotated[str, StringConstraints(min_length=1, max_length=255)] | None = None


def routes(issuer: DevelopmentIssuer) -> list[Route]:
    """Return the routes of *issuer*: its discovery document, its keys and its tokens."""

    async def discover(_call: PlainRequest, _services: Services) -> Response:
        return _answer(issuer.discovery())

    async def show_keys(_call: PlainRequest, _services: Services) -> Response:
        return _answer(issuer.key_set())

    async def give_token(call: PlainRequest, _services: Services) -> Response:
        """Issue a token for the requested subject."""
        wanted = parsed(await call.body(), TokenBody)
        token = issuer.token(wanted.subject, wanted.email, nonce=wanted.nonce)
        return _answer(issuer.answer(token))

    return [
        Route(path, _Here(Endpoint([Operation(method, path, handler, *_NO_DOCUMENT)])))
        for method, path, handler in (
            ("GET", f"{PATH}/.well-known/openid-configuration", WithoutChannel(discover)),
            ("GET", f"{PATH}/jwks", WithoutChannel(show_keys)),
            ("POST", f"{PATH}/token", WithoutChannel(give_token)),
        )
    ]


_NO_DOCUMENT = ("", "", dict)


class _Here:
    """A wrapper around *endpoint* that answers 404 unless a request comes directly from this machine."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not (_is_from_here(scope) and _is_to_here(scope)) or _is_passed_on(scope):
            raise HTTPException(404)
        await self._endpoint(scope, receive, send)


def _is_from_here(scope: Scope) -> bool:
    client = scope.get("client")
    return client is not None and is_loopback(client[0])


def _is_to_here(scope: Scope) -> bool:
    hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    named = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
    return named is not None and is_loopback(named["name"])


def _is_passed_on(scope: Scope) -> bool:
    return any(name in _OF_PROXIES or name.startswith(b"x-forwarded-") for name, _ in scope["headers"])


def _answer(view: Mapping[str, object]) -> Response:
    return Response(200, _encode(view), (JSON, NO_STORE))
