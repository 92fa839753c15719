"""The HTTP adapter and its store without sockets, under pytest-benchmark; many calls make one round."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from itertools import count, cycle
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from starlette.types import ASGIApp, Message, Scope

from benchmarks.http_contenders import CONTENDERS, OURS, database_file
from benchmarks.http_stores import OwnStore
from benchmarks.http_workload import (
    AT,
    CHANNEL,
    GATE_PATH,
    LANGUAGE,
    READ_ID,
    add_items_body,
    check_totals,
    checkout_path,
    fixed_clock,
    gate_exchanges,
    headers,
    items_path,
    random_id,
    roomy_catalogue,
    row_of_4_kb,
)
from faregate.checkout.expiry import CheckoutStatus
from faregate.checkout.priced import price_checkout
from faregate.files import demo_catalogue
from faregate_http.checkouts.records import CheckoutRecord
from faregate_http.checkouts.stored_inputs import read_inputs
from faregate_http.checkouts.views import checkout_body
from faregate_http.offers.catalogue_views import CatalogueViews
from faregate_http.store.contract import CheckoutRow
from faregate_server.app import create_app
from faregate_server.settings import Settings
from faregate_server.store.opening import open_store

CALLS = 64
TASKS = 64

_CLIENTS = count(1)

PRICED_AND_STORED = [key for key, contender in CONTENDERS.items() if contender.rows]


class Application:
    """An ASGI application, called as a server calls it; its lifespan covers all calls."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._state: dict[str, object] = {}
        self._incoming: asyncio.Queue[Message] = asyncio.Queue()
        self._started = asyncio.Event()

    async def start(self) -> None:
        scope: Scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": self._state}
        self._life = asyncio.create_task(self._live(scope))
        self._incoming.put_nowait({"type": "lifespan.startup"})
        await asyncio.wait_for(self._started.wait(), 30)

    async def _live(self, scope: Scope) -> None:
        async def send(message: Message) -> None:
            if message["type"] == "lifespan.startup.complete":
                self._started.set()

        await self._app(scope, self._incoming.get, send)

    async def stop(self) -> None:
        self._incoming.put_nowait({"type": "lifespan.shutdown"})
        await self._life

    async def answer(self, method: str, path: str, body: bytes = b"") -> bytes:
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": [(name.encode(), text.encode()) for name, text in headers(body).items()],
            "client": (f"client {next(_CLIENTS)}", 1),
            "server": ("127.0.0.1", 80),
            "state": dict(self._state),
        }
        sent: list[Message] = []
        arriving: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if not arriving:
                await asyncio.Event().wait()  # the client stays
            return arriving.pop()

        async def send(message: Message) -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        start, answer = sent
        if start["status"] != 200:
            raise RuntimeError(f"{method} {path}: {start['status']} {answer['body']!r}")
        found: bytes = answer["body"]
        return found


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture
def faregate(runner: asyncio.Runner, tmp_path: Path) -> Iterator[Application]:
    database = f"sqlite:///{database_file(OURS, tmp_path)}"
    settings = Settings(database=database, catalogue=roomy_catalogue(tmp_path))
    application = Application(create_app(settings, clock=fixed_clock))
    runner.run(application.start())
    runner.run(application.answer("POST", items_path(READ_ID), add_items_body()))
    yield application
    runner.run(application.stop())


@pytest.fixture
def store(runner: asyncio.Runner, tmp_path: Path) -> Iterator[OwnStore]:
    store = OwnStore(open_store(f"sqlite:///{database_file(OURS, tmp_path)}"))
    yield store
    runner.run(store.close())


@pytest.fixture
def fresh_id() -> Callable[[], str]:
    bits = random.Random(7).getrandbits
    return lambda: random_id(bits(128))


async def one_after_the_other(call: Callable[[], Awaitable[object]]) -> None:
    for _ in range(CALLS):
        await call()


async def at_once(call: Callable[[], Awaitable[object]]) -> None:
    await asyncio.gather(*(call() for _ in range(TASKS)))


def test_get(benchmark: BenchmarkFixture, runner: asyncio.Runner, faregate: Application) -> None:
    path = checkout_path(READ_ID)
    benchmark.group = f"HTTP in process: {CALLS} requests"

    benchmark(lambda: runner.run(one_after_the_other(lambda: faregate.answer("GET", path))))


def test_gate_price(benchmark: BenchmarkFixture, runner: asyncio.Runner, faregate: Application) -> None:
    bodies = cycle([body for body, _ in gate_exchanges()])
    benchmark.group = f"HTTP in process: {CALLS} requests"

    benchmark(
        lambda: runner.run(one_after_the_other(lambda: faregate.answer("POST", GATE_PATH, next(bodies))))
    )


def test_gate_prices_are_those_worked_out_by_hand(runner: asyncio.Runner, faregate: Application) -> None:
    for body, expected in gate_exchanges()[:1000]:
        assert runner.run(faregate.answer("POST", GATE_PATH, body)) == expected


def test_post_items(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, faregate: Application, fresh_id: Callable[[], str]
) -> None:
    body = add_items_body()
    benchmark.group = f"HTTP in process: {TASKS} requests"

    benchmark(lambda: runner.run(at_once(lambda: faregate.answer("POST", items_path(fresh_id()), body))))


def test_save(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, store: OwnStore, fresh_id: Callable[[], str]
) -> None:
    template = row_of_4_kb("")
    benchmark.group = f"store: {TASKS} rows"

    benchmark(lambda: runner.run(at_once(lambda: store.save(template._replace(id=fresh_id())))))


def test_head(benchmark: BenchmarkFixture, runner: asyncio.Runner, tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{database_file(OURS, tmp_path)}")
    runner.run(store.save(row_of_4_kb(READ_ID)))
    benchmark.group = f"store: {CALLS} rows"

    benchmark(lambda: runner.run(one_after_the_other(lambda: store.head(READ_ID))))

    runner.run(store.close())


def test_checkout_body(
    benchmark: BenchmarkFixture, runner: asyncio.Runner, faregate: Application, tmp_path: Path
) -> None:
    row = runner.run(_stored(tmp_path))
    views = CatalogueViews(demo_catalogue())
    checkout = read_inputs(row.inputs, channel=CHANNEL, account=None, catalogue=views.catalogue)
    record = CheckoutRecord(READ_ID, checkout, CheckoutStatus.OPEN, AT, AT, AT)
    benchmark.group = "checkout body"

    def priced_body() -> bytes:
        priced = price_checkout(checkout, catalogue=views.catalogue, at=AT)
        return checkout_body(record, priced, LANGUAGE, views)

    body = benchmark(priced_body)

    assert len(body) == len(runner.run(faregate.answer("GET", checkout_path(READ_ID))))


async def _stored(folder: Path) -> CheckoutRow:
    store = open_store(f"sqlite:///{database_file(OURS, folder)}")
    row = await store.checkout(READ_ID)
    await store.close()
    if row is None:
        raise RuntimeError("the checkout was answered and is not stored")
    return row


@pytest.mark.parametrize("key", [key for key in PRICED_AND_STORED if key != OURS])
def test_peers_return_the_same_bytes(
    runner: asyncio.Runner, faregate: Application, tmp_path: Path, key: str
) -> None:
    peer = Application(CONTENDERS[key].app(key, tmp_path))
    runner.run(peer.start())

    answer = runner.run(peer.answer("POST", items_path(READ_ID), add_items_body()))

    assert answer == runner.run(faregate.answer("GET", checkout_path(READ_ID)))
    check_totals(answer)
    runner.run(peer.stop())
