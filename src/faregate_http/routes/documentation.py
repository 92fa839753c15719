"""The interface as a page to read and to try out: Swagger UI as it is installed, nothing from elsewhere."""

from __future__ import annotations

from functools import cache, partial
from hashlib import sha256
from importlib.metadata import distribution
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response
from starlette.routing import Route

from faregate_http.wire.calls import API_VERSION
from faregate_http.wire.etags import InvalidETag, is_not_modified

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

__all__ = ["ROUTES"]

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>faregate: the interface</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<header><p><strong>faregate</strong> <span>Prices and bookings for ticketing</span></p>
<nav aria-label="Formats"><a href="openapi.json">openapi.json</a></nav></header>
<main id="interface"><noscript><p>This page needs JavaScript; openapi.json does not.</p></noscript></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
"""

# React sets styles one by one, which a policy allows; what is shown stands in the page's own origin.
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
_ASKED_AGAIN = "no-cache"
_A_DAY = "public, max-age=86400"


class _File(NamedTuple):
    """Something to be shown, for so long kept by who has seen it."""

    content: bytes
    media_type: str
    cache_control: str

    @property
    def etag(self) -> str:
        """The name of just these bytes."""
        return f'"{sha256(self.content).hexdigest()[:32]}"'

    def answer(self, known: str | None) -> Response:
        """It, unless it is *known*."""
        headers = {**_GUARDED, "cache-control": self.cache_control, "etag": self.etag}
        if _is_known(known, self.etag):
            return Response(status_code=304, headers=headers)
        return Response(self.content, headers=headers, media_type=self.media_type)


def _is_known(known: str | None, etag: str) -> bool:
    try:
        return known is not None and is_not_modified(known, etag)
    except InvalidETag:
        return False


@cache
def _own(name: str, media_type: str) -> _File:
    content = files("faregate_http.routes").joinpath(f"documentation.{name}").read_bytes()
    return _File(content, media_type, _A_DAY)


@cache
def _installed(name: str, media_type: str) -> _File:
    # Found without being imported: as a package it brings a template engine and looks for frameworks.
    folder = distribution("swagger-ui-py").locate_file("swagger_ui/static")
    return _File(Path(str(folder), name).read_bytes(), media_type, _A_DAY)


def _page() -> _File:
    return _File(_PAGE.encode(), "text/html", _ASKED_AGAIN)


def _giving(load: Callable[[], _File]) -> Callable[[Request], Awaitable[Response]]:
    async def give(request: Request) -> Response:
        """Answer what *load* finds; it is read when it is asked for first."""
        return load().answer(request.headers.get("if-none-match"))

    return give


ROUTES = (
    Route("/docs", _giving(_page)),
    Route("/docs/page.css", _giving(partial(_own, "css", "text/css"))),
    Route("/docs/page.js", _giving(partial(_own, "js", "text/javascript"))),
    Route("/docs/swagger-ui.css", _giving(partial(_installed, "swagger-ui.css", "text/css"))),
    Route(
        "/docs/swagger-ui-bundle.js",
        _giving(partial(_installed, "swagger-ui-bundle.js", "text/javascript")),
    ),
)
