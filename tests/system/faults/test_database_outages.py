"""A PostgreSQL server that stops, crashes, closes connections, or is unreachable under load.

Meanwhile responses are correct or 503; afterwards the service recovers by itself. The recovery time is
printed.
"""

import asyncio
import random
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from faregate_server.store.migrate import migrate
from support.faults.outages import Shopping, live_through
from support.faults.proxy import Proxy, Way, proxy
from support.faults.runs import LOSS, caught, long_form, seeded
from support.faults.servers import Service, serving
from support.stores.postgresql import Server, ask

TIMES = long_form("FAREGATE_OUTAGES", 1)

# Commits are in the log file before they are reported; the machine itself does not fail here. Other commits
# would wait long to be written.
_SETTINGS = """
fsync = off
full_page_writes = off
synchronous_commit = on
wal_writer_delay = 10s
deadlock_timeout = 50ms
max_connections = 100
shared_buffers = 32MB
"""
_TIMEOUT = 2
_SOCKET = ".s.PGSQL.5432"


@pytest.fixture(scope="module")
def postgresql() -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="faregate-pg-"))
    server = Server(folder, _SETTINGS)
    try:
        yield server
    finally:
        server.end()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def name(postgresql: Server) -> str:
    """Return a database with tables."""
    name = postgresql.create()
    migrate(postgresql.url(name))
    return name


def restarting(postgresql: Server, stop: Callable[[], None]) -> Callable[[Shopping], Awaitable[None]]:
    """Stop the server and start it again under load."""

    async def happen(shopping: Shopping) -> None:
        for _ in range(TIMES):
            await asyncio.to_thread(stop)
            noticed = await shopping.until_away()
            assert (await shopping.write()) == (503, "storage-unavailable")
            assert await shopping.status("/health/live") == 200
            await asyncio.to_thread(postgresql.start)
            recovered = await shopping.until_ready()
            print(f"noticed after {noticed:.3f} s, recovered after {recovered:.3f} s")  # noqa: T201
            await shopping.goes_well()

    return happen


def service_at(url: str, folder: Path) -> Service:
    books = folder / "books"
    books.touch()
    return Service(database=url, books=str(books))


@pytest.mark.parametrize("way", ["stopped", "crashed"])
def test_a_database_that_restarts_loses_nothing(
    postgresql: Server, name: str, tmp_path: Path, way: str
) -> None:
    seed = seeded(0)
    stop = postgresql.stop if way == "stopped" else postgresql.crash
    service = service_at(f"{postgresql.url(name)}&timeout={_TIMEOUT}", tmp_path)
    with serving(service) as server:
        shopping = live_through(service, server, restarting(postgresql, stop), seed=seed)

    assert shopping.answers["storage-unavailable"] + shopping.answers["payment-unclear"] > 0


def test_connections_that_end_at_any_moment_lose_nothing(
    postgresql: Server, name: str, tmp_path: Path
) -> None:
    seed = seeded(0)
    chance, url = random.Random(seed), postgresql.url(name)
    ended = 0

    async def happen(shopping: Shopping) -> None:
        """Close all of the service's connections repeatedly."""
        nonlocal ended
        ours = "FROM pg_stat_activity WHERE application_name = 'faregate'"
        sql = f"SELECT count(pg_terminate_backend(pid)) {ours}"
        slowest = 0.0
        for _ in range(20 * TIMES):
            ((number,),) = await asyncio.to_thread(ask, url, sql)
            ended += number
            slowest = max(slowest, await shopping.until_ready())
            await asyncio.sleep(chance.random() * 0.1)
        print(f"{ended} connections ended, recovered after {slowest:.3f} s at most")  # noqa: T201

    service = service_at(f"{url}&timeout={_TIMEOUT}", tmp_path)
    with serving(service) as server:
        live_through(service, server, happen, seed=seed)

    assert ended > 20


@contextmanager
def reached_through(postgresql: Server, name: str) -> Iterator[tuple[Proxy, str]]:
    """Yield a proxy before the server, and the URL of a database behind it."""
    folder = postgresql._server.get_postmaster_info().socket_dir
    with proxy(f"{folder}/{_SOCKET}") as between:
        url = f"postgresql://postgres@127.0.0.1:{between.port}/{name}?timeout={_TIMEOUT}&sslmode=disable"
        yield between, url


@pytest.mark.parametrize("way", [Way.CUT, Way.SILENT], ids=lambda way: way.value)
def test_a_network_that_fails_loses_nothing(postgresql: Server, name: str, tmp_path: Path, way: Way) -> None:
    seed = seeded(0)
    with reached_through(postgresql, name) as (between, url):

        async def happen(shopping: Shopping) -> None:
            """Disconnect or stall the proxy, and open it again."""
            for _ in range(TIMES):
                between.become(way)
                noticed = await shopping.until_away()
                assert (await shopping.write()) == (503, "storage-unavailable")
                between.become(Way.OPEN)
                recovered = await shopping.until_ready()
                print(f"{way.value}: noticed after {noticed:.3f} s, recovered after {recovered:.3f} s")  # noqa: T201
                await shopping.goes_well()

        service = service_at(url, tmp_path)
        with serving(service) as server:
            shopping = live_through(service, server, happen, seed=seed)

    assert shopping.answers["storage-unavailable"] + shopping.answers["payment-unclear"] > 0


def test_a_database_that_acknowledges_before_committing_is_caught(
    postgresql: Server, name: str, tmp_path: Path
) -> None:
    seed = seeded(0)
    ask(postgresql.url("postgres"), f"ALTER DATABASE {name} SET synchronous_commit = off")
    service = service_at(f"{postgresql.url(name)}&timeout={_TIMEOUT}", tmp_path)
    with serving(service) as server, caught(LOSS):
        live_through(service, server, restarting(postgresql, postgresql.crash), seed=seed)
