"""Static files for browsers, served with security headers and ETags for conditional requests."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.requests import Request
from starlette.responses import Response

from faregate_http.protocol.etags import InvalidETag, etag_of, known_etag
from faregate_http.protocol.requests import API_VERSION

# Pages of this service load from, and connect to, their own origin only.
_POLICY = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
)
_GUARDED = {
    "content-security-policy": "; ".join(_POLICY),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "api-version": API_VERSION,
}
ASKED_AGAIN = "no-cache"
A_DAY = "public, max-age=86400"


@dataclass(frozen=True, slots=True)
class File:
    """A file that browsers may cache; ``etag`` is derived from ``content``."""

    content: bytes
    media_type: str
    cache_control: str
    etag: str = field(init=False)

    def __post_init__(self) -> None:
        """Compute the ETag once, not per request: hashing 1.5 MB blocks the event loop for 2 ms."""
        object.__setattr__(self, "etag", etag_of(self.content))

    def answer(self, known: str | None) -> Response:
        """Return the file, or status 304 if its ETag is in *known*, the value of ``If-None-Match``."""
        headers = {**_GUARDED, "cache-control": self.cache_control, "etag": self.etag}
        if _is_known(known, self.etag):
            return Response(status_code=304, headers=headers)
        return Response(self.content, headers=headers, media_type=self.media_type)


def _is_known(known: str | None, etag: str) -> bool:
    try:
        return known_etag(known, etag) is not None
    except InvalidETag:
        return False


def giving(load: Callable[[], File]) -> Callable[[Request], Awaitable[Response]]:
    """Return a request handler that calls *load* for each request and serves the file it returns."""

    async def give(request: Request) -> Response:
        return load().answer(request.headers.get("if-none-match"))

    return give
