"""Two processes of the real service on one file, in this thread, with one clock and one gateway.

Requests are passed directly to the application. Background work runs when a test requests it.
"""

import asyncio
import json
import logging
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar
from unittest.mock import patch
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.types import Message

import faregate_http.app
import faregate_http.ordering.payments
import faregate_http.retries
from faregate_http.options import FailureLimit
from faregate_http.protocol.instants import millis
from faregate_http.services import Services
from faregate_server.app import create_app
from faregate_server.store.migrate import migrate
from support.model.asking import Request
from support.model.naive_prices import Json
from support.model.tables import MORNING
from support.payment.fake_gateway import Books, FakeGateway
from support.payment.till import headers_of, new_customer, settings_of
from support.service.service import KEY, Clock

CATALOGUE = Path(__file__).with_name("valley.yaml")
IN_MEMORY = Path("/dev/shm")  # the disk is not under test
CUSTOMERS = (1, 2)
ENTERING = {"service-channel-key": KEY}

Result = TypeVar("Result")


class Answer(NamedTuple):
    """A response of the service."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def data(self) -> Json:
        found: Json = json.loads(self.content)
        return found

    @property
    def etag(self) -> str:
        return self.headers["etag"]


class Gateway(FakeGateway):
    """A gateway that is reset for each play."""

    def forget(self) -> None:
        """Reset the gateway."""
        self.books = Books()
        self.plans.clear()
        self.calls.clear()
        self.is_down = False


class Process(NamedTuple):
    """A process of the service."""

    app: Starlette
    state: Mapping[str, Any]

    @property
    def services(self) -> Services:
        services: Services = self.state["services"]
        return services


class Stage:
    """A service for one play after another, each on an empty file."""

    def __init__(self, folder: Path) -> None:
        self.clock = Clock(MORNING)
        self.gateway = Gateway()
        self.loop = asyncio.new_event_loop()
        self.file = folder / "valley.db"
        migrate(f"sqlite:///{self.file}")
        self._empty = self.file.read_bytes()
        self._apps = [self._app(), self._app()]
        self._stack = AsyncExitStack()
        self._turn = 0
        self.steps = 0

    def _app(self) -> Starlette:
        unlimited = {"code_failures": FailureLimit(10**6, 1)}
        settings = settings_of(f"sqlite:///{self.file}", catalogue=CATALOGUE, **unlimited)
        return create_app(settings, clock=self.clock, gateway=self.gateway, timer=self._seconds)

    def _seconds(self) -> float:
        return self.clock.now.timestamp()

    # ------------------------------------------------------------ a play

    def open(self) -> None:
        """Begin a play: in the morning, with two customers."""
        self.clock.now = MORNING
        self.gateway.forget()
        self._turn = 0
        for part in ("", "-wal", "-shm"):
            self.file.with_name(f"{self.file.name}{part}").unlink(missing_ok=True)
        self.file.write_bytes(self._empty)
        self.run(self._open())
        self.database = sqlite3.connect(self.file, isolation_level=None)

    async def _open(self) -> None:
        self.processes = [await self._stack.enter_async_context(_serving(app)) for app in self._apps]
        self.customers = {}
        for number in CUSTOMERS:
            customer, rows = new_customer(self.clock)
            await self.processes[0].services.store.save(None, records=rows)
            self.customers[number] = customer.account

    def close(self) -> None:
        """End the play."""
        self.database.close()
        self.run(self._stack.aclose())

    def run(self, work: Awaitable[Result]) -> Result:
        return self.loop.run_until_complete(work)

    # ------------------------------------------------------------ actions

    @property
    def services(self) -> Services:
        """The services of the process whose turn it is."""
        return self.processes[self._turn % 2].services

    def ask(self, request: Request, *, language: str = "en", etag: str | None = None) -> Answer:
        """Return the response of the process whose turn it is."""
        headers = {**ENTERING, "service-channel-uuid": request.channel, "accept-language": language}
        if request.account is not None:
            headers |= headers_of(self.customers[request.account], self.clock)
        if request.if_match is not None:
            headers["if-match"] = "*" if request.if_match < 0 else f'"{request.if_match}.OPEN.en"'
        optional = {"idempotency-key": request.key, "if-none-match": etag}
        headers |= {name: value for name, value in optional.items() if value is not None}
        return self.send(request.method, f"{request.url}{request.tail}", request.query, headers, request.body)

    def look(self, path: str, channel: str, **query: Any) -> Json:
        """Return the response to a GET of another resource than a checkout."""
        headers = {**ENTERING, "service-channel-uuid": channel, "accept-language": "en"}
        answer = self.send("GET", path, urlencode(query), headers, None)
        assert answer.status == 200, answer
        return answer.data

    def send(self, method: str, path: str, query: str, headers: dict[str, str], body: Json | None) -> Answer:
        """Send a request to the processes in turn."""
        self._turn += 1
        process = self.processes[self._turn % 2]
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "scheme": "http",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 50_000),
            "state": dict(process.state),
        }
        content = b""
        if body is not None:
            scope["headers"] += [(b"content-type", b"application/json")]  # type: ignore[operator]
            content = json.dumps(body).encode()
        return self.run(_answered(process.app, scope, content))

    def work(self) -> None:
        """Process the payments that are due."""
        self._turn += 1
        self.run(self.services.payments.work())

    def keep_house(self) -> None:
        """Delete expired data."""
        services, now = self.services, millis(self.clock.now)
        self.run(services.store.release_expired(now))

    def read_sold_counts(self) -> None:
        """Update the counts of sold units in all processes at once."""
        for process in self.processes:
            self.run(process.services.sold_counts.read())


@asynccontextmanager
async def _serving(app: Starlette) -> AsyncIterator[Process]:
    async with app.router.lifespan_context(app) as state:
        assert state is not None
        yield Process(app, state)


async def _answered(app: Starlette, scope: dict[str, Any], content: bytes) -> Answer:
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": content, "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start, *parts = sent
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return Answer(start["status"], headers, b"".join([part.get("body", b"") for part in parts]))


@contextmanager
def stage() -> Iterator[Stage]:
    """Yield a stage whose file is in memory, where the system supports it."""
    with (
        TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder,
        patch.object(faregate_http.app, "works_of", lambda *_: ()),
        patch.object(faregate_http.retries, "PAUSE_SECONDS", 0),
        patch.object(faregate_http.ordering.payments, "GATEWAY_SECONDS", 0.01),
    ):
        opened = Stage(Path(folder))
        logging.disable()  # log entries about an unavailable gateway are expected
        try:
            yield opened
        finally:
            logging.disable(logging.NOTSET)
            opened.loop.close()
