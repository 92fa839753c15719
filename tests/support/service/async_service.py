"""The service on the test's own event loop, for concurrent requests."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from httpx2 import ASGITransport, AsyncClient
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from faregate_http.services import Services
from faregate_server.app import create_app
from faregate_server.settings import Settings
from support.service.service import HEADERS, KEYS, Clock
from support.service.unlimited import FREE_HOLDS
from support.stores.sqlite import new_database


class Running(NamedTuple):
    """A client of a running service, and the service's objects."""

    client: AsyncClient
    services: Services


@asynccontextmanager
async def running_here(
    folder: Path, *, clock: Callable[[], datetime] | None = None, **others: Any
) -> AsyncIterator[Running]:
    """Yield a service with its checkouts in *folder*; internal errors become 500.

    *others* are further settings.
    """
    settings = Settings(
        database=new_database(folder / "checkouts.db"), **{**FREE_HOLDS, "channel_keys": KEYS, **others}
    )
    async with running_app(create_app(settings, clock=clock or Clock())) as running:
        yield running


@asynccontextmanager
async def running_app(app: Starlette) -> AsyncIterator[Running]:
    """Yield the running service *app*."""
    async with app.router.lifespan_context(app) as state:
        assert state is not None

        async def with_state(scope: Scope, receive: Receive, send: Send) -> None:
            await app({**scope, "state": dict(state)}, receive, send)

        transport = ASGITransport(app=with_state, raise_app_exceptions=False)
        async with AsyncClient(transport=transport, base_url="http://localhost", headers=HEADERS) as client:
            yield Running(client, state["services"])
