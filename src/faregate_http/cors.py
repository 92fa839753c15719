"""Cross-origin requests (CORS) from browsers. Decisions §15.

A preflight request does not name a channel, so its response covers all channels. The response to the actual
request allows an origin only if the named channel lists it. No response allows all origins, and none allows
cookies, because the interface does not use any.
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from faregate.catalogue.channels import Channel
from faregate.catalogue.presentation.redirects import is_allowed_origin
from faregate_http.operations import Operation
from faregate_http.paths import path_of
from faregate_http.protocol.observed import observed
from faregate_http.protocol.requests import API_VERSION
from faregate_http.protocol.responses import VARY_ORIGIN, Header

INTERFACE = "/api/"

PREFLIGHT = "preflight"
"""Operation name under which preflights are counted."""

_REQUEST_HEADERS = (
    *("accept-language", "content-type", "authorization", "service-channel-uuid", "service-channel-key"),
    *("api-version", "idempotency-key", "if-match", "if-none-match", "order-secret"),
)
_RESPONSE_HEADERS = (
    *("etag", "link", "access-token", "access-token-expires-in", "api-version", "content-language"),
    *("idempotency-replayed", "retry-after", "order-secret", "www-authenticate"),
)
_EXPOSED = (b"access-control-expose-headers", ", ".join(_RESPONSE_HEADERS).encode())
_ALLOWED = (b"access-control-allow-headers", ", ".join(_REQUEST_HEADERS).encode())
_MAX_AGE = (b"access-control-max-age", b"600")
_VERSION = (b"api-version", API_VERSION.encode())


class Cors:
    """The origins from which browser pages may call *operations*, for each channel.

    Operations without a channel, and paths outside the interface, cannot be called from other origins at all.
    """

    def __init__(self, channels: Iterable[Channel], operations: Iterable[Operation]) -> None:
        self._origins = {channel.uuid.encode(): channel.shop_origins for channel in channels}
        self._all_origins = {origin for origins in self._origins.values() for origin in origins}
        self.without_channel = {operation.path for operation in operations if not operation.has_channel}
        methods = ", ".join(sorted({operation.method for operation in operations}))
        self._methods = (b"access-control-allow-methods", methods.encode())

    @property
    def is_needed(self) -> bool:
        """True if any channel allows an origin."""
        return bool(self._all_origins)

    def covers(self, scope: Scope) -> bool:
        """Return True if the path in *scope* belongs to the interface and its operations need a channel."""
        path = path_of(scope)
        return path.startswith(INTERFACE) and path not in self.without_channel

    def answered(self, scope: Scope, headers: Iterable[Header]) -> tuple[Header, ...]:
        """Return the response *headers* with ``vary`` and, for an allowed origin, CORS headers added."""
        varying = (*headers, VARY_ORIGIN)
        origin = _only(b"origin", scope)
        channel = None if origin is None else _only(b"service-channel-uuid", scope)
        if origin is None or channel is None:
            return varying
        if not _is_among(self._origins.get(channel.lower(), ()), origin):
            return varying
        return (*varying, _allowing(origin), _EXPOSED)

    def preflight_answer(self, scope: Scope) -> tuple[Header, ...]:
        """Return the headers of the response to a preflight request."""
        headers = (_VERSION, VARY_ORIGIN)
        origin = _only(b"origin", scope)
        if origin is None or not _is_among(self._all_origins, origin):
            return headers
        return (*headers, _allowing(origin), self._methods, _ALLOWED, _MAX_AGE)


class CorsMiddleware:
    """Middleware that responds to preflights and adds the headers of `Cors` to the responses of *app*."""

    def __init__(self, app: ASGIApp, cors: Cors) -> None:
        self._app = app
        self._cors = cors

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Handle one request."""
        if scope["type"] != "http" or not self._cors.covers(scope):
            return self._app(scope, receive, send)
        if _is_preflight(scope):
            return self._answer_preflight(scope, send)

        def send_allowed(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                with suppress(MemoryError):  # the change is saved: respond even without CORS headers
                    message["headers"] = self._cors.answered(scope, message.get("headers", ()))
            return send(message)

        return self._app(scope, receive, send_allowed)

    async def _answer_preflight(self, scope: Scope, send: Send) -> None:
        observed().operation = PREFLIGHT
        headers = self._cors.preflight_answer(scope)
        await send({"type": "http.response.start", "status": 204, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


def _is_preflight(scope: Scope) -> bool:
    if scope["method"] != "OPTIONS":
        return False
    names = {name for name, _ in scope["headers"]}
    return names >= {b"origin", b"access-control-request-method"}


def _only(header: bytes, scope: Scope) -> bytes | None:
    """Return the value of *header* if it occurs exactly once, otherwise None."""
    values = [value for name, value in scope["headers"] if name == header]
    return values[0] if len(values) == 1 else None


def _is_among(origins: Iterable[str], origin: bytes) -> bool:
    return is_allowed_origin(origin.decode("latin-1"), origins)


def _allowing(origin: bytes) -> Header:
    return b"access-control-allow-origin", origin
