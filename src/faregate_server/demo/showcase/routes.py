"""The page of the running service at ``/``, where the settings have it: its files, and what is for sale."""

from __future__ import annotations

from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec
from starlette.routing import Route

from faregate_server.demo.showcase.sold import sold
from faregate_server.routes.files import ASKED_AGAIN, File, giving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from faregate.catalogue.catalogue import Catalogue

_FOLDER = files("faregate_server.demo.showcase")
_SCRIPTS = ("page", "api", "basket", "calendar", "elements", "gauge", "texts", "words")


def routes(catalogue: Catalogue, *, tells_codes: bool) -> Iterator[Route]:
    """The routes of the page that shows what *catalogue* has for sale; its codes are proposed or not."""
    page = _page(sold(catalogue, tells_codes=tells_codes))
    yield Route("/", giving(lambda: page))
    yield Route("/showcase/page.css", giving(partial(_own, "page.css", "text/css")))
    for name in _SCRIPTS:
        yield Route(f"/showcase/{name}.js", giving(partial(_own, f"{name}.js", "text/javascript")))


def _page(data: object) -> File:
    # Data and no script: a browser runs nothing of it, whatever a name in a catalogue may hold.
    encoded = msgspec.json.encode(data).replace(b"<", rb"\u003c")
    page = _FOLDER.joinpath("page.html").read_bytes().replace(b"{sold}", encoded)
    return File(page, "text/html", ASKED_AGAIN)


@cache
def _own(name: str, media_type: str) -> File:
    return File(_FOLDER.joinpath(name).read_bytes(), media_type, ASKED_AGAIN)
