"""Out of memory: a request is refused or the process dies, and acknowledged data survives.

A failure at any line of the service is simulated in this process, since a real one cannot be controlled.
"""

import ast
import asyncio
import json
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

import httpx2
import pytest

import faregate_http
from faregate_http.store.contract import StoreUnavailable
from faregate_server.store.migrate import migrate
from faregate_server.store.sqlite.store import SqliteStore
from support.faults.afterwards import (
    check_books,
    check_file,
    check_places,
    check_swept,
    customers_in,
    headers_for,
)
from support.faults.purchases import Purchase, buy
from support.faults.runs import LOSS, caught, client_of, long_form, seeded
from support.faults.servers import Server, Service, serving
from support.payment.till import Scene, database, headers_of, meal, play, ride
from support.service.hut import LUNCH
from support.service.service import Json, data_of, item, new_url
from support.stores.rows import a_row

LINES = long_form("FAREGATE_LINES", 25)
TIMES = long_form("FAREGATE_OUTAGES", 2)
_SOURCE = str(Path(faregate_http.__file__).parents[1])
_MEGABYTE = 1 << 20
_PATIENCE = 10

_OUTERMOST = tuple(
    f"/faregate_http/{file}.py"
    for file in ("app", "cors", "endpoint", "paths", "protocol/observed", "telemetry")
)
"""Code outside the error handling: there the response is 500, or missing."""

_LEFT_IN_PEACE = {"_surely", "__aexit__", "_leave"}
"""Code that retries without memory, and code that releases locks."""


@cache
def clean_up_of(file: str) -> frozenset[int]:
    """Return the lines of clean-up code in a file, which free memory and allocate none."""
    lines: set[int] = set()
    for node in ast.walk(ast.parse(Path(file).read_text("utf-8"))):
        if isinstance(node, ast.With | ast.AsyncWith):
            lines.add(node.lineno)  # also where it is left
        elif isinstance(node, ast.Try):
            lines.update(n for part in node.finalbody for n in range(part.lineno, part.end_lineno or 0))
            lines.update(part.end_lineno or 0 for part in node.finalbody)
    return frozenset(lines)


class Shortage:
    """A shortage of memory at one line of the service, counted from the start of the block; 0: at none."""

    def __init__(self, at: int = 0) -> None:
        self.at, self.passed = at, 0
        self.where = ""

    def __enter__(self) -> Self:
        sys.settrace(self._call)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.settrace(None)

    def _call(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        is_ours = frame.f_code.co_filename.startswith(_SOURCE)
        return self._line if is_ours and frame.f_code.co_name not in _LEFT_IN_PEACE else None

    def _line(self, frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line" and frame.f_lineno not in clean_up_of(frame.f_code.co_filename):
            self.passed += 1
            if self.passed == self.at:
                self.where = f"{frame.f_code.co_filename.removeprefix(_SOURCE)}:{frame.f_lineno}"
                raise MemoryError
        return self._line


Ask = Callable[[str], Awaitable[httpx2.Response | None]]

ASKED: dict[str, tuple[str, str, Json]] = {
    "items": ("POST", "/items", {"items": [meal(7), ride(8)]}),
    "quantity": ("PATCH", "/items/1/quantity", {"delta": 1}),
    "code": ("POST", "/vouchers", {"voucherCode": "GIFT-50"}),
    "payment on site": ("POST", "/payment", {"expectedTotal": 20, "provider": "ON_SITE"}),
    "payment": ("POST", "/payment", {"expectedTotal": 20, "provider": "GATEWAY"}),
}


async def lack_memory(scene: Scene, name: str, chance: random.Random) -> Counter[int]:
    """Repeat a request with a shortage at another line each time; return the statuses."""
    method, rest, body = ASKED[name]
    [customer] = await scene.customers(1)
    branch = scene.branch(0)
    token: dict[str, str] = {}

    async def asked(path: str) -> httpx2.Response | None:
        """Send the request, always with the same key; None: no response."""
        headers = {**token, "idempotency-key": path}
        request = branch.client.request(method, f"{path}{rest}", json=body, headers=headers)
        with suppress(MemoryError):
            return await asyncio.wait_for(request, _PATIENCE)
        return None

    async def opened() -> str:
        token.update(headers_of(customer.account, scene.clock))
        return await branch.opened(meal(1), headers=token)

    await asked(await opened())  # initialisation that happens once per process
    path = await opened()
    with Shortage() as counted:
        await asked(path)
    answers: Counter[int] = Counter()
    for at in chance.sample(range(1, counted.passed), min(LINES, counted.passed - 1)):
        path = await opened()
        with Shortage(at) as shortage:
            try:
                answer = await asked(path)
            except TimeoutError:
                branch.services.store._writer._writing_on = None  # type: ignore[attr-defined]  # or it waits
                pytest.fail(f"no response after {shortage.where}")
        status = answer.status_code if answer is not None else 0
        assert status in {200, 503} or shortage.where.startswith(_OUTERMOST), f"{shortage.where}: {status}"
        answers[status] += 1
        await _find_done_once(scene, asked, path, name)
        scene.clock.turn(minutes=31)  # release the holds for the next request
    return answers


async def _find_done_once(scene: Scene, asked: Ask, path: str, name: str) -> None:
    shown: Json = {}
    for _ in range(9):
        again = await asked(path)
        assert again is not None
        if again.status_code == 503:  # the interrupted write was in its way: 503 asks to retry
            continue
        assert again.status_code == 200, again.text
        shown = data_of(again)
        if "payment" not in name or shown["status"] == "CLOSED":
            break
        scene.clock.turn(seconds=35)
        await scene.branch(0).services.payments.work()
    assert len(shown["items"]) == {"items": 3, "quantity": 2}.get(name, 1)
    assert shown["status"] == ("CLOSED" if "payment" in name else "OPEN")


# A shortage between the creation of a coroutine and its start drops it, as it should.
@pytest.mark.filterwarnings("ignore:.*never awaited", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("name", ASKED)
def test_a_request_out_of_memory_at_any_line_has_one_effect_or_none(tmp_path: Path, name: str) -> None:
    chance = random.Random(seeded(0))

    async def behaviour(scene: Scene) -> Counter[int]:
        answers = await lack_memory(scene, name, chance)
        await scene.settle_up()
        return answers

    with database("sqlite", tmp_path) as url:
        answers = play(url, behaviour, number=1)

    print(f"{name}: {dict(answers)}")  # noqa: T201
    assert answers[503] > 0


def test_a_write_succeeds_after_one_out_of_memory_at_any_line(tmp_path: Path) -> None:
    """With a slow disk as well, so that the next write arrives before the failed one has ended."""
    file = tmp_path / "checkouts.db"
    migrate(f"sqlite:///{file}")

    async def behaviour(store: SqliteStore) -> int:
        for at in count(1):
            store._writer._disk.submit(time.sleep, 0.01)
            with suppress(MemoryError, StoreUnavailable), Shortage(at) as shortage:
                await asyncio.wait_for(store.save(a_row(f"first {at}")), _PATIENCE)
            if not shortage.where:
                return at
            await asyncio.wait_for(store.save(a_row(f"next {at}")), _PATIENCE)
            assert await store.head(f"next {at}"), shortage.where
        raise AssertionError

    async def run() -> int:
        store = SqliteStore.open(file)
        try:
            return await behaviour(store)
        finally:
            await store.close()

    lines = asyncio.run(run())

    assert lines > 50


async def _hog(server: Server) -> Counter[int]:
    """Send the largest possible requests concurrently; return the statuses, 0 without a response."""
    answers: Counter[int] = Counter()
    body = json.dumps({"items": [item(n, LUNCH) for n in range(1, 501)]}).ljust(_MEGABYTE)

    async def send(client: httpx2.AsyncClient) -> None:
        """Open a checkout with the maximum number of items."""
        try:
            headers = {"content-type": "application/json"}
            response = await client.post(f"{new_url()}/items", content=body, headers=headers)
        except httpx2.TransportError:
            answers[0] += 1
        else:
            answers[response.status_code] += 1

    async with client_of(server) as client:
        await asyncio.gather(*(send(client) for _ in range(12)))
    return answers


async def _serve_short_of_memory(
    server: Server, headers: list[dict[str, str]], chance: random.Random, *, season: int
) -> tuple[list[Purchase], Counter[int]]:
    purchases: list[Purchase] = []
    async with client_of(server) as client:
        shopping = [
            asyncio.create_task(buy(client, purchases, who, chance, season=season)) for who in headers
        ]
        await asyncio.sleep(0.3)
        limit_memory(server, chance.randrange(1, 25) * _MEGABYTE)
        answers = await _hog(server)
        if server.is_alive:
            limit_memory(server, None)
            await asyncio.to_thread(_wait, server)
        server.kill()
        await asyncio.gather(*shopping)
    return purchases, answers


def _wait(server: Server) -> None:
    """Wait until *server* responds again; it may also end, because a shortage has a late effect."""
    try:
        server.wait()
    except AssertionError:
        if server.is_alive:
            raise


def limit_memory(server: Server, more: int | None) -> None:
    """Limit the process to *more* memory than it uses; None: remove the limit."""
    with suppress(ProcessLookupError):
        _, hard = resource.prlimit(server.pid, resource.RLIMIT_AS)
        limit = hard if more is None else server.addresses() + more
        resource.prlimit(server.pid, resource.RLIMIT_AS, (limit, hard))


def run_out_of_memory(url: str, books: Path, *, seed: int, store: str = "real") -> None:
    """Let one process after another run out of memory under load, and check each time."""
    chance = random.Random(seed)
    books.touch()
    service = Service(database=url, books=str(books), store=store, seed=seed, server="cli")
    headers = headers_for(customers_in(url, 4))
    everybody: list[Purchase] = []
    answers: Counter[int] = Counter()

    async def check(server: Server, purchases: list[Purchase]) -> None:
        """Check all acknowledged changes."""
        async with client_of(server) as client:
            for purchase in purchases:
                await purchase.check(client)

    for number in range(TIMES):
        with serving(service) as server:
            run = _serve_short_of_memory(server, headers, chance, season=number)
            purchases, told = asyncio.run(run)
        answers += told
        everybody += purchases
        with serving(service) as server:
            asyncio.run(check(server, purchases))
    with serving(service) as server:
        asyncio.run(check(server, everybody))
        check_books(service, everybody)
    check_places(url)
    check_file(url)
    check_swept(url)
    orders = sum(purchase.is_paid for purchase in everybody)
    print(f"{TIMES} times, {orders} orders, large requests: {dict(answers)}")  # noqa: T201
    # 400: uvicorn's response when it lacks memory to read the request.
    assert set(answers) <= {0, 200, 400, 503}


def test_a_process_out_of_memory_loses_nothing(tmp_path: Path) -> None:
    seed = seeded(0)
    with database("sqlite", tmp_path) as url:
        run_out_of_memory(url, tmp_path / "books", seed=seed)


def test_a_store_that_acknowledges_before_saving_is_caught(tmp_path: Path) -> None:
    seed = seeded(0)
    with database("sqlite", tmp_path) as url, caught(f"{LOSS}|Stale"):
        run_out_of_memory(url, tmp_path / "books", seed=seed, store="eager")
