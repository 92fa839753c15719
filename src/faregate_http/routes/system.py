"""What is not part of the interface but of running it: is it alive, is it ready, what can it do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from faregate_http.store import StoreUnavailable
from faregate_http.wire.calls import API_VERSION

if TYPE_CHECKING:
    from starlette.requests import Request

    from faregate_http.services import Services

__all__ = ["routes"]

_VERSION = {"api-version": API_VERSION}


def routes(openapi: bytes) -> list[Route]:
    """The routes; *openapi* is the document of the interface."""

    async def describe(_request: Request) -> Response:
        """Answer the document."""
        return Response(openapi, headers=_VERSION, media_type="application/json")

    return [
        Route("/openapi.json", describe),
        Route("/health/live", _live),
        Route("/health/ready", _ready),
    ]


async def _live(_request: Request) -> Response:
    return _status("live")


async def _ready(request: Request) -> Response:
    services: Services = request.state.services
    try:
        await services.store.check()
    except StoreUnavailable:
        return _status("the storage cannot be used", 503)
    return _status("ready")


def _status(text: str, status: int = 200) -> Response:
    return Response(f'{{"status": "{text}"}}', status, _VERSION, media_type="application/json")
