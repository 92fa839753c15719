"""The routes of the shop page at ``/``: its files, and data about the products for sale."""

from collections.abc import Iterator
from functools import cache, partial
from importlib.resources import files

import msgspec
from starlette.routing import Route

from faregate.catalogue.catalogue import Catalogue
from faregate_server.demo.showcase.sold import sold
from faregate_server.routes.files import ASKED_AGAIN, File, giving

_FOLDER = files("faregate_server.demo.showcase")
_SCRIPTS = ("page", "api", "basket", "calendar", "elements", "gauge", "texts", "words")


def routes(catalogue: Catalogue, *, tells_codes: bool) -> Iterator[Route]:
    """Yield the routes of the shop page for *catalogue*; with *tells_codes*, the page lists codes to try."""
    page = _page(sold(catalogue, tells_codes=tells_codes))
    yield Route("/", giving(lambda: page))
    yield Route("/showcase/page.css", giving(partial(_own, "page.css", "text/css")))
    for name in _SCRIPTS:
        yield Route(f"/showcase/{name}.js", giving(partial(_own, f"{name}.js", "text/javascript")))


def _page(data: object) -> File:
    # The data is not a script, so a browser never executes a name from the catalogue.
    encoded = msgspec.json.encode(data).replace(b"<", rb"\u003c")
    page = _FOLDER.joinpath("page.html").read_bytes().replace(b"{sold}", encoded)
    return File(page, "text/html", ASKED_AGAIN)


@cache
def _own(name: str, media_type: str) -> File:
    return File(_FOLDER.joinpath(name).read_bytes(), media_type, ASKED_AGAIN)
