"""Interactive API documentation: a locally installed Swagger UI that loads nothing from other servers.

If the extra ``docs`` is not installed, the page says how to install it.
"""

from __future__ import annotations

from functools import cache, partial
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.routing import Route

from faregate_server.routes.files import A_DAY, ASKED_AGAIN, File, giving

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>faregate API reference</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
{style}<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<header><p><strong>faregate</strong> <span>Prices and bookings for ticketing</span></p>
<nav aria-label="Formats"><a href="openapi.json">openapi.json</a></nav></header>
<main id="interface">{content}</main>
{scripts}
</body>
</html>
"""
_STYLE = '<link rel="stylesheet" href="docs/swagger-ui.css">\n'
_CONTENT = "<noscript><p>This page needs JavaScript; openapi.json does not.</p></noscript>"
_SCRIPTS = """\
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>"""
_MISSING = """\
<p>The interactive reference needs Swagger UI: <code>pip install 'faregate[docs]'</code>.</p>
<p><a href="openapi.json">openapi.json</a> describes the same interface for tools.</p>"""


@cache
def _own(name: str, media_type: str) -> File:
    content = files("faregate_server.routes").joinpath(f"documentation.{name}").read_bytes()
    return File(content, media_type, A_DAY)


def _swagger() -> Path | None:
    # Located without importing the package, which would load a template engine and look for frameworks.
    try:
        return Path(str(distribution("swagger-ui-py").locate_file("swagger_ui/static")))
    except PackageNotFoundError:
        return None


@cache
def _installed(name: str, media_type: str) -> File:
    folder = _swagger()
    if folder is None:
        raise HTTPException(404)
    return File((folder / name).read_bytes(), media_type, A_DAY)


@cache
def _page() -> File:
    if _swagger() is None:
        page = _PAGE.format(style="", content=_MISSING, scripts="")
    else:
        page = _PAGE.format(style=_STYLE, content=_CONTENT, scripts=_SCRIPTS)
    return File(page.encode(), "text/html", ASKED_AGAIN)


ROUTES = (
    Route("/docs", giving(_page)),
    Route("/docs/page.css", giving(partial(_own, "css", "text/css"))),
    Route("/docs/page.js", giving(partial(_own, "js", "text/javascript"))),
    Route("/docs/swagger-ui.css", giving(partial(_installed, "swagger-ui.css", "text/css"))),
    Route(
        "/docs/swagger-ui-bundle.js",
        giving(partial(_installed, "swagger-ui-bundle.js", "text/javascript")),
    ),
)
